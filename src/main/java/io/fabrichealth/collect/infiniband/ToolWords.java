package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.infiniband.InfinibandTarget.Tools;
import io.fabrichealth.collect.infiniband.ToolRunner.End;
import java.util.ArrayList;
import java.util.List;

/**
 * The words that run a tool. None of them ever clears a counter: others may be reading them ({@code
 * perfquery -r} and {@code -R}, {@code ibqueryerrors -k} and {@code -K} would).
 */
final class ToolWords {
  private final Tools tools;

  ToolWords(Tools tools) {
    this.tools = tools;
  }

  List<String> of(String tool, List<String> arguments) {
    List<String> words = new ArrayList<>(tools.command());
    words.add(tool);
    String ca = tools.ca();
    if (ca != null) {
      words.add("-C");
      words.add(ca);
    }
    if (tools.caPort() > 0) {
      words.add("-P");
      words.add(Integer.toString(tools.caPort()));
    }
    words.addAll(arguments);
    return words;
  }

  /** A tool that ended with another code than 0. */
  CollectException failed(String tool, End end) {
    String complaint = end.complaint();
    boolean isRefused =
        complaint.contains("Permission denied") || complaint.contains("password is required");
    return new CollectException(
        isRefused ? FailureCode.AUTHENTICATION : FailureCode.UNREACHABLE,
        "%s ended with %d%s"
            .formatted(tool, end.exitCode(), complaint.isEmpty() ? "" : ": " + complaint),
        null);
  }

  /**
   * Where the tools run, for people; the words before a tool may hold more than they should know.
   */
  String address() {
    String how = tools.command().isEmpty() ? "infiniband-diags" : tools.command().getFirst();
    String ca = tools.ca();
    return ca == null ? how : how + " " + ca + (tools.caPort() > 0 ? "/" + tools.caPort() : "");
  }
}
