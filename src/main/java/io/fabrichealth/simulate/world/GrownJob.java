package io.fabrichealth.simulate.world;

import io.fabrichealth.collective.JobRank;
import java.util.ArrayList;
import java.util.List;

/**
 * A job is started anew with many more ranks; its rings have more rounds, and nothing is broken.
 */
final class GrownJob implements Staging {
  private static final int RAILS = 2;
  private static final int STAGES = 2;
  private static final int HOSTS_AFTER = 128;
  private static final int ENOUGH = 8;

  @Override
  public void stage(Stage stage) {
    int before = (int) stage.severity().of(32, 16, 8);
    int after = HOSTS_AFTER;
    RunningJob job = RunningJob.of(stage, model(stage, before));
    job.restart(model(stage, after), stage.onset());
    stage
        .fault("ALGORITHMIC_SCALING", RunningJob.job())
        .with("ranksBefore", before * RAILS)
        .with("ranksAfter", after * RAILS)
        .observableFrom(stage.onset() + (ENOUGH + 2) * job.every())
        .tell();
  }

  /** The hosts of the fabric, and more that are not part of what is watched. */
  private static JobModel model(Stage stage, int hosts) {
    List<PortModel> ports = stage.world().site().hostPorts();
    List<JobRank> places = new ArrayList<>();
    for (int rank = 0; rank < hosts * RAILS; rank++) {
      if (rank < ports.size()) {
        PortModel port = ports.get(rank);
        places.add(new JobRank(rank, port.device().name(), rank % RAILS, port.name()));
      } else {
        places.add(new JobRank(rank, "far-" + rank / RAILS, rank % RAILS, null));
      }
    }
    return new JobModel(stage.draws(), places, RAILS, STAGES);
  }
}
