package io.fabrichealth.collective.log;

/**
 * What a rank was about to do when it compared itself with others ({@code
 * TORCH_DISTRIBUTED_DEBUG=DETAIL}).
 *
 * @param rank in its group
 * @param sequence -1 where not told
 * @param shape {@code 1024, 2}, or empty
 * @param dtype {@code Float}, or empty
 * @param line of the first report
 */
public record Fingerprint(
    int rank, long sequence, String operation, String shape, String dtype, long line) {

  /** The operation as a reader would write it. */
  public String call() {
    return shape.isEmpty() ? operation : operation + "[" + shape + "] " + dtype;
  }
}
