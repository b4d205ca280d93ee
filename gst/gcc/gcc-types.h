/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GccTime:
 *
 * A point in time or a duration, in microseconds. The library reads no clock:
 * every function that needs the time takes it as an argument, and only
 * differences of times of one origin are ever formed.
 */
typedef gint64 GccTime;

/**
 * GccRate:
 *
 * A bit rate in bit/s, never negative.
 */
typedef gint64 GccRate;

#define GCC_TIME_NONE G_MININT64
#define GCC_MSECOND G_GINT64_CONSTANT (1000)
#define GCC_SECOND G_GINT64_CONSTANT (1000000)

/* @later - @earlier. Clocks of hostile or broken origin may lie anywhere, so
 * the difference wraps instead of overflowing. */
static inline GccTime
gcc_time_diff (GccTime later, GccTime earlier)
{
  return (GccTime) ((guint64) later - (guint64) earlier);
}

/* @time + @duration, neither of which need be sensible: what would lie beyond
 * the range of times is its end. */
static inline GccTime
gcc_time_add (GccTime time, GccTime duration)
{
  if (duration > 0 && time > G_MAXINT64 - duration)
    return G_MAXINT64;
  if (duration < 0 && time < G_MININT64 + 1 - duration)
    return G_MININT64 + 1;
  return time + duration;
}

/* @time + @duration, which wraps as gcc_time_diff() does: from one origin to
 * another. */
static inline GccTime
gcc_time_shift (GccTime time, GccTime duration)
{
  return (GccTime) ((guint64) time + (guint64) duration);
}

/* A duration in ms, with its fraction. */
static inline gdouble
gcc_time_to_ms (GccTime duration)
{
  return (gdouble) duration / (gdouble) GCC_MSECOND;
}

/* A rate that is not known (yet). */
#define GCC_RATE_NONE G_GINT64_CONSTANT (-1)

/* A computed rate, without its fraction; what is beyond the range of rates is
 * its end. */
static inline GccRate
gcc_rate_from_double (gdouble rate)
{
  /* the double that G_MAXINT64 turns into is one more than it */
  if (rate >= (gdouble) G_MAXINT64)
    return G_MAXINT64;
  return rate > 0. ? (GccRate) rate : 0;
}

/* @rate + @step, neither negative, at most %G_MAXINT64. */
static inline GccRate
gcc_rate_add (GccRate rate, GccRate step)
{
  return rate > G_MAXINT64 - step ? G_MAXINT64 : rate + step;
}

G_END_DECLS
