package io.fabrichealth.collect.snmp;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snmp4j.CommunityTarget;
import org.snmp4j.DirectUserTarget;
import org.snmp4j.PDU;
import org.snmp4j.ScopedPDU;
import org.snmp4j.Target;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.security.AuthHMAC128SHA224;
import org.snmp4j.security.AuthHMAC192SHA256;
import org.snmp4j.security.AuthHMAC256SHA384;
import org.snmp4j.security.AuthHMAC384SHA512;
import org.snmp4j.security.AuthMD5;
import org.snmp4j.security.AuthSHA;
import org.snmp4j.security.PrivAES128;
import org.snmp4j.security.PrivAES192;
import org.snmp4j.security.PrivAES256;
import org.snmp4j.security.PrivDES;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.VariableBinding;

/**
 * One agent and the credentials for it. What it learned (address, engine) is forgotten after a
 * failure, so that a device that was replaced or renumbered answers again without a restart.
 */
final class AgentConnection {
  private static final Map<String, OID> AUTH =
      Map.of(
          "MD5", AuthMD5.ID,
          "SHA", AuthSHA.ID,
          "SHA224", AuthHMAC128SHA224.ID,
          "SHA256", AuthHMAC192SHA256.ID,
          "SHA384", AuthHMAC256SHA384.ID,
          "SHA512", AuthHMAC384SHA512.ID);
  private static final Map<String, OID> PRIV =
      Map.of(
          "DES", PrivDES.ID,
          "AES", PrivAES128.ID,
          "AES192", PrivAES192.ID,
          "AES256", PrivAES256.ID);

  private final SnmpSession session;
  private final SnmpTarget target;
  private @Nullable Target<UdpAddress> agent;

  /**
   * @throws IllegalArgumentException where the target has no credentials, or names a protocol that
   *     is not known
   */
  AgentConnection(SnmpSession session, SnmpTarget target) {
    this.session = session;
    this.target = target;
    SnmpTarget.User user = target.v3();
    if (user == null && target.v2c() == null) {
      throw new IllegalArgumentException(target.device() + ": neither v2c nor v3 is given");
    }
    if (user != null) {
      known(AUTH, user.authProtocol());
      known(PRIV, user.privProtocol());
    }
  }

  PDU get(List<OID> objects, Duration wait) throws CollectException, InterruptedException {
    PDU request = request(PDU.GET, objects);
    return exchange(request, wait);
  }

  PDU getBulk(List<OID> objects, int nonRepeaters, int maxRepetitions, Duration wait)
      throws CollectException, InterruptedException {
    PDU request = request(PDU.GETBULK, objects);
    request.setNonRepeaters(nonRepeaters);
    request.setMaxRepetitions(maxRepetitions);
    return exchange(request, wait);
  }

  /** snmpEngineBoots of the agent; -1 where it is not known. */
  long engineBoots() {
    return agent instanceof DirectUserTarget<UdpAddress> user
        ? session.engineBoots(user.getAuthoritativeEngineID())
        : -1;
  }

  Duration timeout() {
    return target.timeout();
  }

  /** Device and address, for messages. */
  String name() {
    return target.device() + " (" + target.address() + ":" + target.port() + ")";
  }

  /** Looks up address and engine anew at the next request. */
  void forget() {
    agent = null;
  }

  private PDU request(int type, List<OID> objects) {
    PDU request = target.v3() == null ? new PDU() : new ScopedPDU();
    request.setType(type);
    for (OID object : objects) {
      request.add(new VariableBinding(object));
    }
    return request;
  }

  private PDU exchange(PDU request, Duration wait) throws CollectException, InterruptedException {
    PDU answer;
    try {
      answer = session.send(request, agent(), wait);
    } catch (IOException e) {
      throw new CollectException(
          FailureCode.UNREACHABLE, name() + ": cannot be asked: " + e.getMessage(), e);
    }
    if (answer == null) {
      throw new CollectException(
          FailureCode.TIMEOUT, name() + ": no answer within " + wait.toMillis() + " ms", null);
    }
    if (answer.getType() == PDU.REPORT) {
      throw refused(answer);
    }
    return answer;
  }

  private Target<UdpAddress> agent() throws CollectException {
    Target<UdpAddress> known = agent;
    if (known == null) {
      UdpAddress address = SnmpSession.resolve(target);
      known = target.v3() == null ? communityTarget(address) : userTarget(address, target.v3());
      known.setRetries(0);
      agent = known;
    }
    return known;
  }

  private Target<UdpAddress> communityTarget(UdpAddress address) {
    SnmpTarget.Community community = target.v2c();
    if (community == null) {
      throw new IllegalStateException("no credentials");
    }
    CommunityTarget<UdpAddress> made =
        new CommunityTarget<>(address, new OctetString(community.community()));
    made.setVersion(SnmpConstants.version2c);
    return made;
  }

  private Target<UdpAddress> userTarget(UdpAddress address, SnmpTarget.User user)
      throws CollectException {
    Target<UdpAddress> made =
        session.userTarget(
            address,
            user,
            known(AUTH, user.authProtocol()),
            known(PRIV, user.privProtocol()),
            target.timeout(),
            name());
    made.setVersion(SnmpConstants.version3);
    return made;
  }

  private CollectException refused(PDU report) {
    OID reason = report.size() == 0 ? new OID() : report.get(0).getOid();
    String what;
    if (SnmpConstants.usmStatsUnknownUserNames.equals(reason)) {
      what = "it does not know the user";
    } else if (SnmpConstants.usmStatsWrongDigests.equals(reason)) {
      what = "the authentication password or protocol is wrong";
    } else if (SnmpConstants.usmStatsDecryptionErrors.equals(reason)) {
      what = "the privacy password or protocol is wrong";
    } else if (SnmpConstants.usmStatsUnsupportedSecLevels.equals(reason)) {
      what = "it does not allow authPriv for the user";
    } else if (SnmpConstants.usmStatsNotInTimeWindows.equals(reason)) {
      what = "its engine's time does not settle";
    } else if (SnmpConstants.usmStatsUnknownEngineIDs.equals(reason)) {
      what = "its engine changed";
    } else {
      what = "report " + reason;
    }
    return new CollectException(FailureCode.AUTHENTICATION, name() + ": " + what, null);
  }

  private OID known(Map<String, OID> protocols, String name) {
    OID id = protocols.get(name);
    if (id == null) {
      throw new IllegalArgumentException(
          target.device() + ": protocol '" + name + "' is none of " + protocols.keySet());
    }
    return id;
  }
}
