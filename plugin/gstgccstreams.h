/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

#include "control/gstgcccontroller.h"
#include "encoder/gstgccencoders.h"
#include "exit/gstgccpacer.h"
#include "exit/gstgccsentpackets.h"
#include "gstgccelement.h"
#include "stream/gstgccsenderpad.h"

G_BEGIN_DECLS

/*
 * GstGccStreams:
 * @n_requested: the least number that no pad has had; the owner's object lock
 *
 * The streams of gccsender: their pads pass packets, events and queries to the
 * pacer, and to the other parts that need them.
 *
 * Locks: pad functions run in streaming threads, so they set no property of an
 * encoder, and hold no lock when they push. The end of a stream is written with
 * the controller's lock held.
 */
struct _GstGccStreams {
  GstGccElement *owner;
  GstGccController *controller;
  GstGccSentPackets *sent;
  GstGccEncoders *encoders;
  GstGccPacer *pacer;
  guint n_requested;
};

/* @owner embeds all of these objects. */
void gst_gcc_streams_init (GstGccStreams *self, GstGccElement *owner,
    GstGccController *controller, GstGccSentPackets *sent,
    GstGccEncoders *encoders, GstGccPacer *pacer);

/* Makes @sinkpad, a #GstGccSenderPad, and @srcpad those of a stream. */
void gst_gcc_streams_set_up_pads (
    GstGccStreams *self, GstPad *sinkpad, GstPad *srcpad);

/* Adds a stream whose sink pad is made from @template. */
GstPad *gst_gcc_streams_request_pad (
    GstGccStreams *self, GstPadTemplate *template, const gchar *name);

/* Removes the stream of @sinkpad: in any thread, also while others push. A
 * release_pad() of #GstElementClass. */
void gst_gcc_streams_release_pad (GstElement *owner, GstPad *sinkpad);

/* The sink pads as children of the owner, so that gst-launch-1.0 can set their
 * properties: `sink_1::weight=3`. A #GInterfaceInitFunc. */
void gst_gcc_streams_child_proxy_init (gpointer iface, gpointer data);

/*
 * gst_gcc_streams_look_upstream:
 * @warn: whether to warn of protection that does not work, and of a stream without
 *   an encoder whose bitrate can be set
 * @pixels: (out): the size of all pictures
 *
 * Looks upstream of all video streams for encoders and protection.
 */
void gst_gcc_streams_look_upstream (
    GstGccStreams *self, gboolean warn, guint *pixels);

/* Whether a stream is known to be video. */
gboolean gst_gcc_streams_have_video (GstGccStreams *self);

/* Looks where all streams lead to, which decides on transport-wide numbers. */
void gst_gcc_streams_look_downstream (GstGccStreams *self);

/* Why no stream has transport-wide numbers; %NULL when one has. */
const gchar *gst_gcc_streams_get_reason (GstGccStreams *self);

G_END_DECLS
