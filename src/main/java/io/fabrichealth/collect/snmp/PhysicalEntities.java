package io.fabrichealth.collect.snmp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.Variable;

/** What is inside what, and which of it is which port (ENTITY-MIB, RFC 6933). */
final class PhysicalEntities {
  private static final OID DESCRIPTION = new OID("1.3.6.1.2.1.47.1.1.1.1.2");
  private static final OID CONTAINED_IN = new OID("1.3.6.1.2.1.47.1.1.1.1.4");
  private static final OID NAME = new OID("1.3.6.1.2.1.47.1.1.1.1.7");
  private static final OID ALIAS_MAPPING = new OID("1.3.6.1.2.1.47.1.3.2.1.2");
  private static final OID IF_INDEX = new OID("1.3.6.1.2.1.2.2.1.1");
  private static final int DEEPEST = 10;

  private final Walk entities;
  private final Walk aliases;
  private final Map<Integer, Integer> ifIndexes = new HashMap<>();

  private PhysicalEntities(Walk entities, Walk aliases) {
    this.entities = entities;
    this.aliases = aliases;
  }

  static PhysicalEntities read(TableWalker walker, long deadline) throws InterruptedException {
    Walk entities =
        walker.walk("entPhysicalTable", List.of(DESCRIPTION, CONTAINED_IN, NAME), 0, deadline);
    Walk aliases = walker.walk("entAliasMappingTable", List.of(ALIAS_MAPPING), 0, deadline);
    PhysicalEntities read = new PhysicalEntities(entities, aliases);
    read.indexAliases(aliases.get(ALIAS_MAPPING));
    return read;
  }

  private void indexAliases(Column mapping) {
    for (int row = 0; row < mapping.size(); row++) {
      if (mapping.value(row) instanceof OID target
          && target.startsWith(IF_INDEX)
          && mapping.object(row).length > mapping.indexAt()) {
        int entity = mapping.object(row)[mapping.indexAt()];
        // An entity that is several ports, such as a cage that is split, is none of them.
        ifIndexes.merge(entity, target.last(), (one, other) -> one.equals(other) ? one : -1);
      }
    }
  }

  List<Walk> walks() {
    return List.of(entities, aliases);
  }

  boolean complete() {
    return entities.complete() && aliases.complete();
  }

  /** Name and description, those that are there. */
  List<String> texts(int entity) {
    List<String> texts = new ArrayList<>();
    for (OID column : List.of(NAME, DESCRIPTION)) {
      String text = Texts.text(entities.get(column).valueOf(entity));
      if (!text.isEmpty() && !texts.contains(text)) {
        texts.add(text);
      }
    }
    return texts;
  }

  /** What the entity is in; 0 for nothing. */
  int container(int entity) {
    @Nullable Variable container = entities.get(CONTAINED_IN).valueOf(entity);
    return Numbers.isInteger(container) ? (int) Numbers.unsigned(container) : 0;
  }

  /** The entity and what it is in, from the inside out. */
  List<Integer> path(int entity) {
    List<Integer> path = new ArrayList<>();
    for (int at = entity; at != 0 && path.size() < DEEPEST && !path.contains(at); ) {
      path.add(at);
      at = container(at);
    }
    return path;
  }

  /** The one port that the entity is; null where it is none or several. */
  @Nullable Integer ifIndex(int entity) {
    Integer ifIndex = ifIndexes.get(entity);
    return ifIndex == null || ifIndex < 0 ? null : ifIndex;
  }
}
