package io.fabrichealth.metrics;

import io.fabrichealth.incident.Incidents;
import io.fabrichealth.runtime.Snapshots;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the fabric's metrics in the format that the scraper accepts: Prometheus text or
 * OpenMetrics. The registry is not a bean, so that the service's own metrics stay apart.
 */
@Hidden
@RestController
class FabricMetricsController {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final ExpositionFormats formats = ExpositionFormats.init();

  FabricMetricsController(
      Snapshots snapshots, Incidents incidents, ObjectProvider<BuildProperties> build) {
    BuildProperties properties = build.getIfAvailable();
    String version = properties == null ? null : properties.getVersion();
    registry.register(
        new FabricMetrics(snapshots, incidents, version == null ? "unknown" : version));
  }

  @GetMapping("/metrics/fabric")
  void scrape(
      @RequestHeader(name = HttpHeaders.ACCEPT, required = false) @Nullable String accept,
      HttpServletResponse response)
      throws IOException {
    ExpositionFormatWriter writer = formats.findWriter(accept);
    response.setContentType(writer.getContentType());
    writer.write(response.getOutputStream(), registry.scrape());
  }
}
