package io.fabrichealth.api;

import io.fabrichealth.collective.KnownCollective;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which collectives of a job to list; a filter that is not given does not restrict. */
record JobCollectivesRequest(
    @Nullable Set<String> group,
    @Schema(description = "such as all_reduce") @Nullable Set<String> operation,
    @Min(value = 1, message = PageRequest.LIMIT_MESSAGE)
        @Max(value = PageRequest.LARGEST, message = PageRequest.LIMIT_MESSAGE)
        @Schema(defaultValue = "100")
        @Nullable Integer limit,
    @Schema(description = "nextCursor of the page before") @Nullable String cursor) {

  PageRequest page(String job) {
    return PageRequest.of(limit, cursor, "collectives " + job + " " + group + " " + operation);
  }

  boolean matches(KnownCollective one) {
    return PageRequest.allows(group, one.group()) && PageRequest.allows(operation, one.operation());
  }
}
