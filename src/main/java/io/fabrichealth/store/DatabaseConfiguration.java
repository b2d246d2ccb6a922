package io.fabrichealth.store;

import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Which database it is: that of {@code spring.datasource.url}, or an embedded one.
 *
 * <p>The order is: take the data directory, have a database that answers, migrate it. JPA, and with
 * it everything that stores, comes after that.
 */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

  @Bean(destroyMethod = "close")
  DataDirectory dataDirectory(@Value("${fabric-health.data-dir:./data}") Path directory) {
    return DataDirectory.open(directory);
  }

  @Bean
  FlywayMigrationStrategy migrateWhenReachable(
      DataDirectory taken, JdbcConnectionDetails connection) {
    return flyway -> {
      new DatabaseWait(connection).untilReachable();
      flyway.migrate();
    };
  }

  /** An embedded database, where none is configured. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(NoneConfigured.class)
  static class Embedded {

    @Bean(destroyMethod = "close")
    EmbeddedDatabase embeddedDatabase(DataDirectory directory) {
      return EmbeddedDatabase.start(directory);
    }

    @Bean
    JdbcConnectionDetails embeddedConnection(EmbeddedDatabase database) {
      return new JdbcConnectionDetails() {
        @Override
        public String getJdbcUrl() {
          return database.jdbcUrl();
        }

        @Override
        public String getUsername() {
          return database.user();
        }

        @Override
        public String getPassword() {
          return database.password();
        }
      };
    }
  }

  static class NoneConfigured implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return !StringUtils.hasText(context.getEnvironment().getProperty("spring.datasource.url"));
    }
  }
}
