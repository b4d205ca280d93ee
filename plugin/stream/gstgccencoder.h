/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

#include "stream/gstgccrateproperty.h"

G_BEGIN_DECLS

/*
 * GstGccEncoder:
 *
 * An encoder whose bitrate can be set while it runs, and the gccscale upstream
 * of it, or %NULL, which gets that bitrate. An encoder without a bitrate gets
 * fewer and smaller frames from gccscale. It holds a reference to both
 * elements. Zero-initialised: none.
 */
typedef struct {
  GstElement *element;
  GstElement *scale;
  GstGccRateProperty property;
  const gchar *settings;
  const gchar *rate_control;
  guint bits_per_unit;
  guint least_units;
  gboolean changes_between_frames;
  /* whether it starts over with a key frame at each change, as far as is
   * known */
  gboolean starts_over;
  /* the toplevel bin at the time it was found; only compared */
  gconstpointer root;
} GstGccEncoder;

/* Whether @element is one of the table, or says that it is a video encoder: for
 * gst_gcc_walk_find(), without @user_data. */
gboolean gst_gcc_encoder_is_encoder (GstElement *element, gpointer user_data);

/* The ways to the video encoders whose packets come in on @sinkpad: one, or those of
 * a bundle, of which the ones that have ended are left out. (transfer full)
 * (element-type GstGccWay) */
GPtrArray *gst_gcc_encoder_find_all (GstPad *sinkpad);

/*
 * gst_gcc_encoder_init:
 * @element: (transfer none)
 * @fallback_unit: bit/s per unit of the `bitrate` property of an encoder that
 *   is not in the table; 0: refuse such an encoder
 *
 * Returns: %FALSE, and @self holds none, when the unit of the bitrate of
 *   @element is not known, or there is neither a bitrate nor a gccscale
 */
gboolean gst_gcc_encoder_init (
    GstGccEncoder *self, GstElement *element, guint fallback_unit);

/* May finalize the element, which runs code of the application: no lock of this
 * plugin may be held. */
void gst_gcc_encoder_clear (GstGccEncoder *self);

GstGccEncoder gst_gcc_encoder_copy (const GstGccEncoder *self);

/* Whether the encoder was taken out of the pipeline in which it was found. */
gboolean gst_gcc_encoder_has_left (const GstGccEncoder *self);

/* Configures the encoder for conversational video, by the table of encoders.
 * An encoder that cannot be set while it encodes is set when the frame is done.
 * Returns %FALSE when the table has no settings for it. */
gboolean gst_gcc_encoder_configure (const GstGccEncoder *self);

/* Sets only what the encoder has to have to follow a bitrate that changes, and of that
 * only what the application has left at the encoder's default. */
void gst_gcc_encoder_prepare (const GstGccEncoder *self);

/* Width × height of the video that @element encodes; 0 before that is known. */
guint gst_gcc_encoder_get_pixels (GstElement *element);

/* The least rate that the encoder follows, in bit/s, above 0. */
GccRate gst_gcc_encoder_get_least (const GstGccEncoder *self);

/* The bitrate that gst_gcc_encoder_set_bitrate() sets for @bitrate: rounded to
 * the encoder's unit, and within its range. */
GccRate gst_gcc_encoder_round (const GstGccEncoder *self, GccRate bitrate);

/* Rounds @bitrate to the encoder's unit, and raises it to the encoder's least
 * rate if it is lower, and hands the result to gccscale. As with
 * gst_gcc_encoder_configure(), this may happen a little later, in the encoder's
 * streaming thread. */
void gst_gcc_encoder_set_bitrate (const GstGccEncoder *self, GccRate bitrate);

/* Whether the property is about @bitrate, which was set last. An encoder may ignore a
 * new value while it runs. */
gboolean gst_gcc_encoder_has_bitrate (
    const GstGccEncoder *self, GccRate bitrate);

/*
 * gst_gcc_encoder_keeps_quality:
 * @property: (out): the name of a property
 * @value: (out): the value that it has
 * @cure: (out): the value with which the bitrate is followed
 *
 * Returns: whether the encoder is set to keep the quality, and so no bitrate
 */
gboolean gst_gcc_encoder_keeps_quality (const GstGccEncoder *self,
    const gchar **property, const gchar **value, const gchar **cure);

G_END_DECLS
