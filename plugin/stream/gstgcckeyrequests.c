/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgcckeyrequests.h"

#include <gst/video/video-event.h>

#include "support/gstgcctime.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

void
gst_gcc_key_requests_note_packet (
    GstGccSenderPad *pad, guint32 ssrc, guint32 timestamp, gsize bytes)
{
  GstGccDriven *driven = gst_gcc_driven_list_find_stream (pad->driven, ssrc);

  if (driven != NULL && gcc_key_cost_feed (&driven->key_cost, timestamp, bytes))
    driven->frame_at = gst_gcc_time_now ();
}

/* A request for the next frame. */
static gboolean
is_for_next_frame (GstEvent *event)
{
  GstClockTime time;

  return GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM &&
      gst_video_event_parse_upstream_force_key_unit (
          event, &time, NULL, NULL) &&
      !GST_CLOCK_TIME_IS_VALID (time);
}

static gboolean
wants_headers (GstEvent *event)
{
  gboolean all_headers = FALSE;

  gst_video_event_parse_upstream_force_key_unit (
      event, NULL, &all_headers, NULL);

  return all_headers;
}

/* --- with the controller's lock held --- */

/* (nullable) */
static GstGccDriven *
find_asked (GstGccSenderPad *pad, GstEvent *event)
{
  guint ssrc = 0;
  GstGccDriven *driven;

  gst_structure_get_uint (gst_event_get_structure (event), "ssrc", &ssrc);
  driven = gst_gcc_driven_list_find_stream (pad->driven, ssrc);

  return driven != NULL && driven->share.rate > 0 ? driven : NULL;
}

/* Takes @event. Headers that were asked for are not lost. */
static void
merge (GstGccDriven *driven, GstEvent *event, GccTime now)
{
  if (driven->key_request == NULL || !wants_headers (driven->key_request))
    gst_event_replace (&driven->key_request, event);
  gst_event_unref (event);
  driven->key_asked_at = now;
}

/* The request of @driven, where it goes upstream now. (transfer full) (nullable) */
static GstEvent *
take_due (GstGccDriven *driven, const GccKeyRequestsParams *params, GccTime now)
{
  GccRate rate = MAX (driven->share.rate, 1);
  GccKeyVerdict verdict = gst_gcc_claims_judge_key_request (
      gst_gcc_claims_of (driven->encoder.element), driven->key_asked_at,
      driven->frame_at,
      gcc_key_cost_get_interval (&driven->key_cost, params, rate), now);

  switch (verdict) {
    case GCC_KEY_PASSES:
      gcc_key_cost_requested (&driven->key_cost);
      return g_steal_pointer (&driven->key_request);
    case GCC_KEY_IS_ANSWERED:
      gst_clear_event (&driven->key_request);
      return NULL;
    case GCC_KEY_WAITS:
    default:
      return NULL;
  }
}

/* The first request that is due. Without one, and with none that waits, no packet
 * looks for one again. (transfer full) (nullable) */
static GstEvent *
take_first_due (
    GstGccSenderPad *pad, const GccKeyRequestsParams *params, GccTime now)
{
  GstEvent *due = NULL;
  gboolean waits = FALSE;

  for (guint i = 0; i < pad->driven->len && due == NULL; i++) {
    GstGccDriven *driven = gst_gcc_driven_list_get (pad->driven, i);

    if (driven->key_request != NULL)
      due = take_due (driven, params, now);
    waits = waits || driven->key_request != NULL;
  }
  if (due == NULL && !waits)
    g_atomic_int_set (&pad->key_request_waits, FALSE);

  return due;
}

/* The encoder that @event is for, where several have been merged. (transfer full)
 * (nullable) */
static GstElement *
find_merged (GstGccSenderPad *pad, GstEvent *event)
{
  GstElement *found = NULL;
  GstGccDriven *driven;

  g_mutex_lock (&pad->controller->lock);
  driven = pad->driven->len > 1 ? find_asked (pad, event) : NULL;
  if (driven != NULL)
    found = gst_object_ref (driven->encoder.element);
  g_mutex_unlock (&pad->controller->lock);

  return found;
}

/* --- */

gboolean
gst_gcc_key_requests_is_one (GstEvent *event)
{
  return GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM &&
      gst_video_event_is_force_key_unit (event);
}

gboolean
gst_gcc_key_requests_push (GstGccSenderPad *pad, GstEvent *event)
{
  GstElement *encoder = find_merged (pad, event);
  GstPad *srcpad = encoder != NULL ? gst_element_get_static_pad (encoder, "src")
                                   : NULL;
  gboolean is_taken = srcpad != NULL
      ? gst_pad_send_event (srcpad, event)
      : gst_pad_push_event (GST_PAD (pad), event);

  gst_clear_object (&srcpad);
  gst_clear_object (&encoder);

  return is_taken;
}

GstEvent *
gst_gcc_key_requests_take (
    GstGccSenderPad *pad, const GccKeyRequestsParams *params, GstEvent *event)
{
  GccTime now;
  GstGccDriven *driven;

  if (params == NULL || !is_for_next_frame (event))
    return event;

  now = gst_gcc_time_now ();
  g_mutex_lock (&pad->controller->lock);
  driven = find_asked (pad, event);
  if (driven != NULL) {
    merge (driven, event, now);
    event = take_due (driven, params, now);
    if (driven->key_request != NULL)
      g_atomic_int_set (&pad->key_request_waits, TRUE);
  }
  g_mutex_unlock (&pad->controller->lock);

  return event;
}

void
gst_gcc_key_requests_push_due (
    GstGccSenderPad *pad, const GccKeyRequestsParams *params)
{
  while (params != NULL && g_atomic_int_get (&pad->key_request_waits)) {
    GstEvent *due;

    g_mutex_lock (&pad->controller->lock);
    due = take_first_due (pad, params, gst_gcc_time_now ());
    g_mutex_unlock (&pad->controller->lock);
    if (due == NULL)
      return;
    GST_DEBUG_OBJECT (pad, "requesting a key frame that has waited");
    gst_gcc_key_requests_push (pad, due);
  }
}
