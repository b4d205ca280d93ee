/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccEncoderType:
 * @factory: name of the factory
 * @property: the bitrate, a number
 * @control: (nullable): where a version of the encoder lacks @property: a field of
 *   `extra-controls`, in the same unit
 * @bits_per_unit: the unit of the bitrate, bit/s
 * @keeps_on: whether the encoder keeps on when it is changed; others start over, with
 *   a key frame
 * @least_units: the least value that is followed; 0: that of the property
 * @settings: (nullable): settings for conversational video
 * @rate_control: (nullable): settings without which no bitrate is followed
 */
typedef struct {
  const gchar *factory;
  const gchar *property;
  const gchar *control;
  guint bits_per_unit;
  gboolean keeps_on;
  guint least_units;
  const gchar *settings;
  const gchar *rate_control;
} GstGccEncoderType;

/* The row of @element. (nullable) */
const GstGccEncoderType *gst_gcc_encoder_types_find (GstElement *element);

G_END_DECLS
