/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstGccEcnMode:
 * @GST_GCC_ECN_OFF: packets leave as the sink has them
 * @GST_GCC_ECN_ECT1: packets leave with ECT(1) where the path and the receiver
 *   take it
 *
 * Whether gccsender uses Explicit Congestion Notification.
 */
typedef enum {
  GST_GCC_ECN_OFF,
  GST_GCC_ECN_ECT1,
} GstGccEcnMode;

#define GST_TYPE_GCC_ECN_MODE (gst_gcc_ecn_mode_get_type ())
GType gst_gcc_ecn_mode_get_type (void);

G_END_DECLS
