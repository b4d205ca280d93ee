/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "stream/gstgccencoder.h"
#include "stream/gstgccsenderpad.h"

G_BEGIN_DECLS

/*
 * Sentences on the bus about settings with which the rate cannot be followed: each
 * has the cause, and in its debug text the cure. With no lock held.
 */

/* The rates of gccsender, or of one of @pads (element-type GstGccSenderPad), are less
 * than video needs, as where kbit/s are meant: one of them is named. */
void gst_gcc_advice_of_units (
    GstElement *sender, GPtrArray *pads, guint start, guint max);

/* Each encoder of @pad that lacks a bitrate that can be set, or that there is no
 * encoder. @given: (nullable): the encoder that the application gave. @unit: the
 * property `encoder-bitrate-unit`. */
void gst_gcc_advice_of_missing (
    GstElement *sender, GstGccSenderPad *pad, GstElement *given, guint unit);

/* Why @encoder, which was set, does not follow its bitrate, as far as that is known;
 * once each. Returns whether there is a reason, posted or not. */
gboolean gst_gcc_advice_of_encoder (
    GstElement *sender, const GstGccEncoder *encoder);

/*
 * gst_gcc_advice_of_ratio:
 * @ratio: what the encoder has sent last, as a multiple of its rate
 * @factor: its rate from now on, as a multiple of the wanted one
 * @is_configured: whether `manage` has `encoder-settings`
 *
 * @encoder does not send its rate; once.
 *
 * Returns: whether it sends too much
 */
gboolean gst_gcc_advice_of_ratio (GstElement *sender,
    const GstGccEncoder *encoder, gdouble ratio, gdouble factor,
    gboolean is_configured);

/* @encoder holds frames back for so long that a call notices; once.
 * @is_configured: whether `manage` has `encoder-settings` */
void gst_gcc_advice_of_latency (
    GstElement *sender, const GstGccEncoder *encoder, gboolean is_configured);

/* The video of @pad comes @speed times as fast as it plays, and is @late by now. */
void gst_gcc_advice_of_speed (GstElement *sender, GstGccSenderPad *pad,
    gdouble speed, GccTime late, gboolean is_configured);

G_END_DECLS
