/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Offers an element the transport-wide feedback in @rtcp, which is valid. The element returns
 * %TRUE to keep it from the session. Called with no lock held, in a thread that
 * delivers RTCP. */
typedef gboolean (*GstGccGuardFunc) (GstBuffer *rtcp, gpointer element);

/*
 * GstGccGuard:
 *
 * Keeps harmful RTCP from an RTP session, on each pad by which RTCP enters: the
 * pad for RTCP, and the pad for RTP, where rtpsession takes for RTCP what is no
 * RTP (RFC 5761). The rest of a compound packet passes, and so does RTP. See
 * docs/security.md. Reference counted, and thread-safe.
 *
 * Three kinds are harmful. On a request for a sender report (RFC 6051, section
 * 3: RTPFB with FMT 5), rtpsession locks itself out since GStreamer 1.22 when its
 * profile has feedback. It reads past the end of malformed source descriptions
 * and of malformed transport-wide feedback (FMT 15); so any packet whose counts
 * and lengths lead past its end is taken out. And of each of the up to 65535
 * packets that a feedback claims to cover it makes a structure.
 *
 * So all transport-wide feedback goes to the elements that number the packets, to
 * each of them, and to them alone. Where no element numbers, but the session does because the
 * caps of what it sends have the header extension, sound feedback passes that is
 * about no more packets than have left. Where neither numbers, none passes.
 */
typedef struct _GstGccGuard GstGccGuard;

/*
 * GstGccGuardCounts:
 * @malformed: packets whose counts or lengths lead past their end, and buffers
 *   that are no RTCP
 * @requests: requests for sender reports
 * @feedbacks: transport-wide feedback that no element has taken, and that is
 *   malformed, or about more packets than the session has numbered
 *
 * Counts of packets that a guard has kept from the session.
 */
typedef struct {
  guint malformed;
  guint requests;
  guint feedbacks;
} GstGccGuardCounts;

/* Guards the sink pads of @holder, an element that holds an RTP session, each as
 * soon as it is there. (transfer full) */
GstGccGuard *gst_gcc_guard_new (GstElement *holder);

/* Must be called with no lock held where it may drop the last reference, and with
 * it one to the holder or to a pad. */
void gst_gcc_guard_unref (GstGccGuard *self);
GstGccGuard *gst_gcc_guard_ref (GstGccGuard *self);

/* From now on @element is offered transport-wide feedback by @take, unless that
 * is %NULL. */
void gst_gcc_guard_follow (
    GstGccGuard *self, GstGccGuardFunc take, GstElement *element);
/* ... and no longer; @take may still be running in another thread. */
void gst_gcc_guard_unfollow (GstGccGuard *self, GstElement *element);

/* Leaves the pads. A callback may still be running in another thread. No
 * reference is dropped that could be the last one. */
void gst_gcc_guard_close (GstGccGuard *self);

GstGccGuardCounts gst_gcc_guard_get_counts (GstGccGuard *self);

G_END_DECLS
