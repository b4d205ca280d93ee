/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

#include "session/gstgccguard.h"

G_BEGIN_DECLS

/*
 * GstGccShared:
 *
 * The parts of an RTP session that are there once, whoever joins it: its guard,
 * and the transport-wide numbers of the packets that leave. It is attached to the
 * session, so that elements which come later continue the numbers. Reference
 * counted, and thread-safe.
 */
typedef struct _GstGccShared GstGccShared;

/* That of @session, an RTPSession, which is made when there is none yet.
 * (transfer full) */
GstGccShared *gst_gcc_shared_get (GObject *session);

GstGccShared *gst_gcc_shared_ref (GstGccShared *self);
void gst_gcc_shared_unref (GstGccShared *self);

/* @element joins the session of @holder, which has a guard from now on. @take:
 * (nullable): of @element, which each element's is called. (transfer full) */
GstGccGuard *gst_gcc_shared_join (GstGccShared *self, GstElement *holder,
    GstGccGuardFunc take, GstElement *element);

/* @element leaves. The last one closes the guard. References to the guard may be
 * dropped without a lock only. */
void gst_gcc_shared_leave (GstGccShared *self, GstElement *element);

/*
 * gst_gcc_shared_take_number:
 * @least: the next number of the element's own count
 *
 * The number of the next packet, before it wraps to 16 bits: one that no element
 * has had, and at least @least, because an element may have numbered before it
 * joined. Needs no lock, and may be called with one held.
 */
guint64 gst_gcc_shared_take_number (GstGccShared *self, guint64 least);

/* The number that comes next. */
guint64 gst_gcc_shared_get_next_number (GstGccShared *self);

G_END_DECLS
