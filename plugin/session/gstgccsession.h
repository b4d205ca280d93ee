/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

#include "session/gstgccshared.h"

G_BEGIN_DECLS

/*
 * GstGccSessionFuncs:
 * @receiving: an RTCP compound packet has arrived, not yet parsed by the
 *   session; called in the thread that delivers it
 * @sending: an RTCP packet is about to leave and may be added to; returns %TRUE
 *   to have it sent even where the session might have suppressed it. Called in
 *   the session's own thread
 * @taking_transport_feedback: an RTCP compound packet with transport-wide
 *   feedback has arrived, before @receiving; returns %TRUE to keep that feedback
 *   from the session
 * @category: category of its log
 *
 * The callbacks of an element for its RTP session; any may be %NULL.
 */
typedef struct {
  void (*receiving) (GObject *session, GstBuffer *rtcp, gpointer element);
  gboolean (*sending) (
      GObject *session, GstBuffer *rtcp, gboolean early, gpointer element);
  GstGccGuardFunc taking_transport_feedback;
  GstDebugCategory *category;
} GstGccSessionFuncs;

/*
 * GstGccSession:
 *
 * The RTP session that an element has joined. Fields are private. Thread-safe:
 * any thread may join, ask and leave at any time.
 */
typedef struct {
  /* Protects the fields below. While it is held the pipeline is walked, and
   * signals and pad probes are connected: the neighbours' pad functions and
   * properties may be called with it held, but no code of an application: no
   * signal is emitted, no property set, and no last reference to the session
   * dropped. It is taken with no other lock held. */
  GMutex lock;
  gboolean is_open;
  GstElement *holder;
  GObject *internal;
  gulong receiving_id;
  gulong sending_id;
  GstElement *member; /* the one that has joined, to be compared only */
  GstGccShared *shared;
  GstGccGuard *guard;
  GstGccGuardCounts at_first; /* counts of the guard when it was joined, */
  GstGccGuardCounts before;   /* and counts of guards that were left */
  gboolean has_bandwidth;
  guint64 feedback_interval;
} GstGccSession;

/* Whether @element is one that holds an RTP session, such as rtpsession. */
gboolean gst_gcc_session_is_in (GstElement *element);

void gst_gcc_session_init (GstGccSession *self);
/* No other thread may use it any more. */
void gst_gcc_session_clear (GstGccSession *self);

/* From now on a session can be joined; the count is reset. */
void gst_gcc_session_open (GstGccSession *self);

/*
 * gst_gcc_session_join:
 * @element: the one that @self belongs to; gets the callbacks
 * @pads: (element-type GstPad): where to look for the session, in this
 *   order: a source pad looks downstream, a sink pad upstream
 *
 * Joins the nearest session, or stays in it, or leaves one that is not the
 * nearest any more. A guard, which all that join have together, keeps harmful
 * RTCP from it.
 *
 * Returns: %FALSE when there is no RTP session to be found, or @self is not
 *   open
 */
gboolean gst_gcc_session_join (GstGccSession *self, GstElement *element,
    GPtrArray *pads, const GstGccSessionFuncs *funcs);

/* The element that holds the session. (transfer full) (nullable) */
GstElement *gst_gcc_session_get_holder (GstGccSession *self);

/* The parts of the session that all have together that join it.
 * (transfer full) (nullable) */
GstGccShared *gst_gcc_session_get_shared (GstGccSession *self);

/* Leaves the session. None can be joined until it is opened again. A callback
 * may still be running in another thread. */
void gst_gcc_session_close (GstGccSession *self);

/*
 * gst_gcc_session_configure:
 * @interval: mean time between the RTCP reports that the session sends
 *
 * Configures the session for feedback (RFC 4585): changes its profile from AVP
 * to AVPF or from SAVP to SAVPF, and lowers its reporting interval to
 * @interval. Does nothing without a session.
 */
void gst_gcc_session_configure (GstGccSession *self, GstClockTime interval);

/*
 * gst_gcc_session_allow_feedback:
 *
 * Gives RTCP the bandwidth that transport-wide feedback takes, unless the
 * application has set `rtcp-fraction`. Reset when the session is left. Does
 * nothing without a session.
 */
void gst_gcc_session_allow_feedback (GstGccSession *self);

/*
 * gst_gcc_session_set_feedback_interval:
 * @interval: between transport-wide feedbacks; %GST_CLOCK_TIME_NONE: there is
 *   one for each marker, as by default
 *
 * Sets `twcc-feedback-interval`, unless the application has. Reset when the
 * session is left. Does nothing without a session, and before that has a
 * running time.
 */
void gst_gcc_session_set_feedback_interval (
    GstGccSession *self, GstClockTime interval);

/* Has the session read the next caps, whatever it knows already of the payload
 * type in them. */
void gst_gcc_session_forget_caps (GstGccSession *self);

/*
 * gst_gcc_session_request_report:
 *
 * Asks for an RTCP packet within @max_delay.
 *
 * Returns: %FALSE when the session cannot do that now (RFC 4585, section
 *   3.5.2: it has no bandwidth left for it, or has not sent a regular report)
 */
gboolean gst_gcc_session_request_report (
    GstGccSession *self, GstClockTime max_delay);

/*
 * gst_gcc_session_get_caps:
 *
 * The format of a payload type, as the application told rtpbin, or webrtcbin
 * read it in SDP.
 *
 * Returns: (transfer full) (nullable): caps; %NULL when they are not known
 */
GstCaps *gst_gcc_session_get_caps (GstGccSession *self, guint payload_type);

/* Whether the pad of that name, a request pad of rtpsession, is linked; also
 * %TRUE where there is no session, or the session has no such pads at all. */
gboolean gst_gcc_session_is_linked (GstGccSession *self, const gchar *pad);

/* Counts of packets kept from the session since gst_gcc_session_open(). */
GstGccGuardCounts gst_gcc_session_get_dropped (GstGccSession *self);

G_END_DECLS
