package io.fabrichealth.cli;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A duration as the configuration has it: {@code 90s}, {@code 10m}, {@code 1h}. */
final class DurationConverter implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String value) {
    try {
      Duration duration = DurationStyle.SIMPLE.parse(value);
      if (duration.isPositive()) {
        return duration;
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      // Said below.
    }
    throw new TypeConversionException("'" + value + "' is no duration such as 90s, 10m or 1h");
  }
}
