package io.fabrichealth.benchmark;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.snmp4j.CommandResponder;
import org.snmp4j.CommandResponderEvent;
import org.snmp4j.MessageDispatcherImpl;
import org.snmp4j.MessageException;
import org.snmp4j.PDU;
import org.snmp4j.Snmp;
import org.snmp4j.mp.MPv2c;
import org.snmp4j.mp.StatusInformation;
import org.snmp4j.smi.Address;
import org.snmp4j.smi.Counter32;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.Gauge32;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.Null;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.Variable;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/**
 * The switches of {@link SnmpLoad}: agents with IF-MIB, pause counters by priority, FEC counters,
 * four lanes of optics and LLDP for each port. Prints the UDP ports, one a line, and serves until
 * it is ended.
 */
public final class SnmpLoadAgents implements CommandResponder {
  private static final int PRIORITIES = 8;
  private static final int LANES = 4;
  private static final String SENSOR = "1.3.6.1.2.1.99.1.1.1.";
  private static final String ENTITY = "1.3.6.1.2.1.47.1.1.1.1.";

  private final long start = System.nanoTime();
  private final OID[] objects;
  private final LongFunction<Variable>[] values;

  @SuppressWarnings("unchecked")
  private SnmpLoadAgents(Map<OID, LongFunction<Variable>> objects) {
    this.objects = objects.keySet().toArray(OID[]::new);
    values = objects.values().toArray(LongFunction[]::new);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    int switches = Integer.parseInt(arguments[0]);
    SnmpLoadAgents responder = new SnmpLoadAgents(objects(Integer.parseInt(arguments[1])));
    for (int at = 0; at < switches; at++) {
      DefaultUdpTransportMapping socket =
          new DefaultUdpTransportMapping(new UdpAddress("127.0.0.1/0"));
      MessageDispatcherImpl dispatcher = new MessageDispatcherImpl();
      dispatcher.addMessageProcessingModel(new MPv2c());
      Snmp snmp = new Snmp(dispatcher, socket);
      snmp.addCommandResponder(responder);
      snmp.listen();
      System.out.println(socket.getListenAddress().getPort());
    }
    Thread.currentThread().join();
  }

  private static Map<OID, LongFunction<Variable>> objects(int ports) {
    Map<OID, LongFunction<Variable>> all = new TreeMap<>();
    put(all, "1.3.6.1.2.1.1.1.0", new OctetString("a switch of a benchmark"));
    put(all, "1.3.6.1.2.1.1.2.0", new OID("1.3.6.1.4.1.30065.1.1"));
    put(all, "1.3.6.1.2.1.1.5.0", new OctetString("switch"));
    all.put(new OID("1.3.6.1.2.1.1.3.0"), tenMillis -> new TimeTicks(tenMillis + 100_000));
    for (int port = 1; port <= ports; port++) {
      addInterface(all, port);
      addPauses(all, port);
      addOptics(all, port);
      counter(all, "1.3.6.1.4.1.6027.3.27.1.3.1.25." + port, 3);
      counter(all, "1.3.6.1.4.1.6027.3.27.1.3.1.26." + port, 0);
      String remote = "1.0.8802.1.1.2.1.4.1.1.";
      String row = ".100." + port + "." + port;
      put(all, "1.0.8802.1.1.2.1.3.7.1.2." + port, new Integer32(5));
      put(all, "1.0.8802.1.1.2.1.3.7.1.3." + port, name(port));
      put(all, remote + "4" + row, new Integer32(7));
      put(all, remote + "5" + row, new OctetString("gpu-" + port));
      put(all, remote + "6" + row, new Integer32(5));
      put(all, remote + "7" + row, new OctetString("mlx5_0"));
      put(all, remote + "8" + row, new OctetString("mlx5_0"));
      put(all, remote + "9" + row, new OctetString("gpu-" + port));
    }
    return all;
  }

  private static OctetString name(int port) {
    return new OctetString("Ethernet" + port + "/1");
  }

  private static void addInterface(Map<OID, LongFunction<Variable>> all, int port) {
    String table = "1.3.6.1.2.1.2.2.1.";
    put(all, table + "2." + port, name(port));
    put(all, table + "3." + port, new Integer32(6));
    put(all, table + "4." + port, new Integer32(9216));
    put(all, table + "5." + port, new Gauge32(4294967295L));
    put(all, table + "6." + port, new OctetString(new byte[] {2, 0, 0, 0, 0, (byte) port}));
    put(all, table + "7." + port, new Integer32(1));
    put(all, table + "8." + port, new Integer32(1));
    for (int column : new int[] {13, 14, 19, 20}) {
      put(all, table + column + "." + port, new Counter32(column));
    }
    String wide = "1.3.6.1.2.1.31.1.1.1.";
    put(all, wide + "1." + port, name(port));
    for (int column = 6; column <= 13; column++) {
      counter(all, wide + column + "." + port, 400_000L * column);
    }
    put(all, wide + "15." + port, new Gauge32(400_000));
    put(all, wide + "18." + port, new OctetString("to gpu-" + port));
    put(all, wide + "19." + port, new TimeTicks(0));
  }

  private static void addPauses(Map<OID, LongFunction<Variable>> all, int port) {
    for (int priority = 0; priority < PRIORITIES; priority++) {
      String row = "." + port + "." + priority;
      for (String column : List.of("2.1.2", "2.1.3", "4.1.2", "4.1.3")) {
        counter(all, "1.3.6.1.4.1.9.9.813.1." + column + row, priority);
      }
    }
  }

  private static void addOptics(Map<OID, LongFunction<Variable>> all, int port) {
    int first = port * 100;
    addSensor(all, first, "DOM Temperature Sensor for " + name(port), 8, 9, 1, 412);
    addSensor(all, first + 1, "DOM Voltage Sensor for " + name(port), 4, 9, 2, 330);
    for (int lane = 1; lane <= LANES; lane++) {
      String of = " Sensor for " + name(port) + "/" + lane;
      addSensor(all, first + 10 * lane, "DOM RX Power" + of, 6, 8, 4, 8000);
      addSensor(all, first + 10 * lane + 1, "DOM TX Power" + of, 6, 8, 4, 9000);
      addSensor(all, first + 10 * lane + 2, "DOM TX Bias" + of, 5, 8, 2, 700);
    }
  }

  private static void addSensor(
      Map<OID, LongFunction<Variable>> all,
      int entity,
      String name,
      int type,
      int scale,
      int precision,
      int value) {
    put(all, ENTITY + "7." + entity, new OctetString(name));
    put(all, SENSOR + "1." + entity, new Integer32(type));
    put(all, SENSOR + "2." + entity, new Integer32(scale));
    put(all, SENSOR + "3." + entity, new Integer32(precision));
    put(all, SENSOR + "4." + entity, new Integer32(value));
    put(all, SENSOR + "5." + entity, new Integer32(1));
  }

  private static void put(Map<OID, LongFunction<Variable>> all, String object, Variable value) {
    all.put(new OID(object), tenMillis -> value);
  }

  /** A counter that grows by so much in ten milliseconds. */
  private static void counter(Map<OID, LongFunction<Variable>> all, String object, long growth) {
    all.put(new OID(object), tenMillis -> new Counter64((1L << 40) + growth * tenMillis));
  }

  @Override
  public <A extends Address> void processPdu(CommandResponderEvent<A> event) {
    event.setProcessed(true);
    try {
      event
          .getMessageDispatcher()
          .returnResponsePdu(
              event.getMessageProcessingModel(),
              event.getSecurityModel(),
              event.getSecurityName(),
              event.getSecurityLevel(),
              answer(event.getPDU()),
              event.getMaxSizeResponsePDU(),
              event.getStateReference(),
              new StatusInformation());
    } catch (MessageException e) {
      throw new IllegalStateException(e);
    }
  }

  private PDU answer(PDU request) {
    long tenMillis = (System.nanoTime() - start) / 10_000_000;
    PDU answer = new PDU();
    answer.setType(PDU.RESPONSE);
    answer.setRequestID(request.getRequestID());
    List<? extends VariableBinding> asked = request.getVariableBindings();
    if (request.getType() == PDU.GET) {
      for (VariableBinding binding : asked) {
        int at = Arrays.binarySearch(objects, binding.getOid());
        answer.add(
            new VariableBinding(
                binding.getOid(), at < 0 ? Null.noSuchObject : values[at].apply(tenMillis)));
      }
      return answer;
    }
    int[] cursors = new int[asked.size()];
    for (int at = 0; at < cursors.length; at++) {
      int found = Arrays.binarySearch(objects, asked.get(at).getOid());
      cursors[at] = found < 0 ? -found - 1 : found + 1;
    }
    for (int row = 0; row < Math.max(1, request.getMaxRepetitions()); row++) {
      for (int at = row == 0 ? 0 : request.getNonRepeaters(); at < cursors.length; at++) {
        int object = cursors[at]++;
        answer.add(
            object < objects.length
                ? new VariableBinding(objects[object], values[object].apply(tenMillis))
                : new VariableBinding(objects[objects.length - 1], Null.endOfMibView));
      }
    }
    return answer;
  }
}
