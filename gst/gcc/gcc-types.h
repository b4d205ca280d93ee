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

/* @time + @duration, likewise. */
static inline GccTime
gcc_time_add (GccTime time, GccTime duration)
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

/**
 * GccSignal:
 * @GCC_SIGNAL_NORMAL: the queues are neither filling nor draining
 * @GCC_SIGNAL_UNDERUSE: the queues drain
 * @GCC_SIGNAL_OVERUSE: the queues fill
 *
 * What the over-use detector says of the path, in the order of precedence in
 * which the streams of one session are combined.
 */
typedef enum {
  GCC_SIGNAL_NORMAL,
  GCC_SIGNAL_UNDERUSE,
  GCC_SIGNAL_OVERUSE,
} GccSignal;

const gchar *gcc_signal_to_string (GccSignal signal);

G_END_DECLS
