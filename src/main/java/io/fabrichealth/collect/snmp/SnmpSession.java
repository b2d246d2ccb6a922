package io.fabrichealth.collect.snmp;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.snmp4j.DirectUserTarget;
import org.snmp4j.MessageDispatcherImpl;
import org.snmp4j.PDU;
import org.snmp4j.SNMP4JSettings;
import org.snmp4j.SNMP4JSettings.ReportSecurityLevelStrategy;
import org.snmp4j.Snmp;
import org.snmp4j.Target;
import org.snmp4j.event.ResponseEvent;
import org.snmp4j.event.ResponseListener;
import org.snmp4j.mp.CounterSupport;
import org.snmp4j.mp.MPv2c;
import org.snmp4j.mp.MPv3;
import org.snmp4j.security.SecurityLevel;
import org.snmp4j.security.SecurityModel;
import org.snmp4j.security.SecurityModels;
import org.snmp4j.security.SecurityProtocols;
import org.snmp4j.security.SecurityProtocols.SecurityProtocolSet;
import org.snmp4j.security.USM;
import org.snmp4j.security.UsmTimeEntry;
import org.snmp4j.smi.Address;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/**
 * One UDP socket for all devices. Many threads may ask at once; each waits for its own answer.
 *
 * <p>Users of SNMPv3 are not entered in a table: each request carries the keys of its device, so
 * that devices with the same user name and other passwords do not mix.
 */
public final class SnmpSession implements AutoCloseable {
  private static final int RECEIVE_BUFFER = 8 << 20;

  private final Snmp snmp;
  private final USM usm;

  private SnmpSession(Snmp snmp, USM usm) {
    this.snmp = snmp;
    this.usm = usm;
  }

  /**
   * @throws IOException where no socket can be had
   */
  public static SnmpSession open() throws IOException {
    // Agents say without authentication that a password is wrong: they cannot authenticate.
    SNMP4JSettings.setReportSecurityLevelStrategy(ReportSecurityLevelStrategy.noAuthNoPrivIfNeeded);
    SecurityProtocols protocols = new SecurityProtocols(SecurityProtocolSet.maxCompatibility);
    byte[] engineId = MPv3.createLocalEngineID();
    USM usm = new USM(protocols, new OctetString(engineId), 0);
    MessageDispatcherImpl dispatcher = new MessageDispatcherImpl();
    dispatcher.addMessageProcessingModel(new MPv2c());
    dispatcher.addMessageProcessingModel(
        new MPv3(
            engineId,
            null,
            protocols,
            SecurityModels.getCollection(new SecurityModel[] {usm}),
            CounterSupport.getInstance()));
    DefaultUdpTransportMapping socket = new DefaultUdpTransportMapping(new UdpAddress("0.0.0.0/0"));
    socket.setReceiveBufferSize(RECEIVE_BUFFER);
    Snmp snmp = new Snmp(dispatcher, socket);
    snmp.listen();
    return new SnmpSession(snmp, usm);
  }

  /**
   * Asks and waits for the answer.
   *
   * @return the answer; null where none came in time
   */
  @Nullable PDU send(PDU request, Target<UdpAddress> target, Duration wait)
      throws IOException, InterruptedException {
    CompletableFuture<@Nullable PDU> answer = new CompletableFuture<>();
    ResponseListener listener =
        new ResponseListener() {
          @Override
          public <A extends Address> void onResponse(ResponseEvent<A> event) {
            snmp.cancel(event.getRequest(), this);
            answer.complete(event.getResponse());
          }
        };
    target.setTimeout(wait.toMillis());
    snmp.send(request, target, null, listener);
    try {
      // The session times the request itself; the margin is for a session that is closed meanwhile.
      return answer.get(wait.toMillis() + 2_000, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      snmp.cancel(request, listener);
      return null;
    } catch (InterruptedException e) {
      snmp.cancel(request, listener);
      throw e;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The target for a user of SNMPv3 on one device, with the keys made for its engine.
   *
   * @throws CollectException where the device does not say which engine it is
   */
  DirectUserTarget<UdpAddress> userTarget(
      UdpAddress address, SnmpTarget.User user, OID auth, OID priv, Duration wait, String device)
      throws CollectException {
    byte[] engine = snmp.discoverAuthoritativeEngineID(address, wait.toMillis());
    if (engine == null) {
      throw new CollectException(
          FailureCode.TIMEOUT, device + ": no answer to the search for its engine id", null);
    }
    DirectUserTarget<UdpAddress> target = new DirectUserTarget<>();
    target.setAddress(address);
    target.setAuthoritativeEngineID(engine);
    target.setSecurityModel(MPv3.ID);
    SecurityLevel level =
        snmp.setLocalizedUserCredentials(
            target,
            snmp.createLocalizedUsmUserEntry(
                engine,
                new OctetString(user.user()),
                auth,
                new OctetString(user.authPassword()),
                priv,
                new OctetString(user.privPassword())));
    if (level != SecurityLevel.authPriv) {
      throw new CollectException(FailureCode.INTERNAL, device + ": no keys for " + user, null);
    }
    return target;
  }

  /** snmpEngineBoots of an engine as last heard; -1 where it was not heard of. */
  long engineBoots(byte[] engineId) {
    UsmTimeEntry entry = usm.getTimeTable().getEntry(new OctetString(engineId));
    return entry == null ? -1 : entry.getEngineBoots();
  }

  /** Resolves the name of a device. */
  static UdpAddress resolve(SnmpTarget target) throws CollectException {
    try {
      return new UdpAddress(InetAddress.getByName(target.address()), target.port());
    } catch (UnknownHostException e) {
      throw new CollectException(
          FailureCode.UNKNOWN_HOST, target.address() + " cannot be resolved", e);
    }
  }

  @Override
  public void close() {
    try {
      snmp.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
