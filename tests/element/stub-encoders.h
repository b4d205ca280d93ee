/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * Encoders whose hardware is missing here: each is vp8enc or x264enc with the property
 * that the encoder of its name has, by its documentation. Others, stubenc_*, have
 * properties of all kinds. Each has two more properties: `in-effect`, the bitrate in
 * bit/s, and `writes`, how often it was written.
 */
typedef struct {
  const gchar *factory;
  /* (nullable): %NULL: it is a field of extra-controls */
  const gchar *property;
  GType type;
  gdouble min;
  gdouble max;
  guint bits_per_unit;
  /* in units; 0: none. The encoder rounds down to a multiple. */
  guint step;
  gboolean has_controls;
} StubEncoder;

/* Registers them in this process. Returns them, the last one without a factory;
 * %NULL: vp8enc or x264enc is missing. */
const StubEncoder *stub_encoders_register (void);

G_END_DECLS
