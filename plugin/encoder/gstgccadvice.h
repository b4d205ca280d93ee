/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

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

G_END_DECLS
