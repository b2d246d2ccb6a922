package io.fabrichealth.simulate;

/**
 * A link between a leaf and a spine.
 *
 * @param up from the leaf to the spine
 * @param down from the spine to the leaf
 */
record Uplink(String leaf, String spine, SimulatedLink link, Direction up, Direction down) {}
