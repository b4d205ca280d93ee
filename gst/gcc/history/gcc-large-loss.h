/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-packet-result.h>

G_BEGIN_DECLS

/* Sizes are counted in steps of so many bytes, and the last step has all above. */
#define GCC_LARGE_LOSS_STEP 100
#define GCC_LARGE_LOSS_N_STEPS 16

/**
 * GccLargeLossParams:
 * @least: so many large packets, and so many others, are needed to judge
 * @most: so many are counted; from then on the older ones fade
 * @lost: large packets are lost where this part of them is, 0 to 1
 * @passed: smaller packets arrive where at most this part of them is lost, 0 to 1
 */
typedef struct {
  guint least;
  guint most;
  gdouble lost;
  gdouble passed;
} GccLargeLossParams;

/**
 * GccLargeLoss:
 *
 * Whether a path loses its large packets alone, by transport-wide feedback: a
 * tunnel may be narrower than the payloader assumes, and the message that would
 * say so may be lost. A queue that is full loses small packets, too. Fields are
 * private.
 */
typedef struct {
  const GccLargeLossParams *params;
  gsize overhead;
  guint n[GCC_LARGE_LOSS_N_STEPS];
  guint n_lost[GCC_LARGE_LOSS_N_STEPS];
} GccLargeLoss;

/* @overhead: bytes of each packet below RTP, which do not count */
void gcc_large_loss_init (
    GccLargeLoss *self, const GccLargeLossParams *params, gsize overhead);

/* The first result of a packet counts. */
void gcc_large_loss_feed (
    GccLargeLoss *self, const GccPacketResult *packets, guint n);

/* Returns: the least size of an RTP packet that is lost while smaller packets arrive,
 * bytes, rounded down to a step; 0: there is none */
gsize gcc_large_loss_get_limit (const GccLargeLoss *self);

G_END_DECLS
