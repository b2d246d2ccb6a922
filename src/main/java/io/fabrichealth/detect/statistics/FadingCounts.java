package io.fabrichealth.detect.statistics;

/**
 * Events and their exposure on two time scales, each fading exponentially: what happens now, and
 * what is usual.
 *
 * @param recent events of the last minutes
 * @param past events of the last day
 */
public record FadingCounts(double recent, double recentExposure, double past, double pastExposure) {
  public static final FadingCounts EMPTY = new FadingCounts(0, 0, 0, 0);

  /** Time constants of the two scales. */
  public static final double RECENT_SECONDS = 300;

  public static final double PAST_SECONDS = 86_400;

  /** After that many seconds with these events in this exposure. */
  public FadingCounts plus(double count, double exposure, double seconds) {
    double fade = Math.exp(-Math.max(0, seconds) / RECENT_SECONDS);
    double slow = Math.exp(-Math.max(0, seconds) / PAST_SECONDS);
    return new FadingCounts(
        recent * fade + count,
        recentExposure * fade + exposure,
        past * slow + count,
        pastExposure * slow + exposure);
  }

  /** What the last minutes say of the rate, after what was known before. */
  public GammaPosterior recentAfter(GammaPosterior prior) {
    return prior.plus(recent, recentExposure);
  }

  public GammaPosterior pastAfter(GammaPosterior prior) {
    return prior.plus(past, pastExposure);
  }
}
