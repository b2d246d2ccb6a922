package io.fabrichealth.collect.snmp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file of the mapping as it is written; {@link MappingLoader} says what its entries mean. */
record MappingFile(
    @Nullable LinkedHashMap<String, Table> tables,
    @Nullable LinkedHashMap<String, Sensors> sensors,
    @Nullable Map<String, Integer> sensorTypes,
    @Nullable List<Rule> sensorRules,
    @Nullable List<Lane> laneRules,
    @Nullable List<LeftOut> leftOut,
    @Nullable Map<Long, String> vendors) {

  record Table(
      @Nullable String oid,
      @Nullable List<String> index,
      @Nullable Integer identity,
      @Nullable Integer discontinuity,
      @Nullable List<Integer> emptyRow,
      @Nullable List<Reading> readings,
      @Nullable String schedule,
      @Nullable Integer deadlineSeconds) {}

  record Reading(
      @Nullable String signal,
      @Nullable List<Integer> columns,
      @Nullable String form,
      @Nullable Integer element,
      @Nullable Double scale,
      @Nullable Integer bits,
      @Nullable Integer rank,
      @Nullable Map<Long, Double> states,
      @Nullable Map<Long, String> unreadable) {}

  record Sensors(@Nullable String oid, @Nullable Columns columns, @Nullable String zeroDbm) {}

  record Columns(int type, int scale, int precision, int value, int status) {}

  record Rule(
      @Nullable String signal,
      @Nullable List<String> types,
      @Nullable String text,
      @Nullable Double scale) {}

  record Lane(@Nullable String text, @Nullable String container, @Nullable Integer first) {}

  record LeftOut(
      @Nullable String name,
      @Nullable List<Integer> types,
      @Nullable List<Integer> notTypes,
      @Nullable String port,
      @Nullable String notPort,
      @Nullable String system) {}
}
