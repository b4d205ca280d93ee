/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "receiving-end.h"

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

void
receiving_end_start (ReceivingEnd *self)
{
  self->harness = gst_harness_new ("gccreceiver");
  test_use_testclock (self->harness);
  gst_harness_set_src_caps_str (self->harness, TEST_RTP_CAPS);
  self->clock = gst_harness_get_testclock (self->harness);
  self->frame = 0;
}

void
receiving_end_stop (ReceivingEnd *self)
{
  gst_object_unref (self->clock);
  gst_harness_teardown (self->harness);
}

void
receiving_end_deliver (
    ReceivingEnd *self, GstBuffer *buffer, GstClockTime arrival)
{
  gst_test_clock_set_time (self->clock, arrival);
  GST_BUFFER_DTS (buffer) = arrival;
  g_assert_cmpint (gst_harness_push (self->harness, buffer), ==, GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (self->harness));
}

GstClockTime
receiving_end_time_of_frame (const ReceivingEnd *self)
{
  return GST_SECOND + self->frame * FRAME_INTERVAL;
}

GstBuffer *
receiving_end_make_frame (const ReceivingEnd *self, guint size)
{
  return test_rtp_packet ((guint16) self->frame, self->frame * 33u * 90u, size);
}

void
receiving_end_deliver_frame (ReceivingEnd *self, guint size, GstClockTime delay)
{
  receiving_end_deliver (self, receiving_end_make_frame (self, size),
      receiving_end_time_of_frame (self) + delay);
  self->frame++;
}

guint
receiving_end_get_estimate (ReceivingEnd *self)
{
  return test_get_uint (self->harness->element, "estimated-bitrate");
}
