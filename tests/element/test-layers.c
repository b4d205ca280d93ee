/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Streams that are paused while their minimum does not fit. */

#include <gst/gst.h>

#include "element-test.h"
#include "layered-camera.h"

/* --- layers --- */

static void
test_the_layers_that_fit_flow (void)
{
  Camera camera;

  camera_start (&camera, CAMERA_STREAMS, 400000);
  g_assert_cmpuint (camera_count_active (&camera), ==, 1);
  camera_assert_flowing (&camera, 1);
  g_assert_cmpint (camera_bitrate_of (&camera, 0), ==, 400000);

  test_wait_until (camera_has_two, &camera);
  camera_assert_flowing (&camera, 2);
  g_assert_cmpint (camera_bitrate_of (&camera, 1), >=, 500000);

  test_wait_until (camera_has_all, &camera);
  camera_assert_flowing (&camera, 3);

  camera_set_rate (&camera, 400000);
  g_assert_cmpuint (camera_count_active (&camera), ==, 1);
  camera_assert_flowing (&camera, 1);
  camera_stop (&camera);
}

static void
test_those_upstream_are_told_once (void)
{
  Camera camera;
  const Layer *mid = &camera.layers[1];

  camera_start (&camera, CAMERA_STREAMS, 3000000);
  for (guint i = 0; i < 5; i++)
    camera_set_rate (&camera, 400000 + i);
  g_assert_cmpint (g_atomic_int_get (&mid->n_pauses), ==, 1);
  g_assert_cmpint (g_atomic_int_get (&mid->n_resumptions), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&mid->n_key_units), ==, 0);

  test_wait_until (camera_has_two, &camera);
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

  camera_start (&camera, CAMERA_STREAMS, 900000);
  g_signal_connect (camera_get_pad_of (&camera, 1), "notify::active",
      G_CALLBACK (count_notification), &camera);
  camera_set_rate (&camera, 400000);
  camera_set_rate (&camera, 300000);
  g_assert_cmpint (camera.n_notified, ==, 1);
  test_wait_until (camera_has_two, &camera);
  g_assert_cmpint (camera.n_notified, ==, 2);
  camera_stop (&camera);
}

static void
test_nothing_is_paused_that_may_not_be (void)
{
  Camera camera;

  camera_init (&camera, CAMERA_STREAMS, 400000);
  for (guint i = 0; i < CAMERA_N_LAYERS; i++)
    g_object_set (
        camera_get_pad_of (&camera, i), "min-bitrate", layer_mins[i], NULL);
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  g_assert_cmpuint (camera_count_active (&camera), ==, 3);
  camera_assert_flowing (&camera, 3);
  for (guint i = 0; i < CAMERA_N_LAYERS; i++)
    g_assert_cmpint (camera_bitrate_of (&camera, i), ==, (gint) layer_mins[i]);
  camera_stop (&camera);
}

static void
test_an_application_that_sets_its_encoders_pauses_them (void)
{
  Camera camera;

  camera_start (&camera, CAMERA_STREAMS, 400000);
  g_assert_cmpuint (camera_count_active (&camera), ==, 1);
  gst_util_set_object_arg (
      G_OBJECT (camera.sender), "manage", "sink+session+fec");
  g_assert_cmpuint (camera_count_active (&camera), ==, 3);
  camera_assert_flowing (&camera, 3);
  camera_stop (&camera);
}

/* --- a bundle --- */

static void
make_bundle (Camera *self)
{
  GObject *pad = G_OBJECT (camera_get_pad (self, "sink"));

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

  camera_init (&camera, CAMERA_BUNDLE, 400000);
  make_bundle (&camera);
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  camera_assert_flowing (&camera, 1);
  g_assert_cmpint (camera_bitrate_of (&camera, 0), ==, 200000);

  test_wait_until (two_of_a_bundle_resumed, &camera);
  camera_assert_flowing (&camera, 2);
  g_assert_cmpint (camera_bitrate_of (&camera, 0), ==, 200000);
  g_assert_cmpint (camera_bitrate_of (&camera, 1), ==, 700000);

  camera_set_rate (&camera, 100000);
  camera_assert_flowing (&camera, 0);
  g_object_get (camera_get_pad (&camera, "sink"), "active", &active, NULL);
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
    layer_count_event (layer, event);
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

  camera_start (&camera, CAMERA_STREAMS, 900000);
  g_assert_cmpuint (camera_count_active (&camera), ==, 2);
  g_object_set (camera.sender, "reserved-bitrate", 600000, NULL);
  g_assert_cmpuint (camera_count_active (&camera), ==, 1);
  g_assert_cmpint (camera_bitrate_of (&camera, 0), ==, 300000);
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
  test_stop (crowd.sender);
}

/* --- at the limits --- */

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

/* A sink that waits for its first packet would wait for ever. */
static void
test_a_sink_prerolls_before_a_stream_is_paused (void)
{
  Camera camera;

  camera_init (&camera,
      "gccsender name=sender videotestsrc ! video/x-raw,width=64,height=64 ! "
      "vp8enc name=encoder0 deadline=1 ! rtpvp8pay ! sender.sink_0 "
      "sender.src_0 ! fakesink " CAMERA_STREAM ("1") CAMERA_STREAM ("2"),
      400000);
  camera_make_layers (&camera);
  g_object_set (camera_get_pad_of (&camera, 0), "min-bitrate", 800000, NULL);
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  g_assert_cmpint (
      gst_element_get_state (camera.pipeline, NULL, NULL, 10 * GST_SECOND), !=,
      GST_STATE_CHANGE_ASYNC);
  g_assert_false (camera_is_active (&camera, 0));
  camera_stop (&camera);
}

/* Guards against: a pause that outlives the element's run. */
static void
test_a_new_run_begins_with_all (void)
{
  Camera camera;

  camera_start (&camera, CAMERA_STREAMS, 400000);
  g_assert_cmpuint (camera_count_active (&camera), ==, 1);
  gst_element_set_state (camera.pipeline, GST_STATE_READY);
  g_assert_cmpuint (camera_count_active (&camera), ==, 3);
  g_object_set (camera.sender, "start-bitrate", 3000000, NULL);
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  camera_assert_flowing (&camera, 3);
  camera_stop (&camera);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

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
  ADD (a_sink_prerolls_before_a_stream_is_paused);
  ADD (a_new_run_begins_with_all);
#undef ADD

  return g_test_run ();
}
