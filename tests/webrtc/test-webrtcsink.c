/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A call of gst-plugins-rs: whipclientsink, of webrtcsink's family, to
 * whipserversrc in the same process. They make the element of the name rtpgccbwe
 * by themselves. The first argument is the program that knows where they are.
 */

#include <gio/gio.h>
#include <gst/gst.h>

#include "element-test.h"

#define START 300000u
#define WRITTEN 150000u

typedef struct {
  GstElement *sending;
  GstElement *receiving;
  GMutex lock;
  /* by the lock, from threads of the two */
  GstElement *bwe;
  GstElement *encoder;
  /* atomic */
  gint n_receiving;
} Call;

/* --- where the elements are --- */

/* @finder prints the folder of what it has built. */
static void
load_what_is_built (const gchar *finder)
{
  gchar *quoted = g_shell_quote (finder);
  gchar *command = g_strconcat (quoted, " --which webrtcsink", NULL);
  gchar *folder = NULL, *said = NULL;
  gint status;

  if (g_spawn_command_line_sync (command, &folder, &said, &status, NULL) &&
      status == 0)
    gst_registry_scan_path (gst_registry_get (), g_strstrip (folder));
  g_free (said);
  g_free (folder);
  g_free (command);
  g_free (quoted);
}

/* --- the call --- */

static guint16
find_free_port (void)
{
  GSocketListener *listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);

  g_assert_cmpuint (port, !=, 0);
  g_socket_listener_close (listener);
  g_object_unref (listener);

  return port;
}

static gboolean
is_a (GstElement *element, const gchar *name)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory != NULL && g_strcmp0 (GST_OBJECT_NAME (factory), name) == 0;
}

static void
keep (Call *self, GstElement **place, GstElement *element)
{
  g_mutex_lock (&self->lock);
  gst_object_replace ((GstObject **) place, GST_OBJECT (element));
  g_mutex_unlock (&self->lock);
}

static void
sender_added (
    GstBin *bin, GstBin *parent, GstElement *element, gpointer user_data)
{
  Call *self = user_data;

  (void) bin;
  (void) parent;
  if (is_a (element, "webrtcbin"))
    test_leave_upnp_out (element);
  if (is_a (element, "rtpgccbwe"))
    keep (self, &self->bwe, element);
}

static void
receiver_added (
    GstBin *bin, GstBin *parent, GstElement *element, gpointer user_data)
{
  Call *self = user_data;

  (void) bin;
  (void) parent;
  if (!is_a (element, "webrtcbin"))
    return;
  test_leave_upnp_out (element);
  g_atomic_int_inc (&self->n_receiving);
}

static void
receiver_removed (
    GstBin *bin, GstBin *parent, GstElement *element, gpointer user_data)
{
  Call *self = user_data;

  (void) bin;
  (void) parent;
  if (is_a (element, "webrtcbin"))
    g_atomic_int_add (&self->n_receiving, -1);
}

static void
consumer_pipeline_created (GstElement *sink, const gchar *consumer,
    GstElement *pipeline, gpointer call)
{
  (void) sink;
  (void) consumer;
  g_signal_connect (
      pipeline, "deep-element-added", G_CALLBACK (sender_added), call);
}

/* The one of a discovery is another one. */
static gboolean
set_up_encoder (GstElement *sink, const gchar *consumer, const gchar *stream,
    GstElement *encoder, gpointer user_data)
{
  Call *self = user_data;

  (void) sink;
  (void) stream;
  if (g_strcmp0 (consumer, "discovery") != 0)
    keep (self, &self->encoder, encoder);

  return FALSE;
}

static void
start_receiving (Call *self, guint16 port)
{
  gchar *line = g_strdup_printf (
      "whipserversrc stun-server=NULL "
      "signaller::host-addr=http://127.0.0.1:%u ! fakesink async=false",
      port);

  self->receiving = test_parse (line);
  g_free (line);
  g_signal_connect (
      self->receiving, "deep-element-added", G_CALLBACK (receiver_added), self);
  g_signal_connect (self->receiving, "deep-element-removed",
      G_CALLBACK (receiver_removed), self);
  gst_element_set_state (self->receiving, GST_STATE_PLAYING);
}

static void
start_sending (Call *self, guint16 port)
{
  gchar *line = g_strdup_printf (
      "videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! "
      "video/x-raw,width=320,height=240,framerate=30/1 ! "
      "whipclientsink name=sink stun-server=NULL video-caps=video/x-vp8 "
      "do-fec=false start-bitrate=%u "
      "signaller::whip-endpoint=http://127.0.0.1:%u/whip/endpoint",
      START, port);
  GstElement *sink;

  self->sending = test_parse (line);
  g_free (line);
  sink = gst_bin_get_by_name (GST_BIN (self->sending), "sink");
  g_signal_connect (sink, "consumer-pipeline-created",
      G_CALLBACK (consumer_pipeline_created), self);
  g_signal_connect (sink, "encoder-setup", G_CALLBACK (set_up_encoder), self);
  gst_object_unref (sink);
  gst_element_set_state (self->sending, GST_STATE_PLAYING);
}

static void
call_start (Call *self)
{
  guint16 port = find_free_port ();

  test_tolerate_race_of_rtpsession ();
  *self = (Call){ 0 };
  g_mutex_init (&self->lock);
  start_receiving (self, port);
  start_sending (self, port);
}

static gboolean
has_hung_up (gpointer user_data)
{
  Call *self = user_data;

  return g_atomic_int_get (&self->n_receiving) == 0;
}

/* The sender deletes its session at the server, which takes it apart in another
 * thread; a server that is stopped meanwhile frees it while it is PAUSED. */
static void
call_stop (Call *self)
{
  gst_element_set_state (self->sending, GST_STATE_NULL);
  test_wait_until (has_hung_up, self);
  gst_element_set_state (self->receiving, GST_STATE_NULL);
  gst_clear_object (&self->bwe);
  gst_clear_object (&self->encoder);
  gst_object_unref (self->sending);
  gst_object_unref (self->receiving);
  g_mutex_clear (&self->lock);
}

/* --- what is seen of it --- */

static guint
get_encoder_rate (Call *self)
{
  gint rate;

  g_object_get (self->encoder, "target-bitrate", &rate, NULL);

  return (guint) rate;
}

static gboolean
has_both (gpointer user_data)
{
  Call *self = user_data;
  gboolean has;

  g_mutex_lock (&self->lock);
  has = self->bwe != NULL && self->encoder != NULL;
  g_mutex_unlock (&self->lock);

  return has;
}

/* By feedback about packets that arrived at the other end. */
static gboolean
has_risen (gpointer user_data)
{
  Call *self = user_data;

  return test_get_uint (self->bwe, "estimated-bitrate") > 2 * START &&
      get_encoder_rate (self) > 2 * START;
}

static void
test_webrtcsink_follows_the_estimate (void)
{
  GstElement *sender;
  Call call;

  call_start (&call);
  test_wait_until (has_both, &call);
  sender = gst_bin_get_by_name (GST_BIN (call.bwe), "gccsender");
  g_assert_nonnull (sender);
  test_wait_until (has_risen, &call);
  g_assert_true (test_stats_say (sender, "feedback", "transport-cc"));

  /* As the user of an application who chooses another quality. */
  g_object_set (call.bwe, "estimated-bitrate", WRITTEN, NULL);
  g_assert_cmpuint (get_encoder_rate (&call), <, START);
  test_wait_until (has_risen, &call);
  gst_object_unref (sender);
  call_stop (&call);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

  if (test_is_missing ("whipclientsink") && argc > 1)
    load_what_is_built (argv[1]);
  if (test_is_missing ("whipclientsink")) {
    g_print ("1..0 # SKIP webrtcsink is not built: "
             "testbed/peer/build.sh webrtcsink\n");
    return 0;
  }
  if (test_is_missing ("webrtcbin") || test_is_missing ("nicesrc")) {
    g_print ("1..0 # SKIP no webrtcbin or no ICE: "
             "apt install gstreamer1.0-plugins-bad gstreamer1.0-nice\n");
    return 0;
  }
  g_test_add_func ("/webrtcsink/the_encoder_follows_the_estimate_of_gccsender",
      test_webrtcsink_follows_the_estimate);

  return g_test_run ();
}
