package io.fabrichealth.api;

import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Nodes or edges of the fabric's picture; the same request gives those of one picture. */
record GraphView<T>(
    List<T> items,
    @Schema(description = "devices that are not drawn, as there are too many") int omitted) {

  static GraphView<GraphNodeView> nodes(FabricSnapshot snapshot, GraphRequest request) {
    List<Device> wanted = wanted(snapshot, request);
    List<Device> drawn = drawn(snapshot, wanted, request.most());
    return new GraphView<>(
        drawn.stream()
            .map(
                device ->
                    GraphNodeView.of(
                        device,
                        snapshot.fabric().linksOf(device.name()),
                        link -> state(snapshot, link)))
            .toList(),
        wanted.size() - drawn.size());
  }

  static GraphView<GraphEdgeView> edges(FabricSnapshot snapshot, GraphRequest request) {
    List<Device> wanted = wanted(snapshot, request);
    List<Device> drawn = drawn(snapshot, wanted, request.most());
    Set<String> names = new HashSet<>();
    drawn.forEach(device -> names.add(device.name()));
    Map<String, Map<String, List<Link>>> byEnds = new TreeMap<>();
    for (Link link : snapshot.fabric().links()) {
      PortId b = link.b();
      if (b != null && names.contains(link.a().device()) && names.contains(b.device())) {
        boolean isInOrder = link.a().device().compareTo(b.device()) <= 0;
        byEnds
            .computeIfAbsent(isInOrder ? link.a().device() : b.device(), one -> new TreeMap<>())
            .computeIfAbsent(isInOrder ? b.device() : link.a().device(), one -> new ArrayList<>())
            .add(link);
      }
    }
    List<GraphEdgeView> edges = new ArrayList<>();
    byEnds.forEach(
        (source, targets) ->
            targets.forEach(
                (target, links) ->
                    edges.add(
                        GraphEdgeView.of(source, target, links, link -> state(snapshot, link)))));
    return new GraphView<>(edges, wanted.size() - drawn.size());
  }

  private static List<Device> wanted(FabricSnapshot snapshot, GraphRequest request) {
    Set<String> around = request.device();
    if (around == null || around.isEmpty()) {
      return List.copyOf(snapshot.fabric().devices());
    }
    Set<String> names = new HashSet<>(around);
    for (String name : around) {
      for (Link link : snapshot.fabric().linksOf(name)) {
        link.ends().forEach(end -> names.add(end.device()));
      }
    }
    return snapshot.fabric().devices().stream()
        .filter(device -> names.contains(device.name()))
        .toList();
  }

  /** The devices that tell most, by name. */
  private static List<Device> drawn(FabricSnapshot snapshot, List<Device> wanted, int most) {
    return wanted.stream()
        .sorted(
            Comparator.comparingInt((Device device) -> rank(snapshot, device))
                .thenComparing(Device::name))
        .limit(most)
        .sorted(Comparator.comparing(Device::name))
        .toList();
  }

  private static int rank(FabricSnapshot snapshot, Device device) {
    boolean isWhole =
        snapshot.fabric().linksOf(device.name()).stream()
            .map(link -> state(snapshot, link))
            .allMatch(state -> state == LinkState.HEALTHY || state == LinkState.UNKNOWN);
    if (!isWhole) {
      return 0;
    }
    return device.role() == Role.HOST ? 3 : device.role() == Role.LEAF ? 2 : 1;
  }

  private static LinkState state(FabricSnapshot snapshot, Link link) {
    Verdict verdict = snapshot.verdicts().get(Subject.of(link));
    return verdict == null ? LinkState.UNKNOWN : verdict.state();
  }
}
