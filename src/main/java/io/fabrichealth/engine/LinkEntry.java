package io.fabrichealth.engine;

import io.fabrichealth.finding.Subject;
import io.fabrichealth.topology.Link;
import java.util.List;

/** One link of the fabric with what is looked up with every poll. */
record LinkEntry(Link link, Subject subject, List<PortEntry> ends) {}
