/* One end of a video call, in an application of one's own.
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   gcc-embed HOST PORT PEER_PORT [VIDEO_SINK]
 *
 * Sends a test picture to HOST and shows what comes back, with gccsender and
 * gccreceiver on one rtpbin. RTP uses the ports given, RTCP the next ones. Both
 * ends on this machine:
 *
 *   gcc-embed 127.0.0.1 5000 5002 & gcc-embed 127.0.0.1 5002 5000
 *
 * Outside the source tree:
 *
 *   cc embed.c $(pkg-config --cflags --libs gstgcc-1.0 gstreamer-1.0)
 */

#include <glib-unix.h>
#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gst.h>
#include <stdlib.h>

/* Below this rate fewer, better pictures are worth more than many bad ones. */
#define LOW_BITRATE 200000

/* The network's sinks neither wait for a first packet (async), which the other
 * end sends only when it has one of ours, nor for the latency that the jitter
 * buffer adds to all of the pipeline (sync). */
#define UDPSINK "udpsink sync=false async=false "

static const gchar pipeline_format[] =
    "rtpbin name=rtp rtp-profile=avpf "
    "videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! "
    "  videorate name=videorate drop-only=true ! "
    "  video/x-raw,width=640,height=480 ! vp8enc deadline=1 ! rtpvp8pay "
    "mtu=1200 ! "
    "  application/x-rtp,extmap-1=(string)" GCC_ABS_SEND_TIME_URI " ! "
    "  gccsender name=sender manage=all ! rtp.send_rtp_sink_0 "
    "rtp.send_rtp_src_0 ! " UDPSINK "host=%s port=%d "
    "rtp.send_rtcp_src_0 ! " UDPSINK "host=%s port=%d "
    "udpsrc port=%d socket-timestamp=realtime "
    "    caps=application/x-rtp,media=video,encoding-name=VP8,"
    "clock-rate=90000,payload=96,extmap-1=(string)" GCC_ABS_SEND_TIME_URI " ! "
    "  gccreceiver name=receiver ! rtp.recv_rtp_sink_0 "
    "rtp. ! rtpvp8depay ! vp8dec ! videoconvert ! %s "
    "udpsrc port=%d ! rtp.recv_rtcp_sink_0";

typedef struct {
  GstElement *sender;
  GstElement *receiver;
  GstElement *videorate;
  GMainLoop *loop;
  int status;
} App;

/* Called in any thread. */
static void
target_changed (GObject *sender, GParamSpec *pspec, gpointer user_data)
{
  App *app = user_data;
  guint target;

  (void) pspec;
  g_object_get (sender, "target-bitrate", &target, NULL);
  g_object_set (
      app->videorate, "max-rate", target < LOW_BITRATE ? 10 : 30, NULL);
  g_print ("target-bitrate %u\n", target);
}

static gboolean
print_stats (gpointer user_data)
{
  App *app = user_data;
  GstStructure *sent, *received;
  gint64 a_s = 0, a_r = 0;
  gdouble rtt = 0;

  g_object_get (app->sender, "stats", &sent, NULL);
  g_object_get (app->receiver, "stats", &received, NULL);
  /* What is not known yet is absent, and stays 0 here. */
  gst_structure_get_int64 (sent, "a-s-bps", &a_s);
  gst_structure_get_double (sent, "rtt-ms", &rtt);
  gst_structure_get_int64 (received, "a-r-bps", &a_r);
  g_print ("stats A_s %" G_GINT64_FORMAT " A_r %" G_GINT64_FORMAT
           " bit/s, RTT %.1f ms\n",
      a_s, a_r, rtt);
  gst_structure_free (sent);
  gst_structure_free (received);

  return G_SOURCE_CONTINUE;
}

static gboolean
stop (gpointer loop)
{
  g_main_loop_quit (loop);

  return G_SOURCE_CONTINUE;
}

static void
failed (GstBus *bus, GstMessage *message, gpointer user_data)
{
  App *app = user_data;
  GError *error;

  (void) bus;
  gst_message_parse_error (message, &error, NULL);
  g_printerr ("%s\n", error->message);
  g_error_free (error);
  app->status = EXIT_FAILURE;
  g_main_loop_quit (app->loop);
}

/* What the pipeline delays has changed. From GStreamer 1.26 on an RTP session
 * that knows no latency sends no reports. */
static void
latency_changed (GstBus *bus, GstMessage *message, gpointer pipeline)
{
  (void) bus;
  (void) message;
  gst_bin_recalculate_latency (GST_BIN (pipeline));
}

int
main (int argc, char **argv)
{
  App app = { .loop = g_main_loop_new (NULL, FALSE) };
  GError *error = NULL;
  GstElement *pipeline;
  gchar *line;
  GstBus *bus;
  int port, peer;

  gst_init (&argc, &argv);
  if (argc < 4) {
    g_printerr ("usage: gcc-embed HOST PORT PEER_PORT [VIDEO_SINK]\n");
    return 2;
  }

  port = atoi (argv[2]);
  peer = atoi (argv[3]);
  line = g_strdup_printf (pipeline_format, argv[1], peer, argv[1], peer + 1,
      port, argc > 4 ? argv[4] : "autovideosink", port + 1);
  pipeline = gst_parse_launch (line, &error);
  g_free (line);
  if (error != NULL) {
    g_printerr ("%s\n", error->message);
    return EXIT_FAILURE;
  }

  app.sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  app.receiver = gst_bin_get_by_name (GST_BIN (pipeline), "receiver");
  app.videorate = gst_bin_get_by_name (GST_BIN (pipeline), "videorate");
  g_object_set (
      app.sender, "min-bitrate", 100000, "max-bitrate", 1500000, NULL);
  g_signal_connect (
      app.sender, "notify::target-bitrate", G_CALLBACK (target_changed), &app);

  bus = gst_element_get_bus (pipeline);
  gst_bus_add_signal_watch (bus);
  g_signal_connect (bus, "message::error", G_CALLBACK (failed), &app);
  g_signal_connect (
      bus, "message::latency", G_CALLBACK (latency_changed), pipeline);
  g_timeout_add_seconds (1, print_stats, &app);
  g_unix_signal_add (SIGINT, stop, app.loop);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_main_loop_run (app.loop);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  gst_bus_remove_signal_watch (bus);
  gst_object_unref (bus);
  gst_object_unref (app.sender);
  gst_object_unref (app.receiver);
  gst_object_unref (app.videorate);
  gst_object_unref (pipeline);
  g_main_loop_unref (app.loop);

  return app.status;
}
