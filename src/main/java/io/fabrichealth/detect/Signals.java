package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalDictionary;

/** The ordinals of the signals that several detectors read. */
final class Signals {
  final int operUp;
  final int adminUp;
  final int speed;
  final int linkDowned;
  final int downMilliseconds;
  final int inOctets;
  final int outOctets;
  final int inPackets;
  final int outPackets;
  final int ecnMarked;
  final int queuePackets;
  final int hostEcnMarked;
  final int cnpSent;
  final int rxPauseMicroseconds;
  final int txPauseMicroseconds;
  final int outOfBuffer;

  Signals(SignalDictionary dictionary) {
    operUp = dictionary.ordinal("port.oper_up");
    adminUp = dictionary.ordinal("port.admin_up");
    speed = dictionary.ordinal("port.speed_bits_per_second");
    linkDowned = dictionary.ordinal("port.link_downed");
    downMilliseconds = dictionary.ordinal("port.down_milliseconds");
    inOctets = dictionary.ordinal("port.in_octets");
    outOctets = dictionary.ordinal("port.out_octets");
    inPackets = dictionary.ordinal("port.in_packets");
    outPackets = dictionary.ordinal("port.out_packets");
    ecnMarked = dictionary.ordinal("ecn.marked_packets");
    queuePackets = dictionary.ordinal("queue.out_packets");
    hostEcnMarked = dictionary.ordinal("roce.ecn_marked_packets");
    cnpSent = dictionary.ordinal("roce.cnp_sent");
    rxPauseMicroseconds = dictionary.ordinal("pfc.rx_pause_microseconds");
    txPauseMicroseconds = dictionary.ordinal("pfc.tx_pause_microseconds");
    outOfBuffer = dictionary.ordinal("roce.out_of_buffer");
  }
}
