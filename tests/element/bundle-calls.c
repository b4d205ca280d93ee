/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Calls as webrtcbin makes them, in virtual time (tests/test_bundle_calls.py). The
 * word is the pattern of files with raw frames of 352x288 pixels, I420. Tracks
 * are merged before gccsender, the caps there tell nothing, the session knows the
 * media, and there are no retransmissions. Each prints what it measured, and fails
 * where that is less than docs/webrtc.md promises. */

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/gst.h>
#include <stdio.h>

#include "element-test.h"
#include "linked-call.h"

/* What an encoder makes of a picture that stands still, bit/s. */
#define STILL 60000u

#define MEDIA "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000"

/* What the answer has: the other end knows the stream by it. */
#define NEGOTIATED \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96,extmap-12=" GCC_TRANSPORT_FEEDBACK_URI

#define SENDER \
  "rtpbin name=a rtp-profile=avpf rtpsession name=b rtp-profile=avpf " \
  "rtpfunnel name=f ! " \
  "gccsender name=sender feedback=transport-cc " \
  "  start-bitrate=300000 max-bitrate=6000000 ! a.send_rtp_sink_0 " \
  "a.send_rtp_src_0 ! " \
  "  queue name=link max-size-buffers=0 max-size-time=0 max-size-bytes=0 ! " \
  "  capssetter replace=true caps=" NEGOTIATED " ! " \
  "  gccreceiver feedback=transport-cc ! b.recv_rtp_sink " \
  "b.recv_rtp_src ! fakesink sync=false async=false " \
  "a.send_rtcp_src_0 ! queue ! b.recv_rtcp_sink " \
  "b.send_rtcp_src ! fakesink name=back sync=false async=false "
#define TRACK(name) \
  "rmcatvideomodel name=" name " bitrate=800000 min-bitrate=20000 " \
  "  max-bitrate=6000000 ! rtpvp8pay mtu=1200 picture-id-mode=15-bit"

/* The settings of webrtcsink (gst-plugins-rs 0.15), for an encoder whose first
 * bitrate is WEBRTCSINK_START bit/s. The frames are those of a file. */
#define WEBRTCSINK_START 2048000
#define WEBRTCSINK_MAX 8192000
#define FILM \
  "multifilesrc loop=true location=%s ! " \
  "rawvideoparse format=i420 width=352 height=288 framerate=30/1 ! " \
  "identity sync=true ! " \
  "vp8enc name=first deadline=1 cpu-used=-16 target-bitrate=%d " \
  "  keyframe-max-dist=2000 keyframe-mode=disabled end-usage=cbr " \
  "  buffer-initial-size=100 buffer-optimal-size=120 buffer-size=150 " \
  "  max-intra-bitrate=250 error-resilient=default lag-in-frames=0 ! " \
  "rtpvp8pay mtu=1200 picture-id-mode=15-bit"

typedef struct {
  GstElement *pipeline;
  GstElement *sender;
  gint is_moving; /* atomic */
  SlowLink link;
} Call;

/* --- a call --- */

/* It obeys what gccsender sets as far as it has something to send. */
static void
stand_still (GObject *encoder, GParamSpec *pspec, gpointer user_data)
{
  Call *self = user_data;

  (void) pspec;
  if (!g_atomic_int_get (&self->is_moving) &&
      test_get_uint (encoder, "bitrate") > STILL)
    g_object_set (encoder, "bitrate", STILL, NULL);
}

static void
call_move (Call *self)
{
  g_atomic_int_set (&self->is_moving, TRUE);
  g_object_set (test_get_element (self->pipeline, "first"), "bitrate",
      test_get_uint (self->sender, "encoder-bitrate"), NULL);
}

static void
add_track (Call *self, const gchar *line, const gchar *name)
{
  GstElement *track = gst_parse_bin_from_description (line, TRUE, NULL);

  g_assert_nonnull (track);
  gst_bin_add (GST_BIN (self->pipeline), track);
  g_signal_connect (test_get_element (self->pipeline, name), "notify::bitrate",
      G_CALLBACK (stand_still), self);
  g_assert_true (
      gst_element_link (track, test_get_element (self->pipeline, "f")));
  gst_element_sync_state_with_parent (track);
}

static void
call_start_with (
    Call *self, gint64 capacity, gboolean is_moving, const gchar *track)
{
  *self = (Call){ .is_moving = is_moving };
  self->pipeline = gst_parse_launch (SENDER, NULL);
  g_assert_nonnull (self->pipeline);
  self->sender = test_get_element (self->pipeline, "sender");
  test_set_unit (self->sender, 1);
  linked_call_open (self->pipeline, &self->link, capacity, MEDIA);
  add_track (self, track, "first");
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

static void
call_start (Call *self, gint64 capacity, gboolean is_moving)
{
  call_start_with (self, capacity, is_moving, TRACK ("first"));
}

static void
call_stop (Call *self)
{
  test_stop (self->pipeline);
  slow_link_clear (&self->link);
}

/* --- what is measured --- */

static void
wait_seconds (gdouble seconds)
{
  g_usleep ((gulong) (seconds * G_USEC_PER_SEC));
}

static gint
bitrate_of (Call *self, const gchar *encoder)
{
  return (gint) test_get_uint (
      test_get_element (self->pipeline, encoder), "bitrate");
}

/* Both have half of what there is. */
static void
check_shares (Call *self)
{
  gint first = bitrate_of (self, "first"), second = bitrate_of (self, "second");

  printf ("encoders at %d and %d bit/s\n", first, second);
  g_assert_cmpint (ABS (first - second), <=, MAX (first, second) / 20);
}

static void
check_measured (const SlowLinkUse *measured, gdouble p95_ms)
{
  printf ("use %.2f, lost %.2f %%, p95 %.0f ms\n", measured->use,
      measured->lost_percent, measured->p95_ms);
  g_assert_cmpfloat (measured->lost_percent, <=, 1.);
  g_assert_cmpfloat (measured->p95_ms, <=, p95_ms);
  g_assert_cmpfloat (measured->use, >=, .7);
}

/* --- the calls --- */

static void
test_two_encoders_share_1_mbit (void)
{
  SlowLinkUse measured;
  Call call;

  call_start (&call, 1000000, TRUE);
  add_track (&call, TRACK ("second"), "second");
  wait_seconds (5);
  slow_link_measure_from_now (&call.link);
  wait_seconds (20);
  measured = slow_link_measure (&call.link, 20);
  check_measured (&measured, 80.);
  check_shares (&call);
  call_stop (&call);
}

static void
test_a_track_is_added_in_mid_call (void)
{
  SlowLinkUse measured;
  Call call;

  call_start (&call, 1000000, TRUE);
  wait_seconds (10);
  slow_link_measure_from_now (&call.link);
  add_track (&call, TRACK ("second"), "second");
  wait_seconds (1);
  check_shares (&call);
  wait_seconds (9);
  measured = slow_link_measure (&call.link, 10);
  /* the first frames of a track come on top, and over-use has to last */
  check_measured (&measured, 120.);
  call_stop (&call);
}

/* How long until a half second of the link is used by nine tenths, s. */
static gdouble
time_until_used (Call *self, gdouble limit)
{
  gdouble time;

  for (time = .5; time < limit; time += .5) {
    slow_link_measure_from_now (&self->link);
    wait_seconds (.5);
    if (slow_link_measure (&self->link, .5).use >= .9)
      break;
  }

  return time;
}

static void
test_a_picture_that_stood_still_moves (void)
{
  SlowLinkUse measured;
  gdouble time;
  Call call;

  call_start (&call, 3000000, FALSE);
  wait_seconds (15);
  slow_link_measure_from_now (&call.link);
  wait_seconds (5);
  measured = slow_link_measure (&call.link, 5);
  printf ("still: use %.2f, A_s %u bit/s\n", measured.use,
      test_get_uint (call.sender, "target-bitrate"));
  g_assert_cmpfloat (measured.use, <, .3);

  call_move (&call);
  time = time_until_used (&call, 10.);
  printf ("moving: nine tenths of the link after %.1f s\n", time);
  g_assert_cmpfloat (time, <=, 5.);
  call_stop (&call);
}

/* A goal of calm: after 5 s the link is used, and has hardly a queue. */
static void
check_phase (Call *self, gint64 capacity)
{
  SlowLinkUse measured;

  slow_link_set_capacity (&self->link, capacity);
  wait_seconds (5);
  slow_link_measure_from_now (&self->link);
  wait_seconds (15);
  measured = slow_link_measure (&self->link, 15);
  printf ("%" G_GINT64_FORMAT " bit/s: use %.2f, lost %.2f %%, p95 %.0f ms\n",
      capacity, measured.use, measured.lost_percent, measured.p95_ms);
  g_assert_cmpfloat (measured.use, >=, .9);
  g_assert_cmpfloat (measured.p95_ms, <=, 60.);
}

static void
test_webrtcsinks_encoder_is_calm (gconstpointer frames)
{
  gchar *track = g_strdup_printf (
      FILM, (const gchar *) frames, WEBRTCSINK_START);
  Call call;

  call_start_with (&call, 2000000, TRUE, track);
  g_object_set (call.sender, "max-bitrate", WEBRTCSINK_MAX, "start-bitrate",
      WEBRTCSINK_START, NULL);
  check_phase (&call, 2000000);
  check_phase (&call, 500000);
  check_phase (&call, 2000000);
  call_stop (&call);
  g_free (track);
}

int
main (int argc, char **argv)
{
  test_init_virtual (&argc, &argv);

  g_test_add_func ("/bundle-calls/two_encoders_share_1_mbit",
      test_two_encoders_share_1_mbit);
  g_test_add_func ("/bundle-calls/a_track_is_added_in_mid_call",
      test_a_track_is_added_in_mid_call);
  g_test_add_func ("/bundle-calls/a_picture_that_stood_still_moves",
      test_a_picture_that_stood_still_moves);
  if (argc > 1)
    g_test_add_data_func ("/bundle-calls/webrtcsinks_encoder_is_calm", argv[1],
        test_webrtcsinks_encoder_is_calm);

  return g_test_run ();
}
