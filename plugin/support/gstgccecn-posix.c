/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccecn.h"

#include <gst/net/gstnetcontrolmessagemeta.h>
#include <netinet/in.h>
#include <netinet/ip.h>

#define ECN_MASK 3

/* udpsrc reads all control messages of a packet, and drops those that it does not
 * know. It pushes the packet in the same thread, so the thread keeps the bits in
 * between: one more than they are, as 0 is none. */
static GPrivate bits_of_thread;

/* --- the control message --- */

typedef struct {
  GSocketControlMessage parent;
  gboolean is_ipv6;
  guint8 traffic_class;
} GstGccTrafficClass;

typedef GSocketControlMessageClass GstGccTrafficClassClass;

static GType gst_gcc_traffic_class_get_type (void);
G_DEFINE_TYPE (
    GstGccTrafficClass, gst_gcc_traffic_class, G_TYPE_SOCKET_CONTROL_MESSAGE)

/* The BSDs name the message after the option that asks for it. */
static gboolean
is_traffic_class (gint level, gint type)
{
  return (level == IPPROTO_IP && (type == IP_TOS || type == IP_RECVTOS)) ||
      (level == IPPROTO_IPV6 && type == IPV6_TCLASS);
}

static gsize
get_size (GSocketControlMessage *message)
{
  return ((GstGccTrafficClass *) message)->is_ipv6 ? sizeof (gint)
                                                   : sizeof (guint8);
}

static gint
get_level (GSocketControlMessage *message)
{
  return ((GstGccTrafficClass *) message)->is_ipv6 ? IPPROTO_IPV6 : IPPROTO_IP;
}

static gint
get_message_type (GSocketControlMessage *message)
{
  return ((GstGccTrafficClass *) message)->is_ipv6 ? IPV6_TCLASS : IP_TOS;
}

/* One byte, or an int. */
static guint8
read_value (gconstpointer data, gsize size)
{
  return size == sizeof (gint) ? (guint8) * (const gint *) data
                               : *(const guint8 *) data;
}

static void
serialize (GSocketControlMessage *message, gpointer data)
{
  const GstGccTrafficClass *self = (GstGccTrafficClass *) message;

  if (self->is_ipv6)
    *(gint *) data = self->traffic_class;
  else
    *(guint8 *) data = self->traffic_class;
}

static GSocketControlMessage *
deserialize (gint level, gint type, gsize size, gpointer data)
{
  GstGccTrafficClass *self;

  if (!is_traffic_class (level, type) ||
      (size != sizeof (guint8) && size != sizeof (gint)))
    return NULL;

  self = g_object_new (gst_gcc_traffic_class_get_type (), NULL);
  self->is_ipv6 = level == IPPROTO_IPV6;
  self->traffic_class = read_value (data, size);
  g_private_set (
      &bits_of_thread, GINT_TO_POINTER (1 + (self->traffic_class & ECN_MASK)));
  return (GSocketControlMessage *) self;
}

static void
gst_gcc_traffic_class_class_init (GstGccTrafficClassClass *klass)
{
  klass->get_size = get_size;
  klass->get_level = get_level;
  klass->get_type = get_message_type;
  klass->serialize = serialize;
  klass->deserialize = deserialize;
}

static void
gst_gcc_traffic_class_init (GstGccTrafficClass *self)
{
  (void) self;
}

void
gst_gcc_ecn_register (void)
{
  g_type_ensure (gst_gcc_traffic_class_get_type ());
}

/* --- what arrives --- */

/* An IPv6 socket takes packets of IPv4, too. */
void
gst_gcc_ecn_request (GSocket *socket)
{
  g_socket_set_option (socket, IPPROTO_IP, IP_RECVTOS, TRUE, NULL);
  if (g_socket_get_family (socket) == G_SOCKET_FAMILY_IPV6)
    g_socket_set_option (socket, IPPROTO_IPV6, IPV6_RECVTCLASS, TRUE, NULL);
}

/* Any type's: that of GLib 2.88 serves as well. */
static gboolean
read_message (GSocketControlMessage *message, GccEcn *ecn)
{
  gsize size = g_socket_control_message_get_size (message);
  gint value = 0;

  if (!is_traffic_class (g_socket_control_message_get_level (message),
          g_socket_control_message_get_msg_type (message)) ||
      size > sizeof value)
    return FALSE;
  g_socket_control_message_serialize (message, &value);
  *ecn = (GccEcn) (read_value (&value, size) & ECN_MASK);
  return TRUE;
}

static gboolean
read_metas (GstBuffer *buffer, GccEcn *ecn)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_NET_CONTROL_MESSAGE_META_API_TYPE)) != NULL)
    if (read_message (((GstNetControlMessageMeta *) meta)->message, ecn))
      return TRUE;
  return FALSE;
}

GccEcn
gst_gcc_ecn_read (GstBuffer *buffer)
{
  gint kept = GPOINTER_TO_INT (g_private_get (&bits_of_thread));
  GccEcn ecn;

  g_private_set (&bits_of_thread, NULL);
  if (read_metas (buffer, &ecn))
    return ecn;
  return kept > 0 ? (GccEcn) (kept - 1) : GCC_ECN_NOT_ECT;
}

/* --- what leaves --- */

static void
write_option (GSocket *socket, gint level, gint name, GccEcn ecn)
{
  gint value;

  if (g_socket_get_option (socket, level, name, &value, NULL))
    g_socket_set_option (
        socket, level, name, (value & ~ECN_MASK) | (gint) ecn, NULL);
}

void
gst_gcc_ecn_write (GSocket *socket, GccEcn ecn)
{
  write_option (socket, IPPROTO_IP, IP_TOS, ecn);
  if (g_socket_get_family (socket) == G_SOCKET_FAMILY_IPV6)
    write_option (socket, IPPROTO_IPV6, IPV6_TCLASS, ecn);
}
