package io.fabrichealth.collective.recorder;

import io.fabrichealth.collective.Operation;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code nccl:all_reduce}, {@code gloo:send 0->1}, {@code nccl:recv 1<-0}. */
final class ProfilingName {
  private static final Pattern PEERS =
      Pattern.compile("(send|recv)\\w* (\\d{1,9}) ?(->|<-) ?(\\d{1,9})");

  private ProfilingName() {}

  static Operation operation(
      String text,
      List<List<Long>> inputSizes,
      List<String> inputTypes,
      List<List<Long>> outputSizes,
      List<String> outputTypes) {
    int colon = text.indexOf(':');
    String name = text.substring(colon + 1);
    int source = -1;
    int destination = -1;
    Matcher peers = PEERS.matcher(name);
    if (peers.matches()) {
      name = peers.group(1);
      int left = Integer.parseInt(peers.group(2));
      int right = Integer.parseInt(peers.group(4));
      boolean isForward = peers.group(3).equals("->");
      source = isForward ? left : right;
      destination = isForward ? right : left;
    }
    return new Operation(
        colon < 0 ? "" : text.substring(0, colon),
        name,
        source,
        destination,
        inputSizes,
        inputTypes,
        outputSizes,
        outputTypes);
  }
}
