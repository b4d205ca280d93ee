/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The stages that the sender runs over transport-wide feedback, in a chain:
 * what is sent, what the path does to it, and what feedback tells of that, or
 * claims. */

#include <gst/gcc/delay/gcc-overuse-detector.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>
#include <gst/gcc/profiles/gcc-profile-private.h>
#include <gst/gcc/rate/gcc-rate-control.h>
#include <math.h>

#include "fuzz.h"

#define START (1000 * GCC_SECOND)
#define MAX_BURST 31
#define TICK (25 * GCC_MSECOND)

/* More than any link, bit/s; the elements' limits have 32 bits. */
#define MAX_RATE (G_GINT64_CONSTANT (1) << 40)

/* Packets that the path remembers. */
#define PATH 256

typedef struct {
  GccTime now;
  guint16 seq;
  gint64 sent_bytes;
  GccTime arrivals[PATH];
  GccTime last_arrival;
  guint8 count;

  GccSentHistory history;
  GccAcknowledgedRate acknowledged;
  GccBayesianRate bayesian;
  GccInterArrival groups;
  GccTrendline trendline;
  GccOveruseDetector detector;
  GccRateControl control;
  GccProbeEstimator probes;
  GccLossEstimate loss;
  GccAlrDetector alr;
  GccCongestionWindow window;
  GccRttBackoff backoff;
  GccProber prober;
  GccProbeController controller;
  GccRate estimate;
  gint last_cluster;
} Call;

static Call call;
static const GccProfile *profile;

void
fuzz_init (void)
{
  profile = gcc_profile_find ("goog-2020");
}

static GccRate
read_rate (Fuzz *input)
{
  GccRate rate = fuzz_rate (input);

  return MIN (rate, MAX_RATE);
}

static void
init (Call *self, Fuzz *input)
{
  self->now = self->last_arrival = START;
  self->seq = fuzz_uint16 (input);
  self->sent_bytes = 0;
  self->count = 0;
  self->estimate = read_rate (input);
  self->last_cluster = 0;
  for (guint i = 0; i < PATH; i++)
    self->arrivals[i] = START;
  gcc_sent_history_init (&self->history, &gcc_goog_2026_sent_history);
  gcc_acknowledged_rate_init (
      &self->acknowledged, &gcc_goog_2026_acknowledged_rate);
  gcc_bayesian_rate_init (&self->bayesian, &gcc_goog_2026_bayesian_rate);
  gcc_inter_arrival_init (&self->groups, &gcc_goog_2026_inter_arrival);
  gcc_trendline_init (&self->trendline, &gcc_goog_2026_trendline);
  gcc_overuse_detector_init (&self->detector, &profile->delay.detector);
  gcc_rate_control_init (&self->control, &profile->rate_control);
  gcc_probe_estimator_init (&self->probes, &gcc_goog_2026_probe_estimator);
  gcc_loss_estimate_init (&self->loss, &gcc_goog_2026_loss_estimate);
  gcc_loss_estimate_set_rate (&self->loss, self->estimate);
  gcc_alr_detector_init (&self->alr, &gcc_goog_2026_alr_detector);
  gcc_alr_detector_set_estimate (&self->alr, self->estimate);
  gcc_congestion_window_init (&self->window, &gcc_goog_2026_congestion_window);
  gcc_rtt_backoff_init (&self->backoff, &gcc_goog_2026_rtt_backoff);
  gcc_prober_init (&self->prober, &gcc_goog_2026_prober);
  gcc_probe_controller_init (
      &self->controller, &gcc_goog_2026_probe_controller, self->now);
}

/* --- what must hold --- */

static void
check (Call *self)
{
  gint64 in_flight = self->history.in_flight;
  gdouble loss = self->loss.average_loss;

  g_assert_cmpint (in_flight, >=, 0);
  g_assert_cmpint (in_flight, <=, self->sent_bytes);
  g_assert_true (loss >= 0. && loss <= 1.);
  g_assert_true (isfinite (self->detector.modified_m));
  g_assert_true (isfinite (gcc_overuse_detector_get_gamma (&self->detector)));
  g_assert_cmpint (self->estimate, >, 0);
  g_assert_cmpint (self->window.window, >=, 0);
  g_assert_true (isfinite (gcc_bayesian_rate_get_variance (&self->bayesian)));
  g_assert_cmpint (gcc_bayesian_rate_get (&self->bayesian), >=, GCC_RATE_NONE);
}

static void
check_results (const GccPacketResult *results, guint n, guint max)
{
  g_assert_cmpuint (n, <=, max);
  for (guint i = 0; i < n; i++) {
    g_assert_true (
        results[i].is_received || results[i].arrival == GCC_TIME_NONE);
    g_assert_false (results[i].was_lost && !results[i].is_received);
    if (i > 0)
      g_assert_cmpint (results[i].sent.seq, >, results[i - 1].sent.seq);
  }
}

/* --- what is sent --- */

static void
fetch_probes (Call *self)
{
  GccProbeRequest request;

  for (guint n = 0; gcc_probe_controller_fetch (&self->controller, &request);
       n++) {
    g_assert_cmpuint (n, <, GCC_PROBE_CONTROLLER_REQUESTS);
    g_assert_cmpint (request.rate, >, 0);
    g_assert_cmpint (request.id, >=, self->last_cluster);
    self->last_cluster = request.id;
    gcc_prober_add (&self->prober, &request, self->now);
  }
}

static void
send_packet (Call *self, GccTime delay, guint32 size)
{
  GccSentRecord packet = { .time = self->now, .size = size };
  GccTime next;

  gcc_prober_feed_queued (&self->prober, size);
  next = gcc_prober_next_send (&self->prober, self->now);
  g_assert_true (next == GCC_TIME_NONE || next >= self->now);
  if (gcc_prober_get_probe (&self->prober, self->now, &packet.probe))
    gcc_prober_feed_sent (&self->prober, size, self->now);
  self->last_arrival = gcc_time_shift (self->now, delay);
  self->arrivals[self->seq % PATH] = self->last_arrival;
  gcc_sent_history_add (&self->history, self->seq++, &packet);
  self->sent_bytes += size;
  gcc_alr_detector_feed_sent (&self->alr, size, self->now);
  gcc_rtt_backoff_feed_sent (&self->backoff, self->now);
}

static void
send_burst (Call *self, Fuzz *input)
{
  guint n = 1 + fuzz_up_to (input, MAX_BURST);
  GccTime step = fuzz_step (input);
  GccTime delay = fuzz_step (input);
  GccTime queue = fuzz_step (input);
  guint32 size = fuzz_uint16 (input);

  for (; n > 0; n--) {
    self->now = gcc_time_shift (self->now, step);
    delay = gcc_time_shift (delay, queue);
    send_packet (self, delay, size);
  }
}

/* Numbers may be left out, or come again. */
static void
send_out_of_order (Call *self, Fuzz *input)
{
  self->seq = (guint16) (self->seq +
      (fuzz_once_in (input, 8) ? fuzz_uint16 (input) : fuzz_uint8 (input)) -
      128u);
  gcc_sent_history_add_unnumbered (&self->history, fuzz_uint32 (input));
}

/* --- what comes back --- */

static void
detect (Call *self, const GccPacketResult *packet)
{
  GccInterArrivalDelta delta;
  gdouble m;

  if (!gcc_inter_arrival_update (&self->groups, packet->sent.time,
          packet->arrival, packet->sent.size, self->now, &delta))
    return;
  g_assert_cmpint (delta.arrival, >=, 0);
  m = gcc_trendline_update (&self->trendline, gcc_time_to_ms (delta.arrival),
      gcc_time_to_ms (delta.departure), packet->arrival);
  g_assert_true (isfinite (m));
  gcc_overuse_detector_update (&self->detector, m, self->trendline.n_deltas,
      gcc_time_to_ms (delta.departure), packet->arrival);
}

static void
follow_delay (Call *self, const GccPacketResult *results, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (results[i].arrival == GCC_TIME_NONE)
      continue;
    detect (self, &results[i]);
    gcc_bayesian_rate_update (
        &self->bayesian, results[i].sent.size, results[i].arrival);
    g_assert_cmpint (gcc_probe_estimator_update (&self->probes, &results[i]),
        >=, GCC_RATE_NONE);
  }
}

static void
follow_round_trip (Call *self, const GccPacketResult *results, guint n)
{
  GccTime max, propagation;

  if (!gcc_packet_results_get_round_trip (
          results, n, self->now, &max, &propagation))
    return;
  gcc_congestion_window_feed_feedback (&self->window, max);
  gcc_rtt_backoff_feed_feedback (&self->backoff, propagation, self->now);
}

static GccRate
control_rate (Call *self, GccRate acknowledged)
{
  GccRateControlInput input = {
    .signal = self->detector.signal,
    .received_rate = acknowledged,
  };
  GccRate probe = gcc_probe_estimator_fetch (&self->probes);

  if (probe != GCC_RATE_NONE && input.signal != GCC_SIGNAL_OVERUSE)
    gcc_rate_control_set_rate (&self->control, probe, self->now);
  return gcc_rate_control_update (&self->control, &input, self->now);
}

static void
estimate (Call *self, const GccPacketResult *results, guint n)
{
  GccRate acknowledged = gcc_acknowledged_rate_get (&self->acknowledged);
  GccRate delay_based = control_rate (self, acknowledged);
  GccTime alr = self->alr.start;
  GccRate rate;

  g_assert_cmpint (acknowledged, >=, GCC_RATE_NONE);
  g_assert_true (delay_based == GCC_RATE_NONE || delay_based > 0);
  gcc_loss_estimate_update (&self->loss,
      &(GccLossEstimateInput){
          .results = results,
          .n_results = n,
          .acknowledged = acknowledged,
          .delay_based = delay_based,
          .in_alr = alr != GCC_TIME_NONE,
      });
  rate = gcc_loss_estimate_get_rate (&self->loss);
  g_assert_true (rate == GCC_RATE_NONE || rate > 0);
  if (rate != GCC_RATE_NONE)
    self->estimate = rate;
  if (gcc_rtt_backoff_is_active (&self->backoff)) {
    rate = gcc_rtt_backoff_update (&self->backoff, self->estimate, self->now);
    g_assert_cmpint (rate, <=, self->estimate);
    self->estimate = rate;
  }
}

static void
push_back (Call *self)
{
  gdouble share = -1.;
  GccRate rate;

  gcc_congestion_window_set_rate (&self->window, self->estimate);
  rate = gcc_congestion_window_push_back (
      &self->window, self->history.in_flight, self->estimate, &share);
  g_assert_true (rate > 0 && rate <= self->estimate);
  g_assert_true (share >= 0. && share <= 1.);
}

static void
feed_back (Call *self, GccTransportFeedback *feedback)
{
  static GccPacketResult results[GCC_SENT_HISTORY_MAX_RESULTS];
  guint n = gcc_sent_history_match (&self->history, feedback, self->now,
      results, GCC_SENT_HISTORY_MAX_RESULTS);
  guint n_arrived;

  check_results (results, n, GCC_SENT_HISTORY_MAX_RESULTS);
  follow_round_trip (self, results, n);
  n_arrived = gcc_packet_results_sort (results, n);
  g_assert_cmpuint (n_arrived, <=, n);
  gcc_acknowledged_rate_update (&self->acknowledged, results, n);
  follow_delay (self, results, n_arrived);
  estimate (self, results, n);
  push_back (self);
  gcc_alr_detector_set_estimate (&self->alr, self->estimate);
  gcc_probe_controller_set_estimate (
      &self->controller, self->estimate, GCC_RATE_LIMIT_DELAY, self->now);
  fetch_probes (self);
}

/* Which of the last packets arrived is in a byte for eight of them. */
static void
tell_of_path (Call *self, Fuzz *input)
{
  guint n = 1 + fuzz_up_to (input, 127);
  guint16 seq = (guint16) (self->seq - n -
      (fuzz_once_in (input, 4) ? 20u : 0u));
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  GccTransportFeedbackWriter writer;
  GccTransportFeedback feedback;
  gboolean is_any = FALSE;
  guint8 lost = 0;

  self->count = (guint8) (self->count + 1 + fuzz_once_in (input, 16));
  gcc_transport_feedback_writer_init (&writer, seq,
      CLAMP (self->arrivals[seq % PATH], 0, 1000 * START), self->count);
  for (guint i = 0; i < n; i++, seq++) {
    if (i % 8 == 0)
      lost = fuzz_uint8 (input);
    if (!(lost >> i % 8 & 1))
      is_any |= gcc_transport_feedback_writer_add (
          &writer, seq, CLAMP (self->arrivals[seq % PATH], 0, 1000 * START));
  }
  if (is_any &&
      gcc_transport_feedback_parse_fci (
          &feedback, fci, gcc_transport_feedback_writer_finish (&writer, fci)))
    feed_back (self, &feedback);
}

/* As a peer that lies may. */
static void
tell_anything (Call *self, Fuzz *input)
{
  GccTransportFeedback feedback;
  gsize length;
  const guint8 *fci = fuzz_bytes (
      input, 8 + 2 * (gsize) fuzz_uint8 (input), &length);

  if (gcc_transport_feedback_parse_fci (&feedback, fci, length))
    feed_back (self, &feedback);
}

/* --- and the rest --- */

static void
update (Call *self, Fuzz *input)
{
  guint n = fuzz_up_to (input, 15);

  gcc_probe_controller_set_alr_start (
      &self->controller, self->alr.start, self->now);
  for (; n > 0; n--) {
    self->now = gcc_time_shift (self->now, TICK);
    gcc_probe_controller_update (&self->controller, self->now);
    fetch_probes (self);
  }
}

static void
configure (Call *self, Fuzz *input)
{
  GccRate a = read_rate (input), b = read_rate (input);

  switch (fuzz_uint8 (input) % 6) {
    case 0:
      gcc_probe_controller_set_rates (
          &self->controller, MIN (a, b), MAX (a, b), self->now);
      gcc_loss_estimate_set_limits (&self->loss, MIN (a, b), MAX (a, b));
      break;
    case 1:
      gcc_probe_controller_set_allocation (&self->controller, a, self->now);
      break;
    case 2:
      gcc_probe_controller_set_probes_in_alr (&self->controller, a > b);
      break;
    case 3:
      gcc_probe_controller_feed_recovery (&self->controller, self->now);
      break;
    case 4:
      gcc_probe_controller_reset (&self->controller, self->now);
      break;
    default:
      gcc_bayesian_rate_expect_change (&self->bayesian);
      gcc_rate_control_set_rtt (&self->control, fuzz_duration (input));
      break;
  }
  fetch_probes (self);
}

static void
go_on (Call *self, Fuzz *input)
{
  switch (fuzz_uint8 (input) % 8) {
    default:
      send_burst (self, input);
      break;
    case 2:
    case 3:
      tell_of_path (self, input);
      break;
    case 4:
      update (self, input);
      break;
    case 5:
      configure (self, input);
      break;
    case 6:
      send_out_of_order (self, input);
      break;
    case 7:
      if (fuzz_once_in (input, 2))
        tell_anything (self, input);
      else
        self->now = gcc_time_shift (self->now, fuzz_step (input));
      break;
  }
  check (self);
}

void
fuzz_one (Fuzz *input)
{
  init (&call, input);
  while (fuzz_has_more (input))
    go_on (&call, input);
}
