/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccProtectionParams:
 * @max_share: greatest fraction of A_s, less audio, that FEC and retransmission
 *   may take together
 */
typedef struct {
  gdouble max_share;
} GccProtectionParams;

G_END_DECLS
