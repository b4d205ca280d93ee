/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-retransmission.h>

#include <string.h>

G_STATIC_ASSERT (
    (GCC_RETRANSMISSION_HISTORY & (GCC_RETRANSMISSION_HISTORY - 1)) == 0);

/* Share of the rate that a byte takes, bit/s · µs. */
#define BITS_US_OF_A_BYTE (8. * (gdouble) GCC_SECOND)

void
gcc_retransmission_init (
    GccRetransmission *self, const GccRetransmissionParams *params)
{
  memset (self, 0, sizeof *self);
  self->params = params;
}

/* Consecutive packets never collide; streams start at different places. */
static guint
get_index (guint32 ssrc, guint16 seq)
{
  return (seq ^ ssrc) % GCC_RETRANSMISSION_HISTORY;
}

void
gcc_retransmission_feed_sent (GccRetransmission *self, guint32 ssrc,
    guint16 seq, gsize bytes, GccTime now)
{
  guint i = get_index (ssrc, seq);

  self->packets[i].ssrc = ssrc;
  self->packets[i].seq = seq;
  self->packets[i].bytes = (guint16) MIN (bytes, G_MAXUINT16);
  self->packets[i].sent = now;
  self->packets[i].resent = GCC_TIME_NONE;
}

/* The time since the last request, for which this one has a budget. After a
 * pause longer than the window it is a first request. */
static GccTime
get_interval (const GccRetransmission *self, GccTime rtt, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->last_request);

  if (!self->has_request || passed < 0 || passed > self->params->window)
    return rtt;
  return MAX (rtt, passed);
}

void
gcc_retransmission_begin (GccRetransmission *self, GccRate target, GccRate room,
    GccTime rtt, GccTime now)
{
  gdouble bits_us = (gdouble) MAX (room, 0) * (gdouble) self->params->window;

  if (self->was_asked) {
    self->has_request = TRUE;
    self->last_request = self->this_request;
    self->was_asked = FALSE;
  }
  self->this_request = now;

  if (rtt >= 0) {
    gdouble interval = (gdouble) get_interval (self, rtt, now);
    gdouble least = self->params->min_budget * BITS_US_OF_A_BYTE;

    bits_us = MIN (bits_us, MAX ((gdouble) target * interval, least));
  }
  self->budget = (gint64) (bits_us / BITS_US_OF_A_BYTE);
}

/* A time in the future dates from before the clock was set back. */
static gboolean
is_under_way (
    const GccRetransmission *self, GccTime resent, GccTime rtt, GccTime now)
{
  GccTime passed = gcc_time_diff (now, resent);

  return resent != GCC_TIME_NONE && passed >= 0 &&
      passed - self->params->resend_delay < MAX (rtt, 0);
}

/* Without an RTT the age of the request is not known. */
static gboolean
is_too_old (
    const GccRetransmission *self, GccTime sent, GccTime rtt, GccTime now)
{
  return self->params->max_age > 0 && rtt >= 0 &&
      gcc_time_diff (gcc_time_diff (now, sent), rtt) > self->params->max_age;
}

gboolean
gcc_retransmission_allow (GccRetransmission *self, guint32 ssrc, guint16 seq,
    GccTime rtt, GccTime now)
{
  guint i = get_index (ssrc, seq);
  guint16 bytes = self->packets[i].bytes;

  self->was_asked = TRUE;
  if (bytes == 0 || self->packets[i].ssrc != ssrc ||
      self->packets[i].seq != seq)
    return FALSE;
  if (bytes > self->budget ||
      is_under_way (self, self->packets[i].resent, rtt, now) ||
      is_too_old (self, self->packets[i].sent, rtt, now))
    return FALSE;

  self->budget -= bytes;
  self->packets[i].resent = now;
  return TRUE;
}
