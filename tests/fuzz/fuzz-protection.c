/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What a packet is, by the elements upstream that protect the stream: FEC, a
 * retransmission, or media, with RED around it or not. */

#include <gst/rtp/rtp.h>

#include "stream/gstgccprotection.h"
#include "fuzz-gst.h"
#include "fuzz.h"

#define MAX_TYPES 3
#define N_TYPES GST_GCC_PROTECTION_N_PAYLOAD_TYPES

static GstElement *fec, *rtx, *red;
static GstPad *sinkpad;

static void
load (const gchar *plugin)
{
  GError *error = NULL;

  if (gst_plugin_load_file (plugin, &error) == NULL)
    g_error ("%s", error->message);
}

static GstElement *
make (const gchar *factory)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  g_assert_nonnull (element);
  return gst_object_ref_sink (element);
}

void
fuzz_init (void)
{
  GstPad *pad;

  fuzz_gst_init ();
  load (RTP_MANAGER);
  load (RTP_PLUGIN);
  fec = make ("rtpulpfecenc");
  red = make ("rtpredenc");
  rtx = make ("rtprtxsend");
  sinkpad = gst_object_ref_sink (gst_pad_new ("sink", GST_PAD_SINK));
  g_assert_true (gst_element_link (fec, red));
  g_assert_true (gst_element_link (red, rtx));
  pad = gst_element_get_static_pad (rtx, "src");
  g_assert_cmpint (gst_pad_link (pad, sinkpad), ==, GST_PAD_LINK_OK);
  gst_object_unref (pad);
}

/* --- settings --- */

typedef struct {
  guint fec_type;
  gint red_type;
  gint media_type;
  gboolean is_rtx[N_TYPES];
} Settings;

static void
map_retransmissions (Settings *self, Fuzz *input)
{
  GstStructure *map = gst_structure_new_empty ("application/x-rtp-pt-map");

  for (guint n = fuzz_up_to (input, MAX_TYPES); n > 0; n--) {
    g_autofree gchar *name = g_strdup_printf ("%u", fuzz_uint8 (input));
    guint type = fuzz_uint8 (input);

    gst_structure_set (map, name, G_TYPE_UINT, type, NULL);
  }
  for (gint i = 0; i < gst_structure_n_fields (map); i++) {
    guint type = G_MAXUINT;

    gst_structure_get_uint (
        map, gst_structure_nth_field_name (map, (guint) i), &type);
    if (type < N_TYPES)
      self->is_rtx[type] = TRUE;
  }
  g_object_set (rtx, "payload-type-map", map, NULL);
  gst_structure_free (map);
}

static void
set_types (Settings *self, Fuzz *input)
{
  *self = (Settings){ .fec_type = fuzz_uint8 (input),
    .red_type = (gint) fuzz_up_to (input, N_TYPES - 1),
    .media_type = (gint) fuzz_up_to (input, N_TYPES) - 1 };
  g_object_set (fec, "pt", self->fec_type, NULL);
  g_object_set (red, "pt", self->red_type, NULL);
  g_object_get (fec, "pt", &self->fec_type, NULL);
  map_retransmissions (self, input);
}

/* --- what must hold --- */

static GccSentKind
expect (const Settings *self, gint type, GccSentKind media)
{
  if (type == self->media_type)
    return media;
  if (self->is_rtx[type])
    return GCC_SENT_RTX;
  return (guint) type == self->fec_type ? GCC_SENT_FEC : media;
}

static void
check_packet (const GstGccProtection *self, const Settings *settings,
    GstBuffer *buffer, GccSentKind media)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gint type;

  if (gst_buffer_n_memory (buffer) == 0 ||
      !gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return;
  type = gst_rtp_buffer_get_payload_type (&rtp);
  if (type == settings->red_type && gst_rtp_buffer_get_payload_len (&rtp) > 0)
    type = *(const guint8 *) gst_rtp_buffer_get_payload (&rtp) & 0x7f;
  g_assert_cmpint (gst_gcc_protection_get_kind (self, &rtp, media), ==,
      expect (settings, type, media));
  gst_rtp_buffer_unmap (&rtp);
}

/* FEC is there, and padding would move the numbers that it refers to. */
static void
check_padding (const GstGccProtection *self)
{
  GstGccPaddingKind kind = gst_gcc_protection_get_padding (self);

  g_assert_cmpint (kind, >=, GST_GCC_PADDING_NONE);
  g_assert_cmpint (kind, <=, GST_GCC_PADDING_RETRANSMISSIONS);
}

void
fuzz_one (Fuzz *input)
{
  GccSentKind media = fuzz_once_in (input, 2) ? GCC_SENT_AUDIO : GCC_SENT_VIDEO;
  GstGccProtection self = { 0 };
  Settings settings;
  GstBuffer *buffer;
  const guint8 *data;
  gsize size;

  set_types (&settings, input);
  gst_gcc_protection_clear (&self);
  gst_gcc_protection_find (&self, sinkpad, settings.media_type);
  g_assert_cmpuint (self.fecs->len, ==, 1);
  g_assert_true (g_ptr_array_index (self.fecs, 0) == fec && self.rtx == rtx);
  check_padding (&self);
  gst_gcc_protection_set_percentage (self.fecs, fuzz_up_to (input, 100));
  data = fuzz_bytes (input, G_MAXSIZE, &size);
  buffer = fuzz_buffer_new (data, size);
  check_packet (&self, &settings, buffer, media);
  gst_buffer_unref (buffer);
  gst_gcc_protection_clear (&self);
}
