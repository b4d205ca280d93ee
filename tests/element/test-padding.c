/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What a receiver makes of packets that consist of padding. They stand here
 * after every frame, which is where gccsender puts them, from an encoder to a
 * depayloader through two rtpbins. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"
#include "exit/gstgccsequence.h"

#define N_FRAMES 60u
#define N_PADDING 2u
#define MAX_PADDING 255u

/* --- packets with padding between them --- */

static GPtrArray *
encode (const gchar *encoder)
{
  gchar *line = g_strdup_printf (
      "videotestsrc num-buffers=%u ! "
      "video/x-raw,width=320,height=240,framerate=30/1 ! %s",
      N_FRAMES, encoder);
  GPtrArray *frames = g_ptr_array_new_with_free_func (
      (GDestroyNotify) gst_buffer_unref);
  GstHarness *h = gst_harness_new_parse (line);

  gst_harness_play (h);
  for (guint i = 0; i < N_FRAMES; i++)
    g_ptr_array_add (frames, gst_harness_pull (h));
  gst_harness_teardown (h);
  g_free (line);

  return frames;
}

/* As of gccsender: after @packet, whose header it has. */
static GstBuffer *
make_padding (GstBuffer *packet, guint16 seq)
{
  guint8 data[12 + MAX_PADDING] = { 0 };
  GstBuffer *padding;

  g_assert_cmpuint (gst_buffer_extract (packet, 0, data, 12), ==, 12);
  data[0] |= 0x20;
  data[1] &= 0x7f;
  GST_WRITE_UINT16_BE (data + 2, seq);
  data[sizeof data - 1] = MAX_PADDING;
  padding = gst_buffer_new_memdup (data, sizeof data);
  GST_BUFFER_PTS (padding) = GST_BUFFER_PTS (packet);

  return padding;
}

/* Takes @packet. */
static void
add_packet (GPtrArray *packets, GstGccSequence *sequence, GstBuffer *packet)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gboolean ends_frame;

  packet = gst_buffer_make_writable (packet);
  g_assert_true (gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_seq (&rtp,
      gst_gcc_sequence_translate (sequence, gst_rtp_buffer_get_seq (&rtp)));
  ends_frame = gst_rtp_buffer_get_marker (&rtp);
  gst_rtp_buffer_unmap (&rtp);
  g_ptr_array_add (packets, packet);
  for (guint i = 0; ends_frame && i < N_PADDING; i++)
    g_ptr_array_add (
        packets, make_padding (packet, gst_gcc_sequence_pad (sequence)));
}

/* @caps: (out) (transfer full) */
static GPtrArray *
payload (const gchar *payloader, GPtrArray *frames, const gchar *media,
    GstCaps **caps)
{
  GPtrArray *packets = g_ptr_array_new_with_free_func (
      (GDestroyNotify) gst_buffer_unref);
  GstHarness *h = gst_harness_new_parse (payloader);
  GstGccSequence sequence;
  GstBuffer *packet;

  gst_gcc_sequence_init (&sequence);
  gst_harness_set_src_caps_str (h, media);
  for (guint i = 0; i < frames->len; i++) {
    gst_harness_push (h, gst_buffer_ref (g_ptr_array_index (frames, i)));
    while ((packet = gst_harness_try_pull (h)) != NULL)
      add_packet (packets, &sequence, packet);
  }
  *caps = gst_pad_get_current_caps (h->sinkpad);
  gst_harness_teardown (h);

  return packets;
}

/* --- the receiver --- */

typedef struct {
  GstElement *pipeline;
  GstPad *in;
  gint n_frames;
} Call;

static GstPadProbeReturn
count_frame (GstPad *pad, GstPadProbeInfo *info, gpointer call)
{
  (void) pad;
  (void) info;
  g_atomic_int_inc (&((Call *) call)->n_frames);

  return GST_PAD_PROBE_OK;
}

static void
call_start (Call *self, const gchar *depayloader)
{
  gchar *line = g_strdup_printf (
      "rtpbin name=sender rtpbin name=receiver "
      "identity name=in ! sender.send_rtp_sink_0 "
      "sender.send_rtp_src_0 ! receiver.recv_rtp_sink_0 "
      "receiver. ! %s ! fakesink name=out sync=false async=false",
      depayloader);
  GstElement *in, *out;
  GstPad *pad;

  *self = (Call){ .pipeline = gst_parse_launch (line, NULL) };
  in = gst_bin_get_by_name (GST_BIN (self->pipeline), "in");
  out = gst_bin_get_by_name (GST_BIN (self->pipeline), "out");
  pad = gst_element_get_static_pad (out, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_frame, self, NULL);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (in, "sink");
  self->in = gst_pad_new ("in", GST_PAD_SRC);
  gst_pad_set_active (self->in, TRUE);
  g_assert_cmpint (gst_pad_link (self->in, pad), ==, GST_PAD_LINK_OK);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  gst_object_unref (pad);
  gst_object_unref (in);
  gst_object_unref (out);
  g_free (line);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_pad_set_active (self->in, FALSE);
  gst_object_unref (self->in);
  gst_object_unref (self->pipeline);
}

static void
call_push (Call *self, GPtrArray *packets, GstCaps *caps)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (self->in, gst_event_new_stream_start ("padding"));
  gst_pad_push_event (self->in, gst_event_new_caps (caps));
  gst_pad_push_event (self->in, gst_event_new_segment (&segment));
  for (guint i = 0; i < packets->len; i++)
    g_assert_cmpint (gst_pad_push (self->in,
                         gst_buffer_ref (g_ptr_array_index (packets, i))),
        ==, GST_FLOW_OK);
}

static gboolean
has_all_frames (gpointer call)
{
  return g_atomic_int_get (&((Call *) call)->n_frames) == (gint) N_FRAMES;
}

/* What the receiver's reports are made of. */
static void
check_loses_nothing (Call *self, guint n_packets)
{
  GstElement *receiver = gst_bin_get_by_name (
      GST_BIN (self->pipeline), "receiver");
  gboolean was_seen = FALSE;
  GObject *session;
  GstStructure *stats;
  GValueArray *sources;

  g_signal_emit_by_name (receiver, "get-internal-session", 0u, &session);
  g_object_get (session, "stats", &stats, NULL);
  sources = g_value_get_boxed (gst_structure_get_value (stats, "source-stats"));
  for (guint i = 0; i < sources->n_values; i++) {
    const GstStructure *source = g_value_get_boxed (&sources->values[i]);
    guint64 n_received = 0;
    gint n_lost = G_MAXINT;

    gst_structure_get (source, "packets-received", G_TYPE_UINT64, &n_received,
        "packets-lost", G_TYPE_INT, &n_lost, NULL);
    if (n_received == 0)
      continue;
    g_assert_cmpuint (n_received, ==, n_packets);
    /* One less, where packets of the probation are not expected. */
    g_assert_cmpint (n_lost, <=, 0);
    g_assert_cmpint (n_lost, >=, -1);
    was_seen = TRUE;
  }
  g_assert_true (was_seen);

  gst_structure_free (stats);
  g_object_unref (session);
  gst_object_unref (receiver);
}

/* --- codecs --- */

typedef struct {
  const gchar *name;
  const gchar *factory;
  const gchar *encoder;
  const gchar *media;
  const gchar *payloader;
  const gchar *depayloader;
} Codec;

static const Codec codecs[] = {
  { "VP8", "vp8enc",
      "vp8enc deadline=1 target-bitrate=1500000 keyframe-max-dist=20",
      "video/x-vp8", "rtpvp8pay mtu=600", "rtpvp8depay" },
  { "VP9", "vp9enc",
      "vp9enc deadline=1 cpu-used=8 target-bitrate=1500000 "
      "keyframe-max-dist=20",
      "video/x-vp9", "rtpvp9pay mtu=600", "rtpvp9depay" },
  { "H264", "openh264enc",
      "openh264enc bitrate=1500000 gop-size=20 ! h264parse ! "
      "capsfilter caps=video/x-h264,stream-format=byte-stream,alignment=au",
      "video/x-h264,stream-format=byte-stream,alignment=au",
      "rtph264pay mtu=600", "rtph264depay" },
};

static void
test_every_frame_arrives (gconstpointer user_data)
{
  const Codec *codec = user_data;
  GPtrArray *frames, *packets;
  GstCaps *caps;
  Call call;

  if (test_is_missing (codec->factory)) {
    g_test_skip ("there is no such encoder");
    return;
  }

  frames = encode (codec->encoder);
  packets = payload (codec->payloader, frames, codec->media, &caps);
  g_assert_cmpuint (packets->len, >, N_FRAMES * (1 + N_PADDING));
  call_start (&call, codec->depayloader);
  call_push (&call, packets, caps);
  test_wait_until (has_all_frames, &call);
  check_loses_nothing (&call, packets->len);

  call_stop (&call);
  gst_caps_unref (caps);
  g_ptr_array_unref (packets);
  g_ptr_array_unref (frames);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (codecs); i++) {
    gchar *path = g_strdup_printf (
        "/padding/every_frame_arrives/%s", codecs[i].name);

    g_test_add_data_func (path, &codecs[i], test_every_frame_arrives);
    g_free (path);
  }

  return g_test_run ();
}
