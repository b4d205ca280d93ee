/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Marks a declaration of the installed headers: the shared library exports it.
 * A copy of the algorithms inside something else, as in the plugin, exports
 * nothing, and two copies in one process do not meet. */
#ifdef GCC_IS_SHARED_LIBRARY
#define GCC_API __attribute__ ((visibility ("default")))
#else
#define GCC_API
#endif

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

/* @later - @earlier. A hostile or broken clock may show any time, so the
 * difference wraps instead of overflowing. */
static inline GccTime
gcc_time_diff (GccTime later, GccTime earlier)
{
  return (GccTime) ((guint64) later - (guint64) earlier);
}

/* @time + @duration, for any values: saturates at the ends of the range. */
static inline GccTime
gcc_time_add (GccTime time, GccTime duration)
{
  if (duration > 0 && time > G_MAXINT64 - duration)
    return G_MAXINT64;
  if (duration < 0 && time < G_MININT64 + 1 - duration)
    return G_MININT64 + 1;
  return time + duration;
}

/* @time + @duration, wrapping as gcc_time_diff() does: converts a time from one
 * origin to another. */
static inline GccTime
gcc_time_shift (GccTime time, GccTime duration)
{
  return (GccTime) ((guint64) time + (guint64) duration);
}

/* Whether @duration has passed @since, %GCC_TIME_NONE being long ago. A time in
 * the future dates from before the clock was set back: it is long ago, too. */
static inline gboolean
gcc_time_has_passed (GccTime duration, GccTime since, GccTime now)
{
  GccTime passed = gcc_time_diff (now, since);

  return since == GCC_TIME_NONE || passed >= duration || passed < 0;
}

/* @duration in ms, including the fraction. */
static inline gdouble
gcc_time_to_ms (GccTime duration)
{
  return (gdouble) duration / (gdouble) GCC_MSECOND;
}

/* @duration in s, including the fraction. */
static inline gdouble
gcc_time_to_seconds (GccTime duration)
{
  return (gdouble) duration / (gdouble) GCC_SECOND;
}

/* A rate that is not known, or not yet. */
#define GCC_RATE_NONE G_GINT64_CONSTANT (-1)

/* @rate truncated to whole bit/s; saturates at the ends of the range. */
static inline GccRate
gcc_rate_from_double (gdouble rate)
{
  /* G_MAXINT64 as a double is rounded up by one */
  if (rate >= (gdouble) G_MAXINT64)
    return G_MAXINT64;
  return rate > 0. ? (GccRate) rate : 0;
}

/* The bytes that @rate sends in @duration. */
static inline gdouble
gcc_rate_get_bytes (GccRate rate, GccTime duration)
{
  return (gdouble) rate * (gdouble) duration / (8. * (gdouble) GCC_SECOND);
}

/* The rate of @bytes in @duration, which is not 0, bit/s. */
static inline gdouble
gcc_rate_of_bytes (gdouble bytes, GccTime duration)
{
  return bytes * 8. * (gdouble) GCC_SECOND / (gdouble) duration;
}

/* @rate + @step, both not negative; saturates at %G_MAXINT64. */
static inline GccRate
gcc_rate_add (GccRate rate, GccRate step)
{
  return rate > G_MAXINT64 - step ? G_MAXINT64 : rate + step;
}

G_END_DECLS
