/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-receiver.h>

#include <gst/gcc/gcc-arrival-filter.h>
#include <gst/gcc/gcc-overuse-detector.h>
#include <gst/gcc/gcc-packet-group.h>

#include <math.h>
#include <stddef.h>

/* The clock rate of every video format of RFC 3551. */
#define DEFAULT_CLOCK_RATE 90000

/* More than any transport delivers. */
#define MAX_PAYLOAD_SIZE G_MAXUINT16

struct _GccReceiverStream {
  guint32 ssrc;
  GccTime last_packet;
  GccPacketGroup group;
  GccArrivalFilter filter;
  GccOveruseDetector detector;
};

#define COLUMN(name, type, member, description) \
  { name, GCC_COLUMN_##type, offsetof (GccReceiverStats, member), description }

const GccColumn gcc_receiver_columns[] = {
  COLUMN ("ssrc", UINT, ssrc, "stream of the last packet group"),
  COLUMN ("d_ms", DOUBLE, delay_variation_ms,
      "d(t_i), inter-arrival minus inter-departure time, ms"),
  COLUMN ("m_ms", DOUBLE, m_ms,
      "m(t_i), output of the arrival filter, ms per group"),
  COLUMN ("modified_m_ms", DOUBLE, modified_m_ms,
      "min (n, 60) * m(t_i), which is compared with gamma, ms"),
  COLUMN ("gamma_ms", DOUBLE, gamma_ms,
      "gamma, threshold of the over-use detector, ms"),
  COLUMN ("signal", STRING, signal,
      "of the over-use detector: normal, overuse or underuse"),
  COLUMN ("state", STRING, state,
      "what the remote rate controller did last: hold, increase or decrease"),
  COLUMN ("r_bps", RATE, received_rate, "R(t), received rate, bit/s"),
  COLUMN ("a_r_bps", RATE, estimate, "A_r, estimate of the receiver, bit/s"),
  COLUMN ("remb_bps", RATE, remb, "the last A_r due at the sender, bit/s"),
  COLUMN ("packets", UINT64, packets, "RTP packets seen"),
  COLUMN ("groups", UINT64, groups, "packet groups measured"),
  COLUMN ("overuses", UINT64, overuses,
      "times that the signal turned to overuse"),
};

const guint gcc_receiver_n_columns = G_N_ELEMENTS (gcc_receiver_columns);

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

static void
init_stream (GccReceiverStream *stream, const GccProfile *profile, guint32 ssrc)
{
  stream->ssrc = ssrc;
  stream->last_packet = GCC_TIME_NONE;
  gcc_packet_group_init (&stream->group, profile);
  gcc_arrival_filter_init (&stream->filter, profile);
  gcc_overuse_detector_init (&stream->detector, profile);
}

/* The room for a new stream: none when there are as many already, all of which
 * are alive (those that are not leave with the next update). */
static GccReceiverStream *
add_stream (GccReceiver *self, guint32 ssrc)
{
  GccReceiverStream *stream;

  if (self->n_streams == GCC_RECEIVER_MAX_STREAMS)
    return NULL;

  if (self->n_streams == self->n_allocated) {
    self->n_allocated = MAX (1, 2 * self->n_allocated);
    self->streams =
        g_renew (GccReceiverStream, self->streams, self->n_allocated);
  }
  stream = &self->streams[self->n_streams++];
  init_stream (stream, self->profile, ssrc);
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
  GccTime timeout = self->profile->feedback.stream_timeout;
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

/* One queue carries them all: the worst news counts. */
static GccSignal
combine_signals (const GccReceiver *self)
{
  GccSignal signal = GCC_SIGNAL_NORMAL;

  for (guint i = 0; i < self->n_streams; i++) {
    signal = MAX (signal,
        gcc_overuse_detector_get_signal (&self->streams[i].detector));
  }
  return signal;
}

static gdouble
average_noise (const GccReceiver *self)
{
  gdouble sum = 0.;

  for (guint i = 0; i < self->n_streams; i++)
    sum += gcc_arrival_filter_get_variance (&self->streams[i].filter);
  return sum / MAX (self->n_streams, 1);
}

/* --- the two steps: measure with every packet, control now and then --- */

static gboolean
measure (GccReceiver *self, GccReceiverStream *stream, const GccPacket *packet,
    gsize size, GccTime now)
{
  guint32 clock_rate =
      packet->clock_rate != 0 ? packet->clock_rate : DEFAULT_CLOCK_RATE;
  GccSignal before = gcc_overuse_detector_get_signal (&stream->detector);
  GccSignal signal;
  GccGroupDelta delta;
  guint n_deltas;
  gdouble m;

  if (!gcc_packet_group_update (&stream->group, packet->rtp_timestamp,
          clock_rate, packet->arrival, size, now, &delta))
    return FALSE;

  m = gcc_arrival_filter_update (&stream->filter, &delta, before,
      gcc_overuse_detector_get_gamma (&stream->detector),
      self->profile->detector.n_max);
  n_deltas = gcc_arrival_filter_get_n_deltas (&stream->filter);
  signal = gcc_overuse_detector_update (&stream->detector, m, n_deltas,
      delta.departure_ms, now);

  self->stats.ssrc = stream->ssrc;
  self->stats.delay_variation_ms = delta.arrival_ms - delta.departure_ms;
  self->stats.m_ms = m;
  self->stats.modified_m_ms =
      gcc_overuse_detector_get_modified_m (&stream->detector);
  self->stats.gamma_ms = gcc_overuse_detector_get_gamma (&stream->detector);
  self->stats.signal = gcc_signal_to_string (combine_signals (self));
  self->stats.groups++;
  if (signal == GCC_SIGNAL_OVERUSE && before != GCC_SIGNAL_OVERUSE)
    self->stats.overuses++;
  return TRUE;
}

static GccReceiverEvent
control (GccReceiver *self, GccTime now)
{
  GccRateControlInput input;
  GccRate estimate;

  drop_silent_streams (self, now);
  if (self->n_streams == 0) {
    self->next_update = GCC_TIME_NONE;
    return GCC_RECEIVER_EVENT_NONE;
  }

  input.signal = combine_signals (self);
  input.received_rate = gcc_received_rate_get (&self->received_rate, now);
  input.noise_variance = average_noise (self);
  estimate =
      gcc_remote_rate_control_update (&self->rate_control, &input, now);

  self->stats.signal = gcc_signal_to_string (input.signal);
  self->stats.received_rate = input.received_rate;
  if (estimate == GCC_RATE_NONE)
    return GCC_RECEIVER_EVENT_NONE;

  self->stats.state = gcc_rate_control_state_to_string (
      gcc_remote_rate_control_get_last_action (&self->rate_control));
  self->stats.estimate = estimate;
  if (!gcc_remb_policy_update (&self->remb_policy, estimate, now))
    return GCC_RECEIVER_EVENT_RATE;

  self->stats.remb = estimate;
  return GCC_RECEIVER_EVENT_REMB;
}

static GccTime
get_interval (const GccReceiver *self)
{
  if (gcc_receiver_get_estimate (self) == GCC_RATE_NONE)
    return self->profile->feedback.first_interval;
  return gcc_remote_rate_control_get_interval (&self->rate_control);
}

/* The first over-use counts at once; one that goes on, again when the last
 * decrease was not enough. */
static gboolean
is_hurried (GccReceiver *self, GccReceiverStream *stream, GccSignal before,
    GccTime now)
{
  GccRate received_rate;

  if (gcc_overuse_detector_get_signal (&stream->detector) !=
      GCC_SIGNAL_OVERUSE)
    return FALSE;

  received_rate = gcc_received_rate_get (&self->received_rate, now);
  if (received_rate == GCC_RATE_NONE)
    return FALSE;
  return before != GCC_SIGNAL_OVERUSE ||
      gcc_remote_rate_control_is_time_to_reduce (&self->rate_control,
      received_rate, now);
}

/* --- public --- */

void
gcc_receiver_init (GccReceiver *self, const GccProfile *profile)
{
  self->profile = profile;
  self->streams = NULL;
  self->n_streams = 0;
  self->n_allocated = 0;
  gcc_received_rate_init (&self->received_rate, profile);
  gcc_remote_rate_control_init (&self->rate_control, profile);
  gcc_remb_policy_init (&self->remb_policy, profile, 0);
  self->has_packets = FALSE;
  self->rate_is_known = FALSE;
  self->next_update = GCC_TIME_NONE;
  self->stats = (GccReceiverStats) {
    .delay_variation_ms = NAN,
    .m_ms = NAN,
    .modified_m_ms = NAN,
    .gamma_ms = profile->detector.gamma_0,
    .signal = gcc_signal_to_string (GCC_SIGNAL_NORMAL),
    .state =
        gcc_rate_control_state_to_string (profile->remote_rate.initial_state),
    .received_rate = GCC_RATE_NONE,
    .estimate = GCC_RATE_NONE,
    .remb = GCC_RATE_NONE,
  };
}

void
gcc_receiver_clear (GccReceiver *self)
{
  g_clear_pointer (&self->streams, g_free);
  self->n_streams = 0;
  self->n_allocated = 0;
}

void
gcc_receiver_set_rtt (GccReceiver *self, GccTime rtt)
{
  gcc_remote_rate_control_set_rtt (&self->rate_control, rtt);
}

/* What was learnt before a silence says nothing of the rate after it. */
static void
forget_stale_rate (GccReceiver *self, GccTime now)
{
  GccRate rate = gcc_received_rate_get (&self->received_rate, now);

  if (rate == GCC_RATE_NONE && self->rate_is_known)
    gcc_received_rate_reset (&self->received_rate);
  self->rate_is_known = rate != GCC_RATE_NONE;
}

GccReceiverEvent
gcc_receiver_feed (GccReceiver *self, const GccPacket *packet, GccTime now)
{
  gsize size = MIN (packet->payload_size, MAX_PAYLOAD_SIZE);
  GccReceiverStream *stream;
  GccReceiverEvent event = GCC_RECEIVER_EVENT_NONE;
  GccSignal before;

  if (!self->has_packets) {
    self->has_packets = TRUE;
    gcc_remb_policy_init (&self->remb_policy, self->profile, now);
  }
  if (self->next_update == GCC_TIME_NONE)
    self->next_update = now;

  forget_stale_rate (self, now);
  gcc_received_rate_update (&self->received_rate, size, now);
  self->stats.packets++;

  stream = find_stream (self, packet->ssrc);
  if (stream == NULL)
    return GCC_RECEIVER_EVENT_NONE;

  stream->last_packet = now;
  before = gcc_overuse_detector_get_signal (&stream->detector);
  if (measure (self, stream, packet, size, now))
    event = GCC_RECEIVER_EVENT_GROUP;
  if (is_hurried (self, stream, before, now))
    event = MAX (event, control (self, now));
  return event;
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

  if (self->next_update == GCC_TIME_NONE || self->n_streams == 0)
    return GCC_RECEIVER_EVENT_NONE;

  if (gcc_time_diff (self->next_update, now) > 0) {
    GccTime interval = get_interval (self);

    /* The clock was set back. */
    if (gcc_time_diff (self->next_update, now) > interval)
      self->next_update = now + interval;
    return GCC_RECEIVER_EVENT_NONE;
  }

  event = control (self, now);
  if (self->next_update != GCC_TIME_NONE)
    self->next_update = now + get_interval (self);
  return event;
}

GccRate
gcc_receiver_get_estimate (const GccReceiver *self)
{
  return gcc_remote_rate_control_get_rate (&self->rate_control);
}

guint
gcc_receiver_get_ssrcs (const GccReceiver *self, guint32 *ssrcs,
    guint max_ssrcs)
{
  guint n = MIN (self->n_streams, max_ssrcs);

  for (guint i = 0; i < n; i++)
    ssrcs[i] = self->streams[i].ssrc;
  return n;
}

const GccReceiverStats *
gcc_receiver_get_stats (const GccReceiver *self)
{
  return &self->stats;
}
