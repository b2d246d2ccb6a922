package io.fabrichealth.simulate;

import io.fabrichealth.topology.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.snmp4j.CommandResponder;
import org.snmp4j.CommandResponderEvent;
import org.snmp4j.MessageDispatcherImpl;
import org.snmp4j.MessageException;
import org.snmp4j.PDU;
import org.snmp4j.Snmp;
import org.snmp4j.mp.MPv2c;
import org.snmp4j.mp.StatusInformation;
import org.snmp4j.smi.Null;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.Variable;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/**
 * An SNMP v2c agent of one simulated switch on a free UDP port of the loopback interface. It
 * answers GET, GETNEXT and GETBULK, and no SET; requests with another community it lets drop, as
 * agents do.
 *
 * <p>Source: RFC 3416, section 4.2.
 */
public final class SnmpAgent implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SnmpAgent.class);

  /** Answers are cut to this size, so that they fit one datagram with room to spare. */
  private static final int MOST_OCTETS = 16_384;

  private final Address address;
  private final SimulatedFabric fabric;
  private final MibView view;
  private final byte[] community;
  private final Snmp snmp;
  private final AtomicLong failures = new AtomicLong();

  /**
   * Where and as what the agent is reached.
   *
   * @param community a constant of the demo, no secret
   */
  public record Address(String device, Role role, String host, int port, String community) {}

  private SnmpAgent(
      Address address, SimulatedFabric fabric, MibView view, DefaultUdpTransportMapping socket)
      throws IOException {
    this.address = address;
    this.fabric = fabric;
    this.view = view;
    community = address.community().getBytes(StandardCharsets.UTF_8);
    MessageDispatcherImpl dispatcher = new MessageDispatcherImpl();
    dispatcher.addMessageProcessingModel(new MPv2c());
    snmp = new Snmp(dispatcher, socket);
    snmp.addCommandResponder(
        new CommandResponder() {
          @Override
          public <A extends org.snmp4j.smi.Address> void processPdu(
              CommandResponderEvent<A> event) {
            respond(event);
          }
        });
    snmp.listen();
  }

  /**
   * Opens the socket and answers from then on.
   *
   * @throws UncheckedIOException where no socket can be had
   */
  static SnmpAgent start(
      String device, Role role, String community, SimulatedFabric fabric, MibView view) {
    try {
      DefaultUdpTransportMapping socket =
          new DefaultUdpTransportMapping(new UdpAddress(DemoFabric.LOOPBACK + "/0"));
      int port = socket.getListenAddress().getPort();
      return new SnmpAgent(
          new Address(device, role, DemoFabric.LOOPBACK, port, community), fabric, view, socket);
    } catch (IOException e) {
      throw new UncheckedIOException("no UDP socket on loopback for the agent of " + device, e);
    }
  }

  Address address() {
    return address;
  }

  @Override
  public void close() {
    try {
      snmp.close();
    } catch (IOException e) {
      log.warn(
          "event=agent_close_failed device={} failures={}",
          address.device(),
          failures.incrementAndGet(),
          e);
    }
  }

  private <A extends org.snmp4j.smi.Address> void respond(CommandResponderEvent<A> event) {
    PDU request = event.getPDU();
    if (request == null || !Arrays.equals(community, event.getSecurityName())) {
      return;
    }
    event.setProcessed(true);
    int room = Math.min(MOST_OCTETS, event.getMaxSizeResponsePDU());
    PDU response = fabric.read(() -> answer(request, room));
    try {
      event
          .getMessageDispatcher()
          .returnResponsePdu(
              event.getMessageProcessingModel(),
              event.getSecurityModel(),
              event.getSecurityName(),
              event.getSecurityLevel(),
              response,
              event.getMaxSizeResponsePDU(),
              event.getStateReference(),
              new StatusInformation());
    } catch (MessageException e) {
      log.warn(
          "event=agent_answer_failed device={} failures={}",
          address.device(),
          failures.incrementAndGet(),
          e);
    }
  }

  private PDU answer(PDU request, int room) {
    PDU response = new PDU();
    response.setType(PDU.RESPONSE);
    response.setRequestID(request.getRequestID());
    List<? extends VariableBinding> asked = request.getVariableBindings();
    switch (request.getType()) {
      case PDU.GET -> asked.forEach(binding -> response.add(get(binding.getOid())));
      case PDU.GETNEXT -> asked.forEach(binding -> response.add(next(binding.getOid())));
      case PDU.GETBULK ->
          addBulk(
              response,
              asked,
              Math.clamp(request.getNonRepeaters(), 0, asked.size()),
              request.getMaxRepetitions(),
              room);
      default -> {
        asked.forEach(response::add);
        response.setErrorStatus(PDU.notWritable);
        response.setErrorIndex(asked.isEmpty() ? 0 : 1);
      }
    }
    return response;
  }

  private void addBulk(
      PDU response,
      List<? extends VariableBinding> asked,
      int nonRepeaters,
      int maxRepetitions,
      int room) {
    int left = room - response.getBERLength();
    for (VariableBinding binding : asked.subList(0, nonRepeaters)) {
      VariableBinding next = next(binding.getOid());
      response.add(next);
      left -= next.getBERLength();
    }
    OID[] at =
        asked.subList(nonRepeaters, asked.size()).stream()
            .map(VariableBinding::getOid)
            .toArray(OID[]::new);
    boolean more = at.length > 0;
    for (int repetition = 0; more && repetition < maxRepetitions; repetition++) {
      more = false;
      for (int i = 0; i < at.length; i++) {
        VariableBinding next = next(at[i]);
        left -= next.getBERLength();
        if (left < 0) {
          return;
        }
        response.add(next);
        at[i] = next.getOid();
        more |= !next.isException();
      }
    }
  }

  private VariableBinding get(OID oid) {
    @Nullable Variable value = view.get(oid);
    return new VariableBinding(oid, value == null ? Null.noSuchInstance : value);
  }

  private VariableBinding next(OID oid) {
    @Nullable VariableBinding next = view.next(oid);
    return next == null ? new VariableBinding(oid, Null.endOfMibView) : next;
  }
}
