/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-ecn-check.h>
#include <gst/gcc/loss/gcc-l4s.h>

G_BEGIN_DECLS

/**
 * GccSendSideEcnParams:
 * @check: whether the path takes ECT(1)
 * @l4s: the answer to marks
 * @pacing_factor: pacing rate as a multiple of A_s while marks are believed
 * @useless: marks that hold the rate at its least for this long come at any rate
 * @max_loss: with less loss, 0 to 1, loss is no limit meanwhile
 */
typedef struct {
  GccEcnCheckParams check;
  GccL4sParams l4s;
  gdouble pacing_factor;
  GccTime useless;
  gdouble max_loss;
} GccSendSideEcnParams;

G_END_DECLS
