package io.fabrichealth;

import io.fabrichealth.api.ContainerProblems;
import io.fabrichealth.api.RequestProblems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.handler.MappedInterceptor;

/** How the service speaks HTTP. */
@Configuration(proxyBeanMethods = false)
public class WebConfiguration {

  /**
   * Ids of links hold slashes: {@code %2F} in a path belongs to the segment it stands in. What
   * Tomcat refuses itself is answered with a problem too.
   */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcatCustomizer() {
    return tomcat -> {
      tomcat.addConnectorCustomizers(
          connector -> {
            connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
            connector.setEncodedReverseSolidusHandling(
                EncodedSolidusHandling.PASS_THROUGH.getValue());
          });
      tomcat.addContextCustomizers(
          context ->
              ((StandardHost) context.getParent())
                  .setErrorReportValveClass(ContainerProblems.class.getName()));
    };
  }

  @Bean
  MappedInterceptor requestProblemsInterceptor(RequestProblems requestProblems) {
    return new MappedInterceptor(new String[] {"/api/**"}, requestProblems);
  }

  /** Answers are data: no browser is to run, frame, guess at or keep them. */
  @Bean
  OncePerRequestFilter securityHeadersFilter() {
    return new OncePerRequestFilter() {
      @Override
      protected void doFilterInternal(
          HttpServletRequest request, HttpServletResponse response, FilterChain chain)
          throws ServletException, IOException {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cache-Control", "no-cache");
        chain.doFilter(request, response);
      }
    };
  }
}
