/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccEncoder:
 *
 * An encoder whose bitrate can be set while it runs. Zero-initialised: none.
 */
typedef struct {
  GstElement *element;
  const gchar *property;
  const gchar *settings;
  guint bits_per_unit;
} GstGccEncoder;

/* The nearest encoder upstream of @sinkpad, or %NULL. (transfer full) */
GstElement *gst_gcc_encoder_find (GstPad *sinkpad);

/*
 * gst_gcc_encoder_use:
 * @element: (transfer none)
 * @fallback_unit: bit/s per unit of the `bitrate` property of an encoder that
 *   is not in the table; 0 for no such encoder
 *
 * Returns: %FALSE, with nothing changed, when it is not known in which unit
 *   @element takes its bitrate
 */
gboolean gst_gcc_encoder_use (
    GstGccEncoder *self, GstElement *element, guint fallback_unit);
void gst_gcc_encoder_release (GstGccEncoder *self);

/* Sets the encoder up for a conversation: see the table. %FALSE when it has no
 * settings for this one. */
gboolean gst_gcc_encoder_configure (GstGccEncoder *self);

/* Width × height of the video that @element encodes; 0 before that is known. */
guint gst_gcc_encoder_get_pixels (GstElement *element);

void gst_gcc_encoder_set_bitrate (GstGccEncoder *self, GccRate bitrate);

G_END_DECLS
