/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/wire/gcc-round-trip.h>
#include <gst/gst.h>

#include "control/gstgcccontroller.h"
#include "session/gstgccrtcp.h"

G_BEGIN_DECLS

/*
 * GstGccFeedback:
 * @round_trip: of the reports that the session sends
 * @is_misplaced: it was told that the element is, so that nobody else is blamed
 * @is_transport_missing: packets are numbered, and nobody tells of the numbers
 * @is_unmeasured: it was told that nobody measures the path
 *
 * The RTCP of gccsender's session: what arrives goes to the controller, and
 * what leaves answers receivers that measure the round-trip time. The session's
 * own reports are also the clock that notices when feedback has stopped; where
 * it makes none, the packets that leave are. The bus is told.
 *
 * Locks: the fields below are protected by the controller's lock, which each
 * function takes unless it says otherwise. With it held packets are read and
 * written, too; messages are posted without.
 */
typedef struct {
  GstGccController *controller;
  GccRoundTrip round_trip;
  GstGccReferenceTime receiver_reference_time;
  gboolean is_silent;
  gboolean is_misplaced;
  gboolean is_transport_missing;
  gboolean is_unmeasured;
  guint64 n_malformed_rtcp;
  guint64 n_malformed_rembs;
  guint64 n_malformed_transport;
} GstGccFeedback;

void gst_gcc_feedback_init (GstGccFeedback *self, GstGccController *controller);

/* Nothing has been received. With the controller's lock held. */
void gst_gcc_feedback_start (GstGccFeedback *self);

/* Appends what was malformed, and what transport-wide feedback tells. With the controller's lock held. */
void gst_gcc_feedback_add_stats (
    const GstGccFeedback *self, GstStructure *stats);

/* A compound packet arrives at @now. */
void gst_gcc_feedback_receive (
    GstGccFeedback *self, GstBuffer *buffer, GccTime now);

/* The same of the transport-wide feedback in it alone, where packets are
 * numbered; %FALSE where they are not, and it is somebody else's. */
gboolean gst_gcc_feedback_take_transport (
    GstGccFeedback *self, GstBuffer *buffer, GccTime now);

/* A compound packet, to which may be added, leaves at @now. */
void gst_gcc_feedback_send (
    GstGccFeedback *self, GstBuffer *buffer, GccTime now);

/* The check that was called for begins: packets leave, and feedback is missing
 * at @now, or time has changed the target. */
void gst_gcc_feedback_check (GstGccFeedback *self, GccTime now);

G_END_DECLS
