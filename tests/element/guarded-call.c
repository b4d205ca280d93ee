/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "guarded-call.h"

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

const gchar *const guarded_elements[] = { "gccsender", "gccreceiver",
  "gccsender manage=none", "gccreceiver manage=none" };
const gchar *const guarded_pads[] = { "recv_rtcp_sink", "recv_rtp_sink" };

static GstBuffer *
media_packet (guint16 seqnum)
{
  GstBuffer *buffer = test_rtp_packet (seqnum, 0, 100);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, MEDIA_SSRC);
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

void
guarded_call_open_pad (GuardedCall *self, const gchar *name)
{
  self->sink = gst_element_request_pad_simple (self->session, name);
  self->source = test_open_source (self->sink,
      g_str_equal (name, "recv_rtp_sink") ? MEDIA_CAPS : "application/x-rtcp");
}

gboolean
guarded_call_has_sent (GuardedCall *self, guint64 n_packets)
{
  GstStructure *stats;
  GValueArray *sources;
  gboolean found = FALSE;

  g_object_get (self->session, "stats", &stats, NULL);
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  sources = g_value_get_boxed (gst_structure_get_value (stats, "source-stats"));
  for (guint i = 0; i < sources->n_values; i++) {
    const GstStructure *source = g_value_get_boxed (
        g_value_array_get_nth (sources, i));
    guint64 n = 0;
    guint ssrc = 0;

    gst_structure_get_uint64 (source, "packets-sent", &n);
    found |= gst_structure_get_uint (source, "ssrc", &ssrc) &&
        ssrc == MEDIA_SSRC && n >= n_packets;
  }
  G_GNUC_END_IGNORE_DEPRECATIONS
  gst_structure_free (stats);

  return found;
}

gboolean
guarded_call_is_media_known (gpointer call)
{
  return guarded_call_has_sent (call, 0);
}

static void
send_media (GuardedCall *self)
{
  for (guint16 i = 0; i < 3; i++) {
    GstBuffer *buffer = media_packet (i);
    GstFlowReturn flow;

    g_signal_emit_by_name (self->media, "push-buffer", buffer, &flow);
    gst_buffer_unref (buffer);
  }
  test_wait_until (guarded_call_is_media_known, self);
}

void
guarded_call_start_with (GuardedCall *self, const gchar *element,
    const gchar *extmap, const gchar *pad)
{
  gchar *line = g_strdup_printf (
      "appsrc name=media is-live=true format=time caps=\"" MEDIA_CAPS "%s\" "
      "! %s name=element ! session.send_rtp_sink "
      "rtpsession name=session rtp-profile=avpf "
      "session.send_rtp_src ! fakesink async=false "
      "session.send_rtcp_src ! fakesink async=false sync=false",
      extmap, element);

  self->pipeline = gst_parse_launch (line, NULL);
  g_assert_nonnull (self->pipeline);
  self->element = gst_bin_get_by_name (GST_BIN (self->pipeline), "element");
  self->session = gst_bin_get_by_name (GST_BIN (self->pipeline), "session");
  self->media = gst_bin_get_by_name (GST_BIN (self->pipeline), "media");
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  guarded_call_open_pad (self, pad);
  send_media (self);
  g_free (line);
}

void
guarded_call_start (GuardedCall *self, const gchar *element, const gchar *pad)
{
  guarded_call_start_with (self, element, "", pad);
}

void
guarded_call_stop (GuardedCall *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_clear_object (&self->source);
  gst_clear_object (&self->sink);
  gst_object_unref (self->media);
  gst_object_unref (self->session);
  gst_object_unref (self->element);
  gst_object_unref (self->pipeline);
}

static void
push (gpointer data)
{
  Delivery *self = data;

  if (self->list != NULL)
    gst_pad_push_list (self->source, self->list);
  else
    gst_pad_push (self->source, self->buffer);
}

void
deliver_in_time (Delivery *delivery)
{
  test_check_returns (push, delivery);
}

void
guarded_call_deliver (GuardedCall *self, GstBuffer *buffer)
{
  Delivery delivery = { self->source, NULL, buffer };

  deliver_in_time (&delivery);
}

static GstPadProbeReturn
note (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Passed *self = user_data;
  GstBufferList *list;

  (void) pad;
  if (!(info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST)) {
    g_ptr_array_add (
        self->buffers, gst_buffer_ref (GST_PAD_PROBE_INFO_BUFFER (info)));
    return GST_PAD_PROBE_DROP;
  }
  list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);
  for (guint i = 0; i < gst_buffer_list_length (list); i++)
    g_ptr_array_add (
        self->buffers, gst_buffer_ref (gst_buffer_list_get (list, i)));

  return GST_PAD_PROBE_DROP;
}

void
passed_init (Passed *self, GuardedCall *call)
{
  self->buffers = g_ptr_array_new_with_free_func (
      (GDestroyNotify) gst_buffer_unref);
  gst_pad_add_probe (call->sink,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, note, self,
      NULL);
}

void
passed_clear (Passed *self)
{
  g_ptr_array_unref (self->buffers);
}

gpointer
passed_get (Passed *self, guint i)
{
  g_assert_cmpuint (i, <, self->buffers->len);

  return g_ptr_array_index (self->buffers, i);
}
