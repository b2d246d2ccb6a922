package io.fabrichealth.incident.internal;

import static io.fabrichealth.incident.internal.TestVerdicts.AT;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Lifecycle;
import io.fabrichealth.testing.StorageContext;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A process on the embedded database that opens incidents without end and says so, to be killed at
 * any moment. Each third incident is resolved again.
 */
final class IncidentProcess {
  private static final long PAUSE = 5_000_000;

  private IncidentProcess() {}

  public static void main(String[] arguments) {
    var context = StorageContext.start(Path.of(arguments[0]), null);
    Incidents incidents = StorageContext.incidents(context);
    System.out.println("ready");
    for (int number = Integer.parseInt(arguments[1]); ; number++) {
      Instant at = AT.plusSeconds(number);
      var subject = TestVerdicts.link(number);
      incidents.apply(List.of(TestVerdicts.open(subject, Cause.PHY_LANE, .97, at)), at);
      if (number % 3 == 0) {
        incidents.apply(List.of(TestVerdicts.closed(subject)), at.plusSeconds(700));
        System.out.println("resolved " + Lifecycle.id("link:" + subject.id(), at));
      } else {
        Incident opened = incidents.unresolved().getFirst();
        System.out.println("opened " + opened.id());
      }
      LockSupport.parkNanos(PAUSE);
    }
  }
}
