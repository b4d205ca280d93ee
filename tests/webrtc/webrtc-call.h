/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A call between two webrtcbins in one process, as docs/webrtc.md tells to make
 * it: gccsender sends, gccreceiver of the other end tells it the rate. */

#pragma once

#include <gst/webrtc/webrtc.h>

#include "element-test.h"

G_BEGIN_DECLS

#define START_BITRATE 300000

/* What is to stand in the SDP, as caps: webrtcbin writes the lines from them in
 * offers and in answers. */
#define MEDIA_CAPS \
  "application/x-rtp,media=video,encoding-name=VP8,payload=96," \
  "clock-rate=90000,a-rtcp-fb=(string)\"96 goog-remb\"," \
  "extmap-3=(string)" GCC_ABS_SEND_TIME_URI ","
#define TRANSPORT_CC_URI \
  "http://www.ietf.org/id/" \
  "draft-holmer-rmcat-transport-wide-cc-extensions-01"

#define TRACK(encoder, caps) \
  "videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! " \
  "video/x-raw,width=320,height=240 ! vp8enc name=" encoder " deadline=1 ! " \
  "rtpvp8pay ! " caps
#define SENDER_LINE(caps) \
  "webrtcbin name=webrtc bundle-policy=max-bundle " TRACK ( \
      "encoder", caps) " ! "

typedef struct _WebrtcCall WebrtcCall;

struct _WebrtcCall {
  /* %NULL: what webrtcbin answers by itself, or answer.c makes of the offer */
  const gchar *answer_caps;
  gboolean keeps_feedback;
  const gchar *feedback;
  /* (nullable) */
  const gchar *weights;
  /* of request-aux-sender */
  GCallback make_sender;
  GstElement *sending;
  GstElement *receiving;
  GstElement *sender_webrtc;
  GstElement *receiver_webrtc;
  GstElement *gccsender;
  GstElement *gccreceiver;
  GMutex lock;
  gchar *offer;
  gchar *answer;
  /* streams that have arrived; atomic */
  gint n_streams;
  /* (nullable): what is done to the sending pipeline before it plays */
  void (*prepare) (WebrtcCall *self);
  /* %NULL: a stream that arrives is decoded */
  void (*stream_comes) (WebrtcCall *self, GstPad *pad);
};

/* %FALSE: the call ends, and what was asked for is not made any more. */
gboolean webrtc_call_take_description (GstPromise *promise, const gchar *kind,
    gchar **text, GstWebRTCSessionDescription **description);
GstElement *webrtc_call_request_sender (
    GstElement *webrtc, GstWebRTCDTLSTransport *transport, gpointer user_data);
void webrtc_call_begin (WebrtcCall *self, const gchar *sender_line);
void webrtc_call_start_with (WebrtcCall *self, GCallback make_sender,
    const gchar *sender_line, const gchar *answer_caps, const gchar *feedback);
void webrtc_call_start (WebrtcCall *self, const gchar *sender_line,
    const gchar *answer_caps, const gchar *feedback);
void webrtc_call_stop (WebrtcCall *self);
gint webrtc_call_bitrate_of (WebrtcCall *self, const gchar *name);
/* On a machine that is busy with seven times what it can do, half a minute is not
 * enough: then the failure says how much of a processor the test had. */
void webrtc_call_wait_until (
    WebrtcCall *self, gboolean (*condition) (WebrtcCall *self));
void webrtc_call_wait_until_controlled (WebrtcCall *self);
guint64 webrtc_call_count (WebrtcCall *self, const gchar *field);

G_END_DECLS
