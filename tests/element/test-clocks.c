/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What the system clock can do while gccsender paces. An application may have made
 * it the wall clock, for NTP times, and somebody sets that. */

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>

#include "element-test.h"

/* 1000 bytes take 5 ms at twice the 800 kbit/s. */
#define PAYLOAD 1000u
#define FRAME 10u
#define RATE 800000u
#define PACED \
  "gccsender name=sender start-bitrate=800000 min-bitrate=100000 " \
  "pacing-factor=2 max-pacing-delay=200"

/* --- a wall clock --- */

#define HOUR (3600 * (GstClockTimeDiff) GST_SECOND)

/* @set_by: from the monotonic clock, ns; @stopped_at: or it shows that */
typedef struct {
  GstSystemClock parent;
  GstClockTimeDiff set_by;
  GstClockTime stopped_at;
} WallClock;

typedef struct {
  GstSystemClockClass parent;
} WallClockClass;

GType wall_clock_get_type (void);
G_DEFINE_TYPE (WallClock, wall_clock, GST_TYPE_SYSTEM_CLOCK)

static GstClockTime
wall_clock_get_internal_time (GstClock *clock)
{
  WallClock *self = (WallClock *) clock;
  GstClockTime time;

  GST_OBJECT_LOCK (self);
  time = self->stopped_at;
  if (time == GST_CLOCK_TIME_NONE)
    time = (GstClockTime) (g_get_monotonic_time () * GST_USECOND +
        self->set_by);
  GST_OBJECT_UNLOCK (self);

  return time;
}

static void
wall_clock_class_init (WallClockClass *klass)
{
  GST_CLOCK_CLASS (klass)->get_internal_time = wall_clock_get_internal_time;
}

static void
wall_clock_init (WallClock *self)
{
  self->set_by = 1000 * HOUR;
  self->stopped_at = GST_CLOCK_TIME_NONE;
}

static void
wall_clock_set (WallClock *self, GstClockTimeDiff by)
{
  GST_OBJECT_LOCK (self);
  self->set_by += by;
  GST_OBJECT_UNLOCK (self);
}

static void
wall_clock_stop (WallClock *self)
{
  GstClockTime now = gst_clock_get_time (GST_CLOCK (self));

  GST_OBJECT_LOCK (self);
  self->stopped_at = now;
  GST_OBJECT_UNLOCK (self);
}

/* --- a sender that has it as the system clock --- */

typedef struct {
  GstHarness *h;
  GstElement *sender;
  WallClock *clock;
  guint16 seq;
} Call;

static void
call_start (Call *self)
{
  *self = (Call){ .clock = g_object_new (wall_clock_get_type (), NULL) };
  gst_object_ref_sink (self->clock);
  self->h = gst_harness_new_parse (PACED);
  self->sender = gst_harness_find_element (self->h, "gccsender");
  test_use_clock (self->h->element, GST_CLOCK (self->clock));
  gst_harness_set_src_caps_str (self->h, TEST_RTP_CAPS);
}

static void
call_stop (Call *self)
{
  gst_object_unref (self->sender);
  gst_harness_teardown (self->h);
  gst_object_unref (self->clock);
}

static void
push_frame (Call *self, guint n_packets)
{
  for (guint i = 0; i < n_packets; i++)
    g_assert_cmpint (
        gst_harness_push (self->h, test_rtp_packet (self->seq++, 0, PAYLOAD)),
        ==, GST_FLOW_OK);
}

static gboolean
has_all_left (gpointer user_data)
{
  Call *self = user_data;

  return gst_harness_buffers_received (self->h) == self->seq;
}

/* Before: seconds set back were seconds without a packet. */
static void
set_in_mid_frame (GstClockTimeDiff by)
{
  Call call;

  call_start (&call);
  for (guint i = 0; i < 3; i++) {
    push_frame (&call, FRAME);
    wall_clock_set (call.clock, by);
    push_frame (&call, FRAME);
    test_wait_until (has_all_left, &call);
    g_assert_cmpuint (test_get_uint (call.sender, "target-bitrate"), ==, RATE);
  }
  call_stop (&call);
}

static void
test_a_system_clock_may_be_set_back (void)
{
  set_in_mid_frame (-20 * (GstClockTimeDiff) GST_SECOND);
  set_in_mid_frame (-100 * HOUR);
}

static void
test_a_system_clock_may_be_set_forward (void)
{
  set_in_mid_frame (20 * (GstClockTimeDiff) GST_SECOND);
  set_in_mid_frame (100 * HOUR);
}

static void
test_a_system_clock_may_stop (void)
{
  Call call;

  call_start (&call);
  push_frame (&call, FRAME);
  wall_clock_stop (call.clock);
  for (guint i = 0; i < 3; i++) {
    push_frame (&call, FRAME);
    test_wait_until (has_all_left, &call);
  }
  call_stop (&call);
}

/* --- a clock of another class, which stands still --- */

/* max-bitrate sends as much in twenty seconds. */
#define BOUNDED PACED " max-bitrate=600000"
#define MAX_QUEUED 1500u
#define N_PACKETS (2 * MAX_QUEUED)

static Call
stand_still (void)
{
  Call call = { .h = gst_harness_new_parse (BOUNDED) };

  call.sender = gst_harness_find_element (call.h, "gccsender");
  test_use_testclock (call.h);
  gst_harness_set_src_caps_str (call.h, TEST_RTP_CAPS);

  return call;
}

static void
end (Call *self)
{
  gst_object_unref (self->sender);
  gst_harness_teardown (self->h);
}

static gboolean
holds_the_most (gpointer user_data)
{
  Call *self = user_data;

  return test_stats_uint64 (self->sender, "queued-bytes") ==
      MAX_QUEUED * PAYLOAD;
}

/* Before: all of it was held, as much as came. */
static void
test_the_queue_is_bounded_in_bytes (void)
{
  Call call = stand_still ();
  guint n_left;

  push_frame (&call, N_PACKETS);
  test_wait_until (holds_the_most, &call);
  n_left = gst_harness_buffers_received (call.h);
  g_assert_cmpuint (n_left, ==, N_PACKETS - MAX_QUEUED);
  /* the others are the first group */
  g_assert_cmpuint (
      test_stats_uint64 (call.sender, "unpaced-packets"), >, n_left * 9 / 10);
  end (&call);
}

static GstPadProbeReturn
block (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  (void) pad;
  (void) info;
  (void) user_data;

  return GST_PAD_PROBE_OK;
}

static gboolean
has_timer (gpointer call)
{
  return test_has_timer (((Call *) call)->h);
}

static gpointer
push_all (gpointer call)
{
  push_frame (call, N_PACKETS);

  return NULL;
}

static gboolean
holds_more_than_the_most (gpointer user_data)
{
  Call *self = user_data;

  return test_stats_uint64 (self->sender, "queued-bytes") >
      MAX_QUEUED * PAYLOAD;
}

/* Then the thread waits that brings the packets. */
static void
test_the_queue_of_a_stream_that_blocks_is_bounded_in_bytes (void)
{
  Call call = stand_still ();
  GstPad *pad = gst_element_get_static_pad (call.sender, "src");
  GThread *thread;
  gulong probe;

  /* so that a thread of the pacer pushes, and blocks */
  push_frame (&call, FRAME);
  test_wait_until (has_timer, &call);
  probe = gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, block, NULL, NULL);
  thread = g_thread_new ("push", push_all, &call);

  test_wait_until (holds_more_than_the_most, &call);
  g_usleep (G_USEC_PER_SEC / 20);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "queued-bytes"), ==,
      (MAX_QUEUED + 1) * PAYLOAD);
  gst_pad_remove_probe (pad, probe);
  g_thread_join (thread);
  test_wait_until (holds_the_most, &call);

  gst_object_unref (pad);
  end (&call);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
#define ADD(name) g_test_add_func ("/clocks/" #name, test_##name)
  ADD (a_system_clock_may_be_set_back);
  ADD (a_system_clock_may_be_set_forward);
  ADD (a_system_clock_may_stop);
  ADD (the_queue_is_bounded_in_bytes);
  ADD (the_queue_of_a_stream_that_blocks_is_bounded_in_bytes);
#undef ADD

  return g_test_run ();
}
