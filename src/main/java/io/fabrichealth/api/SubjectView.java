package io.fabrichealth.api;

import io.fabrichealth.finding.Subject;
import io.swagger.v3.oas.annotations.media.Schema;

/** What something is about. */
record SubjectView(
    @Schema(example = "link") String type,
    @Schema(example = "leaf1:Ethernet1/1--gpu-001:mlx5_0/1") String id) {

  static SubjectView of(Subject subject) {
    return new SubjectView(subject.type().label(), subject.id());
  }
}
