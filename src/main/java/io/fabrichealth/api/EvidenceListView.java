package io.fabrichealth.api;

import io.fabrichealth.verdict.LinkState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sum that a verdict is, whole in one page.
 *
 * @param at of the snapshot that all of it belongs to
 */
record EvidenceListView(
    String linkId,
    Instant at,
    LinkState state,
    @Schema(minimum = "0", maximum = "1", description = "null while nothing was read")
        @Nullable Double probability,
    List<EvidenceView> items,
    @Schema(description = "always null") @Nullable String nextCursor) {}
