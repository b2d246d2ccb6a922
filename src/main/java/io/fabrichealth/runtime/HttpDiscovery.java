package io.fabrichealth.runtime;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.prometheus.PageClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks servers for their lists of targets, each on a thread of its own and at its own pace. What a
 * server last answered stands until it answers again.
 */
final class HttpDiscovery implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpDiscovery.class);

  private final TargetDiscovery lists;
  private final Runnable onFailure;
  private final PageClient client = new PageClient();
  private final Map<HttpSource, Thread> askers = new HashMap<>();
  private final AtomicBoolean changed = new AtomicBoolean();

  /**
   * @param onFailure runs whenever a server gave no list
   */
  HttpDiscovery(TargetDiscovery lists, Runnable onFailure) {
    this.lists = lists;
    this.onFailure = onFailure;
  }

  /** Asks these from now on, and no others. */
  synchronized void follow(Set<HttpSource> servers) {
    askers
        .entrySet()
        .removeIf(
            asker -> {
              boolean gone = !servers.contains(asker.getKey());
              if (gone) {
                asker.getValue().interrupt();
              }
              return gone;
            });
    for (HttpSource server : servers) {
      askers.computeIfAbsent(
          server,
          asked ->
              Thread.ofVirtual().name("http-sd-" + asked.name()).start(() -> askForEver(asked)));
    }
  }

  /** Whether a list changed since the last call. */
  boolean takeChanged() {
    return changed.getAndSet(false);
  }

  /**
   * Asks each of these once, all at the same time.
   *
   * @param problem takes the server and what went wrong with it
   */
  static void askOnce(
      TargetDiscovery lists, Set<HttpSource> servers, BiConsumer<HttpSource, String> problem)
      throws InterruptedException {
    try (PageClient client = new PageClient()) {
      Map<HttpSource, Thread> askers = new HashMap<>();
      for (HttpSource server : servers) {
        askers.put(
            server,
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        lists.answered(server, client.fetch(server.page()));
                      } catch (CollectException e) {
                        problem.accept(server, String.valueOf(e.getMessage()));
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                    }));
      }
      for (Thread asker : askers.values()) {
        asker.join();
      }
    }
  }

  private void askForEver(HttpSource server) {
    try {
      while (true) {
        try {
          if (lists.answered(server, client.fetch(server.page()))) {
            changed.set(true);
          }
        } catch (CollectException e) {
          onFailure.run();
          log.warn(
              "event=discovery_failed url={} code={} reason=\"{}\"",
              server.name(),
              e.code(),
              e.getMessage());
        } catch (RuntimeException | Error e) {
          // A fault of ours in one answer must not end the asking.
          onFailure.run();
          log.error("event=discovery_failed url={} reason=internal", server.name(), e);
        }
        Thread.sleep(server.refreshInterval());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    follow(Set.of());
    client.close();
  }
}
