package io.fabrichealth.simulate.world;

import java.util.List;

/**
 * The shape of a fabric: hosts with one port a rail, leaves by rail, spines, and cores that join
 * the pods where there are several.
 *
 * @param hosts in a pod
 * @param rails ports of a host
 * @param leaves of a rail in a pod
 * @param spines in a pod
 * @param parallel links from each leaf to each spine of its pod
 * @param cores each with a link to every spine; 0 where there is one pod
 * @param connections into which the traffic of a neighbour is split
 */
record Shape(
    String name,
    int pods,
    int hosts,
    int rails,
    int leaves,
    int spines,
    int parallel,
    int cores,
    int connections) {
  private static final List<Shape> ALL =
      List.of(
          new Shape("F1", 1, 128, 8, 4, 20, 2, 0, 8),
          new Shape("F1-part", 1, 32, 2, 2, 8, 2, 0, 8),
          new Shape("F2", 8, 128, 8, 4, 16, 2, 64, 4),
          new Shape("F3", 32, 128, 8, 4, 16, 2, 64, 2));

  /**
   * @throws IllegalArgumentException where no fabric has that name
   */
  static Shape of(String name) {
    return ALL.stream()
        .filter(shape -> shape.name().equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "fabric '%s' is not known, only %s"
                        .formatted(name, ALL.stream().map(Shape::name).toList())));
  }

  int hostsOfAll() {
    return pods * hosts;
  }

  int leavesOfPod() {
    return rails * leaves;
  }

  int links() {
    return hostsOfAll() * rails + pods * leavesOfPod() * spines * parallel + pods * spines * cores;
  }
}
