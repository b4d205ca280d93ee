/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-receiver-private.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include <math.h>
#include <string.h>

/* The clock rate of every video format of RFC 3551. */
#define DEFAULT_CLOCK_RATE 90000

/* abs-send-time has 24 bits, 18 of them fractional. Shifted by 8 it wraps at 32
 * bits, as RTP timestamps do. */
#define ABS_SEND_TIME_SHIFT 8
#define ABS_SEND_TIME_RATE (1u << 26)

/* More than any transport delivers. */
#define MAX_PAYLOAD_SIZE G_MAXUINT16

/* Longer than on any path; a greater value comes from a broken or hostile
 * clock. */
#define MAX_RTT (60 * GCC_SECOND)

/* A step back of the caller's clock beyond this means that it was set back. */
#define CLOCK_TOLERANCE GCC_SECOND

struct _GccReceiverStream {
  guint32 ssrc;
  GccTime last_packet;
  GccDelayDetector delay;
  GccReceiverStreamRules rules;
};

const gchar *
gcc_receiver_event_to_string (GccReceiverEvent event)
{
  switch (event) {
    case GCC_RECEIVER_EVENT_NONE:
      return "none";
    case GCC_RECEIVER_EVENT_GROUP:
      return "group";
    case GCC_RECEIVER_EVENT_RATE:
      return "rate";
    case GCC_RECEIVER_EVENT_REMB:
      return "remb";
  }

  g_return_val_if_reached (NULL);
}

/* --- streams --- */

/* Published generations have none. */
static gboolean
has_rules (const GccReceiver *self)
{
  return self->profile->receiver_rules != NULL;
}

/* The entry for a new stream; none if all are in use (silent streams are
 * removed with the next update). */
static GccReceiverStream *
add_stream (GccReceiver *self, guint32 ssrc)
{
  GccReceiverStream *stream;

  if (self->n_streams == GCC_RECEIVER_MAX_STREAMS)
    return NULL;

  if (self->n_streams == self->n_allocated) {
    self->n_allocated = MAX (1, 2 * self->n_allocated);
    self->streams = g_renew (
        GccReceiverStream, self->streams, self->n_allocated);
  }
  stream = &self->streams[self->n_streams++];
  stream->ssrc = ssrc;
  gcc_delay_detector_init (&stream->delay, &self->profile->delay);
  if (has_rules (self))
    gcc_receiver_rules_init_stream (&self->rules, &stream->rules);
  return stream;
}

static GccReceiverStream *
find_stream (GccReceiver *self, guint32 ssrc)
{
  for (guint i = 0; i < self->n_streams; i++) {
    if (self->streams[i].ssrc == ssrc)
      return &self->streams[i];
  }
  return add_stream (self, ssrc);
}

static void
drop_silent_streams (GccReceiver *self, GccTime now)
{
  GccTime timeout = self->profile->receiver.stream_timeout;
  guint kept = 0;

  for (guint i = 0; i < self->n_streams; i++) {
    if (gcc_time_diff (now, self->streams[i].last_packet) > timeout)
      continue;
    if (kept != i)
      self->streams[kept] = self->streams[i];
    kept++;
  }
  self->n_streams = kept;
}

/* All streams share one queue: the worst signal counts. */
static GccSignal
combine_signals (const GccReceiver *self)
{
  GccSignal combined = GCC_SIGNAL_NORMAL;

  if (self->uses_abs_send_time)
    return gcc_delay_detector_get_signal (&self->shared_delay);

  for (guint i = 0; i < self->n_streams; i++) {
    GccSignal signal = gcc_delay_detector_get_signal (&self->streams[i].delay);

    combined = MAX (combined, signal);
  }
  return combined;
}

static gdouble
average_noise (const GccReceiver *self)
{
  gdouble sum = 0.;

  for (guint i = 0; i < self->n_streams; i++)
    sum += gcc_delay_detector_get_noise_variance (&self->streams[i].delay);
  return sum / MAX (self->n_streams, 1);
}

static void
halve_gammas (GccReceiver *self, gboolean halved)
{
  for (guint i = 0; i < self->n_streams; i++)
    gcc_delay_detector_set_gamma_halved (&self->streams[i].delay, halved);
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
  return self->uses_abs_send_time ? self->last_arrival : now;
}

static GccRate
get_received_rate (GccReceiver *self, GccTime now)
{
  return gcc_received_rate_get (
      &self->received_rate, get_rate_time (self, now));
}

/* --- the two steps: measure with every packet, control at intervals --- */

static GccDelaySample
sample_rtp_timestamp (const GccPacket *packet, gsize size)
{
  return (GccDelaySample){
    .departure = packet->rtp_timestamp,
    .clock_rate = packet->clock_rate != 0 ? packet->clock_rate
                                          : DEFAULT_CLOCK_RATE,
    .arrival = packet->arrival,
    .size = size,
  };
}

static GccDelaySample
sample_abs_send_time (const GccPacket *packet, gsize size)
{
  return (GccDelaySample){
    .departure = packet->abs_send_time << ABS_SEND_TIME_SHIFT,
    .clock_rate = ABS_SEND_TIME_RATE,
    .is_send_time = TRUE,
    .arrival = packet->arrival,
    .size = size,
  };
}

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
  stats->signal = combine_signals (self);
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
    .signal = combine_signals (self),
    .received_rate = get_received_rate (self, now),
    .noise_variance = average_noise (self),
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

  drop_silent_streams (self, now);
  if (self->n_streams == 0) {
    if (self->profile->receiver.silence_resets)
      forget_estimate (self);
    return GCC_RECEIVER_EVENT_NONE;
  }

  region = gcc_rate_control_get_region (&self->rate_control);
  input = get_input (self, now);
  estimate = update_rate (self, &input, now);
  /* The region before this update: a change takes effect with the next. */
  halve_gammas (self, region != GCC_RATE_CONTROL_MAX_UNKNOWN);
  if (estimate == GCC_RATE_NONE)
    return GCC_RECEIVER_EVENT_NONE;

  self->stats.estimate = estimate;
  if (!gcc_remb_policy_update (&self->remb_policy, estimate, now))
    return GCC_RECEIVER_EVENT_RATE;

  self->stats.remb = estimate;
  return GCC_RECEIVER_EVENT_REMB;
}

/* --- when to control --- */

static GccTime
compute_interval (const GccReceiverParams *params, GccRate estimate)
{
  gdouble seconds;
  GccTime interval;

  if (estimate == GCC_RATE_NONE)
    return params->first_interval;
  if (params->feedback_share <= 0.)
    return params->min_interval;

  seconds = 8. * params->feedback_size /
      (params->feedback_share * (gdouble) MAX (estimate, 1));
  interval = (GccTime) (seconds * 1000. + 0.5) * GCC_MSECOND;
  return CLAMP (interval, params->min_interval, params->max_interval);
}

/* Each packet asks for the interval, which changes with A_r only. */
static GccTime
get_interval (GccReceiver *self)
{
  GccRate estimate = gcc_receiver_get_estimate (self);

  if (estimate != self->interval_estimate) {
    self->interval_estimate = estimate;
    self->interval = compute_interval (&self->profile->receiver, estimate);
  }
  return self->interval;
}

/* A new A_r changes the current interval, too. */
static void
schedule_update (GccReceiver *self)
{
  if (self->n_streams == 0)
    self->last_update = self->next_update = GCC_TIME_NONE;
  else if (self->last_update != GCC_TIME_NONE)
    self->next_update = gcc_time_add (self->last_update, get_interval (self));
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
  GccDelaySample sample = sample_rtp_timestamp (packet, size);
  guint64 overuses = self->stats.overuses;
  GccReceiverEvent event = GCC_RECEIVER_EVENT_NONE;

  if (self->next_update == GCC_TIME_NONE)
    self->next_update = now;
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

/* abs-send-time is one time base for all streams and fine enough to detect
 * probes; the packets themselves are the timer. */
static GccReceiverEvent
feed_by_abs_send_time (GccReceiver *self, GccReceiverStream *stream,
    const GccPacket *packet, gsize size, GccTime now)
{
  GccDelaySample sample = sample_abs_send_time (packet, size);
  GccReceiverEvent event = GCC_RECEIVER_EVENT_NONE;
  gboolean is_due = take_probe (self, packet, size, now);

  if (packet->has_abs_send_time &&
      measure (self, &self->shared_delay, packet->ssrc, &sample, now))
    event = GCC_RECEIVER_EVENT_GROUP;
  is_due |= follow_rules (
      self, stream, packet, packet->has_abs_send_time ? &sample : NULL, now);

  if (!is_due && self->last_update != GCC_TIME_NONE)
    is_due = gcc_time_diff (now, self->last_update) > get_interval (self) ||
        (combine_signals (self) == GCC_SIGNAL_OVERUSE &&
            is_time_to_reduce (self, now));
  if (is_due || self->last_update == GCC_TIME_NONE) {
    GccReceiverEvent update = control (self, now);

    if (gcc_receiver_get_estimate (self) != GCC_RATE_NONE)
      self->last_update = now;
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
  gcc_delay_detector_init (&self->shared_delay, &profile->delay);
  if (has_rules (self))
    gcc_receiver_rules_init (&self->rules, profile->receiver_rules);
  gcc_remb_probe_detector_init (&self->probes, &profile->remb_probe);
  gcc_received_rate_init (&self->received_rate, &profile->received_rate);
  gcc_rate_control_init (&self->rate_control, &profile->rate_control);
  gcc_remb_policy_init (&self->remb_policy, &profile->remb, 0);
  self->interval_estimate = GCC_RATE_NONE;
  self->interval = compute_interval (&profile->receiver, GCC_RATE_NONE);
  self->last_update = GCC_TIME_NONE;
  self->next_update = GCC_TIME_NONE;
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
  g_clear_pointer (&self->streams, g_free);
  self->n_streams = 0;
  self->n_allocated = 0;
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
  GccTime time = self->uses_abs_send_time ? packet->arrival : now;
  gboolean is_known = gcc_received_rate_is_known (&self->received_rate, time);

  if (!is_known && self->rate_is_known)
    gcc_received_rate_reset (&self->received_rate);
  self->rate_is_known = is_known;

  gcc_received_rate_update (&self->received_rate, size, time);
  self->last_arrival = packet->arrival;
}

/* After a change of the time base no earlier measurement is valid. */
static void
set_time_base (GccReceiver *self, gboolean uses_abs_send_time)
{
  self->uses_abs_send_time = uses_abs_send_time;
  self->n_streams = 0;
  gcc_delay_detector_init (&self->shared_delay, &self->profile->delay);
  gcc_remb_probe_detector_init (&self->probes, &self->profile->remb_probe);
  gcc_received_rate_reset (&self->received_rate);
  self->rate_is_known = FALSE;
  self->last_update = GCC_TIME_NONE;
  self->next_update = GCC_TIME_NONE;
  forget_estimate (self);
}

static void
choose_time_base (GccReceiver *self, const GccPacket *packet)
{
  const GccReceiverParams *params = &self->profile->receiver;

  self->n_without = packet->has_abs_send_time ? 0 : self->n_without + 1;
  if (!params->abs_send_time)
    return;
  if (packet->has_abs_send_time && !self->uses_abs_send_time)
    set_time_base (self, TRUE);
  else if (self->uses_abs_send_time && self->n_without >= params->max_without)
    set_time_base (self, FALSE);
}

/* After a silence of all streams the shared detector starts over. */
static void
drop_silent_time_base (GccReceiver *self, GccTime now)
{
  drop_silent_streams (self, now);
  if (self->n_streams == 0)
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
  if (!packet->ignore_rtp_timestamp)
    choose_time_base (self, packet);
  if (self->uses_abs_send_time)
    drop_silent_time_base (self, now);

  count_in_received_rate (self, packet, size, now);
  self->stats.packets++;
  /* abs-send-time is on one clock, whatever the packet is for. */
  if (packet->ignore_rtp_timestamp &&
      !(self->uses_abs_send_time && packet->has_abs_send_time))
    return GCC_RECEIVER_EVENT_NONE;

  stream = find_stream (self, packet->ssrc);
  if (stream == NULL)
    return GCC_RECEIVER_EVENT_NONE;

  stream->last_packet = now;
  if (self->uses_abs_send_time)
    return feed_by_abs_send_time (self, stream, packet, size, now);
  return feed_by_rtp_timestamp (self, stream, packet, size, now);
}

GccTime
gcc_receiver_next_timeout (const GccReceiver *self)
{
  return self->next_update;
}

GccReceiverEvent
gcc_receiver_handle_timeout (GccReceiver *self, GccTime now)
{
  GccReceiverEvent event;
  GccTime wait;

  if (self->next_update == GCC_TIME_NONE || self->n_streams == 0)
    return GCC_RECEIVER_EVENT_NONE;

  wait = gcc_time_diff (self->next_update, now);
  if (wait > get_interval (self) + CLOCK_TOLERANCE)
    self->next_update = gcc_time_add (now, get_interval (self));
  if (wait > 0)
    return GCC_RECEIVER_EVENT_NONE;

  event = control (self, now);
  self->last_update = now;
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
  return self->uses_abs_send_time;
}

gboolean
gcc_receiver_get_remb (const GccReceiver *self, GccRemb *remb)
{
  remb->rate = gcc_receiver_get_estimate (self);
  remb->n_ssrcs = self->n_streams;
  for (guint i = 0; i < self->n_streams; i++)
    remb->ssrcs[i] = self->streams[i].ssrc;
  return remb->rate != GCC_RATE_NONE && remb->n_ssrcs > 0;
}

const GccReceiverStats *
gcc_receiver_get_stats (const GccReceiver *self)
{
  return &self->stats;
}
