/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

#include "stream/gstgccsenderpad.h"

G_BEGIN_DECLS

/*
 * The streams that flow, and those that are paused since their minimum does not fit.
 */

/*
 * GstGccStreamShare:
 * @share: the part of the rate that @pad has
 * @is_paused: whether all of @pad is paused
 */
typedef struct {
  GstGccSenderPad *pad;
  GccShare share;
  gboolean is_paused;
} GstGccStreamShare;

/**
 * GstGccChoice:
 * @wanted: the rate that paused streams wait for; 0: none is paused
 * @resumes: whether one of them flows from now on
 */
typedef struct {
  GccRate wanted;
  gboolean resumes;
} GstGccChoice;

/* Chooses among @streams (element-type GstGccStreamShare), whose limits are set, and
 * sets @is_paused; the limits of a bundle are then those of its encoders that flow.
 * With the controller's lock held. */
GstGccChoice gst_gcc_pauses_choose (GArray *streams, GccRate rate, GccTime now);

/* All of @pad flows. With the controller's lock held. */
void gst_gcc_pauses_end (GstGccSenderPad *pad);

/* Whether all of @pad is paused. With the controller's lock held. */
gboolean gst_gcc_pauses_cover (GstGccSenderPad *pad);

/* Whether packets of @pad, all of which is paused, have to be dropped, since an encoder
 * is not known or goes on. With the controller's lock held. */
gboolean gst_gcc_pauses_need_drops (GstGccSenderPad *pad);

/* Tells those upstream of @pad by the event `GstGccPaused` that it is paused, or that it
 * resumes: with a key frame. An @encoder (nullable) of several calls is paused by all of
 * them. With no lock held. */
void gst_gcc_pauses_tell (
    GstGccSenderPad *pad, GstElement *encoder, gboolean is_paused);

G_END_DECLS
