/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccArrivalSource:
 * @GCC_ARRIVAL_CLOCK: the clock was read when the packet was seen
 * @GCC_ARRIVAL_BUFFER: a timestamp that came with the buffer
 * @GCC_ARRIVAL_KERNEL: a timestamp of the kernel's, on the wall clock
 *
 * Who says when a packet arrived. Each may have an origin of its own.
 */
typedef enum {
  GCC_ARRIVAL_CLOCK,
  GCC_ARRIVAL_BUFFER,
  GCC_ARRIVAL_KERNEL,
} GccArrivalSource;

/**
 * GccArrivalTime:
 *
 * Makes one time line of what several clocks say of when packets arrived, none
 * of which need be steady: the wall clock is set, a source errs now and then,
 * packets of two sources are mixed. A timestamp is believed while it fits the
 * ones before it: not later than the present, and not before the last arrival.
 * One that does not fit is taken as the present, by the difference between the
 * two clocks of late; when several in a row agree on another difference, that
 * is the new one. So neither a single wrong timestamp nor a clock that is set
 * looks like a queue. What fits passes unchanged. Fields are private.
 */
typedef struct {
  gboolean has_packets;
  GccArrivalSource source;
  GccTime shift; /* from the source's clock to the time line */
  GccTime last;  /* the last timestamp believed, on the source's clock */
  /* The greatest differences of a timestamp and the present in this period and
   * the last one: those of the packets that were seen at once. */
  GccTime lead;
  GccTime lead_before;
  GccTime period_start;
  /* Those that did not fit and agree. */
  GccArrivalSource other_source;
  GccTime other_lead;
  guint n_others;
} GccArrivalTime;

void gcc_arrival_time_init (GccArrivalTime *self);

/* When the packet arrived that @source says came at @timestamp, and that is
 * seen at @now. The origin is that of the first timestamp; only differences
 * count. */
GccTime gcc_arrival_time_update (GccArrivalTime *self, GccArrivalSource source,
    GccTime timestamp, GccTime now);

G_END_DECLS
