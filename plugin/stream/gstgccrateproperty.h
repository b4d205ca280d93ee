/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccRateProperty:
 * @pspec: a number, or a structure of numbers
 * @control: (nullable): the field of the structure; %NULL: @pspec is the number
 *
 * The property of an encoder that holds its bitrate, in a unit of the encoder. All
 * kinds of numbers are whole ones here.
 */
typedef struct {
  GParamSpec *pspec;
  const gchar *control;
} GstGccRateProperty;

/*
 * gst_gcc_rate_property_find:
 * @name: the name of a property that is a number
 * @control: (nullable): where there is none: the field of `extra-controls`, a
 *   structure, of which the other fields stay
 *
 * Returns: whether @element has one of them, and it can be written
 */
gboolean gst_gcc_rate_property_find (GstGccRateProperty *self,
    GstElement *element, const gchar *name, const gchar *control);

/* The values that the property takes: GObject refuses others with a warning instead of
 * clamping it. */
void gst_gcc_rate_property_get_range (
    const GstGccRateProperty *self, gint64 *min, gint64 *max);

/* @units: within the range */
void gst_gcc_rate_property_write (
    const GstGccRateProperty *self, GstElement *element, gint64 units);

/* 0 where a structure has no such field. */
gint64 gst_gcc_rate_property_read (
    const GstGccRateProperty *self, GstElement *element);

G_END_DECLS
