package io.fabrichealth.detect;

import java.util.Arrays;

/**
 * The strongly connected components of a directed graph, in time linear in its nodes and edges and
 * without recursion: a storm may chain thousands of links.
 *
 * <p>Source: Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972).
 */
final class StronglyConnected {
  private final int[] first;
  private final int[] successors;
  private final int[] order;
  private final int[] low;
  private final int[] open;
  private int opened;
  private int visited;

  /** Component of each node. Those that a component leads to have smaller numbers than itself. */
  final int[] component;

  /** Number of nodes of each component. */
  final int[] sizes;

  final int count;

  /**
   * @param first where the successors of a node begin; one more at the end
   * @param successors nodes, those of one node side by side
   */
  StronglyConnected(int[] first, int[] successors) {
    this.first = first;
    this.successors = successors;
    int nodes = first.length - 1;
    order = new int[nodes];
    low = new int[nodes];
    open = new int[nodes];
    component = new int[nodes];
    Arrays.fill(component, -1);
    int[] path = new int[nodes];
    int[] edge = new int[nodes];
    int found = 0;
    for (int root = 0; root < nodes; root++) {
      if (order[root] == 0) {
        found = visit(root, path, edge, found);
      }
    }
    count = found;
    sizes = new int[count];
    for (int of : component) {
      sizes[of]++;
    }
  }

  private int visit(int root, int[] path, int[] edge, int foundBefore) {
    int found = foundBefore;
    int depth = 0;
    enter(root, path, edge, depth);
    while (depth >= 0) {
      int node = path[depth];
      if (edge[depth] < first[node + 1]) {
        int next = successors[edge[depth]++];
        if (order[next] == 0) {
          enter(next, path, edge, ++depth);
        } else if (component[next] < 0) {
          low[node] = Math.min(low[node], order[next]);
        }
      } else {
        if (low[node] == order[node]) {
          close(node, found++);
        }
        depth--;
        if (depth >= 0) {
          low[path[depth]] = Math.min(low[path[depth]], low[node]);
        }
      }
    }
    return found;
  }

  private void enter(int node, int[] path, int[] edge, int depth) {
    path[depth] = node;
    edge[depth] = first[node];
    order[node] = ++visited;
    low[node] = visited;
    open[opened++] = node;
  }

  private void close(int node, int number) {
    int last;
    do {
      last = open[--opened];
      component[last] = number;
    } while (last != node);
  }
}
