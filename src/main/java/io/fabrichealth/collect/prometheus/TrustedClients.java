package io.fabrichealth.collect.prometheus;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** HTTP clients by the authority that they trust; a file that changed is read anew. */
final class TrustedClients implements AutoCloseable {
  private final Executor executor;
  private final HttpClient ofSystem;
  private final Map<String, Trusted> ofFiles = new HashMap<>();

  TrustedClients(Executor executor) {
    this.executor = executor;
    ofSystem = client(null);
  }

  private record Trusted(FileTime modified, HttpClient client) {}

  /**
   * The client for a target.
   *
   * @throws UnreadableAuthorityException where its CA file cannot be used
   */
  HttpClient of(PrometheusTarget target) throws UnreadableAuthorityException {
    String file = target.caFile();
    return file == null ? ofSystem : ofFile(file);
  }

  private synchronized HttpClient ofFile(String file) throws UnreadableAuthorityException {
    try {
      FileTime modified = Files.getLastModifiedTime(Path.of(file));
      Trusted known = ofFiles.get(file);
      if (known == null || !known.modified().equals(modified)) {
        Trusted fresh = new Trusted(modified, client(trusting(Path.of(file))));
        ofFiles.put(file, fresh);
        if (known != null) {
          known.client().shutdown();
        }
        return fresh.client();
      }
      return known.client();
    } catch (IOException | GeneralSecurityException e) {
      throw new UnreadableAuthorityException(file, e);
    }
  }

  private static SSLContext trusting(Path file) throws IOException, GeneralSecurityException {
    KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
    authorities.load(null, null);
    try (InputStream in = Files.newInputStream(file)) {
      int index = 0;
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        authorities.setCertificateEntry("authority-" + index++, one);
      }
      if (index == 0) {
        throw new CertificateException("it holds no certificate");
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(authorities);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private HttpClient client(@Nullable SSLContext trusting) {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .executor(executor);
    return trusting == null ? client.build() : client.sslContext(trusting).build();
  }

  @Override
  public synchronized void close() {
    ofSystem.shutdownNow();
    ofFiles.values().forEach(trusted -> trusted.client().shutdownNow());
  }
}
