/** Tells others of incidents: webhooks and Alertmanagers. */
@NullMarked
@ApplicationModule(allowedDependencies = {"incident", "finding"})
package io.fabrichealth.notify;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
