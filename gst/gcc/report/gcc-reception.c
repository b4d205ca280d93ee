/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-reception.h>

/* RFC 3550, appendix A.1: MAX_DROPOUT */
#define MAX_JUMP 3000

#define NO_STRAY (-1)

void
gcc_reception_init (GccReception *self, guint32 ssrc)
{
  *self = (GccReception){ .ssrc = ssrc, .stray = NO_STRAY };
}

GccReception *
gcc_reception_find (GccReception *receptions, guint n_receptions, guint32 ssrc)
{
  for (guint i = 0; i < n_receptions; i++)
    if (receptions[i].ssrc == ssrc)
      return &receptions[i];

  return NULL;
}

static void
restart (GccReception *self, guint16 seq)
{
  self->has_packets = TRUE;
  self->base = seq;
  self->highest = seq;
  self->received = 1;
  self->expected_before = 0;
  self->received_before = 0;
  self->stray = NO_STRAY;
}

gint
gcc_reception_feed (GccReception *self, guint16 seq)
{
  gint jump = (gint16) (guint16) (seq - (guint16) self->highest);

  if (!self->has_packets) {
    restart (self, seq);
    return 0;
  }

  if (jump > MAX_JUMP || jump < -MAX_JUMP) {
    if (seq == self->stray)
      restart (self, seq);
    else
      self->stray = (guint16) (seq + 1);
    return 0;
  }

  self->stray = NO_STRAY;
  self->received++;
  if (jump <= 0)
    return -1;
  self->highest += (guint32) jump;
  return jump - 1;
}

static guint32
get_expected (const GccReception *self)
{
  return self->highest - self->base + 1;
}

void
gcc_reception_feed_sender_report (
    GccReception *self, guint32 compact_ntp, GccTime now)
{
  self->last_sr = compact_ntp;
  self->last_sr_arrival = now;
}

guint32
gcc_reception_get_ssrc (const GccReception *self)
{
  return self->ssrc;
}

gboolean
gcc_reception_has_packets (const GccReception *self)
{
  return self->has_packets;
}

gboolean
gcc_reception_has_news (const GccReception *self)
{
  return self->received != self->received_before;
}

GccReceptionReport
gcc_reception_report (GccReception *self, GccTime now)
{
  GccTime since_sr = gcc_time_diff (now, self->last_sr_arrival);
  guint32 expected = get_expected (self);
  gint64 n_expected = expected - self->expected_before;
  gint64 n_lost = n_expected - (self->received - self->received_before);
  gint64 fraction_lost = n_expected > 0 && n_lost > 0
      ? MIN (n_lost * 256 / n_expected, 255)
      : 0;

  self->expected_before = expected;
  self->received_before = self->received;

  return (GccReceptionReport){
    .fraction_lost = (guint8) fraction_lost,
    .total_lost = (gint32) (expected - self->received),
    .ext_highest_seq = self->highest,
    .lsr = self->last_sr,
    .dlsr = self->last_sr != 0 ? gcc_compact_ntp_from_time (MAX (since_sr, 0))
                               : 0,
  };
}
