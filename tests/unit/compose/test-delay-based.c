/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The stages of the delay based estimate over transport-wide feedback, put
 * together as the published tests of the whole have them. */

#include <gst/gcc/delay/gcc-inter-arrival.h>
#include <gst/gcc/delay/gcc-overuse-detector.h>
#include <gst/gcc/delay/gcc-trendline.h>
#include <gst/gcc/probe/gcc-probe-estimator.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>
#include <gst/gcc/profiles/gcc-profile-private.h>
#include <gst/gcc/rate/gcc-acknowledged-rate.h>
#include <gst/gcc/rate/gcc-rate-control.h>

#include "conformance.h"

#define C26 "C26 delay_based_bwe_unittest"
#define DERIVED "C26 delay_based_bwe_unittest, derived"
#define AIMD "C26 aimd_rate_control_unittest"

#define TIMEOUT (2 * GCC_SECOND)
#define SEND_OFFSET (1 * GCC_SECOND)
#define MTU 1200
#define MAX_FRAME 64

/* What a decrease goes below 0.85 R, bit/s. */
#define MARGIN 5000

/* --- the estimator --- */

/* goog-2020 has the numbers of 2026 for the over-use detector and for the rate
 * control, but for MARGIN. */
typedef struct {
  const GccProfile *profile;
  GccInterArrival groups;
  GccTrendline trendline;
  GccOveruseDetector detector;
  GccAcknowledgedRate acknowledged;
  GccProbeEstimator probes;
  GccRateControl control;
  GccTime last_packet;
  GccRate estimate;
  gboolean is_updated;
} Estimator;

static void
init_detector (Estimator *self)
{
  gcc_inter_arrival_init (&self->groups, &gcc_goog_2026_inter_arrival);
  gcc_trendline_init (&self->trendline, &gcc_goog_2026_trendline);
  gcc_overuse_detector_init (&self->detector, &self->profile->delay.detector);
}

static void
estimator_init (Estimator *self)
{
  self->profile = gcc_profile_find ("goog-2020");
  self->last_packet = GCC_TIME_NONE;
  self->estimate = GCC_RATE_NONE;
  self->is_updated = FALSE;
  init_detector (self);
  gcc_acknowledged_rate_init (
      &self->acknowledged, &gcc_goog_2026_acknowledged_rate);
  gcc_probe_estimator_init (&self->probes, &gcc_goog_2026_probe_estimator);
  gcc_rate_control_init (&self->control, &self->profile->rate_control);
}

static void
detect (Estimator *self, const GccPacketResult *packet, GccTime now)
{
  GccInterArrivalDelta delta;
  gdouble m;

  if (self->last_packet == GCC_TIME_NONE || now - self->last_packet > TIMEOUT)
    init_detector (self);
  self->last_packet = now;
  if (!gcc_inter_arrival_update (&self->groups, packet->sent.time,
          packet->arrival, packet->sent.size, now, &delta))
    return;
  m = gcc_trendline_update (&self->trendline, gcc_time_to_ms (delta.arrival),
      gcc_time_to_ms (delta.departure), packet->arrival);
  gcc_overuse_detector_update (&self->detector, m, self->trendline.n_deltas,
      gcc_time_to_ms (delta.departure), packet->arrival);
}

/* What the rate control of 2026 does differently. */
static GccRate
go_below (Estimator *self, GccRate before, GccRate acknowledged)
{
  GccRate rate = llround (0.85 * (gdouble) acknowledged);

  if (rate > MARGIN)
    rate -= MARGIN;
  if (rate < before)
    self->control.rate = MAX (rate, MARGIN);
  return self->control.rate;
}

static void
control (Estimator *self, GccRate acknowledged, GccTime now)
{
  GccRateControlInput input = {
    .signal = self->detector.signal,
    .received_rate = acknowledged,
  };
  GccRate before = self->control.rate;
  GccRate rate = gcc_rate_control_update (&self->control, &input, now);

  if (rate == GCC_RATE_NONE)
    return;
  if (gcc_rate_control_get_last_action (&self->control) ==
      GCC_RATE_CONTROL_DECREASE)
    rate = go_below (self, before, acknowledged);
  self->estimate = rate;
  self->is_updated = TRUE;
}

static void
set_rate (Estimator *self, GccRate rate, GccTime now)
{
  gcc_rate_control_set_rate (&self->control, rate, now);
  self->estimate = rate;
  self->is_updated = TRUE;
}

/* Nothing but the signal is known yet. */
static void
halve (Estimator *self, GccTime now)
{
  GccRate rate = gcc_rate_control_get_rate (&self->control);

  if (rate != GCC_RATE_NONE &&
      gcc_rate_control_is_time_to_reduce (&self->control, rate / 2 - 1, now))
    set_rate (self, rate / 2, now);
}

static void
update (Estimator *self, GccTime now)
{
  GccRate acknowledged = gcc_acknowledged_rate_get (&self->acknowledged);
  GccRate probe = gcc_probe_estimator_fetch (&self->probes);
  gboolean is_over = self->detector.signal == GCC_SIGNAL_OVERUSE;

  self->is_updated = FALSE;
  if (!is_over && probe != GCC_RATE_NONE)
    set_rate (self, probe, now);
  else if (is_over && acknowledged == GCC_RATE_NONE)
    halve (self, now);
  else if (!is_over ||
      gcc_rate_control_is_time_to_reduce (&self->control, acknowledged, now))
    control (self, acknowledged, now);
}

static void
feed_back (
    Estimator *self, const GccPacketResult *packets, guint n, GccTime now)
{
  gcc_acknowledged_rate_update (&self->acknowledged, packets, n);
  for (guint i = 0; i < n; i++) {
    gcc_probe_estimator_update (&self->probes, &packets[i]);
    detect (self, &packets[i], now);
  }
  update (self, now);
}

/* --- the published harness --- */

static const GccProbeInfo no_probe = { GCC_PROBE_NONE, 0, 0 };

typedef struct {
  Estimator estimator;
  gint64 now_us;
  guint fps;
  gint64 next_frame_us;
  gint64 capacity;
  gint64 link_free_us;
  gboolean is_first_update;
  gint64 send_ms;
} Harness;

static void
harness_init (Harness *harness, guint fps, gint64 capacity)
{
  *harness = (Harness){
    .now_us = 100 * GCC_SECOND,
    .fps = fps,
    .capacity = capacity,
    .is_first_update = TRUE,
  };
  estimator_init (&harness->estimator);
}

/* What the published clock tells. */
static gint64
to_ms (gint64 us)
{
  return (us + 500) / 1000;
}

static void
advance (Harness *harness, gint64 ms)
{
  harness->now_us += ms * GCC_MSECOND;
}

/* A feedback about one packet that has arrived @age_ms ago. */
static void
receive (Harness *harness, gint64 sent_ms, gint64 age_ms, guint32 size,
    GccProbeInfo probe)
{
  GccPacketResult packet = {
    .sent = { .time = sent_ms * GCC_MSECOND, .size = size, .probe = probe },
    .is_received = TRUE,
    .arrival = harness->now_us - age_ms * GCC_MSECOND,
  };

  feed_back (&harness->estimator, &packet, 1, harness->now_us);
}

/* Packets of a frame through the link, all in integers. */
static guint
make_frame (Harness *harness, GccRate rate, GccPacketResult *packets)
{
  gint64 bits = (rate + harness->fps / 2) / harness->fps;
  guint n = (guint) MAX ((bits + 4 * MTU) / (8 * MTU), 1);
  guint32 size = (guint32) ((bits + 4 * n) / (8 * n));
  gint64 per_ms = harness->capacity / 1000;
  gint64 service = (8000 * (gint64) size + per_ms / 2) / per_ms;

  g_assert_cmpuint (n, <=, MAX_FRAME);
  for (guint i = 0; i < n; i++) {
    harness->link_free_us = MAX (harness->now_us, harness->link_free_us) +
        service;
    packets[i] = (GccPacketResult){
      .sent = { .time = harness->now_us + SEND_OFFSET,
          .size = size,
          .probe = no_probe },
      .is_received = TRUE,
      .arrival = harness->link_free_us,
    };
  }
  return n;
}

/* Whether the estimate has gone below what is sent. */
static gboolean
send_frame (Harness *harness, GccRate rate)
{
  Estimator *estimator = &harness->estimator;
  GccPacketResult packets[MAX_FRAME] = { 0 };
  guint n = make_frame (harness, rate, packets);
  gint64 next_us = harness->now_us +
      (GCC_SECOND + harness->fps / 2) / harness->fps;
  gboolean is_below;

  feed_back (
      estimator, packets, n, to_ms (packets[n - 1].arrival) * GCC_MSECOND);
  /* back, if the link was busy for longer */
  harness->now_us = next_us;
  is_below = estimator->is_updated && !harness->is_first_update &&
      estimator->estimate < rate;
  harness->is_first_update &= !estimator->is_updated;
  return is_below;
}

/* --- published --- */

static void
test_first_estimate (void)
{
  static const GccProbeInfo probe = { 0, 5, 5000 };
  Harness harness;

  harness_init (&harness, 50, 1000000);
  advance (&harness, 2000);
  for (guint i = 0; i < 253; i++) {
    receive (&harness, 20 * i, 0, 1200, i < 5 ? probe : no_probe);
    advance (&harness, 20);
  }
  conformance_check_int_near (C26, "253 packets, 5 of them a probe", 730000,
      50000, harness.estimator.estimate);
  conformance_check_int (DERIVED, "253 packets, 5 of them a probe", 730000,
      harness.estimator.estimate);
}

static void
test_ramp_up (void)
{
  GccRate rate = 30000;
  guint iterations = 0;
  Harness harness;

  harness_init (&harness, 30, 1000000);
  while (rate < 500000 && iterations < 5000) {
    send_frame (&harness, rate);
    if (harness.estimator.is_updated)
      rate = harness.estimator.estimate;
    iterations++;
  }
  conformance_check_int (C26, "frames from 30 to 500 kbit/s", 617, iterations);
}

static GccRate
run_steadily (Harness *harness)
{
  gboolean has_been_below = FALSE;
  GccRate rate = 900000;

  for (guint i = 0; i < 300; i++) {
    has_been_below |= send_frame (harness, rate);
    if (harness->estimator.is_updated)
      rate = harness->estimator.estimate;
    if (has_been_below && rate > 1000000)
      break;
  }
  return rate;
}

static void
test_capacity_drop (void)
{
  Harness harness;
  gint64 start_us, drop_us = -1;
  GccRate rate;

  harness_init (&harness, 30, 1000000);
  rate = run_steadily (&harness);
  conformance_check_int_near (C26, "steady at 1 Mbit/s", 1000000, 180000, rate);
  /* steps of an increase are truncated here, rounded there */
  conformance_check_int_near (DERIVED, "steady at 1 Mbit/s", 870203, 50, rate);
  harness.capacity = 500000;
  start_us = harness.now_us;
  for (guint i = 0; i < 100; i++) {
    send_frame (&harness, rate);
    if (drop_us < 0 && harness.estimator.estimate <= 500000)
      drop_us = harness.now_us;
    if (harness.estimator.is_updated)
      rate = harness.estimator.estimate;
  }
  conformance_check_int_near (C26, "ms to the drop from 1 M to 500 k", 500, 33,
      to_ms (drop_us) - to_ms (start_us));
  conformance_check_int (DERIVED, "ms to the drop from 1 M to 500 k", 533,
      to_ms (drop_us) - to_ms (start_us));
}

static void
test_overuse_at_the_start (void)
{
  GccRate rate = 300000;
  Harness harness;
  guint frame;

  harness_init (&harness, 90, 200000);
  set_rate (&harness.estimator, rate, harness.now_us);
  for (frame = 1; frame <= 40; frame++) {
    gboolean is_below = send_frame (&harness, rate);

    if (harness.estimator.is_updated)
      rate = harness.estimator.estimate;
    if (is_below)
      break;
  }
  conformance_check_boolean (
      C26, "300 kbit/s into 200: within 40 frames", TRUE, frame <= 40);
  conformance_check_boolean (C26, "300 kbit/s into 200: 160 < estimate <= 200",
      TRUE, rate > 160000 && rate <= 200000);
  conformance_check_int (DERIVED, "300 kbit/s into 200: frame", 34, frame);
  conformance_check_int (
      DERIVED, "300 kbit/s into 200: estimate", 165000, rate);
}

static const GccProbeInfo first_cluster = { 0, 5, 2000 };
static const GccProbeInfo second_cluster = { 1, 8, 4000 };

static void
test_probes_set_the_estimate (void)
{
  Harness harness;

  harness_init (&harness, 30, 1000000);
  for (guint i = 0; i < 5; i++) {
    advance (&harness, 10);
    receive (&harness, harness.now_us / GCC_MSECOND, 0, 1000, first_cluster);
  }
  conformance_check_boolean (C26, "update after the first cluster", TRUE,
      harness.estimator.is_updated);
  for (guint i = 0; i < 8; i++) {
    advance (&harness, 5);
    receive (&harness, harness.now_us / GCC_MSECOND, 0, 1000, second_cluster);
  }
  conformance_check_boolean (C26, "update after the second cluster", TRUE,
      harness.estimator.is_updated);
  conformance_check_boolean (C26, "second cluster: > 1500 kbit/s", TRUE,
      harness.estimator.estimate > 1500000);
}

static void
test_packets_between_probes_do_not_matter (void)
{
  Harness harness;

  harness_init (&harness, 30, 1000000);
  for (guint i = 0; i < 5; i++) {
    advance (&harness, 5);
    receive (&harness, harness.now_us / GCC_MSECOND, 0, 1000, first_cluster);
    advance (&harness, 5);
    receive (&harness, harness.now_us / GCC_MSECOND - 5, 5, 100, no_probe);
  }
  conformance_check_boolean (C26, "packets between probes: >= 800 kbit/s", TRUE,
      harness.estimator.estimate >= 800000);
}

static void
test_slower_arrival_is_the_links_rate (void)
{
  gint64 sent_ms = 0;
  Harness harness;

  harness_init (&harness, 30, 1000000);
  for (guint i = 0; i < 8; i++) {
    advance (&harness, 7);
    sent_ms += 5;
    receive (&harness, sent_ms, 0, 1000, second_cluster);
  }
  conformance_check_int_near (C26, "probe sent each 5, received each 7 ms",
      1085714, 10000, harness.estimator.estimate);
  conformance_check_int (DERIVED, "probe sent each 5, received each 7 ms",
      1085714, harness.estimator.estimate);
}

static void
send_bursts (Harness *harness)
{
  for (guint i = 0; i < 100; i++) {
    for (guint j = 0; j < 15; j++) {
      receive (harness, harness->send_ms, 0, 100, no_probe);
      advance (harness, 1);
      harness->send_ms += 1;
    }
    advance (harness, 10);
    harness->send_ms += 5;
  }
}

static void
test_bursts_that_are_late_lower_it (void)
{
  Harness harness;

  harness_init (&harness, 50, 1000000);
  for (guint i = 0; i <= 300; i++) {
    receive (&harness, harness.send_ms, 0, 1000, no_probe);
    advance (&harness, 20);
    harness.send_ms += 20;
  }
  conformance_check_boolean (C26, "6 s at 400 kbit/s: at least that", TRUE,
      harness.estimator.estimate >= 400000);
  conformance_check_int (
      DERIVED, "6 s at 400 kbit/s", 441000, harness.estimator.estimate);
  send_bursts (&harness);
  conformance_check_boolean (C26, "then bursts that are late: less", TRUE,
      harness.estimator.estimate < 400000);
  conformance_check_int (
      DERIVED, "then bursts that are late", 353183, harness.estimator.estimate);
}

static void
check_silence (gint64 seconds)
{
  g_autofree gchar *name = g_strdup_printf (
      "30 s at 800 kbit/s, silence of %d s, half of it", (gint) seconds);
  Harness harness;
  GccRate before;

  harness_init (&harness, 100, 1000000);
  for (guint i = 0; i < 3000; i++) {
    receive (&harness, harness.send_ms, 0, 1000, no_probe);
    advance (&harness, 10);
    harness.send_ms += 10;
  }
  before = harness.estimator.estimate;
  conformance_check_int (DERIVED, "30 s at 800 kbit/s", 1210000, before);
  advance (&harness, seconds * 1000);
  harness.send_ms += seconds * 1000;
  for (guint i = 0; i < 24; i++) {
    receive (&harness, harness.send_ms, 0, 1000, no_probe);
    advance (&harness, 20);
    harness.send_ms += 10;
  }
  conformance_check_boolean (
      C26, name, TRUE, harness.estimator.estimate < before);
  conformance_check_int (DERIVED, name, 335000, harness.estimator.estimate);
}

static void
test_overuse_after_silence_lowers_it (void)
{
  check_silence (35);
  check_silence (640);
}

static void
test_rate_control_goes_below_what_arrives (void)
{
  Harness harness;
  Estimator *self = &harness.estimator;

  harness_init (&harness, 30, 1000000);
  set_rate (self, 264000, harness.now_us);
  self->detector.signal = GCC_SIGNAL_OVERUSE;
  control (self, (GccRate) ((216000 + MARGIN) / 0.85), harness.now_us);
  conformance_check_int (AIMD, "264 kbit/s, over-use", 216000, self->estimate);
  conformance_check_int (AIMD, "then the additive increase, bit/s per s", 12000,
      llround (gcc_rate_control_get_additive_rate (&self->control)));
  conformance_not_applicable (AIMD, "then the expected period", "4 s",
      "libwebrtc does nothing with it");
  conformance_not_applicable (AIMD, "bounds of a network state estimate",
      "500 (300 with c_upper:false), 200 kbit/s",
      "there is no such estimate, neither in libwebrtc");
  conformance_not_applicable (AIMD, "no increase while the application limits",
      "123 kbit/s stay", "a trial that is off");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/delay-based/" #name, test_##name)
  ADD (first_estimate);
  ADD (ramp_up);
  ADD (capacity_drop);
  ADD (overuse_at_the_start);
  ADD (probes_set_the_estimate);
  ADD (packets_between_probes_do_not_matter);
  ADD (slower_arrival_is_the_links_rate);
  ADD (bursts_that_are_late_lower_it);
  ADD (overuse_after_silence_lowers_it);
  ADD (rate_control_goes_below_what_arrives);
#undef ADD
  return g_test_run ();
}
