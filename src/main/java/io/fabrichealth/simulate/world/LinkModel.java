package io.fabrichealth.simulate.world;

import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;

/** A link: up or down, and what it runs through. */
final class LinkModel {
  private static final double MILLIS = 1e3;

  private final Link link;
  private final Media media;
  private final Meter upSeconds = new Meter();
  private final Meter downMillis = new Meter();
  private boolean up = true;
  private long downs;

  LinkModel(Link link, Media media) {
    this.link = link;
    this.media = media;
    upSeconds.setRate(1, 0);
  }

  void setUp(boolean nowUp, double at) {
    if (up == nowUp) {
      return;
    }
    up = nowUp;
    upSeconds.setRate(up ? 1 : 0, at);
    downMillis.setRate(up ? 0 : MILLIS, at);
    if (!up) {
      downs++;
    }
  }

  Link link() {
    return link;
  }

  String id() {
    return link.id();
  }

  Media media() {
    return media;
  }

  boolean isOptical() {
    return media == Media.OPTICAL || media == Media.AOC;
  }

  boolean isUp() {
    return up;
  }

  long downs() {
    return downs;
  }

  double upSeconds(double seconds) {
    return upSeconds.at(seconds);
  }

  double downMillis(double seconds) {
    return downMillis.at(seconds);
  }
}
