package io.fabrichealth.collect.torchdebug;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.jobs.JsonDump;
import io.fabrichealth.collect.prometheus.PageClient;
import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.torchdebug.TorchDebugTarget.Worker;
import io.fabrichealth.collective.PythonStack;
import io.fabrichealth.collective.recorder.DumpReading;
import io.fabrichealth.collective.recorder.RecorderValues;
import io.fabrichealth.collective.recorder.UnreadableDumpException;
import io.fabrichealth.topology.Role;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Asks the worker server of a rank (PyTorch 2.10 and later, {@code torch.distributed.debug}): its
 * handlers take POST only. Those that cost the job time are not called.
 */
final class WorkerClient {
  private static final long MOST_STACK_BYTES = 1 << 20;

  private final PageClient client;
  private final TorchDebugTarget target;

  WorkerClient(PageClient client, TorchDebugTarget target) {
    this.client = client;
    this.target = target;
  }

  /**
   * The recorder of a backend; empty where the rank has no such backend.
   *
   * @throws CollectException where it did not come, or nothing of it can be read
   */
  DumpReading recorder(Worker worker, String backend, RecorderValues shared, Duration limit)
      throws CollectException, InterruptedException {
    URI url = handler(worker, "fr_trace_json?backend=" + backend);
    byte[] body = post(page(worker, url, target.maxBytes()), limit);
    try {
      return new JsonDump(shared)
          .read(new ByteArrayInputStream(body), worker.rank(), url.toString());
    } catch (UnreadableDumpException e) {
      throw new CollectException(
          FailureCode.MALFORMED,
          "rank %d: %s answered no dump: %s".formatted(worker.rank(), worker.url(), e.getMessage()),
          e);
    }
  }

  /** Where the rank's threads stand. */
  PythonStack stack(Worker worker, Duration limit) throws CollectException, InterruptedException {
    byte[] text = post(page(worker, handler(worker, "dump_traceback"), MOST_STACK_BYTES), limit);
    return PythonStack.of(new String(text, UTF_8));
  }

  private byte[] post(PrometheusTarget to, Duration limit)
      throws CollectException, InterruptedException {
    AtomicReference<byte[]> whole = new AtomicReference<>(new byte[0]);
    client.post(to, "", limit, body -> whole.set(body.readAllBytes()));
    return whole.get();
  }

  private static URI handler(Worker worker, String call) {
    String base = worker.url().toString();
    return URI.create((base.endsWith("/") ? base : base + "/") + "handler/" + call);
  }

  private PrometheusTarget page(Worker worker, URI url, long maxBytes) {
    return new PrometheusTarget(
        "rank " + worker.rank(),
        Role.HOST,
        url,
        target.interval(),
        target.timeout(),
        maxBytes,
        null,
        null,
        null);
  }
}
