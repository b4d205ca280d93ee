/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgccprotection.h"

#include "session/gstgccsession.h"
#include "session/gstgccwalk.h"

#define FEC_FACTORY "rtpulpfecenc"
#define RTX_FACTORY "rtprtxsend"
#define RED_FACTORY "rtpredenc"

/* RFC 2198: the first bit of a block header tells whether another follows. */
#define RED_PAYLOAD_TYPE_MASK 0x7f

static gboolean
is_made_by (GstElement *element, const gchar *name)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory != NULL && g_str_equal (GST_OBJECT_NAME (factory), name);
}

/* webrtcbin always has these elements. Those that were not negotiated have no
 * payload types and do nothing. */
static gboolean
is_in_webrtcbin (GstElement *element)
{
  GstObject *parent = gst_object_get_parent (GST_OBJECT (element));
  gboolean found = FALSE;

  while (parent != NULL && !found) {
    GstObject *next = gst_object_get_parent (parent);

    found = g_str_equal (G_OBJECT_TYPE_NAME (parent), "GstWebRTCBin");
    gst_object_unref (parent);
    parent = next;
  }
  gst_clear_object (&parent);

  return found;
}

static gboolean
is_encoder (GstElement *element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory != NULL &&
      gst_element_factory_list_is_type (
          factory, GST_ELEMENT_FACTORY_TYPE_ENCODER);
}

/* --- upstream --- */

void
gst_gcc_protection_clear (GstGccProtection *self)
{
  g_clear_pointer (&self->fecs, g_ptr_array_unref);
  gst_clear_object (&self->rtx);
  *self = (GstGccProtection){ .percentage = -1, .red_payload_type = -1 };
}

void
gst_gcc_protection_exchange (GstGccProtection *self, GstGccProtection *other)
{
  GstGccProtection copy = *self;

  *self = *other;
  *other = copy;
}

/* When two share a payload type, the order in which they were found does not
 * matter. */
static void
set_kind (GstGccProtection *self, guint payload_type, GccSentKind kind)
{
  if (payload_type < GST_GCC_PROTECTION_N_PAYLOAD_TYPES)
    self->kinds[payload_type] = MAX (self->kinds[payload_type], kind);
}

static gboolean
take_retransmission_type (GQuark field, const GValue *value, gpointer self)
{
  (void) field;
  if (G_VALUE_HOLDS_UINT (value))
    set_kind (self, g_value_get_uint (value), GCC_SENT_RTX);

  return TRUE;
}

static void
take_retransmission_types (GstGccProtection *self)
{
  GstStructure *map;

  g_object_get (self->rtx, "payload-type-map", &map, NULL);
  if (map == NULL)
    return;
  gst_structure_foreach (map, take_retransmission_type, self);
  gst_structure_free (map);
}

/* Without a payload type it does nothing: in webrtcbin that is 0 (1.22), which is
 * PCMU's elsewhere. */
static void
take_red_type (GstGccProtection *self, GstElement *red)
{
  gint payload_type;

  g_object_get (red, "pt", &payload_type, NULL);
  if (payload_type != 0 || !is_in_webrtcbin (red))
    self->red_payload_type = payload_type;
}

/* An element may be reached by several of its pads. */
static void
take_fec (GstGccProtection *self, GstElement *fec)
{
  guint payload_type;

  g_object_get (fec, "pt", &payload_type, NULL);
  set_kind (self, payload_type, GCC_SENT_FEC);
  if (self->fecs == NULL)
    self->fecs = g_ptr_array_new_with_free_func (gst_object_unref);
  if (!g_ptr_array_find (self->fecs, fec, NULL))
    g_ptr_array_add (self->fecs, gst_object_ref (fec));
}

static gboolean
collect_upstream (GstElement *element, gpointer user_data)
{
  GstGccProtection *self = user_data;

  if (is_made_by (element, FEC_FACTORY)) {
    take_fec (self, element);
  } else if (is_made_by (element, RTX_FACTORY)) {
    gst_object_replace ((GstObject **) &self->rtx, GST_OBJECT (element));
    take_retransmission_types (self);
  } else if (is_made_by (element, RED_FACTORY)) {
    take_red_type (self, element);
  }

  return is_encoder (element);
}

void
gst_gcc_protection_find (
    GstGccProtection *self, GstPad *sinkpad, gint media_payload_type)
{
  gst_gcc_protection_clear (self);
  g_ptr_array_unref (gst_gcc_walk_find_all (sinkpad, collect_upstream, self));
  /* When media shares a type with FEC, most of the packets are media. */
  if (media_payload_type >= 0 &&
      media_payload_type < GST_GCC_PROTECTION_N_PAYLOAD_TYPES)
    self->kinds[media_payload_type] = GCC_SENT_VIDEO;
}

GccSentKind
gst_gcc_protection_get_kind (
    const GstGccProtection *self, GstRTPBuffer *rtp, GccSentKind media)
{
  gint payload_type = gst_rtp_buffer_get_payload_type (rtp);

  if (payload_type == self->red_payload_type &&
      gst_rtp_buffer_get_payload_len (rtp) > 0) {
    const guint8 *payload = gst_rtp_buffer_get_payload (rtp);

    payload_type = payload[0] & RED_PAYLOAD_TYPE_MASK;
  }

  return self->kinds[payload_type] != GCC_SENT_VIDEO ? self->kinds[payload_type]
                                                     : media;
}

static gboolean
has_kind (const GstGccProtection *self, GccSentKind kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->kinds); i++)
    if (self->kinds[i] == kind)
      return TRUE;

  return FALSE;
}

GstGccPaddingKind
gst_gcc_protection_get_padding (const GstGccProtection *self)
{
  if (has_kind (self, GCC_SENT_RTX))
    return GST_GCC_PADDING_RETRANSMISSIONS;
  if (has_kind (self, GCC_SENT_FEC) || self->red_payload_type >= 0)
    return GST_GCC_PADDING_NONE;

  return GST_GCC_PADDING_PACKETS;
}

void
gst_gcc_protection_set_percentage (GPtrArray *fecs, guint percentage)
{
  for (guint i = 0; i < fecs->len; i++)
    g_object_set (g_ptr_array_index (fecs, i), "percentage", percentage,
        "percentage-important", percentage, NULL);
}

/* --- settings that do not work --- */

static gboolean
adds_fec (GstElement *element)
{
  guint payload_type;

  if (!is_made_by (element, FEC_FACTORY))
    return FALSE;

  g_object_get (element, "pt", &payload_type, NULL);
  return payload_type < GST_GCC_PROTECTION_N_PAYLOAD_TYPES;
}

static gboolean
adds_retransmissions (GstElement *element)
{
  GstStructure *map;
  gboolean adds;

  if (!is_made_by (element, RTX_FACTORY))
    return FALSE;

  g_object_get (element, "payload-type-map", &map, NULL);
  adds = map != NULL && gst_structure_n_fields (map) > 0;
  g_clear_pointer (&map, gst_structure_free);

  return adds;
}

static gboolean
is_late_or_session (GstElement *element, gpointer user_data)
{
  (void) user_data;

  return adds_fec (element) || adds_retransmissions (element) ||
      gst_gcc_session_is_in (element);
}

/* Protection that is added downstream of @element counts in neither r_FEC,
 * r_RTX nor A_s. */
static void
check_downstream (GstElement *element, GstPad *srcpad)
{
  GstElement *late = gst_gcc_walk_find (srcpad, is_late_or_session, NULL);

  if (late != NULL && !gst_gcc_session_is_in (late))
    GST_ELEMENT_WARNING (element, STREAM, WRONG_TYPE,
        ("%s adds packets downstream of %s: the target bitrate is exceeded.",
            GST_OBJECT_NAME (late), GST_OBJECT_NAME (element)),
        ("gccsender counts only what passes through it. Place it downstream of "
         "%s, in rtpbin and webrtcbin with request-aux-sender.",
            GST_OBJECT_NAME (late)));
  gst_clear_object (&late);
}

static void
check_fec (const GstGccProtection *self, GstElement *fec, GstElement *element,
    gint media_payload_type)
{
  guint payload_type;

  g_object_get (fec, "pt", &payload_type, NULL);
  if (payload_type >= GST_GCC_PROTECTION_N_PAYLOAD_TYPES) {
    if (is_in_webrtcbin (fec))
      return;
    GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS,
        ("%s has no payload type.", GST_OBJECT_NAME (fec)),
        ("Set its property \"pt\" to a free dynamic payload type, 96 to 127."));
  } else if ((gint) payload_type == media_payload_type ||
      self->kinds[payload_type] == GCC_SENT_RTX)
    GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS,
        ("%s uses payload type %u for FEC, which %s uses already.",
            GST_OBJECT_NAME (fec), payload_type,
            self->kinds[payload_type] == GCC_SENT_RTX ? "retransmission"
                                                      : "the media"),
        ("Set its property \"pt\" to a free dynamic payload type, 96 to 127: "
         "receivers and gccsender tell FEC from media by it."));
}

static void
check_rtx (const GstGccProtection *self, GstElement *element)
{
  if (!adds_retransmissions (self->rtx) && !is_in_webrtcbin (self->rtx))
    GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS,
        ("%s has no payload types: nothing is retransmitted.",
            GST_OBJECT_NAME (self->rtx)),
        ("Set its property \"payload-type-map\", for example "
         "payload-type-map=\"application/x-rtp-pt-map,96=(uint)97\"."));
}

void
gst_gcc_protection_check (const GstGccProtection *self, GstElement *element,
    GstPad *srcpad, gint media_payload_type)
{
  for (guint i = 0; self->fecs != NULL && i < self->fecs->len; i++)
    check_fec (
        self, g_ptr_array_index (self->fecs, i), element, media_payload_type);
  if (self->rtx != NULL)
    check_rtx (self, element);
  check_downstream (element, srcpad);
}
