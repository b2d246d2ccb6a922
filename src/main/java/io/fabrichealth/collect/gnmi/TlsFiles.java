package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The PEM files of a target; read again when one of them has changed. */
final class TlsFiles {
  private final String device;
  private final GnmiTarget.Tls tls;
  private List<String> seen = List.of();

  TlsFiles(String device, GnmiTarget.Tls tls) {
    this.device = device;
    this.tls = tls;
  }

  @Nullable String serverName() {
    return tls.serverName();
  }

  /** Whether a file is another one than when the context was made. */
  boolean haveChanged() {
    return !seen.equals(stamps());
  }

  /**
   * A context of the files as they are now.
   *
   * @throws CollectException where one of them cannot be used; the message names the files
   */
  SslContext context() throws CollectException {
    List<String> stamps = stamps();
    try {
      SslContextBuilder builder =
          GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
      if (tls.caFile() != null) {
        builder.trustManager(new File(tls.caFile()));
      }
      if (tls.certFile() != null && tls.keyFile() != null) {
        builder.keyManager(new File(tls.certFile()), new File(tls.keyFile()));
      }
      SslContext context = builder.build();
      seen = stamps;
      return context;
    } catch (IOException | RuntimeException e) {
      // Netty throws several kinds for files that are no PEM.
      throw new CollectException(
          FailureCode.TLS,
          "%s: certificates (%s) cannot be used: %s".formatted(device, files(), e.getMessage()),
          e);
    }
  }

  private List<String> files() {
    List<String> files = new ArrayList<>();
    for (String file : new @Nullable String[] {tls.caFile(), tls.certFile(), tls.keyFile()}) {
      if (file != null) {
        files.add(file);
      }
    }
    return files;
  }

  private List<String> stamps() {
    List<String> stamps = new ArrayList<>();
    for (String file : files()) {
      try {
        Path path = Path.of(file);
        stamps.add(file + " " + Files.getLastModifiedTime(path) + " " + Files.size(path));
      } catch (IOException e) {
        stamps.add(file + " absent");
      }
    }
    return stamps;
  }
}
