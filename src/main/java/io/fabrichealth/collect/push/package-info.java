/** Takes in what others send: remote-write, OTLP, readings. */
@NullMarked
@NamedInterface("push")
package io.fabrichealth.collect.push;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
