package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.Subscription;
import com.github.gnmi.proto.SubscriptionList;
import com.github.gnmi.proto.SubscriptionMode;
import io.fabrichealth.collect.gnmi.SubscribedPath.Mode;
import java.time.Duration;
import java.util.List;

/** What is sent to devices. */
final class Requests {
  /** In so many intervals a state that did not change is told again. */
  private static final int HEARTBEAT_INTERVALS = 6;

  private Requests() {}

  /**
   * A subscription to paths of one target and one origin.
   *
   * @param interval of what is sampled
   */
  static SubscribeRequest subscribe(
      List<SubscribedPath> paths,
      Modes modes,
      SubscriptionList.Mode mode,
      Encoding encoding,
      Duration interval) {
    SubscribedPath first = paths.getFirst();
    SubscriptionList.Builder list =
        SubscriptionList.newBuilder().setMode(mode).setEncoding(encoding);
    if (!first.target().isEmpty() || !first.origin().isEmpty()) {
      list.setPrefix(Path.newBuilder().setTarget(first.target()).setOrigin(first.origin()));
    }
    for (SubscribedPath path : paths) {
      Subscription.Builder one = Subscription.newBuilder().setPath(path.path());
      if (mode == SubscriptionList.Mode.STREAM) {
        if (modes.of(path.index()) == Mode.ON_CHANGE) {
          one.setMode(SubscriptionMode.ON_CHANGE)
              .setHeartbeatInterval(interval.multipliedBy(HEARTBEAT_INTERVALS).toNanos());
        } else {
          one.setMode(SubscriptionMode.SAMPLE).setSampleInterval(interval.toNanos());
        }
      }
      list.addSubscription(one);
    }
    return SubscribeRequest.newBuilder().setSubscribe(list).build();
  }
}
