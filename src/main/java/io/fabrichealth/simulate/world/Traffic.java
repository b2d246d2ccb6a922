package io.fabrichealth.simulate.world;

import io.fabrichealth.simulate.Draws;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/** All flows: jobs with rings and exchanges along the rails, and what others add. */
final class Traffic {
  /** A packet of 4 KiB with Ethernet, IP, UDP, BTH, ICRC and FCS. */
  static final int LARGE_OCTETS = 4096 + 62;

  static final int SMALL_OCTETS = 2048 + 62;

  private static final int HOSTS_OF_JOB = 16;
  private static final double RING_LOAD = .42;
  private static final double EXCHANGE_LOAD = .16;
  private static final int PARTNERS = 4;
  private static final double CONTROL_PACKETS = .2;
  private static final int CONTROL_OCTETS = 180;

  private final Site site;
  private final Routes routes;
  private final Draws draws;
  private final List<Job> jobs = new ArrayList<>();
  private final List<Activity> activities = new ArrayList<>();
  private final Activity steady = Activity.constant(LARGE_OCTETS);
  private final List<Flow> others = new ArrayList<>();

  Traffic(Site site, Routes routes, Draws draws) {
    this.site = site;
    this.routes = routes;
    this.draws = draws;
    Activity control = Activity.constant(CONTROL_OCTETS);
    activities.add(steady);
    activities.add(control);
    for (PortModel port : site.hostPorts()) {
      port.out().sent().add(control, CONTROL_PACKETS, 0);
      port.in().sent().add(control, CONTROL_PACKETS, 0);
    }
    List<Integer> hosts = new ArrayList<>();
    for (int host = 0; host < site.shape().hostsOfAll(); host++) {
      hosts.add(host);
    }
    draws.shuffle(hosts);
    int size = Math.max(2, Math.min(HOSTS_OF_JOB * site.shape().pods(), hosts.size() / 4));
    for (int from = 0; from + 1 < hosts.size(); from += size) {
      start(hosts.subList(from, Math.min(hosts.size(), from + size)));
    }
    activities.forEach(activity -> activity.step(0));
  }

  private void start(List<Integer> hosts) {
    Job job = new Job(draws);
    jobs.add(job);
    activities.add(job.ring());
    activities.add(job.exchange());
    int connections = site.shape().connections();
    for (int rail = 0; rail < site.shape().rails(); rail++) {
      for (int i = 0; i < hosts.size(); i++) {
        PortModel source = site.hostPort(hosts.get(i), rail);
        PortModel next = site.hostPort(hosts.get((i + 1) % hosts.size()), rail);
        double packets = source.out().capacity(LARGE_OCTETS) * RING_LOAD / connections;
        for (int connection = 0; connection < connections; connection++) {
          begin(job, new Flow(source, next, job.ring(), packets));
        }
        double small = source.out().capacity(SMALL_OCTETS) * EXCHANGE_LOAD / PARTNERS;
        for (int partner = 1; partner <= PARTNERS; partner++) {
          int other = (i + partner * 3 + 1) % hosts.size();
          if (other != i) {
            PortModel target = site.hostPort(hosts.get(other), rail);
            begin(job, new Flow(source, target, job.exchange(), small));
          }
        }
      }
    }
  }

  private void begin(Job job, Flow flow) {
    job.flows().add(flow);
    flow.setPath(routes.path(flow.source(), flow.target()));
    flow.lay(1, 0);
  }

  /** Goes on by a step that begins now. */
  void step(double now) {
    for (Job job : jobs) {
      job.step(now);
      if (job.takeHash()) {
        job.flows().stream().filter(flow -> flow.path().size() > 2).forEach(f -> hash(f, now));
      }
    }
    for (Activity activity : activities) {
      activity.step(now);
    }
  }

  private void hash(Flow flow, double now) {
    flow.lay(-1, now);
    flow.setPath(routes.path(flow.source(), flow.target()));
    flow.lay(1, now);
  }

  /** Flows for which something holds, of jobs and others. */
  List<Flow> flows(Predicate<Flow> which) {
    List<Flow> found = new ArrayList<>();
    for (Job job : jobs) {
      job.flows().stream().filter(which).forEach(found::add);
    }
    others.stream().filter(which).forEach(found::add);
    return found;
  }

  /** Changes something on which these flows' rates or losses depend. */
  void change(Collection<Flow> flows, double now, Runnable change) {
    flows.forEach(flow -> flow.lay(-1, now));
    change.run();
    flows.forEach(flow -> flow.lay(1, now));
  }

  /** Hashes these flows anew. */
  void hash(Collection<Flow> flows, double now) {
    flows.forEach(flow -> hash(flow, now));
  }

  /** A steady flow beside those of the jobs. */
  Flow add(PortModel source, PortModel target, double packetsPerSecond, double now) {
    Flow flow = new Flow(source, target, steady, packetsPerSecond);
    flow.setPath(routes.path(source, target));
    flow.lay(1, now);
    others.add(flow);
    return flow;
  }

  /** One that follows an activity, over wires that are given. */
  Flow add(
      PortModel source,
      PortModel target,
      Activity activity,
      List<Wire> path,
      double perSecond,
      double now) {
    Flow flow = new Flow(source, target, activity, perSecond);
    flow.setPath(path);
    flow.lay(1, now);
    others.add(flow);
    return flow;
  }

  void remove(Flow flow, double now) {
    flow.lay(-1, now);
    others.remove(flow);
  }

  /** Something that moves packets and has a step of its own. */
  void add(Activity activity) {
    activities.add(activity);
  }
}
