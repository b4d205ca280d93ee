/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/output/gcc-encoder-rate.h>
#include <gst/gst.h>

#include "control/gstgcccontroller.h"
#include "stream/gstgccsenderpad.h"
#include "support/gstgcchandlers.h"
#include "support/gstgccmanage.h"

G_BEGIN_DECLS

/*
 * GstGccEncoders:
 *
 * The encoders of all streams and the FEC elements after them: finds them,
 * divides a rate among them and sets them. The encoders of a stream are fields
 * of its pad. One whose minimum does not fit may be paused. An encoder that several calls drive is set to the least of their
 * rates.
 *
 * Locks: setting a property runs code of the encoder, which may wait for its
 * stream lock, and of the application; so do posting a message and dropping the
 * last reference. No lock is held during these. The settings to make are
 * collected with the controller's lock held, with a reference to each element.
 */
typedef struct {
  GstGccController *controller;
  GstGccManage *manage;
  GstGccHandlers *handlers;
  guint unknown_unit;
  gboolean configure;
  GccEncoderRateParams rate_params;
  const GccEncoderRatioParams *ratio_params;
  const GccKeyRequestsParams *key_params;
  GccTime change_cost;
  /* atomic: whether a warning has named why the rate may be exceeded */
  gint excess_is_explained;
} GstGccEncoders;

/*
 * gst_gcc_encoders_init:
 * @controller: the sink pads of its element are #GstGccSenderPad
 * @manage: whether the bitrates of encoders are set. Where they are not, encoders are
 *   still found, and no fault is reported
 * @handlers: of the application, by the property `active` of pads
 */
void gst_gcc_encoders_init (GstGccEncoders *self, GstGccController *controller,
    GstGccManage *manage, GstGccHandlers *handlers);

/*
 * gst_gcc_encoders_start:
 * @unknown_unit: bit/s per unit of the `bitrate` of an encoder that is not
 *   known, where its pad has none; 0: leave such an encoder alone
 * @configure: whether encoders are also configured for conversational video
 * @profile: its parameters of encoders
 * @change_cost: cost of a change for all encoders whose pad has none, at least 0;
 *   %GCC_TIME_NONE: that of @profile for those that start over
 */
void gst_gcc_encoders_start (GstGccEncoders *self, guint unknown_unit,
    gboolean configure, const GccProfile *profile, GccTime change_cost);

/*
 * gst_gcc_encoders_look:
 * @pixels: raised by the size of the pictures that they encode
 *
 * Looks for the encoders of @pad: the encoder that the application gave, or the
 * nearest upstream on each way. Nothing is set before the next
 * gst_gcc_encoders_apply(), so that the streaming thread, in which an encoder
 * may hold a lock, can call this.
 *
 * Returns: %FALSE when a bitrate is to be set, and no encoder has one that can
 * be set, or one has not
 */
gboolean gst_gcc_encoders_look (
    GstGccEncoders *self, GstGccSenderPad *pad, guint *pixels);

/* Whether gst_gcc_encoders_look() has found an encoder that was not set yet. */
gboolean gst_gcc_encoders_have_new (GstGccEncoders *self, GstGccSenderPad *pad);

/*
 * gst_gcc_encoders_apply:
 * @rate: for all encoders together, bit/s
 * @fec_percentage: for every FEC element; negative: they are left alone
 *
 * Divides @rate among the video streams, and the part of a stream among its
 * encoders. Sets the rates that have changed, as soon as a change is worth its
 * cost. An encoder that is left alone may have any bitrate: it is set at once
 * when it is controlled again. An encoder that has left the pipeline is
 * released, and the one in its place is taken. An encoder whose share is below
 * its least rate is kept at that rate, and a warning is posted, once until the
 * share has recovered, unless feedback is missing.
 *
 * One thread at a time, which holds no lock. To be called at least once a
 * second, and at the controller's time for changes that wait.
 */
void gst_gcc_encoders_apply (
    GstGccEncoders *self, GccRate rate, gint fec_percentage, GccTime now);

/* Posts, with a warning for each, the encoders of @pad that lack a bitrate, once until
 * gst_gcc_encoders_look() finds that none does. */
void gst_gcc_encoders_report_missing (
    GstGccEncoders *self, GstGccSenderPad *pad);

/* Posts a warning for each encoder of @pad that is set and holds frames back for long,
 * once. */
void gst_gcc_encoders_report_latency (
    GstGccEncoders *self, GstGccSenderPad *pad);

/* Posts that the video of @pad comes @speed times as fast as it plays, and is @late by
 * now. */
void gst_gcc_encoders_report_speed (
    GstGccEncoders *self, GstGccSenderPad *pad, gdouble speed, GccTime late);

/* Whether there are encoders that are set, by the application where that does it. */
gboolean gst_gcc_encoders_are_set (GstGccEncoders *self);

/* Appends what the encoders of @pads (element-type GstGccSenderPad) together are set to,
 * what they send, and the ratio, once that is known. With the controller's lock
 * held. */
void gst_gcc_encoders_add_stats (GPtrArray *pads, GstStructure *stats);

/* Drops the references to the elements found upstream of @pad: its encoders are
 * free for others now. With no lock held. */
void gst_gcc_encoders_forget (GstGccEncoders *self, GstGccSenderPad *pad);

/* Does so for all pads. The controller must not be running. */
void gst_gcc_encoders_release (GstGccEncoders *self);

G_END_DECLS
