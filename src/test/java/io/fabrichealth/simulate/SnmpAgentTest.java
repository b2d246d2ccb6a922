package io.fabrichealth.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.topology.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.snmp4j.CommunityTarget;
import org.snmp4j.PDU;
import org.snmp4j.Snmp;
import org.snmp4j.event.ResponseEvent;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.Null;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultUdpTransportMapping;

class SnmpAgentTest {
  private static final OID SYS_UP_TIME = new OID("1.3.6.1.2.1.1.3.0");
  private static final OID SYS_NAME = new OID("1.3.6.1.2.1.1.5.0");
  private static final OID ROOT = new OID("1");

  private final ManualClock clock = new ManualClock();
  private final DemoFabric demo = DemoFabric.start(DemoScript.standard(), 1, clock);
  private Snmp client;

  @BeforeEach
  void listen() throws IOException {
    client = new Snmp(new DefaultUdpTransportMapping());
    client.listen();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    demo.close();
  }

  @Test
  void there_is_an_agent_for_each_switch_and_it_gives_its_name() throws IOException {
    assertThat(demo.switches())
        .extracting(SnmpAgent.Address::device)
        .containsExactlyInAnyOrder("leaf1", "leaf2", "leaf3", "leaf4", "spine1", "spine2");
    for (SnmpAgent.Address address : demo.switches()) {
      assertThat(address.role())
          .isEqualTo(address.device().startsWith("leaf") ? Role.LEAF : Role.SPINE);
      PDU response = ask(address, PDU.GET, 0, SYS_NAME);
      assertThat(response.get(0).getVariable()).isEqualTo(new OctetString(address.device()));
    }
  }

  @Test
  void a_walk_sees_each_object_once_in_lexicographic_order_and_ends() throws IOException {
    List<VariableBinding> walked = walk(leaf(), ROOT);

    List<OID> oids = walked.stream().map(VariableBinding::getOid).toList();
    assertThat(oids).isSorted().doesNotHaveDuplicates();
    assertThat(oids).hasSizeGreaterThan(24 * 150);
    assertThat(oids.getFirst().toString()).startsWith("1.0.8802.");
    assertThat(oids.getLast().toString()).startsWith("1.3.6.1.4.1.30065.");
  }

  @Test
  void after_the_last_object_comes_the_end_of_the_view() throws IOException {
    OID last = walk(leaf(), ROOT).getLast().getOid();

    PDU response = ask(leaf(), PDU.GETBULK, 5, last);

    assertThat(response.size()).isEqualTo(1);
    assertThat(response.get(0)).isEqualTo(new VariableBinding(last, Null.endOfMibView));
  }

  @Test
  void get_does_not_take_the_next_object_for_the_one_that_was_asked() throws IOException {
    OID column = new OID("1.3.6.1.2.1.2.2.1.1");

    PDU response = ask(leaf(), PDU.GET, 0, column);

    assertThat(response.get(0)).isEqualTo(new VariableBinding(column, Null.noSuchInstance));
  }

  @Test
  void bulk_repeats_all_columns_row_by_row_after_the_objects_that_are_asked_once()
      throws IOException {
    PDU request = new PDU();
    request.setType(PDU.GETBULK);
    request.setNonRepeaters(1);
    request.setMaxRepetitions(2);
    request.add(new VariableBinding(new OID("1.3.6.1.2.1.1.3")));
    request.add(new VariableBinding(new OID("1.3.6.1.2.1.2.2.1.1")));
    request.add(new VariableBinding(new OID("1.3.6.1.2.1.31.1.1.1.6")));

    PDU response = send(leaf(), request);

    assertThat(response.getVariableBindings())
        .extracting(binding -> binding.getOid().toString())
        .containsExactly(
            SYS_UP_TIME.toString(),
            "1.3.6.1.2.1.2.2.1.1.1001",
            "1.3.6.1.2.1.31.1.1.1.6.1001",
            "1.3.6.1.2.1.2.2.1.1.1002",
            "1.3.6.1.2.1.31.1.1.1.6.1002");
  }

  @Test
  void a_huge_number_of_repetitions_is_cut_to_what_a_datagram_holds() throws IOException {
    PDU response = ask(leaf(), PDU.GETBULK, Integer.MAX_VALUE, ROOT);

    assertThat(response.size()).isBetween(100, 1000);
    assertThat(response.getErrorStatus()).isZero();
  }

  @Test
  void negative_numbers_of_repetitions_give_an_empty_answer() throws IOException {
    assertThat(ask(leaf(), PDU.GETBULK, -1, ROOT).size()).isZero();
  }

  @Test
  void nothing_can_be_set() throws IOException {
    PDU request = new PDU();
    request.setType(PDU.SET);
    request.add(new VariableBinding(new OID("1.3.6.1.2.1.2.2.1.7.1001"), new Integer32(2)));

    PDU response = send(leaf(), request);

    assertThat(response.getErrorStatus()).isEqualTo(PDU.notWritable);
    assertThat(response.getErrorIndex()).isEqualTo(1);
  }

  @Test
  void a_request_with_another_community_is_not_answered() throws IOException {
    PDU request = new PDU();
    request.setType(PDU.GET);
    request.add(new VariableBinding(SYS_NAME));
    CommunityTarget<UdpAddress> target = target(leaf());
    target.setCommunity(new OctetString("private"));
    target.setTimeout(300);
    target.setRetries(0);

    assertThat(client.send(request, target).getResponse()).isNull();
    assertThat(ask(leaf(), PDU.GET, 0, SYS_NAME)).isNotNull();
  }

  @Test
  void up_time_counts_hundredths_since_the_start() throws IOException {
    clock.advance(Duration.ofSeconds(90));

    PDU response = ask(leaf(), PDU.GET, 0, SYS_UP_TIME);

    assertThat(response.get(0).getVariable().toLong()).isEqualTo(9000);
  }

  @Test
  void a_closed_fabric_answers_no_more() throws IOException {
    SnmpAgent.Address leaf = leaf();
    demo.close();
    CommunityTarget<UdpAddress> target = target(leaf);
    target.setTimeout(300);
    target.setRetries(0);
    PDU request = new PDU();
    request.setType(PDU.GET);
    request.add(new VariableBinding(SYS_NAME));

    assertThat(client.send(request, target).getResponse()).isNull();
  }

  private SnmpAgent.Address leaf() {
    return demo.switches().stream()
        .filter(address -> address.device().equals("leaf1"))
        .findFirst()
        .orElseThrow();
  }

  private List<VariableBinding> walk(SnmpAgent.Address address, OID from) throws IOException {
    List<VariableBinding> all = new ArrayList<>();
    OID at = from;
    while (true) {
      for (VariableBinding binding : ask(address, PDU.GETBULK, 50, at).getVariableBindings()) {
        if (binding.isException()) {
          return all;
        }
        all.add(binding);
        at = binding.getOid();
      }
    }
  }

  private PDU ask(SnmpAgent.Address address, int type, int repetitions, OID oid)
      throws IOException {
    PDU request = new PDU();
    request.setType(type);
    if (type == PDU.GETBULK) {
      request.setMaxRepetitions(repetitions);
    }
    request.add(new VariableBinding(oid));
    return send(address, request);
  }

  private PDU send(SnmpAgent.Address address, PDU request) throws IOException {
    ResponseEvent<UdpAddress> event = client.send(request, target(address));
    assertThat(event.getResponse()).as("answer of " + address.device()).isNotNull();
    return event.getResponse();
  }

  private static CommunityTarget<UdpAddress> target(SnmpAgent.Address address) {
    CommunityTarget<UdpAddress> target =
        new CommunityTarget<>(
            new UdpAddress(address.host() + "/" + address.port()),
            new OctetString(address.community()));
    target.setVersion(SnmpConstants.version2c);
    target.setTimeout(3000);
    target.setRetries(1);
    return target;
  }
}
