/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>
#include <gst/video/video.h>

#include "element-test.h"

#define LITTLE 1000u
#define ENOUGH 50000000u

/* gccscale by itself, the caps of its source, and the time of the next frame. */
typedef struct {
  GstHarness *h;
  GstVideoInfo info;
  GstClockTime next;
  GstClockTime interval;
} Scale;

static void
set_source (Scale *self, guint width, guint height, gint n, gint d)
{
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      "I420", "width", G_TYPE_INT, width, "height", G_TYPE_INT, height,
      "framerate", GST_TYPE_FRACTION, n, d, NULL);

  g_assert_true (gst_video_info_from_caps (&self->info, caps));
  self->interval = n > 0 ? gst_util_uint64_scale (GST_SECOND, (guint64) d, n)
                         : 20 * GST_MSECOND;
  gst_harness_set_src_caps (self->h, caps);
}

/* Caps alone. */
static void
set_large_source (Scale *self, guint width, guint height)
{
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      "I420", "width", G_TYPE_INT, width, "height", G_TYPE_INT, height,
      "framerate", GST_TYPE_FRACTION, 30, 1, NULL);

  gst_harness_set_src_caps (self->h, caps);
}

static Scale
new_scale (guint bitrate)
{
  Scale self = { .h = gst_harness_new ("gccscale") };

  test_use_testclock (self.h);
  g_object_set (self.h->element, "target-bitrate", bitrate, NULL);

  return self;
}

static void
set_degradation (const Scale *self, const gchar *preference)
{
  gst_util_set_object_arg (
      G_OBJECT (self->h->element), "degradation", preference);
}

static void
scale_free (Scale *self)
{
  gst_harness_teardown (self->h);
}

/* All of it has one color, @luma. */
static GstBuffer *
new_frame (Scale *self, guint8 luma)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, self->info.size, NULL);

  gst_buffer_memset (buffer, 0, luma, self->info.size);
  GST_BUFFER_PTS (buffer) = self->next;
  GST_BUFFER_DURATION (buffer) = self->interval;
  self->next += self->interval;

  return buffer;
}

static void
push (Scale *self)
{
  g_assert_cmpint (
      gst_harness_push (self->h, new_frame (self, 100)), ==, GST_FLOW_OK);
}

static void
push_frames (Scale *self, guint n)
{
  for (guint i = 0; i < n; i++)
    push (self);
}

/* Time passes, and then a frame. */
static void
push_after (Scale *self, GstClockTime time)
{
  GstTestClock *clock = gst_harness_get_testclock (self->h);

  gst_test_clock_advance_time (clock, (GstClockTimeDiff) time);
  gst_object_unref (clock);
  push (self);
}

static guint
n_left (const Scale *self)
{
  return gst_harness_buffers_in_queue (self->h);
}

static void
drop_all (const Scale *self)
{
  while (n_left (self) > 0)
    gst_buffer_unref (gst_harness_pull (self->h));
}

/* The caps of what has left. */
static void
assert_leaves (const Scale *self, gint width, gint height, gint n, gint d)
{
  GstCaps *caps = gst_pad_get_current_caps (self->h->sinkpad);
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_cmpint (info.width, ==, width);
  g_assert_cmpint (info.height, ==, height);
  g_assert_cmpint (info.fps_n * d, ==, info.fps_d * n);
  gst_caps_unref (caps);
}

/* --- what passes --- */

static void
test_frames_pass_as_they_are_while_no_bitrate_is_known (void)
{
  Scale scale = new_scale (0);

  set_source (&scale, 320, 240, 30, 1);
  for (guint i = 0; i < 10; i++) {
    GstBuffer *buffer = new_frame (&scale, 100);

    g_assert_true (
        gst_harness_push_and_pull (scale.h, gst_buffer_ref (buffer)) == buffer);
    gst_buffer_unref (buffer);
    gst_buffer_unref (buffer);
  }
  assert_leaves (&scale, 320, 240, 30, 1);
  scale_free (&scale);
}

static void
test_frames_pass_as_they_are_where_the_bitrate_is_enough (void)
{
  Scale scale = new_scale (ENOUGH);

  set_source (&scale, 1280, 720, 30, 1);
  push_frames (&scale, 30);
  g_assert_cmpuint (n_left (&scale), ==, 30);
  assert_leaves (&scale, 1280, 720, 30, 1);
  scale_free (&scale);
}

static void
assert_all_is (GstBuffer *buffer, guint width, guint height, guint8 luma)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  g_assert_cmpuint (map.size, ==, width * height * 3 / 2);
  for (gsize i = 0; i < map.size; i++)
    g_assert_cmpuint (map.data[i], ==, luma);
  gst_buffer_unmap (buffer, &map);
}

/* So the first key frame is a small one. */
static void
test_the_first_frame_is_small_already (void)
{
  Scale scale = new_scale (LITTLE);
  GstBuffer *buffer;

  set_degradation (&scale, "maintain-framerate");
  set_source (&scale, 640, 480, 30, 1);
  gst_harness_push (scale.h, new_frame (&scale, 77));
  buffer = gst_harness_pull (scale.h);
  assert_leaves (&scale, 160, 120, 30, 1);
  assert_all_is (buffer, 160, 120, 77);
  g_assert_cmpuint (test_get_uint (scale.h->element, "width"), ==, 160);
  g_assert_cmpuint (test_get_uint (scale.h->element, "height"), ==, 120);
  gst_buffer_unref (buffer);
  scale_free (&scale);
}

static void
test_frames_are_left_out_and_the_others_keep_their_times (void)
{
  Scale scale = new_scale (LITTLE);

  set_degradation (&scale, "maintain-resolution");
  set_source (&scale, 320, 240, 30, 1);
  push_frames (&scale, 60);
  /* 5 a second */
  g_assert_cmpuint (n_left (&scale), ==, 10);
  assert_leaves (&scale, 320, 240, 5, 1);
  for (guint i = 0; i < 10; i++) {
    GstBuffer *buffer = gst_harness_pull (scale.h);

    g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, 6 * i * (GST_SECOND / 30));
    g_assert_false (
        GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DISCONT) && i > 0);
    gst_buffer_unref (buffer);
  }
  scale_free (&scale);
}

static void
test_with_none_nothing_changes (void)
{
  Scale scale = new_scale (LITTLE);

  set_degradation (&scale, "none");
  set_source (&scale, 1280, 720, 30, 1);
  push_frames (&scale, 30);
  g_assert_cmpuint (n_left (&scale), ==, 30);
  assert_leaves (&scale, 1280, 720, 30, 1);
  scale_free (&scale);
}

static void
test_the_degradation_may_change_while_it_runs (void)
{
  Scale scale = new_scale (LITTLE);

  set_source (&scale, 640, 480, 30, 1);
  push (&scale);
  assert_leaves (&scale, 160, 120, 10, 1);
  set_degradation (&scale, "none");
  push (&scale);
  assert_leaves (&scale, 640, 480, 30, 1);
  set_degradation (&scale, "maintain-resolution");
  push (&scale);
  assert_leaves (&scale, 640, 480, 5, 1);
  scale_free (&scale);
}

/* Of frames on a graphics card none is made smaller. */
static void
test_other_memory_keeps_its_size (void)
{
  GstHarness *h = gst_harness_new ("gccscale");

  g_object_set (h->element, "target-bitrate", LITTLE, NULL);
  gst_harness_set_src_caps_str (h,
      "video/x-raw(memory:GLMemory),format=RGBA,width=640,height=480,"
      "framerate=30/1");
  for (guint i = 0; i < 30; i++) {
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, 4, NULL);

    GST_BUFFER_PTS (buffer) = i * (GST_SECOND / 30);
    g_assert_cmpint (gst_harness_push (h, buffer), ==, GST_FLOW_OK);
  }
  /* to 10 a second, by default */
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 10);
  gst_harness_teardown (h);
}

/* --- changes --- */

static void
test_a_thousand_steps_are_made (void)
{
  Scale scale = new_scale (LITTLE);

  set_source (&scale, 320, 180, 30, 1);
  push (&scale);
  for (guint i = 0; i < 500; i++) {
    g_object_set (scale.h->element, "target-bitrate", ENOUGH, NULL);
    push (&scale);
    push_after (&scale, 11 * GST_SECOND);
    drop_all (&scale);
    assert_leaves (&scale, 320, 180, 30, 1);

    g_object_set (scale.h->element, "target-bitrate", LITTLE, NULL);
    push (&scale);
    push_after (&scale, 11 * GST_SECOND);
    push (&scale);
    push (&scale);
    drop_all (&scale);
    assert_leaves (&scale, 160, 90, 10, 1);
  }
  scale_free (&scale);
}

/* Guards against: a key frame at each swing of the bitrate. */
static void
test_a_bitrate_that_swings_changes_nothing (void)
{
  Scale scale = new_scale (ENOUGH);

  set_source (&scale, 320, 180, 30, 1);
  for (guint i = 0; i < 1000; i++) {
    g_object_set (
        scale.h->element, "target-bitrate", i % 4 ? LITTLE : ENOUGH, NULL);
    push_after (&scale, 100 * GST_MSECOND);
    assert_leaves (&scale, 320, 180, 30, 1);
    drop_all (&scale);
  }
  scale_free (&scale);
}

static void
test_a_source_may_change_its_size_by_itself (void)
{
  Scale scale = new_scale (LITTLE);

  set_degradation (&scale, "maintain-framerate");
  for (guint i = 0; i < 100; i++) {
    set_source (&scale, 640, 480, 30, 1);
    push (&scale);
    assert_leaves (&scale, 160, 120, 30, 1);
    /* one that no step makes smaller */
    set_source (&scale, 128, 72 + i, 30, 1);
    push (&scale);
    assert_leaves (&scale, 128, 72 + (gint) i, 30, 1);
    drop_all (&scale);
  }
  scale_free (&scale);
}

static void
test_it_begins_anew_after_ready (void)
{
  Scale scale = new_scale (LITTLE);

  set_source (&scale, 640, 480, 30, 1);
  push (&scale);
  gst_element_set_state (scale.h->element, GST_STATE_READY);
  g_object_set (scale.h->element, "target-bitrate", ENOUGH, NULL);
  gst_element_set_state (scale.h->element, GST_STATE_PLAYING);
  gst_harness_push_event (scale.h, gst_event_new_stream_start ("again"));
  set_source (&scale, 640, 480, 30, 1);
  push (&scale);
  assert_leaves (&scale, 640, 480, 30, 1);
  scale_free (&scale);
}

/* --- what the encoder takes --- */

static void
assert_room (const gchar *room, gint width, gint height)
{
  Scale scale = new_scale (LITTLE);

  set_degradation (&scale, "maintain-framerate");
  gst_harness_set_sink_caps_str (scale.h, room);
  set_source (&scale, 1280, 720, 30, 1);
  push (&scale);
  assert_leaves (&scale, width, height, 30, 1);
  scale_free (&scale);
}

/* 320x180 is wanted. */
static void
test_an_encoder_without_room_gets_what_is_nearest (void)
{
  assert_room ("video/x-raw,width=[500,4096],height=[16,4096]", 500, 281);
  assert_room ("video/x-raw,width=[16,256],height=[16,256]", 256, 144);
  assert_room ("video/x-raw,width=640,height=360", 640, 360);
  assert_room ("video/x-raw,width={160,640,1280},height={90,360,720}", 160, 90);
}

static void
assert_shape (
    const gchar *room, gint width, gint height, gint par_n, gint par_d)
{
  Scale scale = new_scale (LITTLE);
  GstVideoInfo info;
  GstCaps *caps;

  set_degradation (&scale, "maintain-framerate");
  gst_harness_set_sink_caps_str (scale.h, room);
  set_source (&scale, 640, 360, 30, 1);
  push (&scale);
  assert_leaves (&scale, width, height, 30, 1);
  caps = gst_pad_get_current_caps (scale.h->sinkpad);
  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_cmpint (info.par_n, ==, par_n);
  g_assert_cmpint (info.par_d, ==, par_d);
  gst_caps_unref (caps);
  scale_free (&scale);
}

/* Before: 704x288, of square pixels. */
static void
test_a_picture_is_not_stretched (void)
{
  assert_shape ("video/x-raw,width=1280,height=720;"
                "video/x-raw,width=352,height=288;"
                "video/x-raw,width=640,height=480",
      1280, 720, 1, 1);
  assert_shape ("video/x-raw,width={176,352,704,1280},"
                "height={144,288,576,720}",
      1280, 720, 1, 1);
  assert_shape ("video/x-raw,width=[16,1920],height=288", 512, 288, 1, 1);
  assert_shape ("video/x-raw,width=704,height=[16,1080]", 704, 396, 1, 1);
  assert_shape (
      "video/x-raw,width=[16,1920,16],height=[16,1088,16]", 176, 96, 1, 1);
}

/* Guards against: a picture that is shown narrower than it is. */
static void
test_a_picture_that_has_to_be_stretched_says_so (void)
{
  assert_shape ("video/x-raw,width=704,height=288", 704, 288, 8, 11);
  assert_shape (
      "video/x-raw,width={176,352},height={144,288}", 352, 144, 8, 11);
  assert_shape ("video/x-raw,width=352,height=288;"
                "video/x-raw,width=176,height=144",
      176, 144, 16, 11);
  /* the encoder does not pass it on */
  assert_shape ("video/x-raw,width=352,height=288,pixel-aspect-ratio=1/1", 352,
      288, 1, 1);
}

static void
test_a_frame_rate_that_is_asked_for_downstream_is_kept (void)
{
  Scale scale = new_scale (0);

  gst_harness_set_sink_caps_str (scale.h, "video/x-raw,framerate=10/1");
  set_source (&scale, 320, 240, 30, 1);
  push_frames (&scale, 30);
  g_assert_cmpuint (n_left (&scale), ==, 10);
  scale_free (&scale);
}

#define FEW_FRAMES \
  "gccscale degradation=maintain-resolution target-bitrate=1000"

/* libvpx goes by timestamps: it does not begin anew for a frame rate. */
static void
assert_told (const gchar *line, gint frame_rate)
{
  GstHarness *h = gst_harness_new_parse (line);
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (h->element), "encoder");
  GstPad *pad = gst_element_get_static_pad (encoder, "sink");
  GstCaps *caps;
  gint n, d;

  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=I420,width=64,height=64,framerate=30/1,"
      "interlace-mode=progressive");
  gst_harness_push (
      h, gst_buffer_new_memdup ((guint8[64 * 64 * 3 / 2]){ 0 }, 64 * 96));
  caps = gst_pad_get_current_caps (pad);
  g_assert_true (gst_structure_get_fraction (
      gst_caps_get_structure (caps, 0), "framerate", &n, &d));
  g_assert_cmpint (n, ==, frame_rate * d);
  gst_caps_unref (caps);
  gst_object_unref (pad);
  gst_object_unref (encoder);
  gst_harness_teardown (h);
}

static void
test_an_encoder_that_counts_frames_is_told_how_many (void)
{
  assert_told (FEW_FRAMES " ! identity name=encoder", 5);
  assert_told (FEW_FRAMES " ! vp8enc name=encoder deadline=1", 30);
}

static GstPadProbeReturn
count_frame (GstPad *pad, GstPadProbeInfo *info, gpointer n)
{
  (void) pad;
  (void) info;
  ++*(guint *) n;

  return GST_PAD_PROBE_OK;
}

static guint
push_second (Scale *self, guint *n)
{
  *n = 0;
  push_frames (self, 30);

  return *n;
}

/* Guards against: a frame rate that waits for other caps. */
static void
test_frames_are_left_out_where_the_caps_stay (void)
{
  Scale scale = {
    .h = gst_harness_new_parse (
        "gccscale name=scale degradation=maintain-resolution "
        "target-bitrate=50000000 ! vp8enc name=encoder deadline=1")
  };
  GstElement *element = gst_bin_get_by_name (
      GST_BIN (scale.h->element), "scale");
  GstElement *encoder = gst_bin_get_by_name (
      GST_BIN (scale.h->element), "encoder");
  GstPad *pad = gst_element_get_static_pad (encoder, "sink");
  guint n;

  test_use_testclock (scale.h);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_frame, &n, NULL);
  set_source (&scale, 64, 64, 30, 1);
  g_assert_cmpuint (push_second (&scale, &n), ==, 30);
  g_object_set (element, "target-bitrate", LITTLE, NULL);
  push (&scale);
  push_after (&scale, 2 * GST_SECOND);
  g_assert_cmpuint (push_second (&scale, &n), ==, 5);
  g_object_set (element, "target-bitrate", ENOUGH, NULL);
  push (&scale);
  push_after (&scale, 11 * GST_SECOND);
  g_assert_cmpuint (push_second (&scale, &n), ==, 30);

  gst_object_unref (pad);
  gst_object_unref (encoder);
  gst_object_unref (element);
  scale_free (&scale);
}

/* --- a pause --- */

static void
set_paused (Scale *self, gboolean is_paused)
{
  gst_harness_push_upstream_event (self->h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new (
              "GstGccPaused", "paused", G_TYPE_BOOLEAN, is_paused, NULL)));
}

static void
test_a_paused_encoder_gets_the_first_picture_alone (void)
{
  Scale scale = new_scale (ENOUGH);

  set_source (&scale, 320, 240, 30, 1);
  set_paused (&scale, TRUE);
  push_frames (&scale, 5);
  g_assert_cmpuint (n_left (&scale), ==, 1);
  set_paused (&scale, FALSE);
  push_frames (&scale, 5);
  g_assert_cmpuint (n_left (&scale), ==, 6);
  set_paused (&scale, TRUE);
  push_frames (&scale, 5);
  g_assert_cmpuint (n_left (&scale), ==, 6);
  scale_free (&scale);
}

/* --- frame rates --- */

static guint
count_second (Scale *scale, gint n, gint d)
{
  guint left;

  set_source (scale, 320, 240, n, d);
  for (GstClockTime end = scale->next + GST_SECOND - GST_MSECOND;
       scale->next < end;)
    push (scale);
  left = n_left (scale);
  drop_all (scale);

  return left;
}

static void
test_frame_rates_of_all_kinds_are_taken (void)
{
  Scale scale = new_scale (LITTLE);

  g_assert_cmpuint (count_second (&scale, 1, 1), ==, 1);
  g_assert_cmpuint (count_second (&scale, 30, 1), ==, 10);
  g_assert_cmpuint (count_second (&scale, 120, 1), ==, 10);
  /* one that varies, 50 a second at present */
  g_assert_cmpuint (count_second (&scale, 0, 1) / 2, ==, 5);
  assert_leaves (&scale, 160, 120, 0, 1);
  g_assert_cmpuint (count_second (&scale, 30000, 1001), ==, 10);
  scale_free (&scale);
}

/* Before: a range of one fraction, which GStreamer complains of. */
static void
test_no_fraction_is_too_small_or_too_large (void)
{
  static const gint rates[][2] = { { 0, 1 }, { 1, G_MAXINT }, { 2, G_MAXINT },
    { 1, G_MAXINT - 1 }, { G_MAXINT, 1 }, { G_MAXINT, 2 }, { G_MAXINT - 1, 1 },
    { G_MAXINT, G_MAXINT - 1 }, { G_MAXINT - 1, G_MAXINT } };
  static const gchar *rooms[] = { "video/x-raw", "video/x-raw,framerate=30/1",
    "video/x-raw,framerate=1/2147483647",
    "video/x-raw,framerate=[1/2147483647,2147483647/1]",
    "video/x-raw,framerate={1/2147483647,5/1,2147483647/1}" };
  static const gchar *preferences[] = { "balanced", "maintain-framerate",
    "maintain-resolution", "none" };

  for (guint i = 0; i < G_N_ELEMENTS (rates) * G_N_ELEMENTS (rooms); i++) {
    const gint *rate = rates[i % G_N_ELEMENTS (rates)];
    Scale scale = new_scale (LITTLE);

    set_degradation (&scale, preferences[i % G_N_ELEMENTS (preferences)]);
    gst_harness_set_sink_caps_str (scale.h, rooms[i / G_N_ELEMENTS (rates)]);
    set_source (&scale, 64, 36, rate[0], rate[1]);
    for (guint j = 0; j < 3; j++)
      gst_harness_push (scale.h, new_frame (&scale, 0));
    scale_free (&scale);
  }
}

/* Larger pictures than memory holds are refused. */
static void
test_no_size_is_too_small_or_too_large (void)
{
  static const guint sizes[] = { 1, 2, 3, 17, 641, G_MAXINT };
  static const gchar *rooms[] = { "video/x-raw",
    "video/x-raw,width=[1,2147483647],height=[1,2147483647]",
    "video/x-raw,width=[16,4096,2],height=[16,4096,2]",
    "video/x-raw,width={1,2147483647},height={1,2147483647}",
    "video/x-raw,width=1,height=1" };

  for (guint i = 0; i < 36 * G_N_ELEMENTS (rooms); i++) {
    guint width = sizes[i % 6], height = sizes[i / 6 % 6];
    Scale scale = new_scale (LITTLE);

    gst_harness_set_sink_caps_str (scale.h, rooms[i / 36]);
    if (MAX (width, height) < G_MAXINT) {
      set_source (&scale, width, height, 30, 1);
      push (&scale);
    } else {
      set_large_source (&scale, width, height);
    }
    scale_free (&scale);
  }
}

static void
test_frames_without_times_pass (void)
{
  Scale scale = new_scale (LITTLE);

  set_source (&scale, 320, 240, 30, 1);
  for (guint i = 0; i < 10; i++) {
    GstBuffer *buffer = new_frame (&scale, 0);

    GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
    g_assert_cmpint (gst_harness_push (scale.h, buffer), ==, GST_FLOW_OK);
  }
  g_assert_cmpuint (n_left (&scale), ==, 10);
  scale_free (&scale);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
#define ADD(name) g_test_add_func ("/gccscale/" #name, test_##name)
  ADD (frames_pass_as_they_are_while_no_bitrate_is_known);
  ADD (frames_pass_as_they_are_where_the_bitrate_is_enough);
  ADD (the_first_frame_is_small_already);
  ADD (frames_are_left_out_and_the_others_keep_their_times);
  ADD (with_none_nothing_changes);
  ADD (the_degradation_may_change_while_it_runs);
  ADD (other_memory_keeps_its_size);
  ADD (a_thousand_steps_are_made);
  ADD (a_bitrate_that_swings_changes_nothing);
  ADD (a_source_may_change_its_size_by_itself);
  ADD (it_begins_anew_after_ready);
  ADD (an_encoder_without_room_gets_what_is_nearest);
  ADD (a_picture_is_not_stretched);
  ADD (a_picture_that_has_to_be_stretched_says_so);
  ADD (a_frame_rate_that_is_asked_for_downstream_is_kept);
  ADD (an_encoder_that_counts_frames_is_told_how_many);
  ADD (frames_are_left_out_where_the_caps_stay);
  ADD (frame_rates_of_all_kinds_are_taken);
  ADD (no_fraction_is_too_small_or_too_large);
  ADD (no_size_is_too_small_or_too_large);
  ADD (frames_without_times_pass);
  ADD (a_paused_encoder_gets_the_first_picture_alone);
#undef ADD

  return g_test_run ();
}
