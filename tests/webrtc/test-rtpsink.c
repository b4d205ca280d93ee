/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Calls from rtpsink to rtpsrc over the loopback interface, one for each
 * encoder.
 */

#include <gio/gio.h>
#include <gst/gst.h>

/* Of the first reports and the first estimate on a busy machine; an idle one
 * takes six seconds at most. */
#define PATIENCE (30 * G_TIME_SPAN_SECOND)

#define START_BITRATE 300000

/* The generic payloader takes what any encoder makes, AV1 too, whose own one is
 * not in GStreamer 1.22. */
#define SENDER_FORMAT \
  "videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! " \
  "video/x-raw,format=I420,width=320,height=240,framerate=15/1 ! " \
  "%s name=encoder ! rtpgstpay ! " \
  "gccsender name=gccsender manage=all ! " \
  "rtpsink uri=rtp://127.0.0.1:%d"

#define RECEIVER_FORMAT \
  "rtpsrc name=rtpsrc uri=rtp://127.0.0.1:%d " \
  "caps=application/x-rtp,media=application,encoding-name=X-GST," \
  "clock-rate=90000,payload=96 ! fakesink async=false"

typedef struct {
  const gchar *factory;
  const gchar *property;
  gint64 bits_per_unit;
} Encoder;

static const Encoder encoders[] = {
  { "vp8enc", "target-bitrate", 1 },
  { "vp9enc", "target-bitrate", 1 },
  { "x264enc", "bitrate", 1000 },
  { "openh264enc", "bitrate", 1 },
  { "av1enc", "target-bitrate", 1000 },
};

typedef struct {
  const Encoder *type;
  GstElement *sending;
  GstElement *receiving;
  GstElement *encoder;
  GstElement *gccsender;
} Call;

static GstElement *
parse (gchar *line)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  g_assert_no_error (error);
  g_free (line);

  return pipeline;
}

static gboolean
is_free (guint16 port)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GSocketAddress *address = g_inet_socket_address_new_from_string (
      "127.0.0.1", port);
  gboolean bound = g_socket_bind (socket, address, FALSE, NULL);

  g_object_unref (address);
  g_object_unref (socket);

  return bound;
}

/* An even one for RTP; RTCP has the next. */
static guint16
choose_port (void)
{
  guint16 port;

  do
    port = (guint16) (2 * g_random_int_range (10000, 16000));
  while (!is_free (port) || !is_free (port + 1));

  return port;
}

/* Names of elements in rtpsrc differ from version to version; factories do
 * not. */
static GstElement *
find_by_factory (GstBin *bin, const gchar *factory)
{
  GstIterator *all = gst_bin_iterate_all_by_element_factory_name (bin, factory);
  GValue value = G_VALUE_INIT;
  GstElement *found;

  g_assert_cmpint (gst_iterator_next (all, &value), ==, GST_ITERATOR_OK);
  found = g_value_dup_object (&value);
  g_value_unset (&value);
  gst_iterator_free (all);

  return found;
}

/* rtpsrc has linked its own elements when it is made: gccreceiver goes between
 * the socket and rtpbin. */
static void
insert_receiver (GstElement *rtpsrc)
{
  GstElement *rtpbin = find_by_factory (GST_BIN (rtpsrc), "rtpbin");
  GstElement *receiver = gst_element_factory_make ("gccreceiver", NULL);
  GstPad *rtpbin_pad = gst_element_get_static_pad (rtpbin, "recv_rtp_sink_0");
  GstPad *socket_pad = gst_pad_get_peer (rtpbin_pad);

  g_assert_true (gst_pad_unlink (socket_pad, rtpbin_pad));
  g_assert_true (gst_bin_add (GST_BIN (rtpsrc), receiver));
  g_assert_cmpint (
      gst_pad_link (socket_pad, receiver->sinkpads->data), ==, GST_PAD_LINK_OK);
  g_assert_cmpint (
      gst_pad_link (receiver->srcpads->data, rtpbin_pad), ==, GST_PAD_LINK_OK);

  gst_object_unref (socket_pad);
  gst_object_unref (rtpbin_pad);
  gst_object_unref (rtpbin);
}

static void
call_start (Call *self, const Encoder *type)
{
  guint16 port = choose_port ();
  GstElement *rtpsrc;

  self->type = type;
  self->receiving = parse (g_strdup_printf (RECEIVER_FORMAT, port));
  rtpsrc = gst_bin_get_by_name (GST_BIN (self->receiving), "rtpsrc");
  insert_receiver (rtpsrc);
  gst_object_unref (rtpsrc);

  self->sending = parse (g_strdup_printf (SENDER_FORMAT, type->factory, port));
  self->encoder = gst_bin_get_by_name (GST_BIN (self->sending), "encoder");
  self->gccsender = gst_bin_get_by_name (GST_BIN (self->sending), "gccsender");

  gst_element_set_state (self->receiving, GST_STATE_PLAYING);
  gst_element_set_state (self->sending, GST_STATE_PLAYING);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->sending, GST_STATE_NULL);
  gst_element_set_state (self->receiving, GST_STATE_NULL);
  gst_object_unref (self->encoder);
  gst_object_unref (self->gccsender);
  gst_object_unref (self->sending);
  gst_object_unref (self->receiving);
}

/* REMB and reports have come, A_s has moved, and the encoder has what is left
 * of it, in its own unit. */
static gboolean
is_controlled (Call *self)
{
  guint64 rembs = 0, reports = 0;
  GstStructure *stats;
  GValue value = G_VALUE_INIT;
  gint64 v = 0;

  g_object_get (self->gccsender, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "rembs", &rembs);
  gst_structure_get_uint64 (stats, "reports", &reports);
  gst_structure_get_int64 (stats, "v-bps", &v);
  gst_structure_free (stats);

  g_value_init (&value, G_TYPE_INT64);
  g_object_get_property (
      G_OBJECT (self->encoder), self->type->property, &value);

  return rembs > 0 && reports > 0 && v != START_BITRATE &&
      ABS (g_value_get_int64 (&value) * self->type->bits_per_unit - v) < 1000;
}

static void
assert_no_complaints (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (
      bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);

  if (message != NULL)
    g_test_message ("%" GST_PTR_FORMAT, message);
  g_assert_null (message);
  gst_object_unref (bus);
}

static void
test_encoder (gconstpointer type)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  Call call;

  call_start (&call, type);
  while (!is_controlled (&call)) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (G_USEC_PER_SEC / 20);
  }
  assert_no_complaints (call.sending);
  assert_no_complaints (call.receiving);
  call_stop (&call);
}

static gboolean
has (const gchar *factory)
{
  GstElementFactory *found = gst_element_factory_find (factory);
  gboolean has_it = found != NULL;

  gst_clear_object (&found);

  return has_it;
}

static void
test_missing (gconstpointer type)
{
  const Encoder *encoder = type;

  g_test_skip (encoder->factory);
}

int
main (int argc, char **argv)
{
  gboolean has_peers;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  has_peers = has ("rtpsink") && has ("rtpsrc");

  for (guint i = 0; i < G_N_ELEMENTS (encoders); i++) {
    gchar *path = g_strdup_printf (
        "/rtpsink/%s_follows_gccreceiver_in_rtpsrc", encoders[i].factory);

    g_test_add_data_func (path, &encoders[i],
        has_peers && has (encoders[i].factory) ? test_encoder : test_missing);
    g_free (path);
  }

  return g_test_run ();
}
