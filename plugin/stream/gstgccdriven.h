/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/output/gcc-layers.h>
#include <gst/gcc/output/gcc-rate-split.h>
#include <gst/gst.h>

#include "stream/gstgccclaims.h"
#include "stream/gstgccencoder.h"
#include "stream/gstgccstreamnames.h"

G_BEGIN_DECLS

/*
 * GstGccDriven:
 * @encoder: the encoder
 * @names: the names of its stream
 * @share: its share of the rate of its pad
 * @pause: whether it is paused, where it is one of several
 * @was_paused: ... when that was last told
 * @owner: (nullable): owner of the claim on @encoder, or of the wish that it stops;
 *   %NULL before there is one
 * @is_configured: whether it was configured since it was found, or was not to be
 * @is_low: whether @share is the least rate of @encoder, and that was reported
 * @key_cost: what its key frames cost
 * @frame_at: when its last frame began; %GCC_TIME_NONE: none has
 * @key_request: (nullable): a request for a key frame that waits
 * @key_asked_at: when that came
 *
 * An encoder that a pad drives: one of several, where those of a bundle have
 * been merged upstream.
 */
typedef struct {
  GstGccEncoder encoder;
  GstGccStreamNames names;
  GccShare share;
  GccPause pause;
  gboolean was_paused;
  gconstpointer owner;
  gboolean is_configured;
  gboolean is_low;
  GccKeyCost key_cost;
  GccTime frame_at;
  GstEvent *key_request;
  GccTime key_asked_at;
} GstGccDriven;

/* A list that clears its members when it is freed: they drop their claims, and
 * elements may be finalized, which runs code of the application, so no lock may
 * be held. (transfer full) (element-type GstGccDriven) */
GArray *gst_gcc_driven_list_new (void);

static inline GstGccDriven *
gst_gcc_driven_list_get (const GArray *list, guint i)
{
  return &g_array_index (list, GstGccDriven, i);
}

/* Adds @element, whose packets come by @pads (nullable) (element-type GstPad), as in
 * #GstGccWay; %FALSE when its bitrate cannot be set, as in gst_gcc_encoder_init(). */
gboolean gst_gcc_driven_list_add (GArray *list, GstElement *element,
    const GPtrArray *pads, guint fallback_unit);

/* Copies the state of encoders in @old to those in @list. */
void gst_gcc_driven_list_inherit (GArray *list, GArray *old);

/* Whether an encoder is new: no rate was claimed of it yet. */
gboolean gst_gcc_driven_list_has_new (const GArray *list);

/* The encoder of the stream @ssrc: the only one, or the one of several that has that
 * name; %NULL where none is known. */
GstGccDriven *gst_gcc_driven_list_find_stream (GArray *list, guint32 ssrc);

/* The encoders, with references of their own, to be freed as the list. (transfer
 * full) (element-type GstGccEncoder) */
GArray *gst_gcc_driven_list_copy (const GArray *list);

/* Drops the claim on @self, so that others may set it. */
void gst_gcc_driven_leave (GstGccDriven *self);

G_END_DECLS
