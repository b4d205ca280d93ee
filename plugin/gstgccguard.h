/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccGuard:
 *
 * Keeps from an RTP session the RTCP that would freeze it: requests for a
 * sender report (RFC 6051, section 3: RTPFB with FMT 5), on which rtpsession
 * locks itself out since GStreamer 1.22 when its profile has feedback. See
 * docs/security.md. The rest of a compound packet passes. Thread-safe.
 */
typedef struct _GstGccGuard GstGccGuard;

/* Guards the RTCP sink pad of @holder, an element that holds an RTP session, as
 * soon as it has that pad. (transfer full) */
GstGccGuard *gst_gcc_guard_new (GstElement *holder);

/* Removes the guard and frees @self. */
void gst_gcc_guard_remove (GstGccGuard *self);

/* How many requests it has kept from the session. */
guint gst_gcc_guard_get_n_dropped (GstGccGuard *self);

G_END_DECLS
