/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Three pictures of one camera over webrtcbin, told apart by rid, to an SFU, in virtual
 * time and as root of a system of its own (tests/test_simulcast.py): the link is
 * the loopback device. A live camera waits for no one: what it has made before the
 * call is not sent. The word is the pattern of files with raw frames of 352x288
 * pixels, I420. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element-test.h"
#include "relay.h"
#include "webrtc-call.h"

#define RID_URI "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"

/* What is offered: one stream of SDP with three rids. */
#define OFFERED \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96,extmap-4=(string)" RID_URI ",extmap-5=(string)" TRANSPORT_CC_URI \
  ",rid-low=(string)send," \
  "rid-mid=(string)send,rid-high=(string)send," \
  "a-simulcast=(string)\"send low;mid;high\""

#define LAYER(name, size) \
  "camera. ! queue leaky=downstream max-size-buffers=2 ! videoscale ! " \
  "video/x-raw," size " ! " \
  "vp8enc name=" name " deadline=1 cpu-used=16 target-bitrate=100000 " \
  "  end-usage=cbr buffer-size=300 buffer-initial-size=200 " \
  "  buffer-optimal-size=250 ! " \
  "rtpvp8pay name=" name "-pay mtu=1200 picture-id-mode=15-bit ! f. "

#define LINE \
  "webrtcbin name=webrtc bundle-policy=max-bundle " \
  "multifilesrc loop=true location=%s ! " \
  "rawvideoparse format=i420 width=352 height=288 framerate=30/1 ! " \
  "identity sync=true ! tee name=camera " \
  "rtpfunnel name=f ! capssetter name=offered replace=true ! webrtc.sink_0 " LAYER ( \
      "low", "width=176,height=144") LAYER ("mid", "width=352,height=288") \
      LAYER ("high", "width=704,height=576")

/* From where the media comes: it has the link for itself, as on a path with two
 * directions. */
#define MEDIA_PORT "40000"

static Relay relay;

/* One packet passes at once, as many as tbf needs. */
static void
set_capacity (gint64 capacity)
{
  gchar *line = g_strdup_printf (
      "tc qdisc replace dev lo parent 20: handle 2: tbf rate %" G_GINT64_FORMAT
      "bit burst 1540 limit %" G_GINT64_FORMAT,
      capacity, capacity * 3 / 80);

  g_assert_cmpint (system (line), ==, 0);
  g_free (line);
}

/* Never the host's. */
static gboolean
is_virtual (void)
{
  gchar *text = NULL;
  gboolean is_uml = g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL) &&
      strstr (text, "User Mode Linux") != NULL;

  g_free (text);

  return is_uml;
}

/* A path takes time: feedback with a round trip of 0 is not followed. Reports return
 * beside the link. */
static void
set_up_network (void)
{
  g_assert_cmpint (
      system (
          "ip link set lo up && ip link add near type dummy && "
          "ip address add 10.77.0.1/24 dev near && "
          "ip link set near up && "
          "ip route add default via 10.77.0.2 && "
          "ip link set lo mtu 1500 && "
          "tc qdisc add dev lo root handle 1: prio bands 2 "
          "priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 && "
          "tc qdisc add dev lo parent 1:1 handle 10: netem delay 10ms && "
          "tc qdisc add dev lo parent 1:2 handle 20: netem delay 10ms && "
          "tc filter add dev lo parent 1: protocol ip flower ip_proto udp "
          "src_port " MEDIA_PORT " classid 1:2 && "
          "tc filter add dev lo parent 1: protocol ipv6 flower ip_proto udp "
          "src_port " MEDIA_PORT " classid 1:2"),
      ==, 0);
}

static void
add_extension (
    GstElement *payloader, const gchar *uri, guint id, const gchar *rid)
{
  GstRTPHeaderExtension *extension = gst_rtp_header_extension_create_from_uri (
      uri);

  gst_rtp_header_extension_set_id (extension, id);
  if (rid != NULL)
    g_object_set (extension, "rid", rid, NULL);
  g_signal_emit_by_name (payloader, "add-extension", extension);
  gst_object_unref (extension);
}

/* The caps of the funnel are of all three: a payloader does not learn from them. */
static void
name_layer (GstElement *pipeline, const gchar *rid)
{
  gchar *name = g_strdup_printf ("%s-pay", rid);
  GstElement *payloader = test_get_element (pipeline, name);

  add_extension (payloader, RID_URI, RELAY_RID_ID, rid);
  add_extension (payloader, TRANSPORT_CC_URI, 5, NULL);
  g_free (name);
}

static void
choose_port (GstElement *webrtc)
{
  guint port = (guint) atoi (MEDIA_PORT);
  GObject *ice;

  g_object_get (webrtc, "ice-agent", &ice, NULL);
  g_object_set (ice, "min-rtp-port", port, "max-rtp-port", port, NULL);
  g_object_unref (ice);
}

static void
prepare (WebrtcCall *call)
{
  GstCaps *caps = gst_caps_from_string (OFFERED);

  choose_port (test_get_element (call->sending, "webrtc"));
  for (guint i = 0; i < RELAY_N_LAYERS; i++)
    name_layer (call->sending, relay_rids[i]);
  g_object_set (
      test_get_element (call->sending, "offered"), "caps", caps, NULL);
  gst_caps_unref (caps);
}

static GstElement *
request_sender (
    GstElement *webrtc, GstWebRTCDTLSTransport *transport, gpointer user_data)
{
  GstElement *gccsender = webrtc_call_request_sender (
      webrtc, transport, user_data);
  gpointer pad = gccsender->sinkpads->data;

  gst_util_set_object_arg (G_OBJECT (gccsender), "manage", "all");
  g_object_set (
      gccsender, "start-bitrate", 300000, "max-bitrate", 6000000, NULL);
  gst_util_set_object_arg (
      pad, "encoder-min-bitrates", "m,low=150000,mid=500000,high=1500000");
  gst_util_set_object_arg (
      pad, "encoder-max-bitrates", "m,low=200000,mid=700000,high=2500000");
  gst_util_set_object_arg (pad, "encoder-priorities", "p,low=3,mid=2,high=1");
  g_object_set (pad, "pausable", TRUE, NULL);

  return gccsender;
}

static void
stream_comes (WebrtcCall *call, GstPad *pad)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  GstPad *sinkpad = gst_element_get_static_pad (sink, "sink");

  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (call->receiving), sink);
  gst_element_sync_state_with_parent (sink);
  relay_add (&relay, sinkpad);
  g_assert_cmpint (gst_pad_link (pad, sinkpad), ==, GST_PAD_LINK_OK);
  gst_object_unref (sinkpad);
}

/* --- the steps --- */

#define LOW 1u
#define MID 2u
#define HIGH 4u

#define TICK 0.05
#define PATIENCE 6.

/* Each in its turn is what flows for a second. */
static void
check_step (gint64 capacity, guint layers)
{
  gdouble time = 0., since = 0.;

  set_capacity (capacity);
  for (; time - since < 1.; time += TICK) {
    g_assert_cmpfloat (since, <=, PATIENCE);
    g_usleep ((gulong) (TICK * G_USEC_PER_SEC));
    if (relay_get_flowing (&relay) != layers)
      since = time + TICK;
  }
  printf ("# %" G_GINT64_FORMAT " bit/s: as it is to be after %.2f s\n",
      capacity, since);
}

static gboolean
first_layer_flows (WebrtcCall *call)
{
  (void) call;

  return relay_get_flowing (&relay) == LOW;
}

static void
check_sdp (const WebrtcCall *call)
{
  for (guint i = 0; i < RELAY_N_LAYERS; i++) {
    gchar *sent = g_strdup_printf ("a=rid:%s send\r\n", relay_rids[i]);
    gchar *received = g_strdup_printf ("a=rid:%s recv\r\n", relay_rids[i]);

    g_assert_nonnull (strstr (call->offer, sent));
    g_assert_nonnull (strstr (call->answer, received));
    g_free (sent);
    g_free (received);
  }
  g_assert_nonnull (strstr (call->offer, "a=simulcast:send low;mid;high\r\n"));
}

static void
test_the_layers_that_fit_reach_the_sfu (gconstpointer frames)
{
  gchar *line = g_strdup_printf (LINE, (const gchar *) frames);
  WebrtcCall call = {
    .keeps_feedback = TRUE,
    .make_sender = G_CALLBACK (request_sender),
    .feedback = "transport-cc",
    .prepare = prepare,
    .stream_comes = stream_comes,
  };

  set_up_network ();
  set_capacity (400000);
  relay_init (&relay);
  webrtc_call_begin (&call, line);
  g_free (line);
  webrtc_call_wait_until (&call, first_layer_flows);
  check_sdp (&call);
  check_step (400000, LOW);
  check_step (1100000, LOW | MID);
  check_step (3000000, LOW | MID | HIGH);
  check_step (1100000, LOW | MID);
  check_step (400000, LOW);
  g_assert_true (test_stats_say (call.gccsender, "feedback", "transport-cc"));
  webrtc_call_stop (&call);
  g_assert_cmpuint (relay.n_unknown, ==, 0);
  for (guint i = 0; i < RELAY_N_VIEWERS; i++)
    g_assert_cmpuint (relay.viewers[i].n_pictures, >, 0);
  relay_clear (&relay);
}

int
main (int argc, char **argv)
{
  g_random_set_seed (1);
  test_init (&argc, &argv);

  if (!is_virtual ()) {
    g_print ("1..0 # SKIP tests/virtual.sh runs it\n");
    return 0;
  }
  g_test_add_data_func ("/simulcast-call/the_layers_that_fit_reach_the_sfu",
      argv[1], test_the_layers_that_fit_reach_the_sfu);

  return g_test_run ();
}
