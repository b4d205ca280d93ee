/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

#include "session/gstgccecnmode.h"

G_BEGIN_DECLS

/* The properties of gccsender: first the settings, then the others. Those from
 * TARGET_BITRATE on are the properties of GstGccTargetProperty, in their
 * order. */
enum {
  GST_GCC_SENDER_PROP_0,
  GST_GCC_SENDER_PROP_MIN_BITRATE,
  GST_GCC_SENDER_PROP_START_BITRATE,
  GST_GCC_SENDER_PROP_MAX_BITRATE,
  GST_GCC_SENDER_PROP_TARGET_BITRATE,
  GST_GCC_SENDER_PROP_ENCODER_BITRATE,
  GST_GCC_SENDER_PROP_MEDIA_BITRATE,
  GST_GCC_SENDER_PROP_ENCODER,
  GST_GCC_SENDER_PROP_ENCODER_BITRATE_UNIT,
  GST_GCC_SENDER_PROP_ENCODER_CHANGE_COST,
  GST_GCC_SENDER_PROP_PACING_FACTOR,
  GST_GCC_SENDER_PROP_MAX_PACING_DELAY,
  GST_GCC_SENDER_PROP_PROBING,
  GST_GCC_SENDER_PROP_RESERVED_BITRATE,
  GST_GCC_SENDER_PROP_ECN,
  GST_GCC_SENDER_PROP_STATS,
};

/*
 * GstGccSenderSettings:
 * @min_bitrate: bit/s, above 0, as the next two
 * @start_bitrate: rate before feedback comes; a rate that is set later is the
 *   new start
 * @max_bitrate: may be below @min_bitrate while both are being changed
 * @encoder_bitrate_unit: unit of the bitrate of an unknown encoder, bit/s; 0:
 *   it is not set
 * @encoder_change_cost: cost of a change of an encoder's bitrate, ms; below 0:
 *   by encoder and profile
 * @pacing_factor: pacing rate as a multiple of the target; 0: no pacing; below
 *   0: the profile's
 * @max_pacing_delay: greatest time that a packet is held, ms
 * @probing: whether the path is probed
 * @reserved_bitrate: what the application sends beside, bit/s
 * @ecn: whether packets may leave with ECT(1)
 *
 * The settings of the user. Protected by the object lock of gccsender, which
 * each function takes.
 */
typedef struct {
  guint min_bitrate;
  guint start_bitrate;
  guint max_bitrate;
  guint encoder_bitrate_unit;
  gint encoder_change_cost;
  gdouble pacing_factor;
  guint max_pacing_delay;
  gboolean probing;
  guint reserved_bitrate;
  GstGccEcnMode ecn;
} GstGccSenderSettings;

/* The defaults. */
void gst_gcc_sender_settings_init (GstGccSenderSettings *self);

/* The present settings. */
GstGccSenderSettings gst_gcc_sender_settings_get (
    const GstGccSenderSettings *self, GstObject *sender);

/* Installs all properties of gccsender. */
void gst_gcc_sender_settings_install (GObjectClass *klass);

/* Write and read one; %FALSE when @id is none of them. */
gboolean gst_gcc_sender_settings_set_property (GstGccSenderSettings *self,
    GstObject *sender, guint id, const GValue *value);
gboolean gst_gcc_sender_settings_get_property (const GstGccSenderSettings *self,
    GstObject *sender, guint id, GValue *value);

/* Whether @pspec, of gccsender, is that of a limit of the bitrate. */
gboolean gst_gcc_sender_settings_is_limit (GParamSpec *pspec);

G_END_DECLS
