package io.fabrichealth.runtime;

import org.jspecify.annotations.Nullable;

/**
 * How an HTTP server is told who asks: one of the two, or neither.
 *
 * @param bearerToken secret
 */
record SettingsAuthentication(@Nullable String bearerToken, @Nullable Basic basic) {

  /** HTTP basic authentication. */
  record Basic(String user, String password) {
    @Override
    public String toString() {
      return "Basic[" + user + "]";
    }
  }

  static SettingsAuthentication of(
      SettingsEntry entry,
      @Nullable String bearerToken,
      @Nullable String bearerTokenFile,
      SettingsProperties.@Nullable Basic basic) {
    String bearer = entry.secret("bearer-token", bearerToken, bearerTokenFile);
    if (bearer != null && basic != null) {
      entry.reject("basic", "stands beside a bearer token", "one of the two");
    }
    return new SettingsAuthentication(
        bearer, basic == null ? null : basic(basic, entry.at("basic")));
  }

  private static Basic basic(SettingsProperties.Basic written, SettingsEntry entry) {
    return new Basic(
        entry.required("user", written.user()),
        entry.requiredSecret("password", written.password(), written.passwordFile()));
  }

  boolean isNone() {
    return bearerToken == null && basic == null;
  }

  @Override
  public String toString() {
    return "SettingsAuthentication[***]";
  }
}
