/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Streams that are paused while their minimum does not fit. */

#include <gst/gst.h>
#include <gst/video/video.h>

#include "element-test.h"

#define N_LAYERS 3

/* The least rate of each picture of a camera, the smallest one first. */
static const guint mins[N_LAYERS] = { 150000, 500000, 1500000 };

#define SOURCE \
  "videotestsrc is-live=true ! video/x-raw,width=64,height=64,framerate=30/1 " \
  "! "
#define ENCODER(name) SOURCE "vp8enc deadline=1 name=" name " ! rtpvp8pay ! "
#define SINK " ! fakesink async=false sync=false "

#define STREAM(i) ENCODER ("encoder" i) "sender.sink_" i " sender.src_" i SINK

#define STREAMS "gccsender name=sender " STREAM ("0") STREAM ("1") STREAM ("2")
#define BUNDLE \
  ENCODER ("encoder0") \
  "f. " ENCODER ("encoder1") "f. " ENCODER ( \
      "encoder2") "f. rtpfunnel name=f ! gccsender name=sender " SINK

/* Atomic. */
typedef struct {
  gint n_frames;
  gint n_pauses;
  gint n_resumptions;
  gint n_key_units;
} Layer;

typedef struct {
  GstElement *pipeline;
  GstElement *sender;
  Layer layers[N_LAYERS];
  guint rate;
  gint n_notified;
} Camera;

/* --- what is seen of a layer --- */

static GstPadProbeReturn
count_frame (GstPad *pad, GstPadProbeInfo *info, gpointer layer)
{
  (void) pad;
  (void) info;
  g_atomic_int_inc (&((Layer *) layer)->n_frames);

  return GST_PAD_PROBE_OK;
}

static void
count_event (Layer *self, GstEvent *event)
{
  const GstStructure *structure = gst_event_get_structure (event);
  gboolean is_paused;

  if (gst_video_event_is_force_key_unit (event))
    g_atomic_int_inc (&self->n_key_units);
  if (!gst_event_has_name (event, "GstGccPaused"))
    return;
  g_assert_true (gst_structure_get_boolean (structure, "paused", &is_paused));
  g_atomic_int_inc (is_paused ? &self->n_pauses : &self->n_resumptions);
}

static GstPadProbeReturn
see_event (GstPad *pad, GstPadProbeInfo *info, gpointer layer)
{
  (void) pad;
  count_event (layer, gst_pad_probe_info_get_event (info));

  return GST_PAD_PROBE_OK;
}

static GstElement *
get_encoder (Camera *self, guint i)
{
  gchar *name = g_strdup_printf ("encoder%u", i);
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (self->pipeline), name);

  g_free (name);
  gst_object_unref (encoder);

  return encoder;
}

static void
watch (Camera *self, guint i)
{
  GstPad *pad = gst_element_get_static_pad (get_encoder (self, i), "src");

  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER, count_frame, &self->layers[i], NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, see_event,
      &self->layers[i], NULL);
  gst_object_unref (pad);
}

/* --- the camera --- */

static void
camera_init (Camera *self, const gchar *line, guint rate)
{
  *self = (Camera){ .pipeline = test_parse (line), .rate = rate };
  self->sender = gst_bin_get_by_name (GST_BIN (self->pipeline), "sender");
  g_object_set (
      self->sender, "start-bitrate", rate, "max-bitrate", 10000000, NULL);
  for (guint i = 0; i < N_LAYERS; i++)
    watch (self, i);
}

static GstPad *
get_pad (Camera *self, const gchar *name)
{
  GstPad *pad = gst_element_get_static_pad (self->sender, name);

  g_assert_nonnull (pad);
  gst_object_unref (pad);

  return pad;
}

static GstPad *
get_pad_of (Camera *self, guint i)
{
  gchar *name = g_strdup_printf ("sink_%u", i);
  GstPad *pad = get_pad (self, name);

  g_free (name);

  return pad;
}

static void
make_layers (Camera *self)
{
  for (guint i = 0; i < N_LAYERS; i++)
    g_object_set (get_pad_of (self, i), "min-bitrate", mins[i], "priority",
        N_LAYERS - i, "pausable", TRUE, NULL);
}

static void
camera_start (Camera *self, const gchar *line, guint rate)
{
  camera_init (self, line, rate);
  make_layers (self);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

static void
camera_stop (Camera *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->sender);
  gst_object_unref (self->pipeline);
}

/* The target is applied, as with each report. */
static void
camera_set_rate (Camera *self, guint rate)
{
  self->rate = rate;
  g_signal_emit_by_name (self->sender, "restart", rate);
}

static gboolean
is_active (Camera *self, guint i)
{
  gboolean active;

  g_object_get (get_pad_of (self, i), "active", &active, NULL);

  return active;
}

static guint
count_active (Camera *self)
{
  guint n = 0;

  while (n < N_LAYERS && is_active (self, n))
    n++;
  for (guint i = n; i < N_LAYERS; i++)
    g_assert_false (is_active (self, i));

  return n;
}

static gboolean
have_two (gpointer camera)
{
  camera_set_rate (camera, 900000);

  return count_active (camera) == 2;
}

static gboolean
have_all (gpointer camera)
{
  camera_set_rate (camera, 3000000);

  return count_active (camera) == 3;
}

/* The frames of each layer in @time, once those that an encoder held are out. */
static void
see_frames (Camera *self, gint *n, gulong time)
{
  g_usleep (G_USEC_PER_SEC / 10);
  for (guint i = 0; i < N_LAYERS; i++)
    n[i] = -g_atomic_int_get (&self->layers[i].n_frames);
  g_usleep (time);
  for (guint i = 0; i < N_LAYERS; i++)
    n[i] += g_atomic_int_get (&self->layers[i].n_frames);
}

static void
assert_flowing (Camera *self, guint n_flowing)
{
  gint n[N_LAYERS];

  see_frames (self, n, G_USEC_PER_SEC / 2);
  for (guint i = 0; i < N_LAYERS; i++)
    if (i < n_flowing)
      g_assert_cmpint (n[i], >, 0);
    else
      g_assert_cmpint (n[i], ==, 0);
}

static gint
bitrate_of (Camera *self, guint i)
{
  gint bitrate;

  g_object_get (get_encoder (self, i), "target-bitrate", &bitrate, NULL);

  return bitrate;
}

/* --- layers --- */

static void
test_the_layers_that_fit_flow (void)
{
  Camera camera;

  camera_start (&camera, STREAMS, 400000);
  g_assert_cmpuint (count_active (&camera), ==, 1);
  assert_flowing (&camera, 1);
  g_assert_cmpint (bitrate_of (&camera, 0), ==, 400000);

  test_wait_until (have_two, &camera);
  assert_flowing (&camera, 2);
  g_assert_cmpint (bitrate_of (&camera, 1), >=, 500000);

  test_wait_until (have_all, &camera);
  assert_flowing (&camera, 3);

  camera_set_rate (&camera, 400000);
  g_assert_cmpuint (count_active (&camera), ==, 1);
  assert_flowing (&camera, 1);
  camera_stop (&camera);
}

static void
test_those_upstream_are_told_once (void)
{
  Camera camera;
  const Layer *mid = &camera.layers[1];

  camera_start (&camera, STREAMS, 3000000);
  for (guint i = 0; i < 5; i++)
    camera_set_rate (&camera, 400000 + i);
  g_assert_cmpint (g_atomic_int_get (&mid->n_pauses), ==, 1);
  g_assert_cmpint (g_atomic_int_get (&mid->n_resumptions), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&mid->n_key_units), ==, 0);

  test_wait_until (have_two, &camera);
  g_assert_cmpint (g_atomic_int_get (&mid->n_pauses), ==, 1);
  g_assert_cmpint (g_atomic_int_get (&mid->n_resumptions), ==, 1);
  g_assert_cmpint (g_atomic_int_get (&mid->n_key_units), ==, 1);
  g_assert_cmpint (g_atomic_int_get (&camera.layers[0].n_pauses), ==, 0);
  camera_stop (&camera);
}

static void
count_notification (GObject *pad, GParamSpec *pspec, gpointer camera)
{
  (void) pad;
  (void) pspec;
  ((Camera *) camera)->n_notified++;
}

static void
test_the_application_is_told (void)
{
  Camera camera;

  camera_start (&camera, STREAMS, 900000);
  g_signal_connect (get_pad_of (&camera, 1), "notify::active",
      G_CALLBACK (count_notification), &camera);
  camera_set_rate (&camera, 400000);
  camera_set_rate (&camera, 300000);
  g_assert_cmpint (camera.n_notified, ==, 1);
  test_wait_until (have_two, &camera);
  g_assert_cmpint (camera.n_notified, ==, 2);
  camera_stop (&camera);
}

static void
test_nothing_is_paused_that_may_not_be (void)
{
  Camera camera;

  camera_init (&camera, STREAMS, 400000);
  for (guint i = 0; i < N_LAYERS; i++)
    g_object_set (get_pad_of (&camera, i), "min-bitrate", mins[i], NULL);
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  g_assert_cmpuint (count_active (&camera), ==, 3);
  assert_flowing (&camera, 3);
  for (guint i = 0; i < N_LAYERS; i++)
    g_assert_cmpint (bitrate_of (&camera, i), ==, (gint) mins[i]);
  camera_stop (&camera);
}

static void
test_an_application_that_sets_its_encoders_pauses_them (void)
{
  Camera camera;

  camera_start (&camera, STREAMS, 400000);
  g_assert_cmpuint (count_active (&camera), ==, 1);
  gst_util_set_object_arg (
      G_OBJECT (camera.sender), "manage", "sink+session+fec");
  g_assert_cmpuint (count_active (&camera), ==, 3);
  assert_flowing (&camera, 3);
  camera_stop (&camera);
}

/* --- a bundle --- */

static void
make_bundle (Camera *self)
{
  GObject *pad = G_OBJECT (get_pad (self, "sink"));

  gst_util_set_object_arg (pad, "encoder-min-bitrates",
      "mins,encoder0=150000,encoder1=500000,encoder2=1500000,nobody=1");
  gst_util_set_object_arg (pad, "encoder-max-bitrates", "maxs,encoder0=200000");
  gst_util_set_object_arg (
      pad, "encoder-priorities", "p,encoder0=3,encoder1=2,encoder2=1,nobody=4");
  g_object_set (pad, "pausable", TRUE, NULL);
}

static gboolean
two_of_a_bundle_resumed (gpointer camera)
{
  camera_set_rate (camera, 900000);

  return g_atomic_int_get (&((Camera *) camera)->layers[1].n_resumptions) == 1;
}

static void
test_the_encoders_of_a_bundle_are_layers (void)
{
  Camera camera;
  gboolean active;

  camera_init (&camera, BUNDLE, 400000);
  make_bundle (&camera);
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  assert_flowing (&camera, 1);
  g_assert_cmpint (bitrate_of (&camera, 0), ==, 200000);

  test_wait_until (two_of_a_bundle_resumed, &camera);
  assert_flowing (&camera, 2);
  g_assert_cmpint (bitrate_of (&camera, 0), ==, 200000);
  g_assert_cmpint (bitrate_of (&camera, 1), ==, 700000);

  camera_set_rate (&camera, 100000);
  assert_flowing (&camera, 0);
  g_object_get (get_pad (&camera, "sink"), "active", &active, NULL);
  g_assert_false (active);
  camera_stop (&camera);
}

/* --- packets without an encoder, as a relay has them --- */

static GstHarness *
relay_new (void)
{
  GstHarness *h = gst_harness_new ("gccsender");

  g_object_set (h->element, "start-bitrate", 300000, NULL);
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  gst_harness_play (h);

  return h;
}

static void
relay_set (GstHarness *h, guint min, gboolean pausable)
{
  GstPad *pad = gst_element_get_static_pad (h->element, "sink");

  g_object_set (pad, "min-bitrate", min, "pausable", pausable, NULL);
  gst_object_unref (pad);
  g_object_set (h->element, "start-bitrate", 300000, NULL);
}

static guint
relay_push (GstHarness *h, guint16 first)
{
  guint before = gst_harness_buffers_received (h);

  for (guint16 i = 0; i < 10; i++)
    g_assert_cmpint (
        gst_harness_push (h, test_rtp_packet (first + i, first + i, 100)), ==,
        GST_FLOW_OK);

  return gst_harness_buffers_received (h) - before;
}

static void
count_upstream (GstHarness *h, Layer *layer)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_upstream_event (h)) != NULL) {
    count_event (layer, event);
    gst_event_unref (event);
  }
}

static void
test_packets_stop_while_paused (void)
{
  GstHarness *h = relay_new ();
  Layer layer = { 0 };

  g_assert_cmpuint (relay_push (h, 0), ==, 10);
  relay_set (h, 400000, TRUE);
  g_assert_cmpuint (relay_push (h, 10), ==, 0);
  count_upstream (h, &layer);
  g_assert_cmpint (layer.n_pauses, ==, 1);
  g_assert_cmpint (layer.n_key_units, ==, 0);

  relay_set (h, 400000, FALSE);
  g_assert_cmpuint (relay_push (h, 20), ==, 10);
  count_upstream (h, &layer);
  g_assert_cmpint (layer.n_resumptions, ==, 1);
  g_assert_cmpint (layer.n_key_units, ==, 1);
  gst_harness_teardown (h);
}

static void
test_a_list_stops_while_paused (void)
{
  GstHarness *h = relay_new ();
  GstBufferList *list = gst_buffer_list_new ();

  g_assert_cmpuint (relay_push (h, 0), ==, 10);
  relay_set (h, 400000, TRUE);
  gst_buffer_list_add (list, test_rtp_packet (10, 10, 100));
  g_assert_cmpint (gst_pad_push_list (h->srcpad, list), ==, GST_FLOW_OK);
  g_assert_cmpuint (gst_harness_buffers_received (h), ==, 10);
  gst_harness_teardown (h);
}

/* Events are not dropped: what follows them would have the wrong format. */
static void
test_a_paused_stream_may_be_negotiated_anew (void)
{
  GstHarness *h = relay_new ();
  GstCaps *caps = gst_caps_from_string (TEST_RTP_CAPS ",a-mid=(string)new");
  GstCaps *leaving;

  relay_push (h, 0);
  relay_set (h, 400000, TRUE);
  g_assert_cmpuint (relay_push (h, 10), ==, 0);
  gst_harness_push_event (h, gst_event_new_caps (caps));
  leaving = gst_pad_get_current_caps (h->sinkpad);
  g_assert_true (
      gst_structure_has_field (gst_caps_get_structure (leaving, 0), "a-mid"));
  gst_caps_unref (leaving);
  gst_caps_unref (caps);
  relay_set (h, 400000, FALSE);
  g_assert_cmpuint (relay_push (h, 20), ==, 10);
  gst_harness_teardown (h);
}

/* --- what else is sent --- */

static void
test_a_layer_leaves_room_for_what_is_reserved (void)
{
  Camera camera;

  camera_start (&camera, STREAMS, 900000);
  g_assert_cmpuint (count_active (&camera), ==, 2);
  g_object_set (camera.sender, "reserved-bitrate", 600000, NULL);
  g_assert_cmpuint (count_active (&camera), ==, 1);
  g_assert_cmpint (bitrate_of (&camera, 0), ==, 300000);
  g_assert_cmpuint (
      test_get_uint (camera.sender, "encoder-bitrate"), ==, 300000);
  g_assert_cmpuint (
      test_get_uint (camera.sender, "target-bitrate"), ==, 900000);
  camera_stop (&camera);
}

/* --- many --- */

#define N_SMALL 20
#define SMALL 30000
#define FIT 10

typedef struct {
  GstElement *sender;
  GstPad *pads[N_SMALL];
  GstPad *sources[N_SMALL];
} Crowd;

static void
crowd_add (Crowd *self, guint i)
{
  self->pads[i] = gst_element_request_pad_simple (self->sender, "sink_%u");
  self->sources[i] = gst_pad_new ("src", GST_PAD_SRC);
  g_object_set (self->pads[i], "min-bitrate", SMALL, "pausable", TRUE, NULL);
  gst_pad_link (self->sources[i], self->pads[i]);
}

static void
crowd_remove (Crowd *self, guint i)
{
  gst_pad_unlink (self->sources[i], self->pads[i]);
  gst_element_release_request_pad (self->sender, self->pads[i]);
  g_clear_object (&self->pads[i]);
  g_clear_object (&self->sources[i]);
}

static guint
crowd_count_active (Crowd *self)
{
  guint n = 0;

  /* The target is applied. */
  g_object_set (self->sender, "reserved-bitrate", 0, NULL);
  for (guint i = 0; i < N_SMALL; i++) {
    gboolean active = FALSE;

    if (self->pads[i] != NULL)
      g_object_get (self->pads[i], "active", &active, NULL);
    n += active;
  }

  return n;
}

/* A paused stream waits for 1.1 of its minimum. */
static gboolean
nobody_is_forgotten (gpointer crowd)
{
  return crowd_count_active (crowd) == FIT - 1;
}

static void
test_many_streams_come_and_go (void)
{
  Crowd crowd = { .sender = gst_element_factory_make ("gccsender", NULL) };
  guint n = 0;

  g_object_set (crowd.sender, "start-bitrate", FIT * SMALL, NULL);
  gst_element_set_state (crowd.sender, GST_STATE_PLAYING);
  for (guint step = 0; step < 2000; step++) {
    guint i = (guint) g_test_rand_int_range (0, N_SMALL);

    if (crowd.pads[i] == NULL)
      crowd_add (&crowd, i);
    else
      crowd_remove (&crowd, i);
    g_assert_cmpuint (crowd_count_active (&crowd), <=, FIT);
  }

  for (guint i = 0; i < N_SMALL; i++) {
    if (crowd.pads[i] == NULL)
      crowd_add (&crowd, i);
    if (++n >= FIT)
      crowd_remove (&crowd, i);
  }
  test_wait_until (nobody_is_forgotten, &crowd);
  for (guint i = 0; i < FIT - 1; i++)
    crowd_remove (&crowd, i);
  gst_element_set_state (crowd.sender, GST_STATE_NULL);
  gst_object_unref (crowd.sender);
}

/* --- bad input --- */

static void
test_minima_above_the_maximum_are_the_maximum (void)
{
  GstHarness *h = relay_new ();
  GstPad *pad = gst_element_get_static_pad (h->element, "sink");

  g_object_set (pad, "max-bitrate", 200000, NULL);
  gst_object_unref (pad);
  relay_set (h, 400000, TRUE);
  g_assert_cmpuint (relay_push (h, 0), ==, 10);
  gst_harness_teardown (h);
}

static void
test_two_layers_of_one_priority_are_in_order (void)
{
  Camera camera;

  camera_start (&camera, STREAMS, 400000);
  for (guint i = 0; i < N_LAYERS; i++)
    g_object_set (
        get_pad_of (&camera, i), "min-bitrate", 300000, "priority", 1, NULL);
  camera_set_rate (&camera, 500000);
  g_assert_cmpuint (count_active (&camera), ==, 1);
  camera_stop (&camera);
}

static void
release (Camera *self, guint i)
{
  GstPad *pad = gst_object_ref (get_pad_of (self, i));
  GstPad *peer = gst_pad_get_peer (pad);

  gst_pad_unlink (peer, pad);
  gst_element_release_request_pad (self->sender, pad);
  gst_object_unref (peer);
  gst_object_unref (pad);
}

/* ... and its encoder, which goes on without this element. */
static void
test_a_paused_pad_may_be_released (void)
{
  Camera camera;
  gint n[N_LAYERS];

  camera_start (&camera, STREAMS, 400000);
  assert_flowing (&camera, 1);
  release (&camera, 1);
  see_frames (&camera, n, G_USEC_PER_SEC / 2);
  g_assert_cmpint (n[0], >, 0);
  g_assert_cmpint (n[2], ==, 0);
  camera_set_rate (&camera, 300000);
  camera_stop (&camera);
}

/* ... and a camera that was stopped gets the event. */
static void
test_those_upstream_of_a_pad_that_is_released_are_told (void)
{
  Camera camera;

  camera_start (&camera, STREAMS, 3000000);
  assert_flowing (&camera, 3);
  camera_set_rate (&camera, 400000);
  release (&camera, 1);
  g_assert_cmpint (g_atomic_int_get (&camera.layers[1].n_pauses), ==, 1);
  g_assert_cmpint (g_atomic_int_get (&camera.layers[1].n_resumptions), ==, 1);
  camera_stop (&camera);
}

static GstPadProbeReturn
ignore_event (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  (void) pad;
  (void) info;
  (void) user_data;

  return GST_PAD_PROBE_DROP;
}

static void
test_an_encoder_that_ignores_events_stops_and_resumes (void)
{
  Camera camera;

  camera_init (&camera, STREAMS, 3000000);
  make_layers (&camera);
  for (guint i = 0; i < N_LAYERS; i++) {
    GstPad *pad = gst_element_get_static_pad (get_encoder (&camera, i), "src");

    gst_pad_add_probe (
        pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, ignore_event, NULL, NULL);
    gst_object_unref (pad);
  }
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  assert_flowing (&camera, 3);
  camera_set_rate (&camera, 400000);
  assert_flowing (&camera, 1);
  test_wait_until (have_two, &camera);
  assert_flowing (&camera, 2);
  camera_stop (&camera);
}

/* A sink that waits for its first packet would wait for ever. */
static void
test_a_sink_prerolls_before_a_stream_is_paused (void)
{
  Camera camera;

  camera_init (&camera,
      "gccsender name=sender videotestsrc ! video/x-raw,width=64,height=64 ! "
      "vp8enc name=encoder0 deadline=1 ! rtpvp8pay ! sender.sink_0 "
      "sender.src_0 ! fakesink " STREAM ("1") STREAM ("2"),
      400000);
  make_layers (&camera);
  g_object_set (get_pad_of (&camera, 0), "min-bitrate", 800000, NULL);
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  g_assert_cmpint (
      gst_element_get_state (camera.pipeline, NULL, NULL, 10 * GST_SECOND), !=,
      GST_STATE_CHANGE_ASYNC);
  g_assert_false (is_active (&camera, 0));
  camera_stop (&camera);
}

/* Guards against: a pause that outlives the element's run. */
static void
test_a_new_run_begins_with_all (void)
{
  Camera camera;

  camera_start (&camera, STREAMS, 400000);
  g_assert_cmpuint (count_active (&camera), ==, 1);
  gst_element_set_state (camera.pipeline, GST_STATE_READY);
  g_assert_cmpuint (count_active (&camera), ==, 3);
  g_object_set (camera.sender, "start-bitrate", 3000000, NULL);
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  assert_flowing (&camera, 3);
  camera_stop (&camera);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/layers/" #name, test_##name)
  ADD (the_layers_that_fit_flow);
  ADD (those_upstream_are_told_once);
  ADD (the_application_is_told);
  ADD (nothing_is_paused_that_may_not_be);
  ADD (an_application_that_sets_its_encoders_pauses_them);
  ADD (the_encoders_of_a_bundle_are_layers);
  ADD (packets_stop_while_paused);
  ADD (a_list_stops_while_paused);
  ADD (a_paused_stream_may_be_negotiated_anew);
  ADD (a_layer_leaves_room_for_what_is_reserved);
  ADD (many_streams_come_and_go);
  ADD (minima_above_the_maximum_are_the_maximum);
  ADD (two_layers_of_one_priority_are_in_order);
  ADD (a_paused_pad_may_be_released);
  ADD (those_upstream_of_a_pad_that_is_released_are_told);
  ADD (an_encoder_that_ignores_events_stops_and_resumes);
  ADD (a_sink_prerolls_before_a_stream_is_paused);
  ADD (a_new_run_begins_with_all);
#undef ADD

  return g_test_run ();
}
