package io.fabrichealth.collective;

import java.util.List;

/**
 * What a rank called: one entry of a flight recorder without its numbers and times.
 *
 * @param backend the prefix of the profiling name: {@code nccl}, {@code gloo}, or any other
 * @param name the operation without prefix and peers: {@code all_reduce}, {@code send}, {@code
 *     coalesced}
 * @param source the sender's index in the group of a send or receive, -1 of any other
 * @param destination the receiver's index in the group of a send or receive, -1 of any other
 * @param inputSizes a list of dimensions each tensor; empty where not recorded
 * @param inputTypes {@code Float}, {@code BFloat16}, ... each tensor
 */
public record Operation(
    String backend,
    String name,
    int source,
    int destination,
    List<List<Long>> inputSizes,
    List<String> inputTypes,
    List<List<Long>> outputSizes,
    List<String> outputTypes) {

  public Operation {
    inputSizes = List.copyOf(inputSizes);
    inputTypes = List.copyOf(inputTypes);
    outputSizes = List.copyOf(outputSizes);
    outputTypes = List.copyOf(outputTypes);
  }

  public boolean isSend() {
    return name.equals("send");
  }

  public boolean isReceive() {
    return name.equals("recv");
  }

  public boolean isPointToPoint() {
    return isSend() || isReceive();
  }
}
