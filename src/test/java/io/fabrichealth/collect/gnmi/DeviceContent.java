package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.Update;
import java.util.List;

/** What a simulated device answers. */
interface DeviceContent {

  /**
   * The values at and below a path, each with its full path.
   *
   * @throws io.grpc.StatusRuntimeException where the device refuses the path
   */
  List<Update> read(Path prefix, Path path);

  /** Tells it of what changes from now on. */
  default void onChange(Listener listener) {}

  /** Takes changes of a device. */
  interface Listener {
    void changed(List<Update> updates, List<Path> deletes);
  }
}
