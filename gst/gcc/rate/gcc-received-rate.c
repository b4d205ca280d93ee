/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-received-rate.h>

#include <string.h>

/* No transport delivers more in a ms; the bound keeps a bucket from
 * overflowing. */
#define MAX_SIZE G_MAXUINT16

void
gcc_received_rate_init (
    GccReceivedRate *self, const GccReceivedRateParams *params)
{
  guint window_ms = (guint) (params->window / GCC_MSECOND);

  g_return_if_fail (
      window_ms > 0 && params->window <= GCC_RECEIVED_RATE_MAX_WINDOW);

  memset (self, 0, sizeof *self);
  self->params = params;
  self->told_ms = G_MININT64;
  self->n_buckets = params->grows ? window_ms : window_ms + 1;
}

void
gcc_received_rate_reset (GccReceivedRate *self)
{
  self->has_samples = FALSE;
  self->oldest_bucket = 0;
  self->bytes = 0;
  self->n_packets = 0;
  self->told_ms = G_MININT64;
  memset (self->buckets, 0, sizeof self->buckets);
}

static gint64
to_ms (GccTime time)
{
  return time / GCC_MSECOND + (time % GCC_MSECOND >= GCC_MSECOND / 2);
}

/* The bucket of the ms at @position of the window, whose oldest is at 0. */
static guint
get_bucket (const GccReceivedRate *self, guint position)
{
  guint bucket = self->oldest_bucket + position;

  return bucket >= self->n_buckets ? bucket - self->n_buckets : bucket;
}

/* Once for each ms that passes: most of them have no packet. */
static void
drop_oldest_bucket (GccReceivedRate *self)
{
  GccReceivedRateBucket *oldest = &self->buckets[self->oldest_bucket];

  if (oldest->packets > 0) {
    self->bytes -= oldest->bytes;
    self->n_packets -= oldest->packets;
    *oldest = (GccReceivedRateBucket){ 0 };
  }
  self->oldest_bucket = get_bucket (self, 1);
}

/* Moves the window so that it ends at @now_ms. */
static void
advance (GccReceivedRate *self, gint64 now_ms)
{
  gint64 n_ms = now_ms - self->n_buckets + 1 - self->oldest_ms;

  if (n_ms <= 0)
    return;
  for (gint64 i = n_ms; i > 0 && self->n_packets > 0; i--)
    drop_oldest_bucket (self);
  self->oldest_ms += n_ms;
}

void
gcc_received_rate_update (GccReceivedRate *self, gsize size, GccTime now)
{
  gint64 now_ms = to_ms (now);
  guint position, bucket;

  /* the caller's clock was set back */
  if (self->has_samples && now_ms < self->oldest_ms)
    gcc_received_rate_reset (self);

  if (!self->has_samples) {
    self->has_samples = TRUE;
    self->oldest_ms = now_ms;
  }
  advance (self, now_ms);

  position = (guint) (now_ms - self->oldest_ms);
  bucket = get_bucket (self, position);
  size = MIN (size, MAX_SIZE);
  self->buckets[bucket].bytes += (guint32) size;
  self->buckets[bucket].packets++;
  self->bytes += size;
  self->n_packets++;
  self->told_ms = G_MININT64;
}

/* Averages over the time since the first packet, up to the whole window. With
 * one packet, or within one ms, the rate is unknown. */
static GccRate
get_growing (const GccReceivedRate *self, gint64 now_ms)
{
  gint64 active_ms = now_ms - self->oldest_ms + 1;

  if (self->n_packets == 0 || active_ms <= 1 ||
      (self->n_packets == 1 && active_ms < self->n_buckets))
    return GCC_RATE_NONE;
  return (GccRate) ((gdouble) self->bytes * 8000. / (gdouble) active_ms + 0.5);
}

/* The generation with this window computed in single precision. */
static GccRate
get_fixed (const GccReceivedRate *self)
{
  gint64 window_ms = self->params->window / GCC_MSECOND;

  return (GccRate) ((gfloat) self->bytes * 8.f * 1000.f / (gfloat) window_ms +
      0.5f);
}

static GccRate
compute (GccReceivedRate *self, gint64 now_ms)
{
  if (self->has_samples && now_ms < self->oldest_ms)
    gcc_received_rate_reset (self);
  if (!self->has_samples)
    return self->params->grows ? GCC_RATE_NONE : 0;

  advance (self, now_ms);
  return self->params->grows ? get_growing (self, now_ms) : get_fixed (self);
}

/* It is asked for several times for a packet. */
GccRate
gcc_received_rate_get (GccReceivedRate *self, GccTime now)
{
  gint64 now_ms = to_ms (now);

  if (now_ms != self->told_ms) {
    self->told = compute (self, now_ms);
    self->told_ms = now_ms;
  }
  return self->told;
}
