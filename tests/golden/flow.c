/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "flow.h"

#include <gst/gcc/profiles/gcc-profile-private.h>

#define MIN_RATE 30000
#define START_RATE 300000
#define VIDEO_SSRC 1
#define OTHER_RECEIVER 3
#define PIXELS (640 * 480)
#define PROTECTION_BYTES 1100
#define AUDIO_BYTES 120
#define AUDIO_INTERVAL (20 * GCC_MSECOND)
#define REQUEST_INTERVAL (8 * GCC_MSECOND)
#define MAX_REQUESTS 16
#define REPORT_INTERVAL (500 * GCC_MSECOND)
/* 2 % */
#define OTHER_FRACTION_LOST 5
/* between the routes of two flows */
#define ROUTE_DELAY (10 * GCC_MSECOND)

const gchar *const golden_feedbacks[GOLDEN_N_FEEDBACKS] = {
  [GOLDEN_REMB] = "remb",
  [GOLDEN_TRANSPORT] = "transport-cc",
};

void
golden_flow_init (GoldenFlow *self, GoldenPath *path, guint index,
    const GccProfile *profile, GoldenFeedback feedback)
{
  *self = (GoldenFlow){
    .path = path,
    .index = index,
    .max_rate = path->settings[GOLDEN_MAX_RATE],
  };
  any_call_init_at (&self->call, feedback == GOLDEN_REMB, profile, START_RATE,
      self->max_rate, path->now);
  ANY_CALL (&self->call, link_free) = &path->link_free;
  g_rand_set_seed (ANY_CALL (&self->call, rand), index + 1);
  gcc_sender_set_limits (self->call.sender, MIN_RATE, self->max_rate);
  gcc_sender_set_pixels (self->call.sender, PIXELS);
}

void
golden_flow_clear (GoldenFlow *self)
{
  any_call_clear (&self->call);
}

/* --- what the path does now --- */

static gboolean
has_passed (GoldenFlow *self, GccTime interval)
{
  return self->path->now % interval < GOLDEN_STEP;
}

static GccTime
get_delay (GoldenFlow *self)
{
  const gint64 *settings = self->path->settings;
  gdouble jitter = (gdouble) settings[GOLDEN_JITTER] *
      g_rand_double (self->path->rand);

  return settings[GOLDEN_DELAY] * GCC_MSECOND + self->index * ROUTE_DELAY +
      (GccTime) (jitter * GCC_MSECOND);
}

static gdouble
get_loss (GoldenFlow *self)
{
  const gint64 *settings = self->path->settings;

  return settings[GOLDEN_OUTAGE] ? 1. : (gdouble) settings[GOLDEN_LOSS] / 100.;
}

/* Drawn anew in each step, so that each message is lost by itself. */
static gboolean
is_mute (GoldenFlow *self)
{
  const gint64 *settings = self->path->settings;
  gdouble chance = (gdouble) settings[GOLDEN_FEEDBACK_LOSS] / 100.;

  return g_rand_double (self->path->rand) < chance || settings[GOLDEN_OUTAGE];
}

static void
follow_path (GoldenFlow *self)
{
  const gint64 *settings = self->path->settings;
  AnyCall *call = &self->call;

  ANY_CALL (call, capacity) = settings[GOLDEN_CAPACITY];
  ANY_CALL (call, max_queue) = settings[GOLDEN_QUEUE] * GCC_MSECOND;
  ANY_CALL (call, clump) = settings[GOLDEN_CLUMP] * GCC_MSECOND;
  ANY_CALL (call, application) = settings[GOLDEN_APPLICATION];
  if (call->over_remb)
    call->remb.has_abs_send_time = settings[GOLDEN_ABS_SEND_TIME];
  ANY_CALL (call, delay) = get_delay (self);
  ANY_CALL (call, loss) = get_loss (self);
  ANY_CALL (call, is_mute) = is_mute (self);
  if (settings[GOLDEN_PAUSE])
    ANY_CALL (call, next_frame) = ANY_CALL (call, now) + 2 * GOLDEN_STEP;
}

static void
follow_limit (GoldenFlow *self)
{
  GccRate max_rate = self->path->settings[GOLDEN_MAX_RATE];

  if (max_rate == self->max_rate)
    return;
  self->max_rate = max_rate;
  gcc_sender_set_limits (self->call.sender, MIN_RATE, max_rate);
}

/* --- what is sent beside the video --- */

static guint32
get_last_seq (GoldenFlow *self)
{
  return self->call.over_remb ? self->call.remb.seq
                              : self->call.transport.n_sent - 1;
}

/* It takes its part of the link, and nothing measures it there. */
static void
send_beside (GoldenFlow *self, GccSentKind kind, gsize bytes)
{
  GoldenPath *path = self->path;
  GccSentPacket packet = {
    .kind = kind,
    .ssrc = VIDEO_SSRC + (guint32) kind,
    .seq = self->seqs[kind]++,
    .payload_size = bytes,
    .size = bytes + 12,
  };

  gcc_sender_feed_sent (self->call.sender, &packet, path->now);
  path->link_free = MAX (path->link_free, path->now) +
      (gint64) (packet.size + 28) * 8 * GCC_SECOND /
          path->settings[GOLDEN_CAPACITY];
}

static void
send_again (GoldenFlow *self)
{
  if (gcc_sender_allow_retransmission (
          self->call.sender, VIDEO_SSRC, self->lost_seq, self->path->now))
    send_beside (self, GCC_SENT_RTX, PROTECTION_BYTES);
}

/* What is lost is asked for at once, and again for a while. */
static void
request (GoldenFlow *self, gboolean is_lost)
{
  if (is_lost) {
    self->lost_seq = (guint16) get_last_seq (self);
    self->n_requests = MAX_REQUESTS;
  }
  if (self->n_requests == 0 ||
      !(is_lost || has_passed (self, REQUEST_INTERVAL)))
    return;
  self->n_requests--;
  gcc_sender_begin_request (self->call.sender, self->path->now);
  send_again (self);
}

static void
send_fec (GoldenFlow *self, guint n_sent)
{
  self->fec_due += n_sent * golden_flow_get_sender_stats (self)->fec_percentage;
  for (; self->fec_due >= 100; self->fec_due -= 100)
    send_beside (self, GCC_SENT_FEC, PROTECTION_BYTES);
}

static void
protect (GoldenFlow *self)
{
  guint n_sent = ANY_CALL (&self->call, n_sent);
  guint n_lost = ANY_CALL (&self->call, n_lost);

  if (self->path->settings[GOLDEN_PROTECTION]) {
    request (self, n_lost > self->n_lost);
    send_fec (self, n_sent - self->n_sent);
    if (has_passed (self, AUDIO_INTERVAL))
      send_beside (self, GCC_SENT_AUDIO, AUDIO_BYTES);
  }
  self->n_sent = n_sent;
  self->n_lost = n_lost;
}

/* --- the second receiver --- */

static void
report_of_other (GoldenFlow *self)
{
  GoldenPath *path = self->path;
  GccRemb remb = {
    .sender = OTHER_RECEIVER,
    .reporter = OTHER_RECEIVER,
    .rate = path->settings[GOLDEN_OTHER_REMB],
    .ssrcs = { VIDEO_SSRC },
    .n_ssrcs = 1,
  };
  GccReportBlock block = {
    .reporter = OTHER_RECEIVER,
    .ssrc = VIDEO_SSRC,
    .fraction_lost = OTHER_FRACTION_LOST,
    .ext_highest_seq = get_last_seq (self),
    .rtt = 2 * path->settings[GOLDEN_DELAY] * GCC_MSECOND,
  };

  if (remb.rate == 0 || !has_passed (self, REPORT_INTERVAL))
    return;
  gcc_sender_feed_reports (self->call.sender, &block, 1, path->now);
  gcc_sender_feed_remb (self->call.sender, &remb, path->now);
}

void
golden_flow_step (GoldenFlow *self)
{
  follow_limit (self);
  follow_path (self);
  any_call_step (&self->call);
  protect (self);
  report_of_other (self);
}

const GccSenderStats *
golden_flow_get_sender_stats (const GoldenFlow *self)
{
  return gcc_sender_get_stats (self->call.sender);
}

const GccReceiverStats *
golden_flow_get_receiver_stats (const GoldenFlow *self)
{
  return self->call.over_remb
      ? gcc_receiver_get_stats (&self->call.remb.receiver)
      : NULL;
}
