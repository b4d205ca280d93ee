/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* An element is offered the transport-wide feedback in @rtcp, which it may keep
 * from the session by returning %TRUE. Called with no lock held, in a thread
 * that delivers RTCP. */
typedef gboolean (*GstGccGuardFunc) (GstBuffer *rtcp, gpointer element);

/*
 * GstGccGuard:
 *
 * Keeps from an RTP session the RTCP that would harm it, on each pad by which
 * RTCP enters: the one for RTCP, and the one for RTP, where rtpsession takes for
 * RTCP what is no RTP (RFC 5761). The rest of a compound packet passes, and so
 * does RTP. See docs/security.md. Thread-safe.
 *
 * What harms are requests for a sender report (RFC 6051, section 3: RTPFB with
 * FMT 5), on which rtpsession locks itself out since GStreamer 1.22 when its
 * profile has feedback; and malformed transport-wide feedback (FMT 15), past the
 * end of which it reads (1.22 to 1.28).
 *
 * Any transport-wide feedback goes to the element that numbers the packets, and
 * to nobody else: rtpsession, which reads it whoever numbers, makes a structure
 * for each of up to 65535 packets that it claims to tell of.
 */
typedef struct _GstGccGuard GstGccGuard;

/*
 * GstGccGuardCounts:
 * @requests: for sender reports
 * @malformed_feedbacks: transport-wide feedback that no element has taken
 *
 * How many packets a guard has kept from the session.
 */
typedef struct {
  guint requests;
  guint malformed_feedbacks;
} GstGccGuardCounts;

/* Guards the RTP and RTCP sink pads of @holder, an element that holds an RTP
 * session, each as soon as it is there. @take: (nullable): of @element.
 * (transfer full) */
GstGccGuard *gst_gcc_guard_new (
    GstElement *holder, GstGccGuardFunc take, GstElement *element);

/* Leaves the pads. A callback may still be running in another thread. No
 * reference is dropped that could be the last one. */
void gst_gcc_guard_close (GstGccGuard *self);

/* Frees @self, which has been closed. Must be called with no lock held, because
 * it may drop the last reference to the holder or to a pad. */
void gst_gcc_guard_free (GstGccGuard *self);

GstGccGuardCounts gst_gcc_guard_get_counts (GstGccGuard *self);

G_END_DECLS
