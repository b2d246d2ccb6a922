#!/bin/sh
# Writes what a host's tools and sysfs know of its fabric ports, and node_exporter does not, as a
# page for node_exporter's textfile collector. docs/how-to/host-textfile.md says how to install it.
#
#   fabric-health-textfile.sh /var/lib/node_exporter/textfile/fabric_host.prom
#
# A tool that is absent, fails, hangs or says nonsense costs its own readings only, and is named in
# fabric_host_textfile_error. What failed twice in a row for a port is left alone for some runs:
# firmware that refuses a request may log each one.
#
# POSIX sh and awk, in one file, so that there is one thing to install. Environment:
#   FABRIC_TOOL_SECONDS  longest run of one tool (5)
#   FABRIC_RUN_SECONDS   no tool is started later than that (45)
#   FABRIC_RETRY_RUNS    runs for which a failing tool is left alone (60)
#   FABRIC_NETDEVS       further network interfaces to read, by blanks
#   FABRIC_STATE         file that remembers what failed (/run/fabric-health-textfile)
#   FABRIC_SYSFS         root of sysfs (/sys)
set -u
LC_ALL=C
export LC_ALL

if [ $# -ne 1 ]; then
  echo "usage: fabric-health-textfile.sh FILE.prom" >&2
  exit 2
fi
out=$1
sysfs=${FABRIC_SYSFS:-/sys}
tool_seconds=${FABRIC_TOOL_SECONDS:-5}
run_seconds=${FABRIC_RUN_SECONDS:-45}
retry_runs=${FABRIC_RETRY_RUNS:-60}
state=${FABRIC_STATE:-/run/fabric-health-textfile}

tmp=$out.$$
trap 'rm -f "$tmp" "$tmp.raw" "$tmp.lines" "$state.$$" 2>/dev/null' EXIT
trap 'exit 1' HUP INT TERM
if ! : >"$tmp.lines"; then
  echo "fabric-health-textfile.sh: $out: the folder cannot be written" >&2
  exit 1
fi
exec 3>>"$tmp.lines"

# ---------------------------------------------------------------------------- small pieces

nl='
'

# Puts $1 into REPLY as a label's value is written.
escape() {
  REPLY=$1
  case $REPLY in
    *[\\\"]* | *"$nl"*) ;;
    *) return ;;
  esac
  rest=$REPLY
  REPLY=
  while [ -n "$rest" ]; do
    next=${rest%"${rest#?}"}
    rest=${rest#?}
    case $next in
      \\ | \") REPLY=$REPLY\\$next ;;
      "$nl") REPLY=$REPLY\\n ;;
      *) REPLY=$REPLY$next ;;
    esac
  done
}

# say METRIC LABELS VALUE
say() {
  printf '%s{%s} %s\n' "$1" "$2" "$3" >&3
}

# Puts the first line of a file into REPLY; fails where it cannot be read or is empty.
first_line() {
  REPLY=
  [ -f "$1" ] || return 1
  IFS= read -r REPLY 2>/dev/null <"$1"
  [ -n "$REPLY" ]
}

# Says the counter in file $3 as metric $1 with labels $2; fails where it holds no number.
say_counter() {
  first_line "$3" || return 1
  case $REPLY in
    *[!0-9]*) return 1 ;;
  esac
  say "$1" "$2" "$REPLY"
}

# error TOOL SUBJECT REASON
error() {
  escape "$2"
  say fabric_host_textfile_error "tool=\"$1\",subject=\"$REPLY\",reason=\"$3\"" 1
}

uptime_seconds() {
  REPLY=0
  if [ -r /proc/uptime ]; then
    IFS='. ' read -r REPLY _ </proc/uptime
  fi
}

# ---------------------------------------------------------------------------- running a tool

if timeout -k 1 1 true 2>/dev/null; then
  limit="timeout -k 1 $tool_seconds"
elif timeout 1 true 2>/dev/null; then
  limit="timeout $tool_seconds"
else
  limit=
  error timeout "" absent
fi

uptime_seconds
last_start=$((REPLY + run_seconds))

# What failed: |TOOL SUBJECT FAILURES RUNS| with the runs for which it is left alone.
known=
if first_line "$state"; then
  known=$REPLY
fi
remembered='|'

# Puts failures and runs of tool $1 and subject $2 into failures and runs.
recall() {
  failures=0
  runs=0
  rest=${known#*"|$1 $2 "}
  if [ "$rest" != "$known" ]; then
    rest=${rest%%"|"*}
    failures=${rest%% *}
    runs=${rest##* }
    case $failures$runs in
      '' | *[!0-9]*)
        failures=0
        runs=0
        ;;
    esac
  fi
}

# remember TOOL SUBJECT FAILURES RUNS
remember() {
  case $2 in
    *[!A-Za-z0-9_.:/-]*) ;;
    *) remembered="$remembered$1 $2 $3 $4|" ;;
  esac
}

# run TOOL SUBJECT AWK_PROGRAM COMMAND... : says what the program makes of the command's output.
run() {
  tool=$1
  subject=$2
  program=$3
  shift 3
  command -v "$1" >/dev/null 2>&1 || return 0
  [ -n "$limit" ] || return 0
  recall "$tool" "$subject"
  if [ "$runs" -gt 0 ]; then
    remember "$tool" "$subject" "$failures" $((runs - 1))
    error "$tool" "$subject" left_alone
    return 0
  fi
  uptime_seconds
  if [ "$REPLY" -gt "$last_start" ]; then
    error "$tool" "$subject" no_time
    return 0
  fi
  $limit "$@" >"$tmp.raw" 2>/dev/null 3>&- </dev/null
  case $? in
    0)
      if awk "$program" "$tmp.raw" >&3 2>/dev/null; then
        return 0
      fi
      reason=unreadable
      ;;
    124 | 137 | 143) reason=timeout ;;
    *) reason=failed ;;
  esac
  error "$tool" "$subject" "$reason"
  failures=$((failures + 1))
  if [ "$failures" -ge 2 ]; then
    remember "$tool" "$subject" "$failures" "$retry_runs"
  else
    remember "$tool" "$subject" "$failures" 0
  fi
}

# ---------------------------------------------------------------------------- what tools print
# Each program takes the labels from the environment and fails where it finds nothing.

# Values of label text that comes from tools.
awk_common='
BEGIN { labels = ENVIRON["labels"]; said = 0 }
function say(metric, more, value) {
  printf "%s{%s%s} %s\n", metric, labels, more == "" ? "" : "," more, value
  said = 1
}
function quoted(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/"/, "\\\"", text)
  gsub(/[^ -~]/, "?", text)
  sub(/^ +/, "", text)
  sub(/ +$/, "", text)
  return "\"" text "\""
}
function is_count(text) { return text ~ /^[0-9]+$/ && length(text) <= 20 }
function is_number(text) { return text ~ /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$/ }
'

# ethtool -I --show-fec: totals, lanes on lines of their own or in brackets, histogram bins.
awk_fec=$awk_common'
function per_lane(metric, text,    count, lane, values) {
  if (!match(text, /\[ *per_lane:[^]]*\]/)) return
  text = substr(text, RSTART, RLENGTH)
  gsub(/[^0-9,]/, "", text)
  count = split(text, values, ",")
  for (lane = 1; lane <= count && lane <= 16; lane++) {
    if (is_count(values[lane])) say(metric "_lane_total", "lane=\"" (lane - 1) "\"", values[lane])
  }
}
{
  name = $0
  sub(/:.*/, "", name)
  gsub(/^[ \t]+|[ \t]+$/, "", name)
  value = $0
  sub(/^[^:]*:[ \t]*/, "", value)
  split(value, words, /[ \t]+/)
}
name ~ /^Active FEC encodings?$/ {
  say("fabric_host_netdev_fec_info", "encoding=" quoted(value), 1)
}
name == "corrected_blocks" || name == "uncorrectable_blocks" || name == "corrected_bits" {
  sub(/bits$/, "bit_errors", name)
  metric = "fabric_host_netdev_fec_" name
  if (is_count(words[1])) {
    say(metric "_total", "", words[1])
    per_lane(metric, value)
  }
  next
}
name ~ /^Lane [0-9]+$/ && metric != "" && is_count(words[1]) {
  sub(/^Lane /, "", name)
  say(metric "_lane_total", "lane=\"" (name + 0) "\"", words[1])
  next
}
name ~ /^fec_[a-z_]*err[a-z_]*_[0-9]+(_to_[0-9]+)?$/ && is_count(words[1]) {
  metric = ""
  low = name
  sub(/_to_[0-9]+$/, "", low)
  sub(/^.*_/, "", low)
  high = name
  sub(/^.*_/, "", high)
  if (low == high) {
    say("fabric_host_netdev_fec_codewords_total", "symbol_errors=\"" (low + 0) "\"", words[1])
  } else {
    range = "low=\"" (low + 0) "\",high=\"" (high + 0) "\""
    say("fabric_host_netdev_fec_codewords_merged_total", range, words[1])
  }
}
END { exit !said }
'

# ethtool -S: the names of mlx5 that the service knows, whatever blanks stand around them.
awk_statistics=$awk_common'
BEGIN {
  name_of["rx_bytes_phy"] = "phy_receive_bytes"
  name_of["tx_bytes_phy"] = "phy_transmit_bytes"
  name_of["rx_packets_phy"] = "phy_receive_packets"
  name_of["tx_packets_phy"] = "phy_transmit_packets"
  name_of["rx_discards_phy"] = "phy_receive_discards"
  name_of["tx_discards_phy"] = "phy_transmit_discards"
  name_of["rx_crc_errors_phy"] = "phy_receive_crc_errors"
  name_of["tx_errors_phy"] = "phy_transmit_errors"
  name_of["link_down_events_phy"] = "phy_link_down_events"
  name_of["rx_corrected_bits_phy"] = "phy_corrected_bit_errors"
  name_of["rx_pcs_symbol_err_phy"] = "phy_post_fec_symbol_errors"
}
# Microseconds as seconds, without arithmetic: they may be larger than awk counts.
function seconds(text) {
  while (length(text) < 7) text = "0" text
  return substr(text, 1, length(text) - 6) "." substr(text, length(text) - 5)
}
{
  at = match($0, /:[ \t]*[0-9]+[ \t\r]*$/)
  if (!at) next
  name = substr($0, 1, at - 1)
  value = substr($0, at + 1)
  gsub(/^[ \t]+|[ \t]+$/, "", name)
  gsub(/[ \t\r]/, "", value)
  if (!is_count(value)) next
  if (name in name_of) {
    say("fabric_host_netdev_" name_of[name] "_total", "", value)
  } else if (name ~ /^rx_err_lane_[0-9]+_phy$/) {
    gsub(/[^0-9]/, "", name)
    say("fabric_host_netdev_phy_corrected_bit_errors_lane_total", "lane=\"" name "\"", value)
  } else if (name ~ /^[rt]x_prio[0-7]_pause(_duration)?$/) {
    direction = name ~ /^rx/ ? "receive" : "transmit"
    priority = "priority=\"" substr(name, 8, 1) "\""
    if (name ~ /_duration$/) {
      say("fabric_host_netdev_pfc_" direction "_pause_seconds_total", priority, seconds(value))
    } else {
      say("fabric_host_netdev_pfc_" direction "_pause_frames_total", priority, value)
    }
  }
}
END { exit !said }
'

# ethtool -m: channels count from 1 (SFF-8636, CMIS), in some versions from 0; SFP has none.
awk_module=$awk_common'
BEGIN { first = 99; metric["bias"] = "transmit_bias_amperes"; metric["tx"] = "transmit_power_dbm"
  metric["rx"] = "receive_power_dbm" }
function keep(what, name, value,    channel) {
  channel = 1
  if (match(name, /Channel [0-9]+/)) channel = substr(name, RSTART + 8, RLENGTH - 8) + 0
  if (channel > 16) return
  first = channel < first ? channel : first
  last = channel > last ? channel : last
  kept[what, channel] = value
}
function dbm(text) {
  if (text !~ /dBm/) return ""
  sub(/ *dBm.*/, "", text)
  sub(/^.*[\/ ]/, "", text)
  return text ~ /^-?inf$/ ? "-Inf" : is_number(text) ? text : ""
}
function number(text) { sub(/ .*/, "", text); return is_number(text) ? text : "" }
{
  at = index($0, " : ")
  if (!at) next
  name = substr($0, 1, at - 1)
  value = substr($0, at + 3)
  gsub(/^[ \t]+|[ \t]+$/, "", name)
  gsub(/^[ \t]+|[ \t\r]+$/, "", value)
}
name == "Vendor name" { vendor = value }
name == "Vendor PN" { part = value }
name == "Transmitter technology" && technology == "" { technology = value }
name == "Module temperature" && number(value) != "" {
  say("fabric_host_netdev_module_temperature_celsius", "", number(value))
}
name == "Module voltage" && number(value) != "" {
  say("fabric_host_netdev_module_voltage_volts", "", number(value))
}
name ~ /^Laser (tx )?bias current( ?\(Channel [0-9]+\))?$/ && number(value) != "" {
  keep("bias", name, sprintf("%.6f", number(value) / 1000))
}
name ~ /^(Transmit avg optical|Laser output) power( ?\(Channel [0-9]+\))?$/ && dbm(value) != "" {
  keep("tx", name, dbm(value))
}
name ~ /^(Rcvr signal avg|Receiver signal average) optical power( ?\(Channel [0-9]+\))?$/ &&
    dbm(value) != "" {
  keep("rx", name, dbm(value))
}
function is_dark(channel) {
  return kept["bias", channel] + 0 == 0 && kept["tx", channel] ~ /^(-Inf|-40(\.0*)?)?$/ &&
    kept["rx", channel] ~ /^(-Inf|-40(\.0*)?)?$/
}
END {
  # A module with fewer lanes than its page has places shows the others dark.
  for (channel = first; channel <= last; channel++) lit += !is_dark(channel)
  for (channel = first; channel <= last; channel++) {
    if (lit && is_dark(channel)) continue
    for (what in metric) {
      if ((what, channel) in kept) {
        lane = "lane=\"" (channel - first) "\""
        say("fabric_host_netdev_optics_" metric[what], lane, kept[what, channel])
      }
    }
  }
  if (part != "" || vendor != "") {
    more = "vendor=" quoted(vendor) ",part_number=" quoted(part)
    say("fabric_host_netdev_module_info", more ",technology=" quoted(technology), 1)
  }
  exit !said
}
'

# mlxlink --json: every value is text, lists stand in "values", what is not known is N/A.
awk_mlxlink=$awk_common'
{ text = text $0 "\n" }
function skip(    c) {
  while (at <= size) {
    c = substr(text, at, 1)
    if (c != " " && c != "\t" && c != "\r" && c != "\n") return c
    at++
  }
  return ""
}
function string(    from, value, c) {
  at++
  value = ""
  while (at <= size && (c = substr(text, at, 1)) != "\"") {
    if (c == "\\") {
      at++
      c = substr(text, at, 1)
      if (c == "u") at += 4
      c = c ~ /[\\"\/]/ ? c : "?"
    }
    value = value c
    at++
  }
  at++
  return value
}
# Keeps each value by its path of names; false where it is no JSON.
function value(path, depth,    c, name, index_, from) {
  c = skip()
  if (depth > 16 || c == "") return 0
  if (c == "{") {
    at++
    while ((c = skip()) == "\"") {
      name = string()
      if (skip() != ":") return 0
      at++
      if (!value(path "\t" name, depth + 1)) return 0
      if (skip() == ",") at++
    }
    at++
    return c == "}"
  }
  if (c == "[") {
    at++
    index_ = 0
    while ((c = skip()) != "]") {
      if (c == "" || !value(path "\t" index_++, depth + 1)) return 0
      if (skip() == ",") at++
    }
    at++
    return 1
  }
  if (c == "\"") {
    found[path] = string()
    return 1
  }
  from = at
  while (at <= size && substr(text, at, 1) ~ /[-+.A-Za-z0-9]/) at++
  found[path] = substr(text, from, at - from)
  return at > from
}
# The text of a field of a group; lists as their elements, by commas.
function field(group, name,    path, list, place) {
  path = "\tresult\toutput\t" group "\t" name
  if (path in found) return found[path]
  for (place = 0; (path "\tvalues\t" place) in found; place++) {
    list = list (place ? "," : "") found[path "\tvalues\t" place]
  }
  return list
}
function ber(metric, more, text) {
  # 15E-255 stands for: none measured.
  if (text ~ /^[0-9]+(\.[0-9]+)?[eE]-[0-9]+$/ && text !~ /[eE]-2[0-9][0-9]$/) {
    say(metric, more, text)
  } else if (text ~ /^0+(\.0+)?$/) {
    say(metric, more, 0)
  }
}
function count(metric, text) {
  if (is_count(text)) say("fabric_host_hca_" metric "_total", "", text)
}
function lanes(metric, text, kind,    many, lane, values, name) {
  sub(/ *\[.*/, "", text)
  many = split(text, values, ",")
  for (lane = 1; lane <= many && lane <= 16; lane++) {
    gsub(/^ +| +$/, "", values[lane])
    name = "lane=\"" (lane - 1) "\""
    if (kind == "count" && is_count(values[lane])) {
      say(metric, name, values[lane])
    } else if (kind == "ber") {
      ber(metric, name, values[lane])
    } else if (kind == "number" && is_number(values[lane])) {
      say(metric, name, values[lane])
    } else if (kind == "milli" && is_number(values[lane])) {
      say(metric, name, sprintf("%.6f", values[lane] / 1000))
    }
  }
}
function one(text) { sub(/ *\[.*/, "", text); return is_number(text) ? text : "" }
END {
  size = length(text)
  at = 1
  if (!value("", 0)) exit 1
  counters = "Physical Counters and BER Info"
  ber("fabric_host_hca_raw_bit_error_ratio", "", field(counters, "Raw Physical BER"))
  ber("fabric_host_hca_effective_bit_error_ratio", "", field(counters, "Effective Physical BER"))
  ber("fabric_host_hca_symbol_bit_error_ratio", "", field(counters, "Symbol BER"))
  lanes("fabric_host_hca_raw_bit_error_ratio_lane", field(counters, "Raw Physical BER Per Lane"),
    "ber")
  raw = field(counters, "Raw Physical Errors Per Lane")
  if (raw == "") raw = field(counters, "Raw Errors Per Lane")
  lanes("fabric_host_hca_raw_errors_lane_total", raw, "count")
  count("effective_errors", field(counters, "Effective Physical Errors"))
  count("symbol_errors", field(counters, "Symbol Errors"))
  count("link_down_events", field(counters, "Link Down Counter"))
  for (bin = 0; bin < 32; bin++) {
    row = field("Histogram of FEC Errors", "Bin " bin)
    if (split(row, cells, ",") == 2 && is_count(cells[2])) {
      gsub(/[^0-9:]/, "", cells[1])
      parts = split(cells[1], range, ":")
      if (parts == 1 || (parts == 2 && range[1] == range[2])) {
        say("fabric_host_hca_fec_codewords_total", "symbol_errors=\"" (range[1] + 0) "\"", cells[2])
      } else if (parts == 2) {
        say("fabric_host_hca_fec_codewords_merged_total",
          "low=\"" (range[1] + 0) "\",high=\"" (range[2] + 0) "\"", cells[2])
      }
    }
  }
  width = field("Operational Info", "Width")
  if (width ~ /^[0-9]+[xX]$/) say("fabric_host_hca_width_lanes", "", width + 0)
  fec = field("Operational Info", "FEC")
  if (fec != "" && fec != "N/A") say("fabric_host_hca_fec_info", "encoding=" quoted(fec), 1)
  module = "Module Info"
  if (one(field(module, "Temperature [C]")) != "") {
    say("fabric_host_hca_module_temperature_celsius", "", one(field(module, "Temperature [C]")))
  }
  if (one(field(module, "Voltage [mV]")) != "") {
    say("fabric_host_hca_module_voltage_volts", "",
      sprintf("%.4f", one(field(module, "Voltage [mV]")) / 1000))
  }
  lanes("fabric_host_hca_optics_transmit_bias_amperes", field(module, "Bias Current [mA]"), "milli")
  lanes("fabric_host_hca_optics_receive_power_dbm", field(module, "Rx Power Current [dBm]"),
    "number")
  lanes("fabric_host_hca_optics_transmit_power_dbm", field(module, "Tx Power Current [dBm]"),
    "number")
  part = field(module, "Vendor Part Number")
  if (part != "" && part != "N/A") {
    more = "vendor=" quoted(field(module, "Vendor Name")) ",part_number=" quoted(part)
    say("fabric_host_hca_module_info",
      more ",technology=" quoted(field(module, "Cable Type")), 1)
  }
  exit !said
}
'

# ---------------------------------------------------------------------------- sysfs

# The counters of RDMA drivers (hw_counters) under one name each; those that are not here the
# service does not use.
say_rdma() {
  for file in "$1"/*; do
    case ${file##*/} in
      np_cnp_sent | tx_cnp_pkts | cnpSent) metric=cnp_sent ;;
      rp_cnp_handled | rx_cnp_pkts | cnpHandled) metric=cnp_handled ;;
      np_ecn_marked_roce_packets | rx_ecn_marked_pkts) metric=ecn_marked_packets ;;
      out_of_sequence | oos_drop_count) metric=out_of_sequence ;;
      packet_seq_err | seq_err_naks_rcvd) metric=packet_sequence_errors ;;
      implied_nak_seq_err) metric=implied_nak_sequence_errors ;;
      local_ack_timeout_err | to_retransmits) metric=local_ack_timeouts ;;
      rnr_nak_retry_err | rnr_naks_rcvd) metric=rnr_nak_retries ;;
      out_of_buffer | rx_out_of_buffer) metric=out_of_buffer ;;
      roce_adp_retrans) metric=adaptive_retransmissions ;;
      *) continue ;;
    esac
    say_counter "fabric_host_hca_roce_${metric}_total" "$labels" "$file" ||
      error hw_counters "$subject/${file##*/}" unreadable
  done
}

# Counters of the PMA, each for itself: there are versions of node_exporter that give none of any
# HCA where one cannot be read.
say_pma() {
  pma='symbol_error link_error_recovery link_downed port_rcv_errors
    port_rcv_remote_physical_errors port_xmit_discards local_link_integrity_errors
    excessive_buffer_overrun_errors port_xmit_wait port_xmit_data port_rcv_data port_xmit_packets
    port_rcv_packets'
  for name in $pma; do
    [ -e "$1/$name" ] || continue
    say_counter "fabric_host_hca_pma_${name}_total" "$labels" "$1/$name" ||
      error counters "$subject/$name" unreadable
  done
}

# Current width and speed of the slot; "Unknown" is neither.
say_pcie() {
  if first_line "$1/current_link_width"; then
    case $REPLY in
      0 | *[!0-9]*) error pcie "$subject" unreadable ;;
      *) say fabric_host_hca_pcie_width_lanes "$labels" "$REPLY" ;;
    esac
  fi
  if first_line "$1/current_link_speed"; then
    case $REPLY in
      [0-9]*' GT/s'*)
        say fabric_host_hca_pcie_speed_transfers_per_second "$labels" "${REPLY%% *}e9"
        ;;
      *) error pcie "$subject" unreadable ;;
    esac
  fi
}

# Puts the network interface of port $2 of device $1 into netdev; empty where there is none.
find_netdev() {
  netdev=
  if first_line "$1/ports/$2/gid_attrs/ndevs/0"; then
    netdev=$REPLY
    return
  fi
  for candidate in "$1"/device/net/*; do
    [ -e "$candidate" ] || continue
    first_line "$candidate/dev_port" || REPLY=0
    if [ "$REPLY" = $(($2 - 1)) ]; then
      netdev=${candidate##*/}
      return
    fi
  done
}

# Puts 16 hex digits of GUID $1 (dddd:dddd:dddd:dddd) behind 0x into REPLY; fails where it is none.
guid_text() {
  case $1 in
    0000:0000:0000:0000) return 1 ;;
    ????:????:????:????) ;;
    *) return 1 ;;
  esac
  a=${1%%:*}
  rest=${1#*:}
  b=${rest%%:*}
  rest=${rest#*:}
  REPLY=0x$a$b${rest%%:*}${rest#*:}
  case ${REPLY#0x} in
    *[!0-9a-f]*) return 1 ;;
  esac
}

# An InfiniBand port has a GUID of its own in its first GID; others go by their node's.
find_guid() {
  guid=
  if [ "$layer" = InfiniBand ] && first_line "$1/ports/$2/gids/0" &&
    guid_text "${REPLY#????:????:????:????:}"; then
    guid=$REPLY
  elif first_line "$1/node_guid" && guid_text "$REPLY"; then
    guid=$REPLY
  fi
}

# ---------------------------------------------------------------------------- all ports

ports=0
for device in "$sysfs"/class/infiniband/*; do
  [ -d "$device/ports" ] || continue
  name=${device##*/}
  escape "$name"
  device_label=$REPLY
  for port_path in "$device"/ports/*; do
    port=${port_path##*/}
    case $port in
      *[!0-9]* | '') continue ;;
    esac
    ports=$((ports + 1))
    subject=$name/$port
    labels="device=\"$device_label\",port=\"$port\""
    layer=
    first_line "$port_path/link_layer" && layer=$REPLY
    find_netdev "$device" "$port"
    find_guid "$device" "$port"
    mac=
    if [ -n "$netdev" ] && first_line "$sysfs/class/net/$netdev/address"; then
      case $REPLY in
        ??:??:??:??:??:??) mac=$REPLY ;;
      esac
    fi
    escape "$netdev"
    more="netdev=\"$REPLY\",mac=\"$mac\",guid=\"$guid\""
    say fabric_host_port_info "$labels,$more" 1
    say_rdma "$port_path/hw_counters"
    say_pma "$port_path/counters"
    say_pcie "$device/device"
  done
done
say fabric_host_textfile_ports '' "$ports"

export labels
# ethtool for the interfaces of Ethernet ports, and for those that were asked for.
read_netdev() {
  escape "$1"
  labels="device=\"$REPLY\""
  run ethtool_fec "$1" "$awk_fec" ethtool -I --show-fec "$1"
  run ethtool_statistics "$1" "$awk_statistics" ethtool -S "$1"
  run ethtool_module "$1" "$awk_module" ethtool -m "$1"
}

# A virtual function answers for nobody but itself, and firmware logs what it is asked.
is_virtual() {
  [ -e "$1/device/physfn" ]
}

for device in "$sysfs"/class/infiniband/*; do
  [ -d "$device/ports" ] && ! is_virtual "$device" || continue
  for port_path in "$device"/ports/*; do
    first_line "$port_path/link_layer" && [ "$REPLY" = Ethernet ] || continue
    find_netdev "$device" "${port_path##*/}"
    [ -z "$netdev" ] || read_netdev "$netdev"
  done
done
set -f
for netdev in ${FABRIC_NETDEVS:-}; do
  read_netdev "$netdev"
done
set +f

# mlxlink last: it is the slowest, and the likeliest to hang.
for device in "$sysfs"/class/infiniband/*; do
  [ -d "$device/ports" ] && ! is_virtual "$device" || continue
  name=${device##*/}
  case $name in
    mlx4_*) continue ;;
  esac
  first_line "$device/hca_type" || REPLY=MT
  case $REPLY in
    MT*) ;;
    *) continue ;;
  esac
  escape "$name"
  device_label=$REPLY
  for port_path in "$device"/ports/*; do
    port=${port_path##*/}
    labels="device=\"$device_label\",port=\"$port\""
    run mlxlink "$name/$port" "$awk_mlxlink" \
      mlxlink -d "$name" -p "$port" -m -c -e --rx_fec_histogram --show_histogram --json
  done
done

for tool in ethtool mlxlink; do
  present=0
  command -v "$tool" >/dev/null 2>&1 && present=1
  say fabric_host_textfile_tool_present "tool=\"$tool\"" "$present"
done
exec 3>&-

# ---------------------------------------------------------------------------- one page

# Samples of a metric together, each series once, under their type.
if ! awk '
{
  at = index($0, "{")
  metric = substr($0, 1, at - 1)
  series = $0
  sub(/ [^ ]*$/, "", series)
  if (at < 2 || series in seen) next
  seen[series] = 1
  if (!(metric in lines)) order[++metrics] = metric
  lines[metric] = lines[metric] $0 "\n"
}
END {
  for (place = 1; place <= metrics; place++) {
    metric = order[place]
    help = metric
    sub(/^fabric_host_/, "", help)
    sub(/_total$/, "", help)
    gsub(/_/, " ", help)
    print "# HELP " metric " Of a host port: " help "."
    print "# TYPE " metric " " (metric ~ /_total$/ ? "counter" : "gauge")
    printf "%s", lines[metric]
  }
}' "$tmp.lines" >"$tmp" || ! chmod 644 "$tmp" || ! mv -f "$tmp" "$out"; then
  echo "fabric-health-textfile.sh: $out cannot be written" >&2
  exit 1
fi

if ! { printf '%s\n' "$remembered" >"$state.$$" && mv -f "$state.$$" "$state"; } 2>/dev/null; then
  echo "fabric-health-textfile.sh: $state cannot be written: failing tools are asked every time" >&2
fi
