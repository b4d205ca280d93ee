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
  self->n_used = 0;
  self->bytes = 0;
  self->n_packets = 0;
  self->told_ms = G_MININT64;
}

static gint64
to_ms (GccTime time)
{
  return time / GCC_MSECOND + (time % GCC_MSECOND >= GCC_MSECOND / 2);
}

/* The bucket at @position of those in use, of which the oldest is at 0. */
static GccReceivedRateBucket *
get_bucket (GccReceivedRate *self, guint position)
{
  guint bucket = self->first_bucket + position;

  return &self->buckets[bucket >= self->n_buckets ? bucket - self->n_buckets
                                                  : bucket];
}

static void
drop_oldest_bucket (GccReceivedRate *self)
{
  const GccReceivedRateBucket *oldest = get_bucket (self, 0);

  self->bytes -= oldest->bytes;
  self->n_packets -= oldest->packets;
  self->first_bucket++;
  if (self->first_bucket == self->n_buckets)
    self->first_bucket = 0;
  self->n_used--;
}

/* Moves the window so that it ends at @now_ms. */
static void
advance (GccReceivedRate *self, gint64 now_ms)
{
  /* the caller's clock was set back */
  if (now_ms < self->oldest_ms) {
    gcc_received_rate_reset (self);
    return;
  }
  self->followed_ms = now_ms;
  self->oldest_ms = MAX (self->oldest_ms, now_ms - self->n_buckets + 1);
  while (self->n_used > 0 && get_bucket (self, 0)->ms < self->oldest_ms)
    drop_oldest_bucket (self);
}

/* Returns %FALSE if there is no packet to begin with. Within a ms nothing leaves the
 * window. */
static gboolean
follow (GccReceivedRate *self, gint64 now_ms)
{
  if (self->has_samples && now_ms != self->followed_ms)
    advance (self, now_ms);
  return self->has_samples;
}

/* The bucket of @ms: the newest, unless the clock was set back. */
static GccReceivedRateBucket *
take_bucket (GccReceivedRate *self, gint64 ms)
{
  guint position = self->n_used;

  while (position > 0 && get_bucket (self, position - 1)->ms > ms)
    position--;
  if (position > 0 && get_bucket (self, position - 1)->ms == ms)
    return get_bucket (self, position - 1);
  for (guint i = self->n_used; i > position; i--)
    *get_bucket (self, i) = *get_bucket (self, i - 1);
  self->n_used++;
  *get_bucket (self, position) = (GccReceivedRateBucket){ .ms = ms };
  return get_bucket (self, position);
}

void
gcc_received_rate_update (GccReceivedRate *self, gsize size, GccTime now)
{
  gint64 now_ms = to_ms (now);
  GccReceivedRateBucket *bucket;

  if (!follow (self, now_ms)) {
    self->has_samples = TRUE;
    self->oldest_ms = self->followed_ms = now_ms;
  }
  bucket = take_bucket (self, now_ms);
  size = MIN (size, MAX_SIZE);
  bucket->bytes += (guint32) size;
  bucket->packets++;
  self->bytes += size;
  self->n_packets++;
  self->told_ms = G_MININT64;
}

/* With one packet, or within one ms, the rate is unknown. */
static gboolean
is_growing_rate_known (const GccReceivedRate *self, gint64 now_ms)
{
  gint64 active_ms = now_ms - self->oldest_ms + 1;

  return self->n_packets > 0 && active_ms > 1 &&
      (self->n_packets > 1 || active_ms >= self->n_buckets);
}

/* Averages over the time since the first packet, up to the whole window. */
static GccRate
get_growing (const GccReceivedRate *self, gint64 now_ms)
{
  gint64 active_ms = now_ms - self->oldest_ms + 1;

  if (!is_growing_rate_known (self, now_ms))
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
  if (!follow (self, now_ms))
    return self->params->grows ? GCC_RATE_NONE : 0;
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

gboolean
gcc_received_rate_is_known (GccReceivedRate *self, GccTime now)
{
  gint64 now_ms = to_ms (now);

  if (!self->params->grows)
    return TRUE;
  if (now_ms == self->told_ms)
    return self->told != GCC_RATE_NONE;
  return follow (self, now_ms) && is_growing_rate_known (self, now_ms);
}
