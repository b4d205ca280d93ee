/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

#include "gstgccelement.h"

G_BEGIN_DECLS

#define GST_TYPE_GCC_RECEIVER (gst_gcc_receiver_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGccReceiver, gst_gcc_receiver, GST, GCC_RECEIVER, GstGccElement)

GST_ELEMENT_REGISTER_DECLARE (gccreceiver);

G_END_DECLS
