/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Three pictures of one camera through one gccsender to an SFU, in virtual time
 * (tests/test_simulcast.py). The word is the pattern of files with raw frames of
 * 352x288 pixels, I420. */

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <stdio.h>

#include "element-test.h"
#include "linked-call.h"
#include "relay.h"

#define RID_URI "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"

/* What the answer has: the SFU knows the stream by it. */
#define NEGOTIATED \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96,rtcp-fb-nack-pli=(boolean)true," \
  "extmap-12=" GCC_TRANSPORT_FEEDBACK_URI

#define LAYER(i, name, size) \
  "camera. ! queue ! videoscale ! video/x-raw," size " ! " \
  "vp8enc name=" name " deadline=1 cpu-used=16 ! " \
  "rtpvp8pay name=" name "-pay mtu=1200 picture-id-mode=15-bit ! " \
  "sender.sink_" i " sender.src_" i " ! f. "

#define LINE \
  "rtpbin name=a rtp-profile=avpf rtpsession name=b rtp-profile=avpf " \
  "gccsender name=sender feedback=transport-cc manage=all " \
  "  start-bitrate=300000 max-bitrate=6000000 " \
  "multifilesrc loop=true location=%s ! " \
  "rawvideoparse format=i420 width=352 height=288 framerate=30/1 ! " \
  "identity sync=true ! tee name=camera " \
  "rtpfunnel name=f ! a.send_rtp_sink_0 " LAYER ( \
      "0", "low", "width=176,height=144") \
      LAYER ("1", "mid", "width=352,height=288") LAYER ("2", "high", \
          "width=704,height=576") "a.send_rtp_src_0 ! " \
                                  "  queue name=link max-size-buffers=0 " \
                                  "    max-size-time=0 max-size-bytes=0 ! " \
                                  "  capssetter replace=true " \
                                  "    caps=" NEGOTIATED " ! " \
                                  "  gccreceiver feedback=transport-cc ! " \
                                  "  b.recv_rtp_sink " \
                                  "b.recv_rtp_src ! fakesink name=sfu " \
                                  "  sync=false async=false " \
                                  "a.send_rtcp_src_0 ! queue ! " \
                                  "  b.recv_rtcp_sink " \
                                  "b.send_rtcp_src ! fakesink name=back " \
                                  "  sync=false async=false "

static const guint mins[RELAY_N_LAYERS] = { 150000, 500000, 1500000 };
/* More makes the picture of a layer hardly better. */
static const guint maxs[RELAY_N_LAYERS] = { 200000, 700000, 2500000 };

typedef struct {
  GstElement *pipeline;
  SlowLink link;
  Relay relay;
  /* atomic: what the encoders made */
  gint n_encoded[RELAY_N_LAYERS];
} Call;

/* --- a call --- */

static GstPadProbeReturn
count_encoded (GstPad *pad, GstPadProbeInfo *info, gpointer n)
{
  (void) pad;
  (void) info;
  g_atomic_int_inc ((gint *) n);

  return GST_PAD_PROBE_OK;
}

static void
name_layer (Call *self, const gchar *rid)
{
  GstRTPHeaderExtension *extension = gst_rtp_header_extension_create_from_uri (
      RID_URI);
  gchar *name = g_strdup_printf ("%s-pay", rid);

  gst_rtp_header_extension_set_id (extension, RELAY_RID_ID);
  g_object_set (extension, "rid", rid, NULL);
  g_signal_emit_by_name (
      test_get_element (self->pipeline, name), "add-extension", extension);
  gst_object_unref (extension);
  g_free (name);
}

static void
make_layer (Call *self, guint i)
{
  gchar *name = g_strdup_printf ("sink_%u", i);
  GstPad *pad = gst_element_get_static_pad (
      test_get_element (self->pipeline, "sender"), name);

  name_layer (self, relay_rids[i]);
  g_object_set (pad, "min-bitrate", mins[i], "max-bitrate", maxs[i], "priority",
      RELAY_N_LAYERS - i, "pausable", TRUE, NULL);
  linked_call_add_probe (test_get_element (self->pipeline, relay_rids[i]),
      "src", count_encoded, &self->n_encoded[i]);
  gst_object_unref (pad);
  g_free (name);
}

static void
call_start (Call *self, const gchar *frames, gint64 capacity)
{
  gchar *line = g_strdup_printf (LINE, frames);
  GstPad *sfu;

  *self = (Call){ .pipeline = gst_parse_launch (line, NULL) };
  g_assert_nonnull (self->pipeline);
  g_free (line);
  for (guint i = 0; i < RELAY_N_LAYERS; i++)
    make_layer (self, i);
  linked_call_open (self->pipeline, &self->link, capacity, NEGOTIATED);
  sfu = gst_element_get_static_pad (
      test_get_element (self->pipeline, "sfu"), "sink");
  relay_init (&self->relay);
  relay_add (&self->relay, sfu);
  gst_object_unref (sfu);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

static void
call_stop (Call *self)
{
  test_stop (self->pipeline);
  slow_link_clear (&self->link);
  relay_clear (&self->relay);
}

/* --- the steps --- */

#define LOW 1u
#define MID 2u
#define HIGH 4u

#define TICK 0.05
#define STEP 10.

/* Frames between an encoder and the SFU: 0.2 s, of the pacer's queue and the link's. */
#define UNDERWAY 6

/* @up: whether the step is one to a faster link, on which nothing is lost */
typedef struct {
  gint64 capacity;
  guint layers;
  gboolean up;
} Step;

static void
wait_seconds (gdouble seconds)
{
  g_usleep ((gulong) (seconds * G_USEC_PER_SEC));
}

/* Of layer @i, since the begin. */
static gint
count_underway (Call *self, guint i)
{
  gint n = g_atomic_int_get (&self->n_encoded[i]);

  g_mutex_lock (&self->relay.lock);
  n -= (gint) self->relay.layers[i].n_frames;
  g_mutex_unlock (&self->relay.lock);

  return n;
}

/* For a picture: the time, the link, v, the rate of each layer in the last tick. */
static void
print_tick (Call *self, gdouble time)
{
  printf ("# %.2f %" G_GINT64_FORMAT " %u", time, self->link.capacity,
      test_get_uint (
          test_get_element (self->pipeline, "sender"), "encoder-bitrate"));
  for (guint i = 0; i < RELAY_N_LAYERS; i++)
    printf (" %.0f", (gdouble) relay_take_bytes (&self->relay, i) * 8. / TICK);
  printf ("\n");
}

/* Returns how long it took until @layers flowed, and no other ever since, s. */
static gdouble
watch (Call *self, guint layers, gdouble begin)
{
  gdouble since = 0.;

  for (guint i = 1; i <= (guint) (STEP / TICK); i++) {
    wait_seconds (TICK);
    print_tick (self, begin + i * TICK);
    if (relay_get_flowing (&self->relay) != layers)
      since = i * TICK;
  }

  return since;
}

static void
check_step (Call *self, const Step *step, gdouble begin)
{
  gint before[RELAY_N_LAYERS];
  gdouble time;

  for (guint i = 0; i < RELAY_N_LAYERS; i++)
    before[i] = count_underway (self, i);
  relay_measure_from_now (&self->relay);
  slow_link_measure_from_now (&self->link);
  slow_link_set_capacity (&self->link, step->capacity);
  time = watch (self, step->layers, begin);
  printf ("%" G_GINT64_FORMAT " bit/s: as it is to be after %.2f s, %u packets "
          "lost, no picture for %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
          " ms\n",
      step->capacity, time, self->link.n_lost,
      self->relay.viewers[0].longest_wait / 1000,
      self->relay.viewers[1].longest_wait / 1000);
  /* a goal of two seconds, less what a probe may come too early */
  g_assert_cmpfloat (time, <=, 2.25);
  if (!step->up)
    return;
  g_assert_cmpuint (self->link.n_lost, ==, 0);
  for (guint i = 0; i < RELAY_N_LAYERS; i++)
    g_assert_cmpint (count_underway (self, i) - before[i], <=, UNDERWAY);
}

/* No layer lacks a packet that the link has not lost. */
static void
check_sequence (Call *self, guint n_lost)
{
  guint n_missing = 0;

  for (guint i = 0; i < RELAY_N_LAYERS; i++)
    n_missing += self->relay.layers[i].n_missing;
  g_assert_cmpuint (n_missing, <=, n_lost);
  g_assert_cmpuint (self->relay.n_unknown, ==, 0);
}

static void
test_the_layers_that_fit_reach_the_sfu (gconstpointer frames)
{
  static const Step steps[] = {
    { 400000, LOW, FALSE },
    { 900000, LOW | MID, TRUE },
    { 3000000, LOW | MID | HIGH, TRUE },
    { 900000, LOW | MID, FALSE },
    { 400000, LOW, FALSE },
  };
  guint n_lost = 0;
  Call call;

  call_start (&call, frames, steps[0].capacity);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    check_step (&call, &steps[i], i * STEP);
    n_lost += call.link.n_lost;
  }
  check_sequence (&call, n_lost);
  call_stop (&call);
}

int
main (int argc, char **argv)
{
  test_init_virtual (&argc, &argv);

  g_test_add_data_func ("/simulcast-calls/the_layers_that_fit_reach_the_sfu",
      argv[1], test_the_layers_that_fit_reach_the_sfu);

  return g_test_run ();
}
