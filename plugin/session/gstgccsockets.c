/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccsockets.h"

#include "session/gstgccwalk.h"
#include "support/gstgccecn.h"

static const gchar *const properties[] = { "used-socket", "used-socket-v6" };

static gboolean
has_property (GstElement *element, const gchar *name)
{
  GParamSpec *pspec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (element), name);

  return pspec != NULL && g_type_is_a (pspec->value_type, G_TYPE_SOCKET);
}

static gboolean
has_socket (GstElement *element, gpointer user_data)
{
  (void) user_data;

  return has_property (element, properties[0]);
}

/* (element-type GSocket) (transfer full) */
static GPtrArray *
list_sockets (GstPad *pad)
{
  GPtrArray *elements = gst_gcc_walk_find_all (pad, has_socket, NULL);
  GPtrArray *sockets = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < elements->len; i++) {
    GstElement *element = g_ptr_array_index (elements, i);

    for (guint j = 0; j < G_N_ELEMENTS (properties); j++) {
      GSocket *socket = NULL;

      if (has_property (element, properties[j]))
        g_object_get (element, properties[j], &socket, NULL);
      if (socket != NULL)
        g_ptr_array_add (sockets, socket);
    }
  }
  g_ptr_array_unref (elements);

  return sockets;
}

void
gst_gcc_sockets_request_ecn (GstPad *sinkpad)
{
  GPtrArray *sockets = list_sockets (sinkpad);

  for (guint i = 0; i < sockets->len; i++)
    gst_gcc_ecn_request (g_ptr_array_index (sockets, i));
  g_ptr_array_unref (sockets);
}

void
gst_gcc_sockets_write_ecn (GstPad *srcpad, GccEcn ecn)
{
  GPtrArray *sockets = list_sockets (srcpad);

  for (guint i = 0; i < sockets->len; i++)
    gst_gcc_ecn_write (g_ptr_array_index (sockets, i), ecn);
  g_ptr_array_unref (sockets);
}
