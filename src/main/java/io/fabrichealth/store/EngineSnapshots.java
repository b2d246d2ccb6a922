package io.fabrichealth.store;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What the engine knew, piece by piece, so that a restart goes on without relearning.
 *
 * <p>Rows of bytes that nothing ever queries, replaced thousands at a time: plain statements in
 * batches, not entities.
 *
 * <p>All methods throw {@link org.springframework.dao.DataAccessException} where the database is
 * away.
 */
@Service
public class EngineSnapshots {
  private static final Logger log = LoggerFactory.getLogger(EngineSnapshots.class);
  private static final int BATCH = 500;

  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;

  EngineSnapshots(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    transaction = new TransactionTemplate(transactions);
  }

  /**
   * Replaces the pieces given and keeps the others, all or nothing. Pieces of another version go:
   * they could never be read together with these.
   *
   * @param changed state by key (a device, or what else the engine keeps apart)
   * @param version of the format of the state
   */
  public void save(Map<String, byte[]> changed, int version, Instant at) {
    Timestamp takenAt = Timestamp.from(at);
    List<Map.Entry<String, byte[]>> pieces = List.copyOf(changed.entrySet());
    try {
      transaction.executeWithoutResult(
          status -> {
            jdbc.update("DELETE FROM engine_snapshot WHERE version <> ?", version);
            jdbc.batchUpdate(
                """
                INSERT INTO engine_snapshot (key, version, taken_at, state) VALUES (?, ?, ?, ?)
                ON CONFLICT (key) DO UPDATE SET
                  version = EXCLUDED.version, taken_at = EXCLUDED.taken_at, state = EXCLUDED.state
                """,
                pieces,
                BATCH,
                (statement, piece) -> {
                  statement.setString(1, StoredText.of(piece.getKey()));
                  statement.setInt(2, version);
                  statement.setTimestamp(3, takenAt);
                  statement.setBytes(4, piece.getValue());
                });
          });
    } catch (TransactionException e) {
      throw new DataAccessResourceFailureException("engine snapshots were not saved: " + e, e);
    }
  }

  /** All pieces of that version; empty where those stored have another one, which the log says. */
  public Map<String, byte[]> load(int version) {
    Map<String, byte[]> pieces = new HashMap<>();
    jdbc.query(
        "SELECT key, state FROM engine_snapshot WHERE version = ?",
        row -> {
          pieces.put(row.getString(1), row.getBytes(2));
        },
        version);
    Integer others =
        jdbc.queryForObject(
            "SELECT count(*) FROM engine_snapshot WHERE version <> ?", Integer.class, version);
    if (others != null && others > 0) {
      log.warn(
          "engine-snapshot=ignored pieces={} expected-version={} effect=\"baselines begin anew\"",
          others,
          version);
    }
    return pieces;
  }
}
