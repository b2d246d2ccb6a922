#!/bin/sh
# Writes what a host's tools and sysfs know of its fabric ports, and node_exporter does not, as a
# page for node_exporter's textfile collector. docs/how-to/host-textfile.md says how to install it.
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

[ $# -eq 1 ] || { echo "usage: fabric-health-textfile.sh FILE.prom" >&2; exit 2; }
out=$1
sysfs=${FABRIC_SYSFS:-/sys}
state=${FABRIC_STATE:-/run/fabric-health-textfile}

tmp=$out.$$
trap 'rm -f "$tmp" "$tmp.raw" "$tmp.lines" "$state.$$" 2>/dev/null' EXIT
trap 'exit 1' HUP INT TERM
complain() { echo "fabric-health-textfile.sh: $1" >&2; }
fail() { complain "$1"; exit 1; }
true >"$tmp.lines" || fail "$out: the folder cannot be written"
exec 3>>"$tmp.lines"

# ---------------------------------------------------------------------------- small pieces
nl='
'

# Puts $1 into REPLY as a label's value is written.
escape() {
  REPLY=$1
  case $REPLY in
    *[\\\"]* | *"$nl"*)
      REPLY=$(printf '%s\n' "$1" |
        awk '{ gsub(/[\\"]/, "\\\\&"); printf "%s%s", (NR > 1 ? "\\n" : ""), $0 }')
      ;;
  esac
}

# say METRIC LABELS VALUE
say() { printf '%s{%s} %s\n' "$1" "$2" "$3" >&3; }

# Puts the first line of a file into REPLY; fails where it cannot be read or is empty.
first_line() {
  REPLY=
  [ ! -f "$1" ] || IFS= read -r REPLY 2>/dev/null <"$1"
  [ -n "$REPLY" ]
}

# Says the counter in file $3 as metric $1 with labels $2; fails where it holds no number.
say_counter() {
  first_line "$3" || return 1
  case $REPLY in *[!0-9]*) return 1 ;; esac
  say "$1" "$2" "$REPLY"
}

# error TOOL SUBJECT REASON
error() {
  escape "$2"
  say fabric_host_textfile_error "tool=\"$1\",subject=\"$REPLY\",reason=\"$3\"" 1
}

uptime_seconds() {
  REPLY=0
  [ ! -r /proc/uptime ] || IFS='. ' read -r REPLY _ </proc/uptime
}

# ---------------------------------------------------------------------------- running a tool
limit="timeout -k 1 ${FABRIC_TOOL_SECONDS:-5}"
$limit true 2>/dev/null || limit="timeout ${FABRIC_TOOL_SECONDS:-5}"
if ! $limit true 2>/dev/null; then
  limit=
  error timeout "" absent
fi

uptime_seconds
last_start=$((REPLY + ${FABRIC_RUN_SECONDS:-45}))

# What failed: |TOOL SUBJECT FAILURES RUNS| with the runs for which it is left alone.
first_line "$state"
known=$REPLY
remembered='|'

# Puts failures and runs of tool $1 and subject $2 into failures and runs.
recall() {
  failures=0 runs=0
  rest=${known#*"|$1 $2 "}
  [ "$rest" != "$known" ] || return
  rest=${rest%%"|"*}
  case $rest in
    *[!0-9\ ]* | *' '*' '*) ;;
    [0-9]*' '[0-9]*) failures=${rest% *} runs=${rest#* } ;;
  esac
}

# remember TOOL SUBJECT FAILURES RUNS
remember() {
  case $2 in *[!A-Za-z0-9_.:/-]*) return ;; esac
  remembered="$remembered$1 $2 $3 $4|"
}

# run TOOL SUBJECT AWK_PROGRAM COMMAND... : says what the program makes of the command's output.
run() {
  tool=$1 subject=$2 program=$3
  shift 3
  command -v "$1" >/dev/null 2>&1 && [ -n "$limit" ] || return 0
  recall "$tool" "$subject"
  uptime_seconds
  if [ "$runs" -gt 0 ]; then
    error "$tool" "$subject" left_alone
    remember "$tool" "$subject" "$failures" $((runs - 1))
    return
  elif [ "$REPLY" -gt "$last_start" ]; then
    error "$tool" "$subject" no_time
    return
  fi
  $limit "$@" >"$tmp.raw" 2>/dev/null 3>&- </dev/null
  case $? in
    0)
      awk "$awk_common $program END { exit !said }" "$tmp.raw" >&3 2>/dev/null && return
      reason=unreadable
      ;;
    124 | 137 | 143) reason=timeout ;;
    *) reason=failed ;;
  esac
  error "$tool" "$subject" "$reason"
  [ "$failures" -eq 0 ] || runs=${FABRIC_RETRY_RUNS:-60}
  remember "$tool" "$subject" $((failures + 1)) "$runs"
}

# ---------------------------------------------------------------------------- what tools print
# Programs for awk. Each fails where it finds nothing to say.

awk_common='
# Says a sample; nothing where there is no value.
function say(metric, more, value) {
  if (value == "") return
  printf "%s{%s%s} %s\n", metric, ENVIRON["labels"], more == "" ? "" : "," more, value
  said = 1
}
function label(name, value) { return name "=\"" value "\"" }
# A label whose value is text of a tool.
function text_label(name, text) {
  gsub(/[\\"]/, "\\\\&", text)
  gsub(/[^ -~]/, "?", text)
  gsub(/^ +| +$/, "", text)
  return label(name, text)
}
function trim(text) { gsub(/^[ \t]+|[ \t\r]+$/, "", text); return text }
# Puts what stands before and behind the first such sign into name and value.
function cut(sign,    at) {
  at = index($0, sign)
  name = trim(substr($0, 1, at - 1))
  value = trim(substr($0, at + length(sign)))
}
function bare(text) { sub(/ *\[.*/, "", text); return text }
# The text as a value of that kind; empty where it is none.
function as(kind, text) {
  if (kind == "count") return text ~ /^[0-9]+$/ && length(text) <= 20 ? text : ""
  if (kind == "ratio") {
    # 15E-255 stands for: none measured.
    if (text ~ /^[0-9]+(\.[0-9]+)?[eE]-[0-9]+$/ && text !~ /[eE]-2[0-9][0-9]$/) return text
    return text ~ /^0+(\.0+)?$/ ? 0 : ""
  }
  if (text !~ /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$/) return ""
  if (kind == "milliamperes") return sprintf("%.6f", text / 1000)
  return kind == "millivolts" ? sprintf("%.4f", text / 1000) : text
}
function say_module(metric, vendor, part, technology) {
  say(metric, text_label("vendor", vendor) "," text_label("part_number", part) "," \
    text_label("technology", technology), 1)
}
# Says each lane of a list, "7,8" or "7,8 [0..9]".
function say_lanes(metric, kind, list,    many, lane, values) {
  many = split(bare(list), values, ",")
  for (lane = 1; lane <= many && lane <= 16; lane++) {
    say(metric, label("lane", lane - 1), as(kind, trim(values[lane])))
  }
}
# Says a bin of a histogram, which may stand for several numbers of symbol errors.
function say_bin(metric, low, high, value) {
  low += 0; high += 0
  if (low == high) say(metric "_total", label("symbol_errors", low), value)
  else say(metric "_merged_total", label("low", low) "," label("high", high), value)
}
'

# ethtool -I --show-fec: totals, lanes on lines of their own or in brackets, histogram bins.
awk_fec='
{
  cut(":")
  split(value, words)
  count = as("count", words[1])
}
name ~ /^Active FEC encodings?$/ {
  say("fabric_host_netdev_fec_info", text_label("encoding", value), 1)
}
name == "corrected_blocks" || name == "uncorrectable_blocks" || name == "corrected_bits" {
  sub(/bits$/, "bit_errors", name)
  metric = "fabric_host_netdev_fec_" name
  say(metric "_total", "", count)
  if (count != "" && match(value, /\[ *per_lane:[^]]*\]/)) {
    lanes = substr(value, RSTART, RLENGTH)
    gsub(/[^0-9,]/, "", lanes)
    say_lanes(metric "_lane_total", "count", lanes)
  }
}
name ~ /^Lane [0-9]+$/ && metric != "" {
  say(metric "_lane_total", label("lane", substr(name, 6) + 0), count)
}
name ~ /^fec_[a-z_]*err[a-z_]*_[0-9]+(_to_[0-9]+)?$/ && count != "" {
  metric = ""
  parts = split(name, words, "_")
  low = words[parts - 1] == "to" ? words[parts - 2] : words[parts]
  say_bin("fabric_host_netdev_fec_codewords", low, words[parts], count)
}
'

# ethtool -S: the names of mlx5 that the service knows, whatever blanks stand around them.
awk_statistics='
BEGIN {
  name_of["rx_bytes_phy"] = "receive_bytes"; name_of["tx_bytes_phy"] = "transmit_bytes"
  name_of["rx_packets_phy"] = "receive_packets"; name_of["tx_packets_phy"] = "transmit_packets"
  name_of["rx_discards_phy"] = "receive_discards"; name_of["tx_discards_phy"] = "transmit_discards"
  name_of["rx_crc_errors_phy"] = "receive_crc_errors"; name_of["tx_errors_phy"] = "transmit_errors"
  name_of["rx_pcs_symbol_err_phy"] = "post_fec_symbol_errors"
  name_of["rx_corrected_bits_phy"] = "corrected_bit_errors"
  name_of["link_down_events_phy"] = "link_down_events"
}
# Microseconds as seconds, without arithmetic: they may be larger than awk counts.
function seconds(text) {
  while (length(text) < 7) text = "0" text
  return substr(text, 1, length(text) - 6) "." substr(text, length(text) - 5)
}
{
  cut(":")
  value = as("count", value)
}
name in name_of { say("fabric_host_netdev_phy_" name_of[name] "_total", "", value) }
name ~ /^rx_err_lane_[0-9]+_phy$/ {
  gsub(/[^0-9]/, "", name)
  say("fabric_host_netdev_phy_corrected_bit_errors_lane_total", label("lane", name), value)
}
name ~ /^[rt]x_prio[0-7]_pause(_duration)?$/ && value != "" {
  metric = "fabric_host_netdev_pfc_" (name ~ /^rx/ ? "receive" : "transmit") "_pause"
  priority = label("priority", substr(name, 8, 1))
  if (name ~ /_duration$/) say(metric "_seconds_total", priority, seconds(value))
  else say(metric "_frames_total", priority, value)
}
'

# ethtool -m: channels count from 1 (SFF-8636, CMIS), in some versions from 0; SFP has none.
awk_module='
BEGIN {
  unit["Module temperature"] = "temperature_celsius"
  unit["Module voltage"] = "voltage_volts"
  first = 99
  split("transmit_power_dbm transmit_bias_amperes receive_power_dbm", metrics, " ")
}
function keep(what, value) {
  if (channel > 16 || value == "") return
  first = channel < first ? channel : first
  last = channel > last ? channel : last
  kept[what, channel] = value
}
function dbm(text) {
  if (text !~ /dBm/) return ""
  sub(/ *dBm.*/, "", text)
  sub(/^.*[\/ ]/, "", text)
  return text ~ /^-?inf$/ ? "-Inf" : as("number", text)
}
function is_no_light(text) { return text ~ /^(-Inf|-40(\.0*)?)?$/ }
function is_dark(channel) {
  return kept["transmit_bias_amperes", channel] + 0 == 0 &&
    is_no_light(kept["transmit_power_dbm", channel]) &&
    is_no_light(kept["receive_power_dbm", channel])
}
{
  cut(" : ")
  channel = match(name, /Channel [0-9]+/) ? substr(name, RSTART + 8, RLENGTH - 8) + 0 : 1
  sub(/ ?\(Channel [0-9]+\)$/, "", name)
  number = value
  sub(/ .*/, "", number)
}
name == "Vendor name" { vendor = value }
name == "Vendor PN" { part = value }
name == "Transmitter technology" && technology == "" { technology = value }
name in unit { say("fabric_host_netdev_module_" unit[name], "", as("number", number)) }
name ~ /^Laser (tx )?bias current$/ { keep("transmit_bias_amperes", as("milliamperes", number)) }
name ~ /^(Transmit avg optical|Laser output) power$/ { keep("transmit_power_dbm", dbm(value)) }
name ~ /^(Rcvr signal avg|Receiver signal average) optical power$/ {
  keep("receive_power_dbm", dbm(value))
}
END {
  # A module with fewer lanes than its page has places shows the others dark.
  for (channel = first; channel <= last; channel++) lit += !is_dark(channel)
  for (channel = first; channel <= last; channel++) {
    if (lit && is_dark(channel)) continue
    for (at = 1; at <= 3; at++) {
      say("fabric_host_netdev_optics_" metrics[at], label("lane", channel - first),
        kept[metrics[at], channel])
    }
  }
  if (part vendor != "") say_module("fabric_host_netdev_module_info", vendor, part, technology)
}
'

# mlxlink --json: every value is text, lists stand in "values", what is not known is N/A.
awk_mlxlink='
{ text = text $0 "\n" }
function skip() {
  while (substr(text, at, 1) ~ /[ \t\r\n]/) at++
  return substr(text, at, 1)
}
# Takes the sign; false where something else comes next.
function take(sign) { return skip() == sign ? at++ : 0 }
function string(    all, c) {
  while ((c = substr(text, ++at, 1)) != "\"" && c != "") {
    if (c == "\\") {
      c = substr(text, ++at, 1)
      if (c == "u") at += 4
      if (c !~ /[\\"\/]/) c = "?"
    }
    all = all c
  }
  at++
  return all
}
# Keeps each value by its path of names; false where it is no JSON.
function parse(path, depth,    open, from, name, place) {
  open = skip()
  if (depth > 16) return 0
  if (open == "\"") {
    found[path] = string()
    return 1
  }
  if (!take("{") && !take("[")) {
    from = at
    while (substr(text, at, 1) ~ /[-+.A-Za-z0-9]/) at++
    found[path] = substr(text, from, at - from)
    return at > from
  }
  for (place = 0; !take(open == "{" ? "}" : "]"); place++) {
    name = place
    if (open == "{") {
      if (skip() != "\"") return 0
      name = string()
      if (!take(":")) return 0
    }
    if (!parse(path "\t" name, depth + 1)) return 0
    take(",")
  }
  return 1
}
# The text of a field of the group; lists as their elements, by commas.
function field(name,    path, list, place) {
  path = "\tresult\toutput\t" group "\t" name
  if (path in found) return found[path]
  for (place = 0; (path "\tvalues\t" place) in found; place++) {
    list = list (place ? "," : "") found[path "\tvalues\t" place]
  }
  return list
}
function known(name) { return field(name) == "N/A" ? "" : field(name) }
function say_port(metric, kind, name) {
  say("fabric_host_hca_" metric, "", as(kind, bare(field(name))))
}
function say_each(metric, kind, name) { say_lanes("fabric_host_hca_" metric, kind, field(name)) }
END {
  at = 1
  if (!parse("", 0)) exit 1
  group = "Physical Counters and BER Info"
  say_port("raw_bit_error_ratio", "ratio", "Raw Physical BER")
  say_port("effective_bit_error_ratio", "ratio", "Effective Physical BER")
  say_port("symbol_bit_error_ratio", "ratio", "Symbol BER")
  say_each("raw_bit_error_ratio_lane", "ratio", "Raw Physical BER Per Lane")
  raw = "Raw Physical Errors Per Lane"
  say_each("raw_errors_lane_total", "count", field(raw) != "" ? raw : "Raw Errors Per Lane")
  say_port("effective_errors_total", "count", "Effective Physical Errors")
  say_port("symbol_errors_total", "count", "Symbol Errors")
  say_port("link_down_events_total", "count", "Link Down Counter")
  group = "Histogram of FEC Errors"
  for (bin = 0; bin < 32; bin++) {
    if (split(field("Bin " bin), cells, ",") != 2) continue
    gsub(/[^0-9:]/, "", cells[1])
    parts = split(cells[1], range, ":")
    if (parts == 1 || parts == 2) {
      say_bin("fabric_host_hca_fec_codewords", range[1], range[parts], as("count", cells[2]))
    }
  }
  group = "Operational Info"
  if (field("Width") ~ /^[0-9]+[xX]$/) say("fabric_host_hca_width_lanes", "", field("Width") + 0)
  if (known("FEC") != "") say("fabric_host_hca_fec_info", text_label("encoding", field("FEC")), 1)
  group = "Module Info"
  say_port("module_temperature_celsius", "number", "Temperature [C]")
  say_port("module_voltage_volts", "millivolts", "Voltage [mV]")
  say_each("optics_transmit_bias_amperes", "milliamperes", "Bias Current [mA]")
  say_each("optics_receive_power_dbm", "number", "Rx Power Current [dBm]")
  say_each("optics_transmit_power_dbm", "number", "Tx Power Current [dBm]")
  part = known("Vendor Part Number")
  if (part != "") {
    say_module("fabric_host_hca_module_info", field("Vendor Name"), part, field("Cable Type"))
  }
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
  for counter in $pma; do
    [ -e "$1/$counter" ] || continue
    say_counter "fabric_host_hca_pma_${counter}_total" "$labels" "$1/$counter" ||
      error counters "$subject/$counter" unreadable
  done
}

# Current width and speed of the slot; "Unknown" is neither.
say_pcie() {
  first_line "$1/current_link_width" && case $REPLY in
    0 | *[!0-9]*) error pcie "$subject" unreadable ;;
    *) say fabric_host_hca_pcie_width_lanes "$labels" "$REPLY" ;;
  esac
  first_line "$1/current_link_speed" && case $REPLY in
    [0-9]*\ GT/s*) say fabric_host_hca_pcie_speed_transfers_per_second "$labels" "${REPLY%% *}e9" ;;
    *) error pcie "$subject" unreadable ;;
  esac
}

# Calls $1 for each port, with its device, name, port, port_path, subject and labels.
each_port() {
  for device in "$sysfs"/class/infiniband/*; do
    name=${device##*/}
    for port_path in "$device"/ports/*; do
      port=${port_path##*/}
      case $port in '' | *[!0-9]*) continue ;; esac
      subject=$name/$port
      escape "$name"
      labels="device=\"$REPLY\",port=\"$port\""
      "$1"
    done
  done
}

# Puts the port's network interface into netdev; empty where there is none.
find_netdev() {
  netdev=
  first_line "$port_path/gid_attrs/ndevs/0" && netdev=$REPLY && return
  for candidate in "$device"/device/net/*; do
    [ -e "$candidate" ] || continue
    first_line "$candidate/dev_port" || REPLY=0
    [ "$REPLY" = $((port - 1)) ] && netdev=${candidate##*/} && return
  done
}

# Puts GUID $1 (dddd:dddd:dddd:dddd) into guid as it is written elsewhere; fails where it is none.
guid_of() {
  hex='[0-9a-f][0-9a-f][0-9a-f][0-9a-f]'
  case $1 in
    0000:0000:0000:0000) return 1 ;;
    $hex:$hex:$hex:$hex) guid=0x$(echo "$1" | tr -d :) ;;
    *) return 1 ;;
  esac
}

# An InfiniBand port has a GUID of its own in its first GID; others go by their node's.
find_guid() {
  guid=
  first_line "$port_path/link_layer" && [ "$REPLY" = InfiniBand ] &&
    first_line "$port_path/gids/0" && guid_of "${REPLY#????:????:????:????:}" && return
  first_line "$device/node_guid" && guid_of "$REPLY"
}

say_port() {
  ports=$((ports + 1))
  find_netdev
  find_guid
  mac=
  if [ -n "$netdev" ] && first_line "$sysfs/class/net/$netdev/address"; then
    case $REPLY in ??:??:??:??:??:??) mac=$REPLY ;; esac
  fi
  escape "$netdev"
  say fabric_host_port_info "$labels,netdev=\"$REPLY\",mac=\"$mac\",guid=\"$guid\"" 1
  say_rdma "$port_path/hw_counters"
  say_pma "$port_path/counters"
  say_pcie "$device/device"
}

ports=0
each_port say_port
say fabric_host_textfile_ports '' "$ports"

export labels
read_netdev() {
  escape "$1"
  labels="device=\"$REPLY\""
  run ethtool_fec "$1" "$awk_fec" ethtool -I --show-fec "$1"
  run ethtool_statistics "$1" "$awk_statistics" ethtool -S "$1"
  run ethtool_module "$1" "$awk_module" ethtool -m "$1"
}

# A virtual function answers for nobody but itself, and firmware logs what it is asked.
is_virtual() { [ -e "$device/device/physfn" ]; }

ask_ethtool() {
  ! is_virtual && first_line "$port_path/link_layer" && [ "$REPLY" = Ethernet ] || return
  find_netdev
  [ -z "$netdev" ] || read_netdev "$netdev"
}

ask_mlxlink() {
  first_line "$device/hca_type" || REPLY=MT
  case $name:$REPLY in
    mlx4_*) ;;
    *:MT*)
      is_virtual || run mlxlink "$subject" "$awk_mlxlink" \
        mlxlink -d "$name" -p "$port" -m -c -e --rx_fec_histogram --show_histogram --json
      ;;
  esac
}

each_port ask_ethtool
set -f
for netdev in ${FABRIC_NETDEVS:-}; do
  read_netdev "$netdev"
done
set +f
# mlxlink last: it is the slowest, and the likeliest to hang.
each_port ask_mlxlink

for tool in ethtool mlxlink; do
  present=0
  command -v "$tool" >/dev/null 2>&1 && present=1
  say fabric_host_textfile_tool_present "tool=\"$tool\"" "$present"
done
exec 3>&-

# ---------------------------------------------------------------------------- one page
# Samples of a metric together, each series once, under their type.
awk '
{
  at = index($0, "{")
  metric = substr($0, 1, at - 1)
  series = $0
  sub(/ [^ ]*$/, "", series)
  if (at < 2 || seen[series]++) next
  if (!(metric in lines)) order[++metrics] = metric
  lines[metric] = lines[metric] $0 "\n"
}
END {
  for (place = 1; place <= metrics; place++) {
    metric = order[place]
    help = metric
    gsub(/^fabric_host_|_total$/, "", help)
    gsub(/_/, " ", help)
    print "# HELP " metric " Of a host port: " help "."
    print "# TYPE " metric " " (metric ~ /_total$/ ? "counter" : "gauge")
    printf "%s", lines[metric]
  }
}' "$tmp.lines" >"$tmp" && chmod 644 "$tmp" && mv -f "$tmp" "$out" || fail "$out cannot be written"

if ! { printf '%s\n' "$remembered" >"$state.$$" && mv -f "$state.$$" "$state"; } 2>/dev/null; then
  complain "$state cannot be written: failing tools are asked every time"
fi
