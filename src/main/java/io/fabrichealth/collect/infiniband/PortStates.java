package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds to a subnet what another text tells of the state of its ports. */
final class PortStates {
  private static final int MOST_WORDS = 5;

  private PortStates() {}

  /**
   * Adds states, and the ports of switches that have no link.
   *
   * @return switches of which not every port was told
   */
  static List<Problem> add(Subnet states, Subnet subnet) {
    List<String> short_ones = new ArrayList<>();
    for (Node told : states.nodes()) {
      Node node = subnet.byGuid(told.guid());
      if (node == null) {
        // Came since, or is a node of a kind that is left out.
        continue;
      }
      told.ports().forEach((number, port) -> node.ports().put(number, merged(node, port)));
      if (node.isSwitch() && told.ports().size() != node.declaredPorts()) {
        short_ones.add(
            "%s declares %d and shows %d"
                .formatted(node, node.declaredPorts(), told.ports().size()));
      }
    }
    return short_ones.isEmpty()
        ? List.of()
        : List.of(
            new Problem(
                FailureCode.PARTIAL,
                "%d switches show other numbers of ports than they declare: %s"
                    .formatted(
                        short_ones.size(),
                        String.join(
                            "; ",
                            short_ones.subList(0, Math.min(MOST_WORDS, short_ones.size()))))));
  }

  private static NodePort merged(Node node, NodePort told) {
    @Nullable NodePort known = node.ports().get(told.number());
    return known == null
        ? new NodePort(
            told.number(),
            told.external(),
            null,
            node.isSwitch() ? 0 : told.guid(),
            node.isSwitch() ? 0 : told.lid(),
            told.lanes(),
            told.speed(),
            told.link(),
            null,
            told.line())
        : known.withState(told.link(), told.lanes(), told.speed());
  }
}
