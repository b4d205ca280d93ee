/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/output/gcc-encoder-ratio.h>
#include <gst/gcc/output/gcc-layers.h>
#include <gst/gcc/output/gcc-media-speed.h>
#include <gst/gst.h>

#include "stream/gstgccdriven.h"
#include "stream/gstgccprotection.h"
#include "stream/gstgcctransportcc.h"
#include "control/gstgcccontroller.h"
#include "session/gstgccformats.h"
#include "session/gstgccplace.h"

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
 * @controller: the controller of its element; does not change
 * @streams: the streams of its element; does not change
 * @min_bitrate: least bitrate of the stream's encoder, bit/s; object lock
 * @max_bitrate: greatest bitrate of the stream's encoder, bit/s; object lock
 * @weight: weight of the stream among all, above 0; object lock
 * @priority: the streams of a greater one get their minimum first; object lock
 * @is_pausable: whether it is paused where its minimum does not fit; object lock
 * @given_encoder: (nullable): the encoder that the application gave; object
 *   lock
 * @encoder_weights: (nullable): weights of its encoders among each other, by
 *   name, SSRC or mid; object lock
 * @encoder_min_bitrates: (nullable): least bitrates of its encoders, likewise
 * @encoder_max_bitrates: (nullable): greatest bitrates of its encoders, likewise
 * @encoder_priorities: (nullable): priorities of its encoders, likewise
 * @change_cost: cost of a change of an encoder's bitrate, ms; below 0: by encoder and
 *   profile; object lock
 * @bitrate_unit: unit of the bitrate of an encoder that is not known, bit/s; 0: left
 *   alone; object lock
 * @formats: formats of its packets; written with the controller's lock held by
 *   the streaming thread only
 * @ssrcs: (element-type guint32): SSRCs seen on it; the streaming thread's
 * @speed: whether its video comes as fast as it plays; the streaming thread's
 * @is_eos: whether the stream has ended; the controller's lock
 * @protection: its FEC and retransmission; the controller's lock
 * @place: the place to which the stream leads; the controller's lock
 * @transport_cc: handling of its transport-wide numbers; the controller's lock
 * @caps_are_due: whether the caps that leave have changed without new caps
 *   coming in; atomic
 * @driven: (element-type GstGccDriven): the encoders in use; the controller's lock
 * @video_bytes: payload that they have sent, with the payloader's; the controller's
 *   lock
 * @ratio: what they make of the rate that they are set to; the controller's lock
 * @key_request_waits: whether a request for a key frame of one of them may wait; atomic
 * @looked_at: when they were looked for; the controller's lock
 * @left_at: when the last of them left, and none has come; the controller's lock
 * @lack_was_told: whether a warning has named what the stream lacks of encoders;
 *   atomic
 * @pause: whether it is paused, where it has one encoder or none; the controller's
 *   lock
 * @is_paused: whether all that comes is paused; atomic
 * @is_dropping: whether packets are dropped, since nothing before them can be; atomic
 * @has_packet: whether a packet has come; the streaming thread's
 * @srcpad: pad where the stream leaves; does not change
 * @is_open: while active and not flushed; the controller's lock
 * @flow: the result of the last push; the controller's lock
 * @queue: (nullable): its packets and events in the pacer; the controller's
 *   lock
 * @pusher: (nullable): the thread that pushes a packet or an event of it; the
 *   controller's lock
 * @is_relinked: whether @srcpad was linked again since that push began; the
 *   controller's lock
 * @is_reopened: whether the stream was; the controller's lock
 * @padding: kind of padding that the stream allows; the controller's lock
 * @kept: events to store on @srcpad after a flush; the controller's lock
 *
 * A sink pad of gccsender: one stream, or all of a bundle.
 */
struct _GstGccSenderPad {
  GstPad parent;

  GstGccController *controller;
  GstGccStreams *streams;
  guint min_bitrate;
  guint max_bitrate;
  gdouble weight;
  guint priority;
  gboolean is_pausable;
  GstElement *given_encoder;
  GstStructure *encoder_weights;
  GstStructure *encoder_min_bitrates;
  GstStructure *encoder_max_bitrates;
  GstStructure *encoder_priorities;
  gint change_cost;
  guint bitrate_unit;

  GstGccFormats formats;
  GHashTable *ssrcs;
  GccMediaSpeed speed;
  gboolean speed_is_told;
  gboolean is_eos;
  GstGccProtection protection;
  GstGccPlace place;
  GstGccTransportCc transport_cc;
  gint caps_are_due;

  GArray *driven;
  guint64 video_bytes;
  GccEncoderRatio ratio;
  gint key_request_waits;
  GccTime looked_at;
  GccTime left_at;
  gint lack_was_told;
  GccPause pause;
  gint is_paused;
  gint is_dropping;
  gboolean has_packet;

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

/*
 * GstGccEncoderSettings:
 * @weight: its weight among the encoders of the pad; else 1
 * @min_bitrate: its least bitrate, bit/s; else 0
 * @max_bitrate: its greatest bitrate, bit/s; else %G_MAXUINT
 * @priority: its priority among all that flows; else that of the pad
 *
 * The application's settings for an encoder of a pad: by the encoder's name, the SSRC
 * or the mid, in this order, and within the range of the pad's property.
 */
typedef struct {
  gdouble weight;
  guint min_bitrate;
  guint max_bitrate;
  guint priority;
} GstGccEncoderSettings;

GstGccEncoderSettings gst_gcc_sender_pad_get_encoder_settings (
    GstGccSenderPad *self, const GstGccDriven *driven);

/* The property "encoder-change-cost"; %GCC_TIME_NONE: by encoder and profile. */
GccTime gst_gcc_sender_pad_get_change_cost (GstGccSenderPad *self);

/* The property "encoder-bitrate-unit". */
guint gst_gcc_sender_pad_get_bitrate_unit (GstGccSenderPad *self);

/* Whether the encoders of the stream may be paused, and the stream with them. */
gboolean gst_gcc_sender_pad_is_pausable (GstGccSenderPad *self);

G_END_DECLS
