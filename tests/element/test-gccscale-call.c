/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* gccscale before the encoder of a gccsender. */

#include <gst/gst.h>
#include <gst/video/video.h>

#include "element-test.h"

#define CALL \
  "videotestsrc is-live=true ! " \
  "video/x-raw,width=320,height=240,framerate=30/1 " \
  "! identity name=before ! gccscale name=scale ! vp8enc name=encoder " \
  "deadline=1 ! rtpvp8pay ! gccsender name=sender start-bitrate=300000 ! " \
  "fakesink name=sink async=false sync=false"

typedef struct {
  GstElement *pipeline;
  GstElement *before;
  GstElement *scale;
  GstElement *encoder;
  GstElement *sender;
} Call;

static Call
new_call (const gchar *line)
{
  Call call;

  call.pipeline = gst_parse_launch (line, NULL);
  g_assert_nonnull (call.pipeline);
  call.before = gst_bin_get_by_name (GST_BIN (call.pipeline), "before");
  call.scale = gst_bin_get_by_name (GST_BIN (call.pipeline), "scale");
  call.encoder = gst_bin_get_by_name (GST_BIN (call.pipeline), "encoder");
  call.sender = gst_bin_get_by_name (GST_BIN (call.pipeline), "sender");
  gst_element_set_state (call.pipeline, GST_STATE_PLAYING);

  return call;
}

static void
call_free (Call *call)
{
  gst_element_set_state (call->pipeline, GST_STATE_NULL);
  gst_clear_object (&call->before);
  gst_clear_object (&call->scale);
  gst_clear_object (&call->encoder);
  gst_clear_object (&call->sender);
  gst_clear_object (&call->pipeline);
}

static guint
get_bitrate (const Call *call)
{
  return test_get_uint (call->encoder, "target-bitrate");
}

static gint
get_width (GstElement *encoder)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "sink");
  GstCaps *caps = gst_pad_get_current_caps (pad);
  gint width = 0;

  if (caps != NULL)
    gst_structure_get_int (gst_caps_get_structure (caps, 0), "width", &width);
  gst_clear_caps (&caps);
  gst_object_unref (pad);

  return width;
}

static gboolean
has_small_pictures (gpointer encoder)
{
  gint width = get_width (encoder);

  return width > 0 && width < 320;
}

static gboolean
has_large_pictures (gpointer encoder)
{
  return get_width (encoder) == 320;
}

static void
test_gccsender_tells_it_the_bitrate_of_the_encoder (void)
{
  Call call = new_call (CALL);

  g_assert_cmpuint (
      test_get_uint (call.scale, "target-bitrate"), ==, get_bitrate (&call));
  g_object_set (call.sender, "start-bitrate", 123000, NULL);
  g_assert_cmpuint (
      test_get_uint (call.scale, "target-bitrate"), ==, get_bitrate (&call));
  g_assert_cmpuint (get_bitrate (&call), ==, 123000);
  call_free (&call);
}

static void
test_it_is_not_that_of_another_encoder (void)
{
  Call call = new_call (
      "videotestsrc is-live=true ! video/x-raw,width=64,height=64 ! "
      "gccscale name=scale ! vp8enc name=before ! vp8dec ! "
      "vp8enc name=encoder ! rtpvp8pay ! gccsender name=sender ! "
      "fakesink async=false sync=false");

  g_assert_cmpuint (test_get_uint (call.scale, "target-bitrate"), ==, 0);
  call_free (&call);
}

/* Guards against: an encoder without a bitrate that sends what it likes, where fewer
 * and smaller frames would be less. */
static void
test_an_encoder_without_a_bitrate_gets_smaller_pictures (void)
{
  Call call = new_call (
      "videotestsrc is-live=true pattern=ball ! "
      "video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! "
      "gccscale name=scale ! jpegenc name=encoder ! rtpjpegpay ! "
      "gccsender name=sender min-bitrate=10000 max-bitrate=20000 "
      "start-bitrate=20000 ! fakesink async=false sync=false");

  g_assert_cmpuint (test_get_uint (call.scale, "target-bitrate"), ==, 20000);
  test_wait_until (has_small_pictures, call.encoder);
  call_free (&call);
}

static GstPadProbeReturn
note_late (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstClockTime now = gst_element_get_current_running_time (
      GST_PAD_PARENT (pad));

  g_atomic_int_set ((gint *) data,
      (gint) GST_TIME_AS_MSECONDS (GST_CLOCK_DIFF (
          GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info)), now)));

  return GST_PAD_PROBE_OK;
}

typedef struct {
  Call call;
  gint late_ms;
} SlowCall;

static gboolean
is_late (gpointer data)
{
  return g_atomic_int_get (&((SlowCall *) data)->late_ms) > 1000;
}

static gboolean
has_fewer_frames_in_time (gpointer data)
{
  SlowCall *slow = data;
  gint n, d;

  g_object_get (slow->call.scale, "framerate", &n, &d, NULL);

  return n < 30 * d && g_atomic_int_get (&slow->late_ms) < 300;
}

/* Of an encoder that takes 60 ms for a frame that is shown for 33 ms. */
static void
test_an_encoder_that_is_too_slow_gets_fewer_frames (void)
{
  SlowCall slow = {
    .call = new_call (
        "videotestsrc is-live=true ! "
        "video/x-raw,width=320,height=240,framerate=30/1 ! "
        "gccscale name=scale degradation=maintain-resolution ! "
        "identity sleep-time=60000 ! vp8enc name=encoder deadline=1 ! "
        "rtpvp8pay ! gccsender name=sender start-bitrate=1000000 ! "
        "fakesink async=false sync=false"),
  };
  GstPad *pad = gst_element_get_static_pad (slow.call.encoder, "src");

  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER, note_late, &slow.late_ms, NULL);
  test_wait_until (is_late, &slow);
  test_wait_until (has_fewer_frames_in_time, &slow);
  g_assert_cmpuint (get_bitrate (&slow.call), ==, 1000000);
  gst_object_unref (pad);
  call_free (&slow.call);
}

static GstPadProbeReturn
remove_scale (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Call *call = data;

  (void) pad;
  (void) info;
  gst_element_unlink_many (call->before, call->scale, call->encoder, NULL);
  gst_element_set_state (call->scale, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (call->pipeline), call->scale);
  gst_clear_object (&call->scale);
  g_assert_true (gst_element_link (call->before, call->encoder));

  return GST_PAD_PROBE_REMOVE;
}

/* Messages on the bus have a reference to it. */
static void
drop_messages (const Call *call)
{
  GstBus *bus = gst_element_get_bus (call->pipeline);

  gst_bus_set_flushing (bus, TRUE);
  gst_object_unref (bus);
}

static gboolean
is_gone (gpointer data)
{
  const Call *call = data;
  static guint bitrate = 200000;

  drop_messages (call);
  /* what makes gccsender look for encoders */
  g_object_set (call->sender, "start-bitrate", bitrate++, NULL);

  return g_object_get_data (G_OBJECT (call->pipeline), "gone") != NULL;
}

static void
note_gone (gpointer pipeline, GObject *scale)
{
  (void) scale;
  g_object_set_data (pipeline, "gone", pipeline);
}

static void
test_it_may_be_taken_out_of_a_call (void)
{
  Call call = new_call (CALL);
  GstPad *pad = gst_element_get_static_pad (call.before, "src");

  g_object_set (call.sender, "max-bitrate", 20000, "min-bitrate", 10000, NULL);
  test_wait_until (has_small_pictures, call.encoder);
  g_object_weak_ref (G_OBJECT (call.scale), note_gone, call.pipeline);
  /* At a frame. A probe for an idle pad may run just after caps were sent, and
   * when it links another element GstPad takes them for sent there, too. */
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER,
      remove_scale, &call, NULL);
  test_wait_until (has_large_pictures, call.encoder);
  test_wait_until (is_gone, &call);
  gst_object_unref (pad);
  call_free (&call);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
#define ADD(name) g_test_add_func ("/gccscale-call/" #name, test_##name)
  ADD (gccsender_tells_it_the_bitrate_of_the_encoder);
  ADD (an_encoder_without_a_bitrate_gets_smaller_pictures);
  ADD (it_is_not_that_of_another_encoder);
  ADD (an_encoder_that_is_too_slow_gets_fewer_frames);
  ADD (it_may_be_taken_out_of_a_call);
#undef ADD

  return g_test_run ();
}
