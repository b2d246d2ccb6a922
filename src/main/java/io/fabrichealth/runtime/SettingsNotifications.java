package io.fabrichealth.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.notify.Receiver;
import io.fabrichealth.runtime.SettingsProperties.AlertmanagerEntry;
import io.fabrichealth.runtime.SettingsProperties.WebhookEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks who is told of incidents. */
final class SettingsNotifications {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Map<String, SettingsPlace> names = new HashMap<>();

  private SettingsNotifications() {}

  static List<Receiver> receivers(SettingsProperties.Notifications written, SettingsEntry entry) {
    SettingsNotifications all = new SettingsNotifications();
    List<Receiver> receivers = new ArrayList<>();
    List<WebhookEntry> webhooks = written.webhooks();
    for (int i = 0; webhooks != null && i < webhooks.size(); i++) {
      receivers.add(all.webhook(webhooks.get(i), entry.at("webhooks[" + i + "]")));
    }
    List<AlertmanagerEntry> alertmanagers = written.alertmanagers();
    for (int i = 0; alertmanagers != null && i < alertmanagers.size(); i++) {
      receivers.add(all.alertmanager(alertmanagers.get(i), entry.at("alertmanagers[" + i + "]")));
    }
    return receivers;
  }

  private Receiver webhook(WebhookEntry written, SettingsEntry entry) {
    return new Receiver(
        entry.unique("name", written.name(), names),
        Receiver.Kind.WEBHOOK,
        entry.url("url", written.url()),
        entry.requiredSecret("secret", written.secret(), written.secretFile()),
        null,
        entry.duration("timeout", written.timeout(), TIMEOUT),
        Boolean.TRUE.equals(written.allowPrivate()));
  }

  private Receiver alertmanager(AlertmanagerEntry written, SettingsEntry entry) {
    return new Receiver(
        entry.unique("name", written.name(), names),
        Receiver.Kind.ALERTMANAGER,
        entry.url("url", written.url()),
        null,
        authorization(
            SettingsAuthentication.of(
                entry, written.bearerToken(), written.bearerTokenFile(), written.basic())),
        entry.duration("timeout", written.timeout(), TIMEOUT),
        Boolean.TRUE.equals(written.allowPrivate()));
  }

  private static @Nullable String authorization(SettingsAuthentication by) {
    SettingsAuthentication.Basic basic = by.basic();
    if (basic != null) {
      String pair = basic.user() + ":" + basic.password();
      return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
    }
    return by.bearerToken() == null ? null : "Bearer " + by.bearerToken();
  }
}
