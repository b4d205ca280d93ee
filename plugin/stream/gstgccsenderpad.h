/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/output/gcc-encoder-rate.h>
#include <gst/gst.h>

#include "stream/gstgccencoder.h"
#include "stream/gstgccprotection.h"
#include "stream/gstgcctransportcc.h"
#include "control/gstgcccontroller.h"
#include "session/gstgccplace.h"
#include "support/gstgccstream.h"

G_BEGIN_DECLS

#define GST_TYPE_GCC_SENDER_PAD (gst_gcc_sender_pad_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGccSenderPad, gst_gcc_sender_pad, GST, GCC_SENDER_PAD, GstPad)

/* See gstgccstreams.h. */
typedef struct _GstGccStreams GstGccStreams;

/* See gstgccpacerqueue.c. */
typedef struct _GstGccPadQueue GstGccPadQueue;

/*
 * GstGccSenderPad:
 * @controller: that of its element; does not change
 * @streams: those of its element; does not change
 * @min_bitrate: of the stream's encoder, bit/s; object lock
 * @max_bitrate: object lock
 * @weight: of the stream among all, above 0; object lock
 * @given_encoder: (nullable): by the application; object lock
 * @format: what the caps say; the controller's lock
 * @is_audio: whether they say audio; the controller's lock
 * @is_video: ... or video; neither where they leave it open; the controller's lock
 * @is_eos: whether the stream has ended; the controller's lock
 * @protection: the controller's lock
 * @place: where the stream leads to; the controller's lock
 * @transport_cc: what becomes of its transport-wide numbers; the controller's lock
 * @caps_are_due: whether the caps that leave are others than before, without
 *   new ones coming in; atomic
 * @encoder: the one in use; the controller's lock
 * @applied: what @encoder was set to, and when; the controller's lock
 * @is_shared: whether it was reported that another encoder shares the pad; the
 *   controller's lock
 * @is_low: whether its share is below its least rate, and that was reported;
 *   the controller's lock
 * @srcpad: where the stream leaves; does not change
 * @is_open: while active and not flushed; the controller's lock
 * @flow: the result of the last push; the controller's lock
 * @queue: (nullable): what the pacer holds of it; the controller's lock
 * @pusher: (nullable): the thread that pushes a packet or an event of it; the
 *   controller's lock
 * @is_relinked: whether @srcpad was linked again since that push began; the
 *   controller's lock
 * @is_reopened: whether the stream was; the controller's lock
 * @padding: what may pad the stream; the controller's lock
 * @kept: events to store on @srcpad after a flush; the controller's lock
 *
 * A sink pad of gccsender: one stream.
 */
struct _GstGccSenderPad {
  GstPad parent;

  GstGccController *controller;
  GstGccStreams *streams;
  guint min_bitrate;
  guint max_bitrate;
  gdouble weight;
  GstElement *given_encoder;

  GstGccStream format;
  gboolean is_audio;
  gboolean is_video;
  gboolean is_eos;
  GstGccProtection protection;
  GstGccPlace place;
  GstGccTransportCc transport_cc;
  gint caps_are_due;

  GstGccEncoder encoder;
  GccEncoderRate applied;
  gboolean is_low;
  gboolean is_shared;

  GstPad *srcpad;
  gboolean is_open;
  GstFlowReturn flow;
  GstGccPadQueue *queue;
  GThread *pusher;
  gboolean is_relinked;
  gboolean is_reopened;
  GstGccPaddingKind padding;
  GQueue kept;
};

G_END_DECLS
