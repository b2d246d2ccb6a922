package io.fabrichealth.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import tools.jackson.databind.json.JsonMapper;

/**
 * Problems instead of the web server's own pages, for requests that it refuses itself (a path that
 * cannot be decoded, a malformed header). Made by Tomcat, by name.
 */
public class ContainerProblems extends ErrorReportValve {
  private static final JsonMapper JSON =
      JsonMapper.builder().addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class).build();

  @Override
  protected void report(Request request, Response response, @Nullable Throwable fault) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    try {
      byte[] body = JSON.writeValueAsBytes(ApiProblems.ofStatus(status).getBody());
      response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
      response.getReporter().write(new String(body, StandardCharsets.UTF_8));
      response.finishResponse();
    } catch (IOException | IllegalStateException e) {
      // The caller has gone, or the answer is on its way: the status alone has to do.
      container.getLogger().debug("no problem written", e);
    }
  }
}
