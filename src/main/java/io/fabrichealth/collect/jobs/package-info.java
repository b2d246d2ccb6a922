/**
 * Reads what jobs leave behind: files, directories and archives of dumps and logs. Knows each by
 * its content, and says of each what it took and what it could not.
 */
@NullMarked
@NamedInterface("jobs")
package io.fabrichealth.collect.jobs;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
