package io.fabrichealth.collect.snmp;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.snmp4j.CommandResponder;
import org.snmp4j.CommandResponderEvent;
import org.snmp4j.MessageDispatcherImpl;
import org.snmp4j.MessageException;
import org.snmp4j.PDU;
import org.snmp4j.Snmp;
import org.snmp4j.mp.MPv2c;
import org.snmp4j.mp.SnmpConstants;
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

/** An agent on loopback that holds what a test puts in, and misbehaves as the test says. */
final class FakeAgent implements AutoCloseable {
  private static final String IF = "1.3.6.1.2.1.2.2.1.";
  private static final String IFX = "1.3.6.1.2.1.31.1.1.1.";

  final NavigableMap<OID, Variable> objects = new ConcurrentSkipListMap<>();
  final AtomicInteger requests = new AtomicInteger();
  final AtomicInteger largestRepetitions = new AtomicInteger();

  /** What is asked for below this is not answered at all; null: everything is answered. */
  volatile OID silentBelow;

  volatile boolean silent;
  volatile int tooBigAbove = Integer.MAX_VALUE;
  volatile int refusedStatus;

  /** How long it thinks about each answer. */
  volatile Duration thinks = Duration.ZERO;

  /** The object that is answered instead of the next one. */
  volatile UnaryOperator<OID> next = object -> objects.higherKey(object);

  volatile LongSupplier upTicks = () -> 1_000_000;

  private final Snmp snmp;
  private final int port;

  FakeAgent() throws IOException {
    DefaultUdpTransportMapping socket =
        new DefaultUdpTransportMapping(new UdpAddress("127.0.0.1/0"));
    port = socket.getListenAddress().getPort();
    MessageDispatcherImpl dispatcher = new MessageDispatcherImpl();
    dispatcher.addMessageProcessingModel(new MPv2c());
    snmp = new Snmp(dispatcher, socket);
    snmp.addCommandResponder(
        new CommandResponder() {
          @Override
          public <A extends Address> void processPdu(CommandResponderEvent<A> event) {
            respond(event);
          }
        });
    snmp.listen();
    text("1.3.6.1.2.1.1.1.0", "a switch of a test");
    text("1.3.6.1.2.1.1.5.0", "switch1");
    objects.put(new OID("1.3.6.1.2.1.1.2.0"), new OID("1.3.6.1.4.1.30065.1.1"));
    objects.put(SnmpConstants.sysUpTime, new TimeTicks(0));
  }

  int port() {
    return port;
  }

  FakeAgent text(String object, String value) {
    objects.put(new OID(object), new OctetString(value));
    return this;
  }

  FakeAgent integer(String object, int value) {
    objects.put(new OID(object), new Integer32(value));
    return this;
  }

  FakeAgent counter64(String object, long value) {
    objects.put(new OID(object), new Counter64(value));
    return this;
  }

  FakeAgent counter32(String object, long value) {
    objects.put(new OID(object), new Counter32(value));
    return this;
  }

  FakeAgent gauge(String object, long value) {
    objects.put(new OID(object), new Gauge32(value));
    return this;
  }

  /** A port that is up, with counters that start at its number. */
  FakeAgent port(int ifIndex, String name) {
    text(IF + "2." + ifIndex, name);
    integer(IF + "3." + ifIndex, 6);
    integer(IF + "4." + ifIndex, 9216);
    integer(IF + "7." + ifIndex, 1);
    integer(IF + "8." + ifIndex, 1);
    for (int column : new int[] {13, 14, 19, 20}) {
      counter32(IF + column + "." + ifIndex, ifIndex);
    }
    text(IFX + "1." + ifIndex, name);
    for (int column = 6; column <= 13; column++) {
      counter64(IFX + column + "." + ifIndex, 1_000L * ifIndex + column);
    }
    gauge(IFX + "15." + ifIndex, 400_000);
    return this;
  }

  FakeAgent ports(int from, int count) {
    for (int ifIndex = from; ifIndex < from + count; ifIndex++) {
      port(ifIndex, "Ethernet" + ifIndex);
    }
    return this;
  }

  private <A extends Address> void respond(CommandResponderEvent<A> event) {
    requests.incrementAndGet();
    PDU request = event.getPDU();
    event.setProcessed(true);
    if (silent || (silentBelow != null && asksBelow(request))) {
      return;
    }
    PDU answer = answer(request);
    LockSupport.parkNanos(thinks.toNanos());
    try {
      event
          .getMessageDispatcher()
          .returnResponsePdu(
              event.getMessageProcessingModel(),
              event.getSecurityModel(),
              event.getSecurityName(),
              event.getSecurityLevel(),
              answer,
              event.getMaxSizeResponsePDU(),
              event.getStateReference(),
              new StatusInformation());
    } catch (MessageException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean asksBelow(PDU request) {
    return request.getVariableBindings().stream()
        .anyMatch(binding -> binding.getOid().startsWith(silentBelow));
  }

  private PDU answer(PDU request) {
    PDU answer = new PDU();
    answer.setType(PDU.RESPONSE);
    answer.setRequestID(request.getRequestID());
    List<? extends VariableBinding> asked = request.getVariableBindings();
    if (request.getType() == PDU.GET) {
      asked.forEach(binding -> answer.add(value(binding.getOid(), objects.get(binding.getOid()))));
      return answer;
    }
    int columns = asked.size() - request.getNonRepeaters();
    largestRepetitions.accumulateAndGet(request.getMaxRepetitions(), Math::max);
    if (refusedStatus != 0 && columns > 1) {
      answer.setErrorStatus(refusedStatus);
      answer.setErrorIndex(2);
      return answer;
    }
    if (columns * request.getMaxRepetitions() > tooBigAbove) {
      answer.setErrorStatus(PDU.tooBig);
      return answer;
    }
    for (int at = 0; at < request.getNonRepeaters(); at++) {
      answer.add(following(asked.get(at).getOid(), object -> objects.higherKey(object)));
    }
    OID[] cursors =
        asked.subList(request.getNonRepeaters(), asked.size()).stream()
            .map(VariableBinding::getOid)
            .toArray(OID[]::new);
    for (int row = 0; row < request.getMaxRepetitions(); row++) {
      for (int at = 0; at < cursors.length; at++) {
        VariableBinding found = following(cursors[at], next);
        answer.add(found);
        cursors[at] = found.getOid();
      }
    }
    return answer;
  }

  private VariableBinding following(OID object, UnaryOperator<OID> order) {
    OID found = order.apply(object);
    return found == null
        ? new VariableBinding(object, Null.endOfMibView)
        : value(found, objects.get(found));
  }

  private VariableBinding value(OID object, Variable value) {
    if (object.equals(SnmpConstants.sysUpTime)) {
      return new VariableBinding(object, new TimeTicks(upTicks.getAsLong()));
    }
    return new VariableBinding(object, value == null ? Null.noSuchObject : value);
  }

  @Override
  public void close() throws IOException {
    snmp.close();
  }
}
