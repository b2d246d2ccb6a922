package io.fabrichealth.collective.log;

import io.fabrichealth.collective.log.RankError.Kind;
import java.util.List;

/** Tells an error of a rank's own from one that others gave it. */
final class ErrorText {
  private static final List<String> OWN =
      List.of(
          "CUDA error",
          "CUDA out of memory",
          "OutOfMemoryError",
          "uncorrectable",
          "Segmentation fault",
          "Bus error",
          "DataLoader worker");
  private static final List<String> MISMATCHED =
      List.of("Detected mismatch between collectives", "op.preamble.length <= op.nbytes");
  private static final List<String> WAITED =
      List.of(
          "Timed out waiting",
          "timed out",
          "Timeout",
          "monitoredBarrier",
          "wait timeout",
          "Watchdog caught");
  private static final List<String> LOST =
      List.of(
          "Connection reset by peer",
          "Connection closed by peer",
          "Connection refused",
          "Broken pipe",
          "remote process exited",
          "ncclRemoteError",
          "failed to recv",
          "Failed to recv");
  private static final List<String> COMMUNICATION =
      List.of(
          "NCCL",
          "nccl",
          "gloo",
          "DistBackendError",
          "DistNetworkError",
          "DistStoreError",
          "TCPStore",
          "ProcessGroup",
          "SignalException",
          "ChildFailedError",
          "KeyboardInterrupt",
          "SystemExit");

  private ErrorText() {}

  static Kind kindOf(String text) {
    if (holds(text, MISMATCHED)) {
      return Kind.MISMATCH;
    }
    if (holds(text, OWN)) {
      return Kind.OWN;
    }
    if (holds(text, LOST)) {
      return Kind.PEER_LOST;
    }
    if (holds(text, WAITED)) {
      return Kind.TIMED_OUT;
    }
    return holds(text, COMMUNICATION) ? Kind.COMMUNICATION : Kind.OWN;
  }

  private static boolean holds(String text, List<String> any) {
    for (String part : any) {
      if (text.contains(part)) {
        return true;
      }
    }
    return false;
  }

  static String shortened(String text) {
    String line = text.strip();
    return line.length() <= RankError.LONGEST ? line : line.substring(0, RankError.LONGEST);
  }
}
