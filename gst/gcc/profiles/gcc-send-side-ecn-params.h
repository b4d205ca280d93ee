/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-ecn-check.h>
#include <gst/gcc/loss/gcc-l4s.h>
#include <gst/gcc/loss/gcc-own-queue.h>

G_BEGIN_DECLS

/**
 * GccSendSideEcnParams:
 * @check: whether the path takes ECT(1)
 * @l4s: the answer to marks
 * @own: which marks are of a queue of this flow
 * @drain: a queue of this flow is to be gone after so long
 * @least_share: while it drains A_s is this share of the link at least
 * @most_share: and this one at most
 * @held: while A_s exceeds the received rate by this factor it does not grow
 * @pacing_factor: pacing rate as a multiple of A_s while marks tell
 * @usual: media that the pacer holds anyway, as a time at A_s
 * @release: what it holds beyond that is to leave in so long ...
 * @most_release: ... at this share of A_s at most
 * @others: with a greater α, or at the least rate, and no own queue ...
 * @useless: ... for so long, marks come at any rate
 * @max_loss: with less loss, 0 to 1, loss is no limit meanwhile
 */
typedef struct {
  GccEcnCheckParams check;
  GccL4sParams l4s;
  GccOwnQueueParams own;
  GccTime drain;
  gdouble least_share;
  gdouble most_share;
  gdouble held;
  gdouble pacing_factor;
  GccTime usual;
  GccTime release;
  gdouble most_release;
  gdouble others;
  GccTime useless;
  gdouble max_loss;
} GccSendSideEcnParams;

G_END_DECLS
