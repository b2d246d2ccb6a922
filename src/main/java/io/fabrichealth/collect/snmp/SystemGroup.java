package io.fabrichealth.collect.snmp;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snmp4j.PDU;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.Variable;
import org.snmp4j.smi.VariableBinding;

/**
 * What an agent says of itself (SNMPv2-MIB, RFC 3418), in one request: also the one that tells
 * whether it answers. Asked twice: a lost datagram is no dead device.
 *
 * @param upTicks sysUpTime; -1 where it does not say
 * @param lastTableChange ifTableLastChange (IF-MIB); -1 where it does not say
 * @param interfaces ifNumber; -1 where it does not say
 * @param enterprise number of the vendor in sysObjectID; -1 where it does not say
 */
record SystemGroup(
    long upTicks,
    long lastTableChange,
    long interfaces,
    long enterprise,
    String description,
    String name) {
  private static final OID IF_TABLE_LAST_CHANGE = new OID("1.3.6.1.2.1.31.1.5.0");
  private static final OID IF_NUMBER = new OID("1.3.6.1.2.1.2.1.0");
  private static final OID ENTERPRISES = new OID("1.3.6.1.4.1");
  private static final List<OID> OBJECTS =
      List.of(
          SnmpConstants.sysUpTime,
          IF_TABLE_LAST_CHANGE,
          IF_NUMBER,
          SnmpConstants.sysObjectID,
          SnmpConstants.sysDescr,
          SnmpConstants.sysName);

  static SystemGroup read(AgentConnection agent) throws CollectException, InterruptedException {
    PDU answer;
    try {
      answer = agent.get(OBJECTS, agent.timeout());
    } catch (CollectException e) {
      if (e.code() != FailureCode.TIMEOUT) {
        throw e;
      }
      answer = agent.get(OBJECTS, agent.timeout());
    }
    return new SystemGroup(
        ticks(value(answer, SnmpConstants.sysUpTime)),
        ticks(value(answer, IF_TABLE_LAST_CHANGE)),
        interfaces(value(answer, IF_NUMBER)),
        enterprise(value(answer, SnmpConstants.sysObjectID)),
        Texts.text(value(answer, SnmpConstants.sysDescr)),
        Texts.text(value(answer, SnmpConstants.sysName)));
  }

  private static @Nullable Variable value(PDU answer, OID object) {
    for (VariableBinding binding : answer.getVariableBindings()) {
      if (binding.getOid().equals(object) && !binding.isException()) {
        return binding.getVariable();
      }
    }
    return null;
  }

  private static long ticks(@Nullable Variable value) {
    return value instanceof TimeTicks ticks ? ticks.toLong() : -1;
  }

  private static long interfaces(@Nullable Variable value) {
    return Numbers.isInteger(value) ? Numbers.unsigned(value) : -1;
  }

  private static long enterprise(@Nullable Variable value) {
    return value instanceof OID id && id.startsWith(ENTERPRISES) && id.size() > ENTERPRISES.size()
        ? id.getUnsigned(ENTERPRISES.size())
        : -1;
  }
}
