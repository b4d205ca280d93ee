/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccReason:
 * @GCC_REASON_START: the rate has not changed since the start
 * @GCC_REASON_LIMITS: the application has set other limits, or a rate to go on
 *   from
 * @GCC_REASON_GROWTH: delay and loss allow a higher rate
 * @GCC_REASON_PROBE: a probe has measured the path
 * @GCC_REASON_OVERUSE: a queue grows on the path
 * @GCC_REASON_LOSS: packets are lost
 * @GCC_REASON_ROUND_TRIP: the round trip is too long; in published generations
 *   also: transport-wide feedback has been missing for as long
 * @GCC_REASON_REMB: the receiver asks for less, or allows more
 * @GCC_REASON_SILENCE: packets leave, and no feedback comes, or reports show
 *   no packet that arrives
 * @GCC_REASON_DRAIN: a queue stands, or packets are lost; less is sent for a
 *   moment, to see whether other flows are the cause
 * @GCC_REASON_DRAIN_OVER: the drain has ended, and the rate is its result
 * @GCC_REASON_TCP: loss-based traffic holds the queue, and the rate is a share
 *   beside it
 *
 * The reason of the last change of A_s, for people to read; no rate depends on
 * it.
 */
typedef enum {
  GCC_REASON_START,
  GCC_REASON_LIMITS,
  GCC_REASON_GROWTH,
  GCC_REASON_PROBE,
  GCC_REASON_OVERUSE,
  GCC_REASON_LOSS,
  GCC_REASON_ROUND_TRIP,
  GCC_REASON_REMB,
  GCC_REASON_SILENCE,
  GCC_REASON_DRAIN,
  GCC_REASON_DRAIN_OVER,
  GCC_REASON_TCP,
} GccReason;

/* One word, as in the statistics, the trace and the log. */
const gchar *gcc_reason_to_string (GccReason reason);

/**
 * gcc_reason_follow:
 * @reason: reason of the last change
 * @cause: cause of the present rate
 * @before: rate before, bit/s; %GCC_RATE_NONE while there was none
 * @after: present rate, bit/s
 *
 * Returns: @reason while the rate is the same, @cause when it is not. When a
 * rate rises by a cause that only lowers rates, then the limit has moved up,
 * and %GCC_REASON_GROWTH is returned.
 */
GccReason gcc_reason_follow (
    GccReason reason, GccReason cause, GccRate before, GccRate after);

G_END_DECLS
