package io.fabrichealth.collect.gnmi;

/** How sure it is that a device gives a path. */
enum Sure {
  /** Seen in what a real device sent. */
  CAPTURED,
  /** In a published model, or in the source of the device's software. */
  DOCUMENTED,
  /** Told by somebody; neither seen nor published. */
  UNVERIFIED
}
