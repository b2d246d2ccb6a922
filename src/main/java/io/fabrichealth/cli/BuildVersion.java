package io.fabrichealth.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
final class BuildVersion implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {"fabric-health " + version(), "Java " + Runtime.version()};
  }

  /** Name and version, as what it writes says who wrote it. */
  static String program() throws IOException {
    return "fabric-health/" + version();
  }

  private static String version() throws IOException {
    Properties build = new Properties();
    try (InputStream in =
        BuildVersion.class.getResourceAsStream("/META-INF/build-info.properties")) {
      if (in != null) {
        build.load(in);
      }
    }
    return build.getProperty("build.version", "(not packaged)");
  }
}
