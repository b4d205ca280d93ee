/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Many small streams of one transport, which come and go, in virtual time
 * (tests/test_simulcast.py). */

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <stdio.h>

#include "element-test.h"
#include "linked-call.h"

#define N_STREAMS 20
#define RATE 30000
/* SSRCs are not used again: a session keeps one that has left for a while. */
#define FIRST_SSRC 1000
#define N_SSRCS 1000

/* About half of the streams fit into the first link, all into the second. */
#define LINK 400000
#define FAST_LINK 2000000

#define NEGOTIATED \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96,extmap-12=" GCC_TRANSPORT_FEEDBACK_URI

#define LINE \
  "rtpbin name=a rtp-profile=avpf rtpsession name=b rtp-profile=avpf " \
  "gccsender name=sender feedback=transport-cc encoder-bitrate-unit=1 " \
  "  start-bitrate=300000 max-bitrate=6000000 " \
  "rtpfunnel name=f ! a.send_rtp_sink_0 " \
  "a.send_rtp_src_0 ! " \
  "  queue name=link max-size-buffers=0 max-size-time=0 max-size-bytes=0 ! " \
  "  capssetter replace=true caps=" NEGOTIATED " ! " \
  "  gccreceiver feedback=transport-cc ! b.recv_rtp_sink " \
  "b.recv_rtp_src ! fakesink name=far sync=false async=false " \
  "a.send_rtcp_src_0 ! queue ! b.recv_rtcp_sink " \
  "b.send_rtcp_src ! fakesink name=back sync=false async=false "
#define STREAM \
  "rmcatvideomodel bitrate=30000 min-bitrate=10000 max-bitrate=30000 " \
  "  framerate=10/1 key-frame-bytes=400 seed=%u ! " \
  "rtpvp8pay mtu=1200 picture-id-mode=15-bit ssrc=%u"

/* @active_at: since when its pad says so, µs; 0: it does not, or there is none */
typedef struct {
  GstElement *source;
  GstPad *pad;
  GstPad *funnel_pad;
  guint ssrc;
  gint64 active_at;
} Stream;

typedef struct {
  GstElement *pipeline;
  GstElement *sender;
  SlowLink link;
  Stream streams[N_STREAMS];
  guint n_added;
  GMutex lock;
  /* with the lock: when the last packet of each came, and what came of all */
  gint64 came_at[N_SSRCS];
  guint64 bytes;
} Call;

/* --- a call --- */

static GstPadProbeReturn
packet_comes (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  Call *self = user_data;
  guint i;

  (void) pad;
  g_assert_true (gst_rtp_buffer_map (
      GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READ, &rtp));
  i = gst_rtp_buffer_get_ssrc (&rtp) - FIRST_SSRC;
  g_assert_cmpuint (i, <, N_SSRCS);
  g_mutex_lock (&self->lock);
  if (gst_rtp_buffer_get_payload_len (&rtp) > 0) {
    self->came_at[i] = g_get_monotonic_time ();
    self->bytes += gst_rtp_buffer_get_packet_len (&rtp);
  }
  g_mutex_unlock (&self->lock);
  gst_rtp_buffer_unmap (&rtp);

  return GST_PAD_PROBE_OK;
}

static void
call_start (Call *self)
{
  self->pipeline = test_parse (LINE);
  self->sender = test_get_element (self->pipeline, "sender");
  g_mutex_init (&self->lock);
  linked_call_open (self->pipeline, &self->link, LINK, NEGOTIATED);
  linked_call_add_probe (
      test_get_element (self->pipeline, "far"), "sink", packet_comes, self);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  for (guint i = 0; i < N_STREAMS; i++) {
    gst_clear_object (&self->streams[i].pad);
    gst_clear_object (&self->streams[i].funnel_pad);
  }
  gst_object_unref (self->pipeline);
  slow_link_clear (&self->link);
  g_mutex_clear (&self->lock);
}

/* --- streams --- */

/* Of a pad of gccsender. (transfer full) */
static GstPad *
get_src (GstPad *sink)
{
  GstIterator *links = gst_pad_iterate_internal_links (sink);
  GValue item = G_VALUE_INIT;
  GstPad *src;

  g_assert_cmpint (gst_iterator_next (links, &item), ==, GST_ITERATOR_OK);
  src = g_value_dup_object (&item);
  g_value_unset (&item);
  gst_iterator_free (links);

  return src;
}

static void
link_pads (GstPad *src, GstPad *sink)
{
  g_assert_cmpint (gst_pad_link (src, sink), ==, GST_PAD_LINK_OK);
}

static void
add_stream (Call *self, Stream *stream)
{
  guint ssrc = FIRST_SSRC + self->n_added++;
  gchar *line = g_strdup_printf (STREAM, ssrc, ssrc);
  GstElement *source = gst_parse_bin_from_description (line, TRUE, NULL);
  GstPad *made = gst_element_get_static_pad (source, "src");
  GstPad *src;

  g_free (line);
  *stream = (Stream){
    .source = source,
    .ssrc = ssrc,
    .pad = gst_element_request_pad_simple (self->sender, "sink_%u"),
    .funnel_pad = gst_element_request_pad_simple (
        test_get_element (self->pipeline, "f"), "sink_%u"),
  };
  g_object_set (stream->pad, "min-bitrate", RATE, "max-bitrate", RATE,
      "pausable", TRUE, NULL);
  gst_bin_add (GST_BIN (self->pipeline), source);
  src = get_src (stream->pad);
  link_pads (src, stream->funnel_pad);
  link_pads (made, stream->pad);
  gst_element_sync_state_with_parent (source);
  gst_object_unref (src);
  gst_object_unref (made);
}

static void
remove_stream (Call *self, Stream *stream)
{
  gst_element_set_state (stream->source, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (self->pipeline), stream->source);
  gst_element_release_request_pad (self->sender, stream->pad);
  gst_element_release_request_pad (
      test_get_element (self->pipeline, "f"), stream->funnel_pad);
  gst_object_unref (stream->pad);
  gst_object_unref (stream->funnel_pad);
  *stream = (Stream){ .source = NULL };
}

static gboolean
is_active (const Stream *stream)
{
  gboolean is_active = FALSE;

  if (stream->pad != NULL)
    g_object_get (stream->pad, "active", &is_active, NULL);

  return is_active;
}

static gint64
get_came_at (Call *self, const Stream *stream)
{
  gint64 came_at;

  g_mutex_lock (&self->lock);
  came_at = self->came_at[stream->ssrc - FIRST_SSRC];
  g_mutex_unlock (&self->lock);

  return came_at;
}

/* --- what is promised --- */

#define TICK (100 * G_TIME_SPAN_MILLISECOND)
#define MINUTES 5
/* A stream that may flow has a packet each tenth of a second. */
#define PATIENCE (1 * G_TIME_SPAN_SECOND)

/* Returns the number of those that flow. One that may is heard at the other end. */
static guint
check_streams (Call *self)
{
  gint64 now = g_get_monotonic_time ();
  guint n = 0;

  for (guint i = 0; i < N_STREAMS; i++) {
    Stream *stream = &self->streams[i];

    if (!is_active (stream)) {
      stream->active_at = 0;
      continue;
    }
    n++;
    if (stream->active_at == 0)
      stream->active_at = now;
    else if (now - stream->active_at > PATIENCE)
      g_assert_cmpint (now - get_came_at (self, stream), <, PATIENCE);
  }

  return n;
}

static void
change_one (Call *self)
{
  Stream *stream = &self->streams[g_random_int_range (0, N_STREAMS)];

  if (stream->source == NULL)
    add_stream (self, stream);
  else
    remove_stream (self, stream);
}

/* What is sent and what may be, over the last seconds. */
typedef struct {
  guint64 bytes;
  guint64 may_be;
  guint n_flowing;
  guint n_ticks;
} Sum;

#define WINDOW 50u

static guint64
take_bytes (Call *self)
{
  guint64 bytes;

  g_mutex_lock (&self->lock);
  bytes = self->bytes;
  self->bytes = 0;
  g_mutex_unlock (&self->lock);

  return bytes;
}

static void
tick (Call *self, Sum *sum)
{
  g_usleep (TICK);
  sum->n_flowing += check_streams (self);
  sum->may_be += test_get_uint (self->sender, "target-bitrate");
  if (++sum->n_ticks % WINDOW > 0)
    return;
  sum->bytes = take_bytes (self);
  printf ("# %.1f streams, %.0f bit/s of %.0f\n",
      (gdouble) sum->n_flowing / WINDOW,
      (gdouble) sum->bytes * 8. * 10. / WINDOW, (gdouble) sum->may_be / WINDOW);
  g_assert_cmpuint (sum->bytes * 8 * 10, <=, sum->may_be);
  *sum = (Sum){ .bytes = 0 };
}

static void
wait_until_all_flow (Call *self)
{
  gint64 end = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;
  Sum sum = { 0 };

  slow_link_set_capacity (&self->link, FAST_LINK);
  for (guint i = 0; i < N_STREAMS; i++)
    if (self->streams[i].source == NULL)
      add_stream (self, &self->streams[i]);
  while (check_streams (self) < N_STREAMS) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    tick (self, &sum);
  }
  for (guint i = 0; i < 20; i++)
    tick (self, &sum);
  g_assert_cmpuint (check_streams (self), ==, N_STREAMS);
}

static void
test_twenty_small_streams_come_and_go (void)
{
  static Call call;
  Sum sum = { 0 };

  call_start (&call);
  for (guint i = 0; i < MINUTES * 600; i++) {
    if (i % 5 == 0)
      change_one (&call);
    tick (&call, &sum);
  }
  printf ("# %u streams were added, %u packets of %u lost\n", call.n_added,
      call.link.n_lost, call.link.n_sent);
  wait_until_all_flow (&call);
  call_stop (&call);
}

int
main (int argc, char **argv)
{
  test_init_virtual (&argc, &argv);

  g_test_add_func ("/small-calls/twenty_small_streams_come_and_go",
      test_twenty_small_streams_come_and_go);

  return g_test_run ();
}
