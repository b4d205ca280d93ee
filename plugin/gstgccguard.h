/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* An element is offered the transport-wide feedback in @rtcp, which it may keep
 * from the session by returning %TRUE. Called with no lock held, in the thread
 * that delivers RTCP. */
typedef gboolean (*GstGccGuardFunc) (GstBuffer *rtcp, gpointer element);

/*
 * GstGccGuard:
 *
 * Keeps from an RTP session the RTCP that would freeze it: requests for a
 * sender report (RFC 6051, section 3: RTPFB with FMT 5), on which rtpsession
 * locks itself out since GStreamer 1.22 when its profile has feedback. See
 * docs/security.md. The rest of a compound packet passes. Thread-safe.
 *
 * Transport-wide feedback (FMT 15) goes to the element that numbers the
 * packets, and to nobody else: rtpsession, which reads it whoever numbers, makes
 * a structure for each of up to 65535 packets that it claims to tell of, and
 * reads past its end (1.22 to 1.28).
 */
typedef struct _GstGccGuard GstGccGuard;

/* Guards the RTCP sink pad of @holder, an element that holds an RTP session, as
 * soon as it has that pad. @take: (nullable): of @element. (transfer full) */
GstGccGuard *gst_gcc_guard_new (
    GstElement *holder, GstGccGuardFunc take, GstElement *element);

/* Removes the guard and frees @self. */
void gst_gcc_guard_remove (GstGccGuard *self);

/* How many requests it has kept from the session. */
guint gst_gcc_guard_get_n_dropped (GstGccGuard *self);

G_END_DECLS
