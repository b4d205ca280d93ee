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
 * Where an arrival time comes from. Each source may have its own origin.
 */
typedef enum {
  GCC_ARRIVAL_CLOCK,
  GCC_ARRIVAL_BUFFER,
  GCC_ARRIVAL_KERNEL,
} GccArrivalSource;

/**
 * GccArrivalTime:
 *
 * Merges the arrival times of several clocks into one time line. None of the
 * clocks need be steady: the wall clock may be set, a source may be wrong now
 * and then, and packets of two sources may be mixed. A timestamp is accepted as
 * long as it is consistent with the ones before it: not later than the present,
 * and not earlier than the last arrival. An inconsistent timestamp is replaced
 * by the present, using the recent offset between the two clocks. When several
 * in a row agree on another offset, that offset becomes the new one. So neither
 * a single wrong timestamp nor a clock that is set is mistaken for queueing. An
 * accepted timestamp passes unchanged. Fields are private.
 */
typedef struct {
  gboolean has_packets;
  GccArrivalSource source;
  GccTime shift; /* from the source's clock to the time line */
  GccTime last;  /* the last accepted, on the source's clock */
  /* The greatest offsets of a timestamp from the present in this period and in
   * the last one: those of the packets that were handled at once. */
  GccTime lead;
  GccTime lead_before;
  GccTime period_start;
  /* Rejected timestamps that agree. */
  GccArrivalSource other_source;
  GccTime other_lead;
  guint n_others;
} GccArrivalTime;

void gcc_arrival_time_init (GccArrivalTime *self);

/* The arrival time of a packet that arrived at @timestamp according to @source
 * and is handled at @now. The origin is that of the first timestamp; only
 * differences count. */
GccTime gcc_arrival_time_update (GccArrivalTime *self, GccArrivalSource source,
    GccTime timestamp, GccTime now);

/* The arrival time of a packet that is handled the moment it arrives, at
 * @now. */
GccTime gcc_arrival_time_get_present (const GccArrivalTime *self, GccTime now);

G_END_DECLS
