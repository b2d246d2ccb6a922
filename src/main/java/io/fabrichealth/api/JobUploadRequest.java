package io.fabrichealth.api;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** What is sent of a job. */
record JobUploadRequest(
    @Schema(description = "of the dump that is sent, where no file name ends in it")
        @Min(value = 0, message = "must be 0 to 1048575")
        @Max(value = 1_048_575, message = "must be 0 to 1048575")
        @Nullable Integer rank,
    @Schema(
            description =
                "name of the file that is sent; one of the same name takes its place later")
        @Size(min = 1, max = 400, message = "may have 1 to 400 characters")
        @Nullable String name,
    @Schema(description = "true forgets what was sent of the job before", defaultValue = "false")
        @Nullable Boolean fresh) {

  /** The file's name, which tells the rank of a dump. */
  String fileName(String usual) {
    String given = name == null ? usual : name;
    return rank == null ? given : given + "_rank_" + rank;
  }

  boolean isFresh() {
    return Boolean.TRUE.equals(fresh);
  }
}
