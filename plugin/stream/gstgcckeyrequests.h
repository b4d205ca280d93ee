/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/output/gcc-key-requests.h>
#include <gst/gst.h>

#include "stream/gstgccsenderpad.h"

G_BEGIN_DECLS

/*
 * Requests for key frames on their way upstream: those that come too often for what a
 * key frame costs are merged, for each encoder that is driven. Requests for a time of
 * their own, and those of other encoders, pass. The controller's lock is taken inside,
 * except where noted.
 */

/* A packet of video comes in. With the controller's lock held. */
void gst_gcc_key_requests_note_packet (
    GstGccSenderPad *pad, guint32 ssrc, guint32 timestamp, gsize bytes);

/* Takes @event (transfer full), and returns it (transfer full) (nullable) where it goes
 * upstream now. @params (nullable): each does. */
GstEvent *gst_gcc_key_requests_take (
    GstGccSenderPad *pad, const GccKeyRequestsParams *params, GstEvent *event);

gboolean gst_gcc_key_requests_is_one (GstEvent *event);

/* Pushes a request (transfer full) upstream. Of several encoders it goes right to the
 * one that has its SSRC: an rtpfunnel drops it where it gets more than one stream on a
 * pad, as in webrtcbin with simulcast. Returns whether it was taken. With no lock held. */
gboolean gst_gcc_key_requests_push (GstGccSenderPad *pad, GstEvent *event);

/* Pushes the requests that have waited long enough. In the streaming thread, with no
 * lock held. */
void gst_gcc_key_requests_push_due (
    GstGccSenderPad *pad, const GccKeyRequestsParams *params);

G_END_DECLS
