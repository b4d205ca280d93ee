/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "answer.h"

#include <gst/webrtc/webrtc.h>
#include <stdlib.h>
#include <string.h>

#define TRANSPORT_CC \
  "http://www.ietf.org/id/" \
  "draft-holmer-rmcat-transport-wide-cc-extensions-01"

/* An end that answers receives what the other end sends. The direction is the
 * value of a restriction identifier, or the first of its values. */
static void
turn_round (GValue *value)
{
  GValue turned = G_VALUE_INIT;

  if (G_VALUE_HOLDS_STRING (value)) {
    gboolean is_sent = g_strcmp0 (g_value_get_string (value), "send") == 0;

    g_value_set_string (value, is_sent ? "recv" : "send");
  } else if (GST_VALUE_HOLDS_ARRAY (value)) {
    g_value_init (&turned, GST_TYPE_ARRAY);
    for (guint i = 0; i < gst_value_array_get_size (value); i++) {
      GValue each = G_VALUE_INIT;

      gst_value_init_and_copy (&each, gst_value_array_get_value (value, i));
      if (i == 0)
        turn_round (&each);
      gst_value_array_append_and_take_value (&turned, &each);
    }
    g_value_unset (value);
    *value = turned;
  }
}

/* Fields of the caps that become lines of the answer. "a-" are lines of the other
 * end about itself, such as its SSRCs. */
static gboolean
keep_field (GQuark field, GValue *value, gpointer user_data)
{
  const gchar *name = g_quark_to_string (field);

  (void) user_data;
  if (g_str_has_prefix (name, "rid-"))
    turn_round (value);

  return !g_str_has_prefix (name, "a-") && !g_str_has_prefix (name, "ssrc");
}

static GstCaps *
get_caps (const GstSDPMedia *media, gint payload_type)
{
  GstCaps *caps = gst_sdp_media_get_caps_from_media (media, payload_type);
  GstStructure *structure;

  if (caps == NULL)
    return NULL;
  gst_sdp_media_attributes_to_caps (media, caps);
  structure = gst_caps_get_structure (caps, 0);
  gst_structure_set_name (structure, "application/x-rtp");
  gst_structure_filter_and_map_in_place (structure, keep_field, NULL);

  return caps;
}

static gboolean
has_transport_cc (const GstSDPMedia *media)
{
  gboolean has_extension = FALSE, has_feedback = FALSE;

  for (guint i = 0; i < gst_sdp_media_attributes_len (media); i++) {
    const GstSDPAttribute *attribute = gst_sdp_media_get_attribute (media, i);
    gboolean is_extension = g_str_equal (attribute->key, "extmap");
    gboolean is_feedback = g_str_equal (attribute->key, "rtcp-fb");

    has_extension |= is_extension && strstr (attribute->value, TRANSPORT_CC);
    has_feedback |= is_feedback && strstr (attribute->value, "transport-cc");
  }

  return has_extension && has_feedback;
}

/* What is only received has no transceiver before the answer is made. */
static void
ask_for (GstElement *webrtcbin, guint index, GstCaps *caps)
{
  GObject *transceiver = NULL;

  g_signal_emit_by_name (webrtcbin, "get-transceiver", index, &transceiver);
  if (transceiver != NULL)
    g_object_set (transceiver, "codec-preferences", caps, NULL);
  else
    g_signal_emit_by_name (webrtcbin, "add-transceiver",
        GST_WEBRTC_RTP_TRANSCEIVER_DIRECTION_RECVONLY, caps, &transceiver);
  g_clear_object (&transceiver);
}

guint
answer_with_feedback_of_offer (
    GstElement *webrtcbin, const GstSDPMessage *offer)
{
  guint n_with_feedback = 0;

  for (guint i = 0; i < gst_sdp_message_medias_len (offer); i++) {
    const GstSDPMedia *media = gst_sdp_message_get_media (offer, i);
    GstCaps *codecs = gst_caps_new_empty ();

    for (guint j = 0; j < gst_sdp_media_formats_len (media); j++) {
      GstCaps *caps = get_caps (
          media, atoi (gst_sdp_media_get_format (media, j)));

      if (caps != NULL)
        gst_caps_append (codecs, caps);
    }
    if (!gst_caps_is_empty (codecs))
      ask_for (webrtcbin, i, codecs);
    gst_caps_unref (codecs);
    n_with_feedback += has_transport_cc (media);
  }

  return n_with_feedback;
}
