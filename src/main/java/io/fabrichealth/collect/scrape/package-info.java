/** Puts samples that do not come as a page together to scrapes of exporters. */
@NullMarked
package io.fabrichealth.collect.scrape;

import org.jspecify.annotations.NullMarked;
