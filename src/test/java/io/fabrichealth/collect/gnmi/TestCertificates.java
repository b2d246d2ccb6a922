package io.fabrichealth.collect.gnmi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Keys for tests, made by the JDK's keytool, as PEM files. */
final class TestCertificates {
  private static final String PASSWORD = "for-this-test";

  private TestCertificates() {}

  /**
   * A key with a certificate that it signed itself, so that the certificate is its authority too.
   */
  record Pem(Path certificate, Path key) {
    Path authority() {
      return certificate;
    }
  }

  /** Makes them anew under the same names. */
  static Pem make(Path folder, String name) {
    try {
      Path store = folder.resolve(name + ".p12");
      Files.deleteIfExists(store);
      keytool(
          List.of(
              "-genkeypair",
              "-alias",
              name,
              "-keyalg",
              "EC",
              "-dname",
              "CN=" + name,
              "-ext",
              "SAN=IP:127.0.0.1,DNS:localhost,DNS:" + name,
              "-validity",
              "2",
              "-storetype",
              "PKCS12",
              "-keystore",
              store.toString(),
              "-storepass",
              PASSWORD));
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        keys.load(in, PASSWORD.toCharArray());
      }
      Pem files = new Pem(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
      write(files.certificate(), "CERTIFICATE", keys.getCertificate(name).getEncoded());
      write(files.key(), "PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
      return files;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void write(Path file, String kind, byte[] der) throws IOException {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(kind, body, kind));
  }

  private static void keytool(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(Arrays.toString(command.toArray()) + ": " + output);
    }
  }
}
