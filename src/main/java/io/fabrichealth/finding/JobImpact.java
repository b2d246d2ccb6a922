package io.fabrichealth.finding;

/**
 * What a fault costs a job.
 *
 * @param job its name
 * @param lostShare part of the job's time that is lost on its critical path, 0 to 1
 * @param leastShare lower end of the 95 % interval of it
 * @param mostShare upper end
 * @param gpuHoursPerDay that the job's GPUs wait
 */
public record JobImpact(
    String job, double lostShare, double leastShare, double mostShare, double gpuHoursPerDay) {
  private static final double NORMAL_95 = 1.96;
  private static final double HOURS_A_DAY = 24;

  /** A job that stands still is slower by no number. */
  private static final double MOST_LOST = .999;

  /**
   * Of samples of the time lost each time.
   *
   * @param lostMicros one a collective
   * @param intervalMicros from one to the next
   */
  public static JobImpact of(String job, int gpus, double[] lostMicros, double intervalMicros) {
    double sum = 0;
    double squares = 0;
    for (double lost : lostMicros) {
      sum += lost;
      squares += lost * lost;
    }
    int count = Math.max(1, lostMicros.length);
    double mean = sum / count;
    double error = NORMAL_95 * Math.sqrt(Math.max(0, squares / count - mean * mean) / count);
    return of(job, gpus, mean / intervalMicros, error / intervalMicros);
  }

  private static JobImpact of(String job, int gpus, double share, double error) {
    double lost = Math.clamp(share, 0, 1);
    return new JobImpact(
        job,
        lost,
        Math.clamp(share - error, 0, 1),
        Math.clamp(share + error, 0, 1),
        lost * gpus * HOURS_A_DAY);
  }

  /** How much longer everything takes than without the fault, 1 or more. */
  public double slowdownRatio() {
    return 1 / (1 - Math.min(lostShare, MOST_LOST));
  }

  /** Both are lost, one after the other. */
  public JobImpact plus(JobImpact other, int gpus) {
    double error = Math.hypot(mostShare - lostShare, other.mostShare - other.lostShare);
    return of(job, gpus, lostShare + other.lostShare, error);
  }
}
