/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

#include "gstgccelement.h"

G_BEGIN_DECLS

#define GST_TYPE_GCC_SENDER (gst_gcc_sender_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGccSender, gst_gcc_sender, GST, GCC_SENDER, GstGccElement)

GST_ELEMENT_REGISTER_DECLARE (gccsender);

G_END_DECLS
