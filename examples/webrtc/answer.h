/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>
#include <gst/sdp/sdp.h>

G_BEGIN_DECLS

/*
 * answer_with_feedback_of_offer:
 * @webrtcbin: whose remote description is @offer
 *
 * An answer of webrtcbin has the header extensions that its transceivers ask for,
 * and no others: transport-cc and abs-send-time are lost without a word. This makes
 * each transceiver ask for the codecs of its section of @offer, with the extensions
 * and the feedback that stand there. To be called between `set-remote-description`
 * and `create-answer`.
 *
 * Returns: how many sections have transport-cc
 */
guint answer_with_feedback_of_offer (
    GstElement *webrtcbin, const GstSDPMessage *offer);

G_END_DECLS
