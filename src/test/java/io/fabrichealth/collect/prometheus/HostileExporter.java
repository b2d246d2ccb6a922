package io.fabrichealth.collect.prometheus;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;

/** A server on the loopback that answers each connection with whatever bytes a test says. */
final class HostileExporter implements AutoCloseable {
  private final ServerSocket socket;
  private final Script script;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch gone = new CountDownLatch(1);
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Writes an answer; an exception is the other side hanging up. */
  interface Script {
    void answer(OutputStream out) throws IOException;
  }

  HostileExporter(Script script) throws IOException {
    this.script = script;
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** A whole answer with that status and body. */
  static HostileExporter answering(String statusAndHeaders, byte[] body) throws IOException {
    return new HostileExporter(
        out -> {
          out.write(head(statusAndHeaders + "\r\nContent-Length: " + body.length));
          out.write(body);
        });
  }

  static HostileExporter answering(String statusAndHeaders, String body) throws IOException {
    return answering(statusAndHeaders, body.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] head(String statusAndHeaders) {
    return ("HTTP/1.1 " + statusAndHeaders + "\r\nConnection: close\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  private void accept() {
    while (!closed.get()) {
      try {
        Socket connection = socket.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      requests.add(readRequest(connection.getInputStream()));
      script.answer(connection.getOutputStream());
      connection.getOutputStream().flush();
    } catch (IOException e) {
      gone.countDown();
    }
  }

  private static String readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("no request");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/metrics");
  }

  /** The heads of the requests so far. */
  List<String> requests() {
    return requests;
  }

  /** Whether the client hung up while it was being answered. */
  boolean clientHangsUp() throws InterruptedException {
    return gone.await(10, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws IOException {
    closed.set(true);
    socket.close();
  }
}
