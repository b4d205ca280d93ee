/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A gccreceiver on a clock that the test sets. */

#pragma once

#include "element-test.h"

G_BEGIN_DECLS

#define FRAME_INTERVAL (33 * GST_MSECOND)

/* A receiver on a clock that the test sets. */
typedef struct {
  GstHarness *harness;
  GstTestClock *clock;
  guint frame;
} ReceivingEnd;

void receiving_end_start (ReceivingEnd *self);
void receiving_end_stop (ReceivingEnd *self);
void receiving_end_deliver (
    ReceivingEnd *self, GstBuffer *buffer, GstClockTime arrival);
GstClockTime receiving_end_time_of_frame (const ReceivingEnd *self);
GstBuffer *receiving_end_make_frame (const ReceivingEnd *self, guint size);
/* Delivers one frame in one packet, @delay after it was sent. */
void receiving_end_deliver_frame (
    ReceivingEnd *self, guint size, GstClockTime delay);
guint receiving_end_get_estimate (ReceivingEnd *self);

G_END_DECLS
