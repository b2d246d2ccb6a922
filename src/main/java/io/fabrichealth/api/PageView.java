package io.fabrichealth.api;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/**
 * One page of a list.
 *
 * @param nextCursor cursor of the next page; null on the last
 */
record PageView<T>(List<T> items, @Nullable String nextCursor) {
  PageView {
    items = List.copyOf(items);
  }

  /** The answer, with the next page as a link relative to the request (RFC 8288). */
  ResponseEntity<PageView<T>> toResponse() {
    if (nextCursor == null) {
      return ResponseEntity.ok(this);
    }
    String query =
        ServletUriComponentsBuilder.fromCurrentRequest()
            .replaceQueryParam("cursor", nextCursor)
            .build()
            .getQuery();
    return ResponseEntity.ok()
        .header(HttpHeaders.LINK, "<?" + query + ">; rel=\"next\"")
        .body(this);
  }
}
