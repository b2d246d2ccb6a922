package io.fabrichealth.api;

import io.fabrichealth.api.PageRequest.Row;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.runtime.Snapshots;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.topology.Device;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Switches and hosts, with what is read of them. */
@Tag(name = "devices")
@RestController
@RequestMapping(path = "/api/v1/devices", produces = MediaType.APPLICATION_JSON_VALUE)
class DevicesController {
  private final Snapshots snapshots;

  DevicesController(Snapshots snapshots) {
    this.snapshots = snapshots;
  }

  @Operation(operationId = "listDevices", summary = "Devices that match the filters, by name")
  @GetMapping
  ResponseEntity<PageView<DeviceView>> list(@Valid @ParameterObject DevicesRequest request) {
    FabricSnapshot snapshot = snapshots.current();
    Map<String, List<PortReadings>> readings =
        snapshot.readings().values().stream()
            .collect(Collectors.groupingBy(port -> port.port().device()));
    return request
        .page()
        .page(
            snapshot.fabric().devices().stream()
                .filter(request::matches)
                .map(device -> new Row<>(0, device.name(), device)),
            false,
            device ->
                DeviceView.of(device, snapshot, readings.getOrDefault(device.name(), List.of())))
        .toResponse();
  }

  @Operation(operationId = "getDevice", summary = "One device")
  @GetMapping("/{name}")
  DeviceView get(@PathVariable String name) {
    FabricSnapshot snapshot = snapshots.current();
    Device device = snapshot.fabric().device(name);
    if (device == null) {
      throw ApiProblem.unknownId("device", name);
    }
    return DeviceView.of(
        device,
        snapshot,
        snapshot.readings().values().stream()
            .filter(port -> port.port().device().equals(name))
            .toList());
  }
}
