package io.fabrichealth.incident;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What is to be told of incidents, kept in the database together with the incidents themselves: an
 * event is there if, and only if, the change is. Each is given out until it is said to be done, so
 * that it is sent at least once.
 *
 * <p>All methods throw {@link org.springframework.dao.DataAccessException} where the database is
 * away.
 */
public interface Outbox {

  /**
   * The next for one receiver, in order; of each incident the first alone, so that nobody hears the
   * end before the beginning.
   */
  List<Notification> next(String receiver, int limit);

  void delivered(UUID id, Instant at);

  /** It will be tried again. */
  void failed(UUID id, String reason);

  /** It will not be tried again. */
  void abandoned(UUID id, Instant at, String reason);

  /** How many wait. */
  long waiting();

  /**
   * Gives up those that have waited since, and forgets those that were done with before.
   *
   * @return how many were given up
   */
  int sweep(Instant waitingSince, Instant doneBefore, Instant now);
}
