/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* ECN bits from socket to socket, over the loopback interface. */

#include <gio/gio.h>
#include <netinet/in.h>
#include <netinet/ip.h>

#include <gst/gcc/wire/gcc-ccfb.h>

#include "element-test.h"
#include "udp-ports.h"

#define DSCP 46
#define CAPS \
  "\"application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96\""

/* GLib 2.88 has a type of its own for the message; this one stands for it. */
typedef GSocketControlMessage LaterType;
typedef GSocketControlMessageClass LaterTypeClass;

static GType later_type_get_type (void);
G_DEFINE_TYPE (LaterType, later_type, G_TYPE_SOCKET_CONTROL_MESSAGE)

static gint n_of_later_type;

static GSocketControlMessage *
take_message (gint level, gint type, gsize size, gpointer data)
{
  (void) size;
  (void) data;

  if (level != IPPROTO_IP || type != IP_TOS)
    return NULL;
  g_atomic_int_inc (&n_of_later_type);
  return g_object_new (later_type_get_type (), NULL);
}

static void
later_type_class_init (LaterTypeClass *klass)
{
  klass->deserialize = take_message;
}

static void
later_type_init (LaterType *self)
{
  (void) self;
}

/* --- a receiver alone --- */

static GSocket *
get_socket (GstElement *pipeline, const gchar *name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GSocket *socket;

  g_object_get (element, "used-socket", &socket, NULL);
  gst_object_unref (element);

  return socket;
}

static void
set_bits (GSocket *socket, gint bits)
{
  g_assert_true (g_socket_set_option (socket, IPPROTO_IP, IP_TOS, bits, NULL));
}

static gint
get_bits (GSocket *socket)
{
  gint bits;

  g_assert_true (g_socket_get_option (socket, IPPROTO_IP, IP_TOS, &bits, NULL));
  return bits;
}

static GSocket *
open_socket (guint16 port)
{
  GInetAddress *address = g_inet_address_new_from_string ("127.0.0.1");
  GSocketAddress *there = g_inet_socket_address_new (address, port);
  GSocket *socket = g_socket_new (
      G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM, 0, NULL);

  g_assert_true (g_socket_connect (socket, there, NULL, NULL));
  g_object_unref (there);
  g_object_unref (address);

  return socket;
}

static void
send_packet (GSocket *socket, guint8 seq)
{
  guint8 packet[20] = { 0x80, 96, 0, seq, 0, 0, 0, 0, 1, 2, 3, 4 };

  g_assert_cmpint (
      g_socket_send (socket, (const gchar *) packet, sizeof packet, NULL, NULL),
      ==, sizeof packet);
}

static gboolean
has_bits (gpointer user_data)
{
  return test_stats_uint64 (user_data, "ce-packets") == 10;
}

/* The first packets come before the socket is asked for the bits. */
static gboolean
has_packets (gpointer user_data)
{
  return test_stats_uint64 (user_data, "packets") > 0;
}

static void
test_the_four_codepoints_are_told_apart (void)
{
  GstElement *pipeline = test_parse (
      "udpsrc name=source port=0 reuse=false socket-timestamp=realtime "
      "caps=" CAPS " ! gccreceiver name=receiver feedback=ccfb ! "
      "rtpsession rtp-profile=avpf ! fakesink async=false");
  GstElement *receiver = gst_bin_get_by_name (GST_BIN (pipeline), "receiver");
  GSocket *socket = open_socket ((guint16) udp_port_of (pipeline, "source"));
  guint8 seq = 0;

  g_type_ensure (later_type_get_type ());
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  send_packet (socket, seq++);
  test_wait_until (has_packets, receiver);
  for (guint i = 0; i < 40; i++) {
    set_bits (socket, (gint) i % 4);
    send_packet (socket, seq++);
  }
  test_wait_until (has_bits, receiver);
  g_assert_cmpuint (test_stats_uint64 (receiver, "ect1-packets"), ==, 10);
  g_assert_cmpint (g_atomic_int_get (&n_of_later_type), ==, 0);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_object_unref (socket);
  gst_object_unref (receiver);
  gst_object_unref (pipeline);
}

/* --- a call --- */

typedef struct {
  GstElement *a;
  GstElement *b;
  GstElement *sender;
  GstElement *receiver;
} Call;

/* @source: properties of the receiver's udpsrc */
static void
start (Call *self, const gchar *source)
{
  gchar *b = g_strdup_printf (
      "rtpbin name=rtp rtp-profile=avpf "
      "udpsrc name=media port=0 reuse=false %s caps=" CAPS " ! "
      "gccreceiver feedback=ccfb name=receiver ! rtp.recv_rtp_sink_0 "
      "rtp. ! rtpvp8depay ! fakesink async=false "
      "udpsrc name=rtcp port=0 reuse=false ! rtp.recv_rtcp_sink_0 "
      "rtp.send_rtcp_src_0 ! udpsink name=feedback sync=false async=false",
      source);

  self->a = test_parse (
      "rtpbin name=rtp rtp-profile=avpf "
      "videotestsrc is-live=true ! video/x-raw,width=320,height=240 ! "
      "vp8enc deadline=1 ! rtpvp8pay ! "
      "gccsender feedback=ccfb ecn=ect1 name=sender ! rtp.send_rtp_sink_0 "
      "rtp.send_rtp_src_0 ! udpsink name=media qos-dscp=" G_STRINGIFY (
          DSCP) " "
                "rtp.send_rtcp_src_0 ! udpsink name=rtcp sync=false "
                "async=false "
                "udpsrc name=feedback port=0 reuse=false ! "
                "rtp.recv_rtcp_sink_0");
  self->b = test_parse (b);
  g_free (b);
  self->sender = gst_bin_get_by_name (GST_BIN (self->a), "sender");
  self->receiver = gst_bin_get_by_name (GST_BIN (self->b), "receiver");
  udp_point (self->a, "media", udp_port_of (self->b, "media"));
  udp_point (self->a, "rtcp", udp_port_of (self->b, "rtcp"));
  udp_point (self->b, "feedback", udp_port_of (self->a, "feedback"));
  gst_element_set_state (self->b, GST_STATE_PLAYING);
  gst_element_set_state (self->a, GST_STATE_PLAYING);
}

static void
stop (Call *self)
{
  gst_element_set_state (self->a, GST_STATE_NULL);
  gst_element_set_state (self->b, GST_STATE_NULL);
  gst_object_unref (self->sender);
  gst_object_unref (self->receiver);
  gst_object_unref (self->a);
  gst_object_unref (self->b);
}

static gboolean
is_capable (gpointer user_data)
{
  return test_stats_say (user_data, "ecn", "capable");
}

static gboolean
is_bleached (gpointer user_data)
{
  return test_stats_say (user_data, "ecn", "bleached");
}

static void
check_bits (const Call *self, GccEcn ecn)
{
  GSocket *media = get_socket (self->a, "media");
  GSocket *rtcp = get_socket (self->a, "rtcp");

  g_assert_cmpint (get_bits (media), ==, DSCP << 2 | (gint) ecn);
  g_assert_cmpint (get_bits (rtcp), ==, 0);
  g_object_unref (media);
  g_object_unref (rtcp);
}

static void
test_packets_leave_with_ect1_and_reports_show_it (void)
{
  Call call;

  start (&call, "socket-timestamp=realtime");
  test_wait_until (is_capable, call.sender);
  check_bits (&call, GCC_ECN_ECT_1);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "ect1-packets"), >, 0);
  g_assert_cmpuint (test_stats_uint64 (call.receiver, "ect1-packets"), >, 0);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "ce-packets"), ==, 0);
  stop (&call);
}

/* Such a source reads no control messages. */
static void
test_packets_leave_as_before_where_the_receiver_sees_no_bits (void)
{
  Call call;

  start (&call, "socket-timestamp=disabled");
  test_wait_until (is_bleached, call.sender);
  check_bits (&call, GCC_ECN_NOT_ECT);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "ect1-packets"), ==, 0);
  stop (&call);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
#define ADD(name) g_test_add_func ("/ecn/" #name, test_##name)
  ADD (the_four_codepoints_are_told_apart);
  ADD (packets_leave_with_ect1_and_reports_show_it);
  ADD (packets_leave_as_before_where_the_receiver_sees_no_bits);
#undef ADD
  return g_test_run ();
}
