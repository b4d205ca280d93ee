/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What applications and other elements do with layers that are paused, and mistakes. */

#include <gst/gst.h>

#include "element-test.h"
#include "layered-camera.h"

/* --- priorities and limits --- */

static void
test_layers_beyond_the_maximum_stay_paused (void)
{
  gint64 end;
  Camera camera;

  camera_start (&camera, CAMERA_STREAMS, 400000);
  g_object_set (camera.sender, "max-bitrate", 700000, NULL);
  end = g_get_monotonic_time () + 3 * G_TIME_SPAN_SECOND / 2;
  while (g_get_monotonic_time () < end) {
    camera_set_rate (&camera, 3000000);
    g_assert_cmpuint (camera_count_active (&camera), <=, 2);
    g_usleep (G_USEC_PER_SEC / 20);
  }
  g_assert_cmpuint (camera_count_active (&camera), ==, 2);
  camera_stop (&camera);
}

/* ... and flow once the maximum is raised. */
static void
test_where_no_minimum_fits_the_maximum_nothing_flows (void)
{
  Camera camera;

  camera_init (&camera, CAMERA_STREAMS, 3000000);
  camera_make_layers (&camera);
  g_object_set (camera.sender, "max-bitrate", 100000, NULL);
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  camera_assert_flowing (&camera, 0);
  g_object_set (camera.sender, "max-bitrate", 10000000, NULL);
  test_wait_until (camera_has_all, &camera);
  camera_assert_flowing (&camera, 3);
  camera_stop (&camera);
}

static gboolean
first_flows (gpointer camera)
{
  camera_set_rate (camera, 100000);

  return camera_is_active (camera, 0);
}

/* Else nobody would report, and the rate would stay as it is. */
static void
test_where_nothing_flows_the_first_layer_is_tried (void)
{
  Camera camera;
  GstBus *bus;

  camera_start (&camera, CAMERA_STREAMS, 100000);
  camera_assert_flowing (&camera, 0);
  test_wait_until (first_flows, &camera);
  camera_assert_flowing (&camera, 1);
  bus = gst_element_get_bus (camera.pipeline);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);
  gst_object_unref (bus);
  camera_stop (&camera);
}

/* An encoder may join a bundle later, so a name without one is no mistake. */
static void
test_names_that_no_encoder_has_change_nothing (void)
{
  Camera camera;
  GObject *pad;

  camera_init (&camera, CAMERA_BUNDLE, 600000);
  pad = G_OBJECT (camera_get_pad (&camera, "sink"));
  /* rids, which are no names of encoders */
  gst_util_set_object_arg (
      pad, "encoder-min-bitrates", "mins,q=150000,h=(string)many,f=1500000");
  gst_util_set_object_arg (pad, "encoder-priorities", "p,q=3,h=-2,f=1");
  g_object_set (pad, "pausable", TRUE, NULL);
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  camera_assert_flowing (&camera, 3);
  for (guint i = 0; i < CAMERA_N_LAYERS; i++)
    g_assert_cmpint (camera_bitrate_of (&camera, i), ==, 200000);
  camera_stop (&camera);
}

static void
test_two_layers_of_one_priority_are_in_order (void)
{
  Camera camera;

  camera_start (&camera, CAMERA_STREAMS, 400000);
  for (guint i = 0; i < CAMERA_N_LAYERS; i++)
    g_object_set (camera_get_pad_of (&camera, i), "min-bitrate", 300000,
        "priority", 1, NULL);
  camera_set_rate (&camera, 500000);
  g_assert_cmpuint (camera_count_active (&camera), ==, 1);
  camera_stop (&camera);
}

/* --- pads --- */

static void
release (Camera *self, guint i)
{
  GstPad *pad = gst_object_ref (camera_get_pad_of (self, i));
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
  gint n[CAMERA_N_LAYERS];

  camera_start (&camera, CAMERA_STREAMS, 400000);
  camera_assert_flowing (&camera, 1);
  release (&camera, 1);
  camera_see_frames (&camera, n, G_USEC_PER_SEC / 2);
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

  camera_start (&camera, CAMERA_STREAMS, 3000000);
  camera_assert_flowing (&camera, 3);
  camera_set_rate (&camera, 400000);
  release (&camera, 1);
  g_assert_cmpint (g_atomic_int_get (&camera.layers[1].n_pauses), ==, 1);
  g_assert_cmpint (g_atomic_int_get (&camera.layers[1].n_resumptions), ==, 1);
  camera_stop (&camera);
}

/* --- other elements --- */

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

  camera_init (&camera, CAMERA_STREAMS, 3000000);
  camera_make_layers (&camera);
  for (guint i = 0; i < CAMERA_N_LAYERS; i++) {
    GstPad *pad = gst_element_get_static_pad (
        camera_get_encoder (&camera, i), "src");

    gst_pad_add_probe (
        pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, ignore_event, NULL, NULL);
    gst_object_unref (pad);
  }
  gst_element_set_state (camera.pipeline, GST_STATE_PLAYING);
  camera_assert_flowing (&camera, 3);
  camera_set_rate (&camera, 400000);
  camera_assert_flowing (&camera, 1);
  test_wait_until (camera_has_two, &camera);
  camera_assert_flowing (&camera, 2);
  camera_stop (&camera);
}

#define VALVED(i, before, behind) \
  CAMERA_SOURCE before "vp8enc deadline=1 name=encoder" i " ! " behind \
                       "rtpvp8pay ! sender.sink_" i \
                       " sender.src_" i CAMERA_SINK

/* The middle stream has a valve. */
#define WITH_VALVE(before, behind) \
  "gccsender name=sender " CAMERA_STREAM ("0") VALVED ("1", before, behind) \
      CAMERA_STREAM ("2")

static GstPadProbeReturn
close_valve (GstPad *pad, GstPadProbeInfo *info, gpointer valve)
{
  GstEvent *event = gst_pad_probe_info_get_event (info);
  gboolean is_paused;

  (void) pad;
  if (gst_event_has_name (event, "GstGccPaused") &&
      gst_structure_get_boolean (
          gst_event_get_structure (event), "paused", &is_paused))
    g_object_set (valve, "drop", is_paused, NULL);

  return GST_PAD_PROBE_OK;
}

static gint
count_middle (Camera *self)
{
  return g_atomic_int_get (&self->layers[1].n_frames);
}

static void
check_that_the_middle_resumes (Camera *self, GstElement *valve)
{
  gboolean is_closed;
  gint before;

  camera_set_rate (self, 400000);
  g_object_get (valve, "drop", &is_closed, NULL);
  g_assert_true (is_closed);
  camera_assert_flowing (self, 1);

  before = count_middle (self);
  test_wait_until (camera_has_two, self);
  g_object_get (valve, "drop", &is_closed, NULL);
  g_assert_false (is_closed);
  camera_assert_flowing (self, 2);
  g_assert_cmpint (count_middle (self), >, before);
}

/* As one that stops a camera. It drops caps, too. */
static void
test_a_valve_before_the_encoder_may_follow_the_event (void)
{
  GstElement *valve;
  Camera camera;
  GstPad *pad;

  camera_start (&camera,
      WITH_VALVE ("valve name=valve drop-mode=drop-all ! ", ""), 3000000);
  camera_assert_flowing (&camera, 3);
  valve = test_get_element (camera.pipeline, "valve");
  pad = gst_element_get_static_pad (valve, "src");
  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, close_valve, valve, NULL);
  gst_object_unref (pad);
  check_that_the_middle_resumes (&camera, valve);
  camera_stop (&camera);
}

static void
follow_active (GObject *pad, GParamSpec *pspec, gpointer valve)
{
  gboolean active;

  (void) pspec;
  g_object_get (pad, "active", &active, NULL);
  g_object_set (valve, "drop", !active, NULL);
}

static void
test_a_valve_behind_the_encoder_may_follow_the_pad (void)
{
  GstElement *valve;
  Camera camera;

  camera_start (&camera, WITH_VALVE ("", "valve name=valve ! "), 3000000);
  camera_assert_flowing (&camera, 3);
  valve = test_get_element (camera.pipeline, "valve");
  g_signal_connect (camera_get_pad_of (&camera, 1), "notify::active",
      G_CALLBACK (follow_active), valve);
  check_that_the_middle_resumes (&camera, valve);
  camera_stop (&camera);
}

/* The picture changes its size while the stream stops and starts: a stream that may not
 * be paused any more resumes at once. */
static void
test_a_stream_may_be_paused_while_it_is_negotiated_anew (void)
{
  GstElement *size;
  Camera camera;
  GstCaps *caps;

  /* A picture that is on its way when the size changes is still taken. */
  camera_start (&camera,
      WITH_VALVE ("videoscale ! "
                  "capsfilter caps-change-mode=delayed name=size ! ",
          ""),
      3000000);
  size = test_get_element (camera.pipeline, "size");
  for (guint i = 0; i < 40; i++) {
    caps = gst_caps_new_simple (
        "video/x-raw", "width", G_TYPE_INT, i % 2 == 0 ? 96 : 32, NULL);
    g_object_set (size, "caps", caps, NULL);
    gst_caps_unref (caps);
    g_object_set (camera_get_pad_of (&camera, 1), "pausable", i % 3 == 0, NULL);
    camera_set_rate (&camera, 400000);
    g_usleep ((gulong) (i % 5) * G_USEC_PER_SEC / 100);
  }
  g_object_set (camera_get_pad_of (&camera, 1), "pausable", TRUE, NULL);
  test_wait_until (camera_has_all, &camera);
  camera_assert_flowing (&camera, 3);
  camera_stop (&camera);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/layer-faults/" #name, test_##name)
  ADD (layers_beyond_the_maximum_stay_paused);
  ADD (where_no_minimum_fits_the_maximum_nothing_flows);
  ADD (where_nothing_flows_the_first_layer_is_tried);
  ADD (names_that_no_encoder_has_change_nothing);
  ADD (two_layers_of_one_priority_are_in_order);
  ADD (a_paused_pad_may_be_released);
  ADD (those_upstream_of_a_pad_that_is_released_are_told);
  ADD (an_encoder_that_ignores_events_stops_and_resumes);
  ADD (a_valve_before_the_encoder_may_follow_the_event);
  ADD (a_valve_behind_the_encoder_may_follow_the_pad);
  ADD (a_stream_may_be_paused_while_it_is_negotiated_anew);
#undef ADD

  return g_test_run ();
}
