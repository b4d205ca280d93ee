/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The encoders that are set, and the messages about it. */

#include <glib/gstdio.h>
#include <gst/gst.h>

#include "element-test.h"
#include "encoder-stream.h"

/* --- which encoder --- */

static gboolean
encoder_is_upstream (gpointer user_data)
{
  GstElement **elements = user_data;

  return encoder_stream_get_encoder (elements[0]) == elements[1];
}

/* They hold references to where they come from. */
static void
forget_messages (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_bus_set_flushing (bus, TRUE);
  gst_bus_set_flushing (bus, FALSE);
  gst_object_unref (bus);
}

static GstPadProbeReturn
replace_encoder (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstElement *pipeline = user_data;
  GstElement *old = gst_bin_get_by_name (GST_BIN (pipeline), "old");
  GstElement *payloader = gst_bin_get_by_name (GST_BIN (pipeline), "payloader");
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  GstElement *source = gst_pad_get_parent_element (pad);
  GstElement *new = gst_element_factory_make ("vp8enc", "new");

  (void) info;
  gst_element_unlink_many (source, old, payloader, NULL);
  gst_bin_remove (GST_BIN (pipeline), old);
  gst_element_set_state (old, GST_STATE_NULL);

  /* With nobody in its place the old one is left alone and let go. */
  encoder_stream_set_target (sender, 250000);
  g_assert_cmpuint (test_get_uint (old, "target-bitrate"), ==, START);
  forget_messages (pipeline);
  g_object_add_weak_pointer (G_OBJECT (old), (gpointer *) &old);
  gst_object_unref (old);
  g_assert_null (old);

  g_object_set (new, "deadline", G_GINT64_CONSTANT (1), NULL);
  gst_bin_add (GST_BIN (pipeline), new);
  g_assert_true (gst_element_link_many (source, new, payloader, NULL));
  gst_element_sync_state_with_parent (new);

  gst_object_unref (source);
  gst_object_unref (sender);
  gst_object_unref (payloader);

  return GST_PAD_PROBE_REMOVE;
}

/* Guards against: the encoder of the start that gets the rates for ever. */
static void
test_an_encoder_that_is_replaced_is_followed (void)
{
  GstElement *pipeline = gst_parse_launch (
      "videotestsrc name=source is-live=true ! "
      "vp8enc name=old deadline=1 ! rtpvp8pay name=payloader ! "
      "gccsender name=sender ! fakesink async=false",
      NULL);
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  GstElement *new;
  GstPad *pad = gst_element_get_static_pad (source, "src");

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER,
      replace_encoder, pipeline, NULL);
  while ((new = gst_bin_get_by_name (GST_BIN (pipeline), "new")) == NULL)
    g_thread_yield ();

  /* found with the first packet, without a report */
  test_wait_until (encoder_is_upstream, (GstElement *[]){ sender, new });
  encoder_stream_set_target (sender, 200000);
  g_assert_cmpuint (test_get_uint (new, "target-bitrate"), ==, 200000);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (new);
  gst_object_unref (pad);
  gst_object_unref (source);
  gst_object_unref (sender);
  gst_object_unref (pipeline);
}

/* Guards against: an encoder that keeps its links and leaves with its bin. */
static void
test_an_encoder_whose_bin_is_removed_is_let_go (void)
{
  GstElement *pipeline = gst_parse_launch (
      "bin.( name=camera testencoder name=encoder ! identity ) ! "
      "gccsender name=sender",
      NULL);
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  GstElement *camera = gst_bin_get_by_name (GST_BIN (pipeline), "camera");
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (pipeline), "encoder");

  test_set_unit (sender, 1);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_true (encoder_stream_get_encoder (sender) == encoder);
  gst_bin_remove (GST_BIN (pipeline), camera);
  encoder_stream_set_target (sender, 200000);
  g_assert_null (encoder_stream_get_encoder (sender));
  g_assert_cmpuint (test_get_uint (encoder, "bitrate"), ==, START);

  gst_element_set_state (camera, GST_STATE_NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (encoder);
  gst_object_unref (camera);
  gst_object_unref (sender);
  gst_object_unref (pipeline);
}

static guint
count_of_none (GstBus *bus)
{
  return test_count_warnings_with (
      bus, "No encoder found upstream of pad sink");
}

/* Guards against: a call that goes on without an encoder, and nobody knows why the rate
 * is not followed. */
static void
test_an_encoder_that_leaves_and_is_not_replaced_is_missed_once (void)
{
  GstElement *pipeline = gst_parse_launch (
      "testencoder name=encoder ! identity name=after ! "
      "gccsender name=sender",
      NULL);
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (pipeline), "encoder");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstClock *clock = gst_test_clock_new ();

  test_use_clock (pipeline, clock);
  test_set_unit (sender, 1);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_true (encoder_stream_get_encoder (sender) == encoder);
  gst_bin_remove (GST_BIN (pipeline), encoder);
  encoder_stream_set_target (sender, 200000);
  gst_test_clock_set_time (GST_TEST_CLOCK (clock), 1900 * GST_MSECOND);
  encoder_stream_set_target (sender, 210000);
  g_assert_cmpuint (count_of_none (bus), ==, 0);
  for (guint i = 0; i < 5; i++) {
    gst_test_clock_set_time (
        GST_TEST_CLOCK (clock), (2100 + 1000 * i) * GST_MSECOND);
    encoder_stream_set_target (sender, 220000 + i);
  }
  g_assert_cmpuint (count_of_none (bus), ==, 1);

  gst_element_set_state (encoder, GST_STATE_NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (encoder);
  gst_object_unref (sender);
  gst_object_unref (pipeline);
  gst_object_unref (clock);
}

/* The elements between a pipeline with an encoder and one with gccsender. */
typedef struct {
  const gchar *source;
  const gchar *encoding;
  const gchar *sending;
} Way;

#define ENCODING \
  "videotestsrc is-live=true ! " \
  "video/x-raw,format=I420,width=64,height=64,framerate=30/1 ! " \
  "vp8enc name=encoder deadline=1 keyframe-max-dist=1 ! "
#define SENDING " ! rtpvp8pay ! gccsender name=sender ! fakesink async=false"

static const Way other_pipeline = { "proxysrc", ENCODING "proxysink name=way",
  "proxysrc name=way" SENDING };
static const Way other_process = { "shmsrc",
  ENCODING "shmsink name=way wait-for-connection=false",
  "shmsrc name=way is-live=true do-timestamp=true ! "
  "video/x-vp8,width=64,height=64,framerate=30/1" SENDING };

static void
join (GstElement *encoding, GstElement *sending, const gchar *socket)
{
  GstElement *from = gst_bin_get_by_name (GST_BIN (encoding), "way");
  GstElement *to = gst_bin_get_by_name (GST_BIN (sending), "way");

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (to), "proxysink") !=
      NULL) {
    g_object_set (to, "proxysink", from, NULL);
  } else {
    g_object_set (from, "socket-path", socket, NULL);
    g_object_set (to, "socket-path", socket, NULL);
  }
  gst_object_unref (from);
  gst_object_unref (to);
}

static gboolean
is_missed (gpointer bus)
{
  return count_of_none (bus) > 0;
}

/* Guards against: an encoder that nobody sets, and nobody knows. */
static void
test_an_encoder_out_of_reach_is_missed_and_may_be_given (gconstpointer data)
{
  const Way *way = data;
  gchar *directory = g_dir_make_tmp ("gcc-XXXXXX", NULL);
  gchar *socket = g_build_filename (directory, "socket", NULL);
  GstElementFactory *factory = gst_element_factory_find (way->source);
  GstElement *encoding, *sending, *encoder, *sender;
  GstBus *bus;

  if (factory == NULL) {
    g_test_skip (way->source);
    g_rmdir (directory);
    g_free (directory);
    g_free (socket);
    return;
  }
  gst_object_unref (factory);
  encoding = gst_parse_launch (way->encoding, NULL);
  sending = gst_parse_launch (way->sending, NULL);
  encoder = gst_bin_get_by_name (GST_BIN (encoding), "encoder");
  sender = gst_bin_get_by_name (GST_BIN (sending), "sender");
  bus = gst_element_get_bus (sending);
  join (encoding, sending, socket);

  gst_element_set_state (encoding, GST_STATE_PLAYING);
  gst_element_set_state (sending, GST_STATE_PLAYING);
  test_wait_until (is_missed, bus);
  gst_child_proxy_set (
      GST_CHILD_PROXY (sender), "sink::encoder", encoder, NULL);
  encoder_stream_set_target (sender, 200000);
  encoder_stream_set_target (sender, 100000);
  g_assert_cmpuint (test_get_uint (encoder, "target-bitrate"), ==, 100000);
  g_assert_cmpuint (count_of_none (bus), ==, 0);

  gst_element_set_state (sending, GST_STATE_NULL);
  gst_element_set_state (encoding, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (encoder);
  gst_object_unref (sender);
  gst_object_unref (sending);
  gst_object_unref (encoding);
  g_rmdir (directory);
  g_free (directory);
  g_free (socket);
}

static void
test_a_pads_encoder_takes_effect_while_playing (void)
{
  EncoderStream stream;
  TestEncoder *given = (TestEncoder *) test_make ("testencoder");
  GstPad *pad;

  encoder_stream_start (&stream);
  pad = gst_element_get_static_pad (stream.sender, "sink");
  g_assert_true (
      encoder_stream_get_encoder (pad) == GST_ELEMENT (stream.encoder));

  g_object_set (pad, "encoder", given, NULL);
  encoder_stream_push (&stream);
  encoder_stream_set_target (stream.sender, 200000);
  g_assert_cmpuint (given->bitrate, ==, 200000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, START);
  g_assert_true (encoder_stream_get_encoder (pad) == GST_ELEMENT (given));

  g_object_set (pad, "encoder", NULL, NULL);
  encoder_stream_push (&stream);
  encoder_stream_set_target (stream.sender, 100000);
  g_assert_cmpuint (given->bitrate, ==, 200000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 100000);
  g_assert_true (
      encoder_stream_get_encoder (pad) == GST_ELEMENT (stream.encoder));

  gst_object_unref (pad);
  gst_object_unref (given);
  encoder_stream_stop (&stream);
}

/* Guards against: references to rtpulpfecenc and rtprtxsend until the next
 * start. */
static void
test_after_null_the_pipeline_is_not_referenced (void)
{
  const gchar *names[] = { "encoder", "fec", "rtx" };
  GstElement *elements[G_N_ELEMENTS (names)];
  GstElement *pipeline = gst_parse_launch (
      "testencoder name=encoder ! rtpulpfecenc name=fec pt=100 ! "
      "rtprtxsend name=rtx ! gccsender name=sender",
      NULL);
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");

  test_set_unit (sender, 1);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_nonnull (encoder_stream_get_encoder (sender));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    elements[i] = gst_bin_get_by_name (GST_BIN (pipeline), names[i]);
    gst_object_unref (elements[i]);
    g_object_add_weak_pointer (
        G_OBJECT (elements[i]), (gpointer *) &elements[i]);
  }

  test_stop (pipeline);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_null (elements[i]);
  gst_object_unref (sender);
}

/* --- who is told --- */

static guint
count_messages (GstBus *bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    gst_message_unref (message);
    n++;
  }

  return n;
}

static void
count_notify (GObject *sender, GParamSpec *pspec, gpointer n_notified)
{
  (void) sender;
  (void) pspec;
  ++*(guint *) n_notified;
}

static gboolean
message_comes (gpointer stream)
{
  EncoderStream *self = stream;

  encoder_stream_set_target (
      self->sender, test_get_uint (self->sender, "max-bitrate"));

  return count_messages (GST_ELEMENT_BUS (self->sender)) > 0;
}

/* Changes the target until @n_messages have come, and 1000 times at least.
 * Returns how often. */
static guint
change_until (GstElement *sender, guint n_messages)
{
  guint n_seen = 0, n = 0;

  while (n < 1000 || n_seen < n_messages) {
    encoder_stream_set_target (sender, 200000 + n++ % 2);
    if (n_seen < n_messages)
      n_seen += count_messages (GST_ELEMENT_BUS (sender));
  }

  return n;
}

/* Guards against: a bus nobody reads that fills the memory. */
static void
test_messages_come_ten_times_a_second_at_most (void)
{
  EncoderStream stream;
  GstBus *bus = gst_bus_new ();
  guint n_notified = 0, n_changes;
  gint64 start;

  encoder_stream_start (&stream);
  gst_element_set_bus (stream.sender, bus);
  g_signal_connect (stream.sender, "notify::target-bitrate",
      G_CALLBACK (count_notify), &n_notified);

  /* Between four of them lie 0.3 s, however slow the machine is. */
  start = g_get_monotonic_time ();
  n_changes = change_until (stream.sender, 4);
  g_assert_cmpint (
      g_get_monotonic_time () - start, >=, 3 * G_USEC_PER_SEC / 10);
  g_assert_cmpuint (n_changes, >, 100);
  g_assert_cmpuint (n_notified, ==, n_changes);

  /* A change too soon after a message is posted with a later report. */
  encoder_stream_set_target (stream.sender, 250000);
  test_wait_until (message_comes, &stream);

  g_object_set (stream.sender, "post-messages", FALSE, NULL);
  change_until (stream.sender, 0);
  g_assert_cmpuint (count_messages (bus), ==, 0);

  gst_element_set_bus (stream.sender, NULL);
  gst_object_unref (bus);
  encoder_stream_stop (&stream);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
  test_encoder_register ();

#define ADD(name) g_test_add_func ("/encoders/" #name, test_##name)
  ADD (an_encoder_that_is_replaced_is_followed);
  ADD (an_encoder_whose_bin_is_removed_is_let_go);
  ADD (an_encoder_that_leaves_and_is_not_replaced_is_missed_once);
  g_test_add_data_func (
      "/encoders/an_encoder_out_of_reach_is_missed_and_may_be_given/pipeline",
      &other_pipeline, test_an_encoder_out_of_reach_is_missed_and_may_be_given);
  g_test_add_data_func (
      "/encoders/an_encoder_out_of_reach_is_missed_and_may_be_given/process",
      &other_process, test_an_encoder_out_of_reach_is_missed_and_may_be_given);
  ADD (a_pads_encoder_takes_effect_while_playing);
  ADD (after_null_the_pipeline_is_not_referenced);
  ADD (messages_come_ten_times_a_second_at_most);
#undef ADD

  return g_test_run ();
}
