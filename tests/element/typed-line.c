/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "typed-line.h"

#include <gst/check/gsttestclock.h>
#include <string.h>

static void
make_with_clock (Line *self, const gchar *description, GstClock *clock)
{
  GError *error = NULL;

  test_tolerate_race_of_rtpsession ();
  self->pipeline = gst_parse_launch (description, &error);
  g_assert_no_error (error);
  self->clock = clock;
  if (clock != NULL)
    gst_pipeline_use_clock (GST_PIPELINE (self->pipeline), clock);
  self->element = gst_bin_get_by_name (GST_BIN (self->pipeline), "gcc");
  self->bus = gst_element_get_bus (self->pipeline);
  self->warnings = g_string_new (NULL);
  self->n_warnings = 0;
  self->seqnum = 0;
  self->frame_duration = 0;
  if (clock != NULL)
    test_use_clock (self->pipeline, clock);
}

void
line_make (Line *self, const gchar *description)
{
  make_with_clock (self, description, NULL);
}

void
line_play (Line *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

void
line_start (Line *self, const gchar *description)
{
  line_make (self, description);
  line_play (self);
}

void
line_start_on_test_clock (Line *self, const gchar *description)
{
  make_with_clock (self, description, gst_test_clock_new ());
  line_play (self);
}

void
line_stop (Line *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  g_string_free (self->warnings, TRUE);
  gst_object_unref (self->bus);
  gst_object_unref (self->element);
  gst_object_unref (self->pipeline);
  gst_clear_object (&self->clock);
}

void
line_read (Line *self)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (
              self->bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR))) {
    GError *error = NULL;
    gchar *debug = NULL;

    g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_WARNING);
    gst_message_parse_warning (message, &error, &debug);
    if (GST_MESSAGE_SRC (message) == GST_OBJECT (self->element)) {
      g_string_append_printf (
          self->warnings, "%s\n%s\n", error->message, debug);
      self->n_warnings++;
    }
    g_error_free (error);
    g_free (debug);
    gst_message_unref (message);
  }
}

gboolean
has_warned (gpointer line)
{
  line_read (line);

  return ((Line *) line)->n_warnings > 0;
}

gboolean
says (const Line *self, const gchar *words)
{
  return strstr (self->warnings->str, words) != NULL;
}

void
assert_says (const Line *self, const gchar *words)
{
  if (!says (self, words))
    g_error ("\"%s\" is not in: %s", words, self->warnings->str);
}

void
send_packet_from (GstElement *source)
{
  GstBuffer *buffer = test_rtp_packet (0, 0, 1000);
  GstFlowReturn flow;

  g_signal_emit_by_name (source, "push-buffer", buffer, &flow);
  gst_buffer_unref (buffer);
  g_assert_cmpint (flow, ==, GST_FLOW_OK);
}

void
send_packets (Line *self, guint n)
{
  GstElement *media = gst_bin_get_by_name (GST_BIN (self->pipeline), "media");
  GstFlowReturn flow;

  while (n-- > 0) {
    GstBuffer *buffer = test_rtp_packet (
        self->seqnum, self->seqnum * 3000u, 1000);

    if (self->frame_duration != 0)
      GST_BUFFER_PTS (buffer) = self->seqnum * self->frame_duration;
    self->seqnum++;
    g_signal_emit_by_name (media, "push-buffer", buffer, &flow);
    gst_buffer_unref (buffer);
    g_assert_cmpint (flow, ==, GST_FLOW_OK);
  }
  gst_object_unref (media);
}

typedef struct {
  gint n;
  gint wanted;
} Passed;

static GstPadProbeReturn
count_packet (GstPad *pad, GstPadProbeInfo *info, gpointer passed)
{
  (void) pad;
  (void) info;
  g_atomic_int_inc (&((Passed *) passed)->n);

  return GST_PAD_PROBE_OK;
}

static gboolean
have_passed (gpointer passed)
{
  return g_atomic_int_get (&((Passed *) passed)->n) >=
      ((Passed *) passed)->wanted;
}

void
wait_for_packets (Line *self, gint n, gboolean send)
{
  GstPad *pad = gst_element_get_static_pad (self->element, "src");
  Passed passed = { 0, n };
  gulong id = gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, count_packet,
      &passed, NULL);

  if (send)
    send_packets (self, (guint) n);
  test_wait_until (have_passed, &passed);
  gst_pad_remove_probe (pad, id);
  gst_object_unref (pad);
  line_read (self);
}

void
pass (Line *self, gint n)
{
  wait_for_packets (self, n, TRUE);
}

void
pass_for (Line *self, GstClockTime time)
{
  gst_test_clock_advance_time (
      GST_TEST_CLOCK (self->clock), (GstClockTimeDiff) time);
  pass (self, 10);
}

void
line_stop_warned (Line *self, const gchar *first, const gchar *second)
{
  g_assert_cmpuint (self->n_warnings, ==, 1);
  assert_says (self, first);
  assert_says (self, second);
  line_stop (self);
}
