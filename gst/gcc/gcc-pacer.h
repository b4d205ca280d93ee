/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccPacerParams:
 * @factor: media leaves at this times A_s at most; 0: as it comes
 * @burst_time: packets that leave together
 * @max_late: a pacer that wakes up late catches up on no more than this
 */
typedef struct {
  gdouble factor;
  GccTime burst_time;
  GccTime max_late;
} GccPacerParams;

/**
 * GccPacer:
 *
 * When queued packets may leave: in groups of #GccPacerParams.burst_time
 * at the pacing rate (draft-ietf-rmcat-gcc, section 4), or faster where one
 * would otherwise wait longer than the bound. It holds no packets, only their
 * bytes. Fields are private.
 */
typedef struct {
  GccTime burst_time;
  GccTime max_late;
  GccTime max_wait;
  GccRate rate;
  GccRate boost;
  gint64 queued;
  gboolean has_group;
  GccTime group_start;
  gint64 group_load;
} GccPacer;

/* @max_wait: no packet waits longer than this, and than the caller is late;
 * above 0. */
void gcc_pacer_init (
    GccPacer *self, const GccPacerParams *params, GccTime max_wait);

/* Forgets all that is queued. */
void gcc_pacer_reset (GccPacer *self);

/* Sets the pacing rate, bit/s; above 0. Holds for what is queued, too. */
void gcc_pacer_set_rate (GccPacer *self, GccRate rate);

/* RTP payload in the queue, bytes. */
gint64 gcc_pacer_get_queued (const GccPacer *self);

/* A packet of @bytes joins the queue. */
void gcc_pacer_queued (GccPacer *self, gsize bytes, GccTime now);

/* When the next packet may leave: @now or a time after it. */
GccTime gcc_pacer_next_send (GccPacer *self, GccTime now);

/* A packet of @bytes leaves the queue, at or after the time told. */
void gcc_pacer_sent (GccPacer *self, gsize bytes, GccTime now);

/* A packet of @bytes is taken out of the queue unsent. */
void gcc_pacer_dropped (GccPacer *self, gsize bytes);

G_END_DECLS
