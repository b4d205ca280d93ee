/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccabssendtime.h"

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/rtp/rtp.h>

#include "support/gstgccstream.h"

/* The wall clock at the first call, continued by the monotonic clock, because a
 * receiver would mistake a step for queueing. All elements of the process have
 * one offset, because the streams of a session share a time base. */
static GccTime
get_time (void)
{
  static gsize is_known = FALSE;
  static GccTime wall_clock_offset;

  if (g_once_init_enter (&is_known)) {
    wall_clock_offset = g_get_real_time () - g_get_monotonic_time ();
    g_once_init_leave (&is_known, TRUE);
  }

  return g_get_monotonic_time () + wall_clock_offset;
}

guint32
gst_gcc_abs_send_time_now (void)
{
  return gcc_abs_send_time_from_time (get_time ());
}

GstBuffer *
gst_gcc_abs_send_time_renew (GstBuffer *buffer, guint id)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 *data;

  buffer = gst_buffer_make_writable (buffer);
  if (!gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp))
    return buffer;

  data = gst_gcc_stream_find_abs_send_time (&rtp, id);
  if (data != NULL)
    GST_WRITE_UINT24_BE (data, gst_gcc_abs_send_time_now ());
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}
