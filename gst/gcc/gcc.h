/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* All that the library offers to applications. */
#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gcc/gcc-column.h>
#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/gcc-receiver.h>
#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/gcc-report-block.h>
#include <gst/gcc/gcc-sender.h>
#include <gst/gcc/gcc-sent-packet.h>
#include <gst/gcc/gcc-states.h>
#include <gst/gcc/gcc-types.h>
