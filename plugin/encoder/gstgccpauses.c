/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "encoder/gstgccpauses.h"

#include <gst/video/video.h>

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

/* A resumption costs a key frame, several times the size of other pictures: there is
 * to be room for it, and it is not to be for nothing. A trial is to have reports. */
static const GccLayersParams params = {
  .margin = 1.1,
  .patience = 1 * GCC_SECOND,
  .rest = 1 * GCC_SECOND,
  .max_rest = 5 * GCC_SECOND,
  .trial = 5 * GCC_SECOND,
};

static guint
get_priority (GstGccSenderPad *pad)
{
  guint priority;

  GST_OBJECT_LOCK (pad);
  priority = pad->priority;
  GST_OBJECT_UNLOCK (pad);

  return priority;
}

/* --- choosing --- */

static void
add_bundle (GArray *layers, GstGccSenderPad *pad)
{
  for (guint i = 0; i < pad->driven->len; i++) {
    GstGccDriven *driven = gst_gcc_driven_list_get (pad->driven, i);
    GccLayer layer = { .min = driven->share.min,
      .priority =
          gst_gcc_sender_pad_get_encoder_settings (pad, driven).priority,
      .is_pausable = gst_gcc_sender_pad_is_pausable (pad),
      .pause = &driven->pause };

    g_array_append_val (layers, layer);
  }
}

static void
add_stream (GArray *layers, const GstGccStreamShare *stream)
{
  GstGccSenderPad *pad = stream->pad;
  GccLayer layer = { .min = stream->share.min,
    .priority = get_priority (pad),
    .is_pausable = gst_gcc_sender_pad_is_pausable (pad),
    .pause = pad->driven->len > 0
        ? &gst_gcc_driven_list_get (pad->driven, 0)->pause
        : &pad->pause };

  g_array_append_val (layers, layer);
}

static void
sum_up_bundle (GstGccStreamShare *stream)
{
  GstGccSenderPad *pad = stream->pad;
  GccRate min = 0, max = 0;

  for (guint i = 0; i < pad->driven->len; i++) {
    const GstGccDriven *driven = gst_gcc_driven_list_get (pad->driven, i);

    if (driven->pause.is_paused)
      continue;
    min += driven->share.min;
    max += driven->share.max;
  }
  stream->share.min = min;
  stream->share.max = MAX (MIN (stream->share.max, max), min);
}

static void
sum_up (GstGccStreamShare *stream)
{
  stream->is_paused = gst_gcc_pauses_cover (stream->pad);
  if (stream->pad->driven->len > 1 &&
      gst_gcc_sender_pad_is_pausable (stream->pad))
    sum_up_bundle (stream);
}

GstGccChoice
gst_gcc_pauses_choose (GArray *streams, GccRate rate, GccTime now)
{
  GArray *layers = g_array_new (FALSE, FALSE, sizeof (GccLayer));
  GstGccChoice choice = { 0 };

  for (guint i = 0; i < streams->len; i++) {
    const GstGccStreamShare *stream = &g_array_index (
        streams, GstGccStreamShare, i);

    if (stream->pad->driven->len > 1)
      add_bundle (layers, stream->pad);
    else
      add_stream (layers, stream);
  }
  if (layers->len > 0) {
    GccLayer *first = &g_array_index (layers, GccLayer, 0);

    choice.resumes = gcc_layers_choose (&params, rate, first, layers->len, now);
    choice.wanted = gcc_layers_get_wanted (&params, first, layers->len);
  }
  for (guint i = 0; i < streams->len; i++)
    sum_up (&g_array_index (streams, GstGccStreamShare, i));
  g_array_unref (layers);

  return choice;
}

void
gst_gcc_pauses_end (GstGccSenderPad *pad)
{
  gcc_pause_init (&pad->pause);
  for (guint i = 0; i < pad->driven->len; i++)
    gcc_pause_init (&gst_gcc_driven_list_get (pad->driven, i)->pause);
}

gboolean
gst_gcc_pauses_cover (GstGccSenderPad *pad)
{
  for (guint i = 0; i < pad->driven->len; i++)
    if (!gst_gcc_driven_list_get (pad->driven, i)->pause.is_paused)
      return FALSE;

  return pad->driven->len > 0 || pad->pause.is_paused;
}

gboolean
gst_gcc_pauses_need_drops (GstGccSenderPad *pad)
{
  for (guint i = 0; i < pad->driven->len; i++)
    if (!gst_gcc_claims_are_paused (gst_gcc_claims_of (
            gst_gcc_driven_list_get (pad->driven, i)->encoder.element)))
      return TRUE;

  return pad->driven->len == 0;
}

/* --- telling --- */

static void
ask_for_key_frame (GstGccSenderPad *pad, GstElement *encoder)
{
  GstPad *srcpad = encoder != NULL ? gst_element_get_static_pad (encoder, "src")
                                   : NULL;
  GstEvent *event = gst_video_event_new_upstream_force_key_unit (
      GST_CLOCK_TIME_NONE, TRUE, 0);

  if (srcpad != NULL)
    gst_pad_send_event (srcpad, event);
  else
    gst_pad_push_event (GST_PAD (pad), event);
  gst_clear_object (&srcpad);
}

void
gst_gcc_pauses_tell (
    GstGccSenderPad *pad, GstElement *encoder, gboolean is_paused)
{
  GST_INFO_OBJECT (pad, "%s%s%s", is_paused ? "paused" : "resumed",
      encoder != NULL ? ": " : "",
      encoder != NULL ? GST_OBJECT_NAME (encoder) : "");
  if (encoder != NULL)
    gst_gcc_claims_tell (gst_gcc_claims_of (encoder), encoder);
  else
    gst_pad_push_event (GST_PAD (pad), gst_gcc_claims_new_event (is_paused));
  if (!is_paused)
    ask_for_key_frame (pad, encoder);
}
