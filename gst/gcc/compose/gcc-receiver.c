/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-receiver-private.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include <math.h>
#include <string.h>

/* More than any transport delivers. */
#define MAX_PAYLOAD_SIZE G_MAXUINT16

/* Longer than on any path; a greater value comes from a broken or hostile
 * clock. */
#define MAX_RTT (60 * GCC_SECOND)

/* Published generations have none. */
static gboolean
has_rules (const GccReceiver *self)
{
  return self->profile->receiver_rules != NULL;
}

/* abs-send-time is one clock for all streams. */
static gboolean
uses_abs_send_time (const GccReceiver *self)
{
  return gcc_time_base_uses_abs_send_time (&self->time_base);
}

static GccSignal
get_signal (const GccReceiver *self)
{
  return uses_abs_send_time (self)
      ? gcc_delay_detector_get_signal (&self->shared_delay)
      : gcc_receiver_streams_get_signal (&self->streams);
}

static void
update_holder (GccReceiver *self)
{
  self->stats.competition = gcc_receiver_rules_get_state (&self->rules);
  self->stats.verdict = gcc_receiver_rules_get_verdict (&self->rules);
}

static void
forget_estimate (GccReceiver *self)
{
  gcc_rate_control_reset (&self->rate_control);
  if (has_rules (self)) {
    gcc_receiver_rules_init (&self->rules, self->profile->receiver_rules);
    update_holder (self);
  }
  self->stats.estimate = GCC_RATE_NONE;
}

/* With abs-send-time R(t) is measured on the arrival clock, too. */
static GccTime
get_rate_time (const GccReceiver *self, GccTime now)
{
  return uses_abs_send_time (self) ? self->last_arrival : now;
}

static GccRate
get_received_rate (GccReceiver *self, GccTime now)
{
  return gcc_received_rate_get (
      &self->received_rate, get_rate_time (self, now));
}

/* --- the two steps: measure with every packet, control at intervals --- */

/* Returns whether a packet group was complete. */
static gboolean
measure (GccReceiver *self, GccDelayDetector *delay, guint32 ssrc,
    const GccDelaySample *sample, GccTime now)
{
  GccReceiverStats *stats = &self->stats;
  GccSignal before = gcc_delay_detector_get_signal (delay);
  GccDelayState state;

  if (!gcc_delay_detector_update (delay, sample, now, &state))
    return FALSE;

  stats->ssrc = ssrc;
  stats->delay_variation_ms = state.delay_variation_ms;
  stats->m_ms = state.m_ms;
  stats->modified_m_ms = state.modified_m_ms;
  stats->gamma_ms = state.gamma_ms;
  stats->signal = get_signal (self);
  stats->groups++;
  if (before != GCC_SIGNAL_OVERUSE && state.signal == GCC_SIGNAL_OVERUSE)
    stats->overuses++;
  return TRUE;
}

/* @sample: (nullable): the packet as the detector has taken it. Returns whether
 * A_r has changed. */
static gboolean
follow_rules (GccReceiver *self, GccReceiverStream *stream,
    const GccPacket *packet, const GccDelaySample *sample, GccTime now)
{
  GccReceiverRulesPacket taken;
  gboolean has_changed;

  if (!has_rules (self))
    return FALSE;
  taken = (GccReceiverRulesPacket){
    .packet = packet,
    .size = MIN (packet->payload_size, MAX_PAYLOAD_SIZE),
    .received_rate = get_received_rate (self, now),
    .sample = sample,
  };
  has_changed = gcc_receiver_rules_feed (
      &self->rules, &stream->rules, &self->rate_control, &taken, now);
  self->stats.path_queue_ms = gcc_time_to_ms (
      gcc_receiver_rules_get_queueing (&self->rules));
  if (has_changed)
    update_holder (self);
  return has_changed;
}

static GccRateControlInput
get_input (GccReceiver *self, GccTime now)
{
  GccRateControlInput input = {
    .signal = get_signal (self),
    .received_rate = get_received_rate (self, now),
    .noise_variance = gcc_receiver_streams_get_noise (&self->streams),
    .link = GCC_RATE_NONE,
  };

  self->stats.received_rate = input.received_rate;
  if (has_rules (self)) {
    gcc_receiver_rules_adjust (&self->rules, &self->rate_control, &input, now);
    self->stats.path_capacity = input.link;
  }
  self->stats.signal = input.signal;
  return input;
}

static GccRate
update_rate (GccReceiver *self, const GccRateControlInput *input, GccTime now)
{
  gboolean was_known = gcc_receiver_get_estimate (self) != GCC_RATE_NONE;
  GccRate estimate;

  if (has_rules (self) && gcc_receiver_rules_sets_rate (&self->rules)) {
    self->stats.state = GCC_RATE_CONTROL_HOLD;
    return gcc_receiver_get_estimate (self);
  }
  estimate = gcc_rate_control_update (&self->rate_control, input, now);
  if (estimate == GCC_RATE_NONE)
    return GCC_RATE_NONE;
  self->stats.state = gcc_rate_control_get_last_action (&self->rate_control);
  if (has_rules (self) && !was_known && input->signal != GCC_SIGNAL_OVERUSE)
    return gcc_receiver_rules_begin (&self->rules, &self->rate_control, now);
  return estimate;
}

static GccReceiverEvent
control (GccReceiver *self, GccTime now)
{
  GccRateControlRegion region;
  GccRateControlInput input;
  GccRate estimate;

  gcc_receiver_streams_drop_silent (&self->streams, now);
  if (self->streams.n == 0) {
    if (self->profile->receiver.silence_resets)
      forget_estimate (self);
    return GCC_RECEIVER_EVENT_NONE;
  }

  region = gcc_rate_control_get_region (&self->rate_control);
  input = get_input (self, now);
  estimate = update_rate (self, &input, now);
  /* The region before this update: a change takes effect with the next. */
  gcc_receiver_streams_set_gamma_halved (
      &self->streams, region != GCC_RATE_CONTROL_MAX_UNKNOWN);
  if (estimate == GCC_RATE_NONE)
    return GCC_RECEIVER_EVENT_NONE;

  self->stats.estimate = estimate;
  if (!gcc_remb_policy_update (&self->remb_policy, estimate, now))
    return GCC_RECEIVER_EVENT_RATE;

  self->stats.remb = estimate;
  return GCC_RECEIVER_EVENT_REMB;
}

/* --- when to control --- */

/* A new A_r changes the current interval, too. */
static void
schedule_update (GccReceiver *self)
{
  if (self->streams.n == 0)
    gcc_update_times_stop (&self->times);
  else
    gcc_update_times_feed_estimate (
        &self->times, gcc_receiver_get_estimate (self));
}

static gboolean
is_time_to_reduce (GccReceiver *self, GccTime now)
{
  GccRate received_rate = get_received_rate (self, now);

  return received_rate != GCC_RATE_NONE &&
      gcc_rate_control_is_time_to_reduce (
          &self->rate_control, received_rate, now);
}

/* With RTP timestamps a timer runs, and over-use does not wait for it: it
 * counts at once when it begins, and again, while it continues, if the last
 * decrease was not enough. */
static gboolean
is_hurried (GccReceiver *self, const GccDelayDetector *delay, gboolean begins,
    GccTime now)
{
  if (gcc_delay_detector_get_signal (delay) != GCC_SIGNAL_OVERUSE)
    return FALSE;
  if (begins)
    return get_received_rate (self, now) != GCC_RATE_NONE;
  return is_time_to_reduce (self, now);
}

/* Returns whether a probe has raised A_r. */
static gboolean
take_probe (GccReceiver *self, const GccPacket *packet, gsize size, GccTime now)
{
  GccTime sent = gcc_abs_send_time_to_time (packet->abs_send_time);
  GccRate rate;

  if (!packet->has_abs_send_time)
    return FALSE;
  rate = gcc_remb_probe_detector_update (&self->probes, sent, packet->arrival,
      size, gcc_receiver_get_estimate (self), now);
  if (rate == GCC_RATE_NONE)
    return FALSE;
  gcc_rate_control_set_rate (&self->rate_control, rate, now);
  return TRUE;
}

static GccReceiverEvent
feed_by_rtp_timestamp (GccReceiver *self, GccReceiverStream *stream,
    const GccPacket *packet, gsize size, GccTime now)
{
  GccDelaySample sample = gcc_time_base_get_sample (
      &self->time_base, packet, size);
  guint64 overuses = self->stats.overuses;
  GccReceiverEvent event = GCC_RECEIVER_EVENT_NONE;

  gcc_update_times_begin (&self->times, now);
  if (measure (self, &stream->delay, packet->ssrc, &sample, now))
    event = GCC_RECEIVER_EVENT_GROUP;
  if (follow_rules (self, stream, packet, &sample, now) ||
      is_hurried (
          self, &stream->delay, self->stats.overuses != overuses, now)) {
    GccReceiverEvent update = control (self, now);

    schedule_update (self);
    event = MAX (event, update);
  }
  return event;
}

static gboolean
is_due (GccReceiver *self, GccTime now)
{
  return gcc_update_times_is_due (
             &self->times, gcc_receiver_get_estimate (self), now) ||
      (get_signal (self) == GCC_SIGNAL_OVERUSE &&
          is_time_to_reduce (self, now));
}

/* The packets themselves are the timer. */
static GccReceiverEvent
feed_by_abs_send_time (GccReceiver *self, GccReceiverStream *stream,
    const GccPacket *packet, gsize size, GccTime now)
{
  GccDelaySample sample = gcc_time_base_get_sample (
      &self->time_base, packet, size);
  GccReceiverEvent event = GCC_RECEIVER_EVENT_NONE;
  gboolean has_changed = take_probe (self, packet, size, now);

  if (packet->has_abs_send_time &&
      measure (self, &self->shared_delay, packet->ssrc, &sample, now))
    event = GCC_RECEIVER_EVENT_GROUP;
  has_changed |= follow_rules (
      self, stream, packet, packet->has_abs_send_time ? &sample : NULL, now);

  if (has_changed || is_due (self, now)) {
    GccReceiverEvent update = control (self, now);

    if (gcc_receiver_get_estimate (self) != GCC_RATE_NONE)
      gcc_update_times_feed_update (&self->times, now);
    event = MAX (event, update);
  }
  return event;
}

/* --- public --- */

void
gcc_receiver_init (GccReceiver *self, const GccProfile *profile)
{
  memset (self, 0, sizeof *self);
  self->profile = profile;
  gcc_receiver_streams_init (
      &self->streams, &profile->delay, profile->receiver.stream_timeout);
  gcc_time_base_init (&self->time_base, &profile->receiver);
  gcc_update_times_init (&self->times, &profile->receiver);
  gcc_delay_detector_init (&self->shared_delay, &profile->delay);
  if (has_rules (self))
    gcc_receiver_rules_init (&self->rules, profile->receiver_rules);
  gcc_remb_probe_detector_init (&self->probes, &profile->remb_probe);
  gcc_received_rate_init (&self->received_rate, &profile->received_rate);
  gcc_rate_control_init (&self->rate_control, &profile->rate_control);
  gcc_remb_policy_init (&self->remb_policy, &profile->remb, 0);
  self->stats = (GccReceiverStats){
    .delay_variation_ms = NAN,
    .m_ms = NAN,
    .modified_m_ms = NAN,
    .gamma_ms = profile->delay.detector.gamma_0,
    .signal = GCC_SIGNAL_NORMAL,
    .state = profile->rate_control.initial_state,
    .competition = GCC_COMPETITION_NONE,
    .verdict = GCC_VERDICT_ABSENT,
    .path_queue_ms = NAN,
    .path_capacity = GCC_RATE_NONE,
    .received_rate = GCC_RATE_NONE,
    .estimate = GCC_RATE_NONE,
    .remb = GCC_RATE_NONE,
  };
  if (has_rules (self))
    update_holder (self);
}

void
gcc_receiver_clear (GccReceiver *self)
{
  gcc_receiver_streams_clear (&self->streams);
}

GccReceiver *
gcc_receiver_new (const GccProfile *profile)
{
  GccReceiver *self = g_new (GccReceiver, 1);

  gcc_receiver_init (self, profile);
  return self;
}

void
gcc_receiver_free (GccReceiver *self)
{
  gcc_receiver_clear (self);
  g_free (self);
}

void
gcc_receiver_set_rtt (GccReceiver *self, GccTime rtt)
{
  gcc_rate_control_set_rtt (&self->rate_control, MIN (rtt, MAX_RTT));
}

/* The state before a silence is no sample of the rate after it. */
static void
count_in_received_rate (
    GccReceiver *self, const GccPacket *packet, gsize size, GccTime now)
{
  GccTime time = uses_abs_send_time (self) ? packet->arrival : now;
  gboolean is_known = gcc_received_rate_is_known (&self->received_rate, time);

  if (!is_known && self->rate_is_known)
    gcc_received_rate_reset (&self->received_rate);
  self->rate_is_known = is_known;

  gcc_received_rate_update (&self->received_rate, size, time);
  self->last_arrival = packet->arrival;
}

/* After a change of the time base no earlier measurement is valid. */
static void
change_time_base (GccReceiver *self)
{
  gcc_receiver_streams_drop_all (&self->streams);
  gcc_delay_detector_init (&self->shared_delay, &self->profile->delay);
  gcc_remb_probe_detector_init (&self->probes, &self->profile->remb_probe);
  gcc_received_rate_reset (&self->received_rate);
  self->rate_is_known = FALSE;
  gcc_update_times_stop (&self->times);
  forget_estimate (self);
}

/* After a silence of all streams the shared detector starts over. */
static void
drop_silent_time_base (GccReceiver *self, GccTime now)
{
  gcc_receiver_streams_drop_silent (&self->streams, now);
  if (self->streams.n == 0)
    gcc_delay_detector_restart (&self->shared_delay);
}

GccReceiverEvent
gcc_receiver_feed (GccReceiver *self, const GccPacket *packet, GccTime now)
{
  gsize size = MIN (packet->payload_size, MAX_PAYLOAD_SIZE);
  GccReceiverStream *stream;

  if (!self->has_packets) {
    self->has_packets = TRUE;
    gcc_remb_policy_init (&self->remb_policy, &self->profile->remb, now);
  }
  if (!packet->ignore_rtp_timestamp &&
      gcc_time_base_feed (&self->time_base, packet))
    change_time_base (self);
  if (uses_abs_send_time (self))
    drop_silent_time_base (self, now);

  count_in_received_rate (self, packet, size, now);
  self->stats.packets++;
  /* abs-send-time is on one clock, whatever the packet is for. */
  if (packet->ignore_rtp_timestamp &&
      !(uses_abs_send_time (self) && packet->has_abs_send_time))
    return GCC_RECEIVER_EVENT_NONE;

  stream = gcc_receiver_streams_take (&self->streams, packet->ssrc,
      has_rules (self) ? &self->rules : NULL, now);
  if (stream == NULL)
    return GCC_RECEIVER_EVENT_NONE;

  return uses_abs_send_time (self)
      ? feed_by_abs_send_time (self, stream, packet, size, now)
      : feed_by_rtp_timestamp (self, stream, packet, size, now);
}

GccTime
gcc_receiver_next_timeout (const GccReceiver *self)
{
  return gcc_update_times_get_next (&self->times);
}

GccReceiverEvent
gcc_receiver_handle_timeout (GccReceiver *self, GccTime now)
{
  GccReceiverEvent event;

  if (self->streams.n == 0 ||
      !gcc_update_times_is_timer_due (
          &self->times, gcc_receiver_get_estimate (self), now))
    return GCC_RECEIVER_EVENT_NONE;

  event = control (self, now);
  gcc_update_times_feed_update (&self->times, now);
  schedule_update (self);
  return event;
}

GccRate
gcc_receiver_get_estimate (const GccReceiver *self)
{
  return gcc_rate_control_get_rate (&self->rate_control);
}

gboolean
gcc_receiver_uses_abs_send_time (const GccReceiver *self)
{
  return uses_abs_send_time (self);
}

gboolean
gcc_receiver_get_remb (const GccReceiver *self, GccRemb *remb)
{
  remb->rate = gcc_receiver_get_estimate (self);
  remb->n_ssrcs = self->streams.n;
  for (guint i = 0; i < self->streams.n; i++)
    remb->ssrcs[i] = self->streams.streams[i].ssrc;
  return remb->rate != GCC_RATE_NONE && remb->n_ssrcs > 0;
}

const GccReceiverStats *
gcc_receiver_get_stats (const GccReceiver *self)
{
  return &self->stats;
}
