/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccsockets.h"

#include "session/gstgccwalk.h"
#include "support/gstgccecn.h"
#include "support/gstgccproperty.h"

static const gchar *const properties[] = { "used-socket", "used-socket-v6" };

static gboolean
has_socket (GstElement *element, gpointer user_data)
{
  (void) user_data;

  return gst_gcc_property_is (element, properties[0], G_TYPE_SOCKET);
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
      GSocket *socket = gst_gcc_property_read (
          element, properties[j], G_TYPE_SOCKET);

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
