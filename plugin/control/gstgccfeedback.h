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
 * @profile: the profile in use, constant
 * @round_trip: round-trip time of the reports that the session sends
 * @has_come: whether any feedback has come
 * @is_misplaced: whether the wrong place of the element was reported, so that
 *   no other cause is
 * @is_transport_missing: whether packets are numbered and no feedback covers
 *   them
 * @reported_at: time with numbered packets between the last feedback on them and
 *   the last report or REMB, µs
 * @is_unmeasured: whether the lack of a measurement of the path was reported
 * @is_unused: whether transport-wide feedback was reported that the profile does
 *   not follow
 * @has_unused: whether such feedback has come
 * @is_remb_told: whether a REMB of an SSRC that reports on nothing was reported
 * @strange_remb: that REMB
 * @large_limit: size of packets that are lost alone, which was reported; 0: none
 *
 * The RTCP of gccsender's session. RTCP that arrives goes to the controller;
 * RTCP that leaves answers receivers that measure the round-trip time. The
 * session's own reports are also the clock that notices when feedback has
 * stopped; where it makes none, the packets that leave are. Faults are posted
 * on the bus.
 *
 * Locks: the fields below are protected by the controller's lock, which each
 * function takes unless it says otherwise. Packets are read and written with it
 * held, too; messages are posted without it.
 */
typedef struct {
  GstGccController *controller;
  const GccProfile *profile;
  GccRoundTrip round_trip;
  GstGccReferenceTime receiver_reference_time;
  gboolean is_silent;
  gboolean has_come;
  gboolean is_misplaced;
  gboolean is_transport_missing;
  GccTime reported_at;
  gboolean is_unmeasured;
  gboolean is_unused;
  gboolean has_unused;
  gboolean is_remb_told;
  GccRemb strange_remb;
  gsize large_limit;
  guint64 n_malformed_rembs;
  guint64 n_malformed_transport;
  guint64 n_malformed_ccfb;
} GstGccFeedback;

void gst_gcc_feedback_init (GstGccFeedback *self, GstGccController *controller);

/* Nothing has been received. @profile stays valid until the next start. With the
 * controller's lock held. */
void gst_gcc_feedback_start (GstGccFeedback *self, const GccProfile *profile);

/* Appends the counts of malformed messages, and the statistics of transport-wide
 * feedback. With the controller's lock held. */
void gst_gcc_feedback_add_stats (
    const GstGccFeedback *self, GstStructure *stats);

/* A compound packet arrives at @now. Its transport-wide feedback is not looked
 * at. */
void gst_gcc_feedback_receive (
    GstGccFeedback *self, GstBuffer *buffer, GccTime now);

/* Takes the transport-wide feedback in it. %FALSE where no packets are numbered,
 * so that the feedback counts as ignored, and may be for another element. */
gboolean gst_gcc_feedback_take_transport (
    GstGccFeedback *self, GstBuffer *buffer, GccTime now);

/* A compound packet, which may be added to, leaves at @now. */
void gst_gcc_feedback_send (
    GstGccFeedback *self, GstBuffer *buffer, GccTime now);

/* The check that was called for begins: packets leave, and feedback is missing
 * at @now, or time has changed the target. */
void gst_gcc_feedback_check (GstGccFeedback *self, GccTime now);

G_END_DECLS
