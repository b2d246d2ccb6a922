package io.fabrichealth.collect.snmp;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;

/** Passes over one device, and what they learn of it for the next ones. */
final class DeviceReader {
  /** Passes from one inventory to the next. */
  private static final int SLOW = 6;

  /** Tables in a row without any answer after which the device counts as gone. */
  private static final int MOST_SILENT_TABLES = 2;

  private static final int MOST_NAMES_REMARKED = 5;

  /** Uptime that goes back by more than five seconds within a pass is another uptime. */
  private static final long RESTART_TICKS = 500;

  private final SnmpTarget target;
  private final AgentConnection agent;
  private final SignalDictionary dictionary;
  private final SnmpMapping mapping;
  private final InstantSource clock;
  private final TableWalker walker;
  private final Pace pace;
  private final BootClock bootClock = new BootClock();
  private final List<TableMemory> tables = new ArrayList<>();
  private final List<SensorReader> sensors = new ArrayList<>();
  private final List<Source> sources = new ArrayList<>();
  private final Map<String, PortSources> portSources = new HashMap<>();
  private final BitSet usedGroups = new BitSet();
  private List<InterfaceRow> rows = List.of();
  private PortTable ports = PortTable.empty();
  private boolean inventoryKnown;
  private Set<String> macs = Set.of();
  private long lastTableChange = -1;
  private long passes;
  private long lastUpTicks = -1;
  private Set<Integer> strayRows = Set.of();
  private boolean newRows;
  private List<String> remarks = List.of();

  /** A reading with the table that it is in. */
  private record Source(TableMemory memory, MappedReading reading) {}

  DeviceReader(
      SnmpTarget target,
      AgentConnection agent,
      SignalDictionary dictionary,
      SnmpMapping mapping,
      Pace pace,
      InstantSource clock) {
    this.target = target;
    this.agent = agent;
    this.dictionary = dictionary;
    this.mapping = mapping;
    this.pace = pace;
    this.clock = clock;
    walker = new TableWalker(agent, clock);
    int groups = 0;
    for (MappedTable table : mapping.tables()) {
      TableMemory memory = new TableMemory(table);
      tables.add(memory);
      for (MappedReading reading : table.readings()) {
        sources.add(new Source(memory, reading));
        groups = Math.max(groups, reading.group());
      }
    }
    sources.sort(Comparator.comparingInt(source -> source.reading().rank()));
    for (SensorTable table : mapping.sensors()) {
      sensors.add(new SensorReader(table, mapping, ++groups));
    }
  }

  /**
   * One pass.
   *
   * @param deadline {@link System#nanoTime} by which it must be over
   * @throws CollectException where the device does not answer
   */
  CollectOutcome read(long deadline) throws CollectException, InterruptedException {
    SystemGroup system = SystemGroup.read(agent);
    Pass pass = new Pass(system, deadline, isSlow(system));
    passes++;
    return pass.run();
  }

  private boolean isSlow(SystemGroup system) {
    boolean changed = system.lastTableChange() != lastTableChange;
    boolean restarted = system.upTicks() < lastUpTicks;
    lastTableChange = system.lastTableChange();
    lastUpTicks = system.upTicks();
    return passes % SLOW == 0 || !inventoryKnown || changed || restarted || newRows;
  }

  /** One pass. */
  private final class Pass {
    private final SystemGroup system;
    private final long deadline;
    private final boolean slow;
    private final List<Problem> problems = new ArrayList<>();
    private final Map<TableMemory, Walk> walks = new LinkedHashMap<>();
    private final Map<SensorReader, Walk> sensorWalks = new LinkedHashMap<>();
    private long upTicks = -1;
    private Instant at;
    private int silent;
    private boolean restarted;
    private boolean cutOff;
    private boolean wasSilent;
    private final long startedNanos = System.nanoTime();

    Pass(SystemGroup system, long deadline, boolean slow) {
      this.system = system;
      this.deadline = deadline;
      this.slow = slow;
      at = clock.instant();
    }

    CollectOutcome run() throws CollectException, InterruptedException {
      if (slow) {
        readInventory();
      }
      for (TableMemory memory : tables) {
        walk(memory);
      }
      if (!slow && rowsMoved()) {
        readInventory();
      }
      for (SensorReader reader : sensors) {
        walk(reader);
      }
      if (upTicks < 0) {
        upTicks = system.upTicks();
      }
      PollBatch.Builder batch = PollBatch.builder(target.device(), SnmpCollector.NAME, at);
      date(batch);
      PassReadings readings =
          new PassReadings(batch, ports, portSources, passes, dictionary.size());
      write(readings);
      Sighting sighting = slow && inventoryKnown ? sighting() : null;
      if (silent >= MOST_SILENT_TABLES) {
        problems.add(
            new Problem(FailureCode.PARTIAL, agent.name() + ": silent; the rest was not asked"));
      }
      if (cutOff && !wasSilent) {
        pace.cutOff();
      } else if (!cutOff) {
        pace.finished(Duration.ofNanos(System.nanoTime() - startedNanos));
      }
      return CollectOutcome.of(
          batch.build(problems.isEmpty()), sighting, ports.leftOut(), problems, allRemarks());
    }

    private void readInventory() throws InterruptedException {
      Inventory inventory = Inventory.read(walker, rows.size(), deadline);
      inventory.walks().forEach(this::note);
      if (inventory.complete() || !inventoryKnown) {
        inventoryKnown = inventory.complete();
        if (!inventory.rows().equals(rows)) {
          // Only then: with other ports the sensors are assigned anew, which takes a long walk.
          rows = inventory.rows();
          ports = PortTable.of(rows, mapping, system.description());
          macs = inventory.macs();
        }
      }
      if (inventory.complete()) {
        remarks = remarks();
      }
    }

    private List<String> allRemarks() {
      if (pace.factor() <= 1) {
        return remarks;
      }
      List<String> all = new ArrayList<>(remarks);
      all.add(
          "has more to say than fits into its interval: it is read every "
              + pace.interval().toSeconds()
              + " s");
      return all;
    }

    private List<String> remarks() {
      List<String> all = new ArrayList<>();
      List<String> ambiguous = ports.ambiguous();
      if (!ambiguous.isEmpty()) {
        all.add(
            "ports of the same name are told apart by their number: "
                + String.join(
                    ", ", ambiguous.subList(0, Math.min(ambiguous.size(), MOST_NAMES_REMARKED)))
                + (ambiguous.size() > MOST_NAMES_REMARKED
                    ? " and " + (ambiguous.size() - MOST_NAMES_REMARKED) + " more"
                    : ""));
      }
      if (system.interfaces() >= 0 && system.interfaces() != rows.size()) {
        all.add("ifNumber is " + system.interfaces() + ", ifTable has " + rows.size() + " rows");
      }
      return all;
    }

    private void walk(TableMemory memory) throws InterruptedException {
      MappedTable table = memory.table();
      boolean unasked = table.slow() && !slow;
      List<OID> columns =
          unasked ? List.of() : memory.columns(slow, reading -> usedGroups.get(reading.group()));
      if (columns.isEmpty() || silent >= MOST_SILENT_TABLES) {
        return;
      }
      long ofTable = (long) (table.deadline().toNanos() * pace.factor());
      long until = Math.min(deadline, System.nanoTime() + ofTable);
      Walk walk = walker.walk(table.name(), columns, memory.rows(), until);
      memory.learn(walk);
      note(walk);
      walks.put(memory, walk);
      if (upTicks < 0 && walk.upTicksAt() != null && walk.rows() > 0) {
        upTicks = walk.upTicks();
        at = walk.upTicksAt();
      }
    }

    private boolean rowsMoved() {
      for (Map.Entry<TableMemory, Walk> walked : walks.entrySet()) {
        MappedTable table = walked.getKey().table();
        Column names =
            table.identity() == null
                ? null
                : walked.getValue().column(ReadingWriter.column(table, table.identity()));
        for (int row = 0; names != null && row < names.size(); row++) {
          if (ports.hasMoved(names.lastIndex(row), Texts.text(names.value(row)))) {
            return true;
          }
        }
      }
      return false;
    }

    private void walk(SensorReader reader) throws InterruptedException {
      if ((!slow && !reader.hasRows()) || silent >= MOST_SILENT_TABLES) {
        return;
      }
      Walk walk = reader.walk(walker, deadline);
      note(walk);
      sensorWalks.put(reader, walk);
      if (reader.mustLearn(walk, ports)) {
        PhysicalEntities entities = PhysicalEntities.read(walker, deadline);
        entities.walks().forEach(this::note);
        note(reader.learn(walker, entities, ports, deadline));
      }
    }

    private void note(Walk walk) {
      problems.addAll(walk.problems());
      cutOff |= walk.wasCutOff();
      restarted |= walk.upTicks() >= 0 && system.upTicks() - walk.upTicks() > RESTART_TICKS;
      if (walk.asked()) {
        wasSilent |= !walk.answered();
        silent = walk.answered() ? 0 : silent + 1;
      }
    }

    private void date(PollBatch.Builder batch) throws CollectException {
      if (upTicks < 0) {
        return;
      }
      if (restarted) {
        throw new CollectException(
            FailureCode.PARTIAL, agent.name() + ": restarted while it was read", null);
      }
      batch.deviceTime(bootClock.read(at, upTicks, agent.engineBoots()));
      batch.boot(bootClock.identity());
    }

    private void write(PassReadings readings) {
      ReadingWriter writer = new ReadingWriter(readings, dictionary, agent.name());
      walks.forEach((memory, walk) -> writer.discontinuities(memory.table(), walk));
      for (Source source : sources) {
        Walk walk = walks.get(source.memory());
        if (walk != null) {
          int before = walk.problems().size();
          writer.write(source.memory().table(), source.reading(), walk);
          problems.addAll(walk.problems().subList(before, walk.problems().size()));
        }
      }
      sensorWalks.forEach((reader, walk) -> reader.write(walk, readings));
      readings.finish();
      if (slow) {
        release();
        unsupported(readings);
      }
      noteUsed();
      newRows = !slow && !strayRows.containsAll(readings.unknownRows());
      if (slow) {
        // Rows with counters and without a name: asking for the name again brings nothing.
        strayRows = readings.unknownRows();
      }
    }

    private void release() {
      BitSet ended = new BitSet();
      for (Source source : sources) {
        if (walks.containsKey(source.memory()) && source.memory().walkedToTheEnd()) {
          ended.set(source.reading().group());
        }
      }
      sensorWalks.forEach((reader, walk) -> ended.set(reader.group(), walk.complete()));
      portSources.values().forEach(port -> port.release(passes, ended::get));
    }

    /** What the next pass asks for: also what an inventory that was cut off did not come to. */
    private void noteUsed() {
      usedGroups.clear();
      for (PortSources port : portSources.values()) {
        for (int signal = 0; signal < dictionary.size(); signal++) {
          usedGroups.set(port.source(signal));
        }
      }
    }

    /** Says of the device as a whole what it does not have, as far as it was asked. */
    private void unsupported(PassReadings readings) {
      BitSet mapped = new BitSet();
      BitSet undecided = new BitSet();
      for (Source source : sources) {
        mapped.set(source.reading().signal());
        if (!source.memory().walkedToTheEnd()) {
          undecided.set(source.reading().signal());
        }
      }
      boolean sensorsRead = sensorWalks.size() == sensors.size();
      for (SensorRule rule : mapping.sensorRules()) {
        mapped.set(rule.signal());
        if (!sensorsRead || !sensorWalks.values().stream().allMatch(Walk::complete)) {
          undecided.set(rule.signal());
        }
      }
      mapped.andNot(undecided);
      for (PortSources port : portSources.values()) {
        for (int signal = 0; signal < dictionary.size(); signal++) {
          if (port.source(signal) != 0) {
            mapped.clear(signal);
          }
        }
      }
      mapped.stream()
          .forEach(
              signal ->
                  readings
                      .batch()
                      .absent(
                          readings.port(PollBatch.DEVICE), signal, 0, Quality.UNSUPPORTED, null));
    }

    private @Nullable Sighting sighting() throws InterruptedException {
      if (silent >= MOST_SILENT_TABLES) {
        return null;
      }
      LldpReader.Seen seen = LldpReader.read(walker, ports, deadline);
      seen.walks().forEach(this::note);
      Set<String> chassisIds = new LinkedHashSet<>();
      if (seen.chassisId() != null) {
        chassisIds.add(seen.chassisId());
      }
      chassisIds.addAll(macs);
      List<Neighbour> neighbours = seen.neighbours();
      return new Sighting(
          target.device(),
          target.role(),
          system.name().isEmpty() ? null : system.name(),
          mapping.vendors().get(system.enterprise()),
          List.copyOf(chassisIds),
          ports.ports(),
          neighbours,
          seen.complete());
    }
  }
}
