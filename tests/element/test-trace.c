/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <gst/check/gstharness.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "element-test.h"

/* gccreceiver that writes a trace while frames come in. */
typedef struct {
  GstHarness *harness;
  GstElement *element;
  GstBus *bus;
  guint frame;
  gint is_done;
} Traced;

static void
traced_start (Traced *self, const gchar *location)
{
  self->element = test_make ("gccreceiver");
  self->bus = gst_bus_new ();
  self->frame = 0;
  self->is_done = FALSE;
  gst_element_set_bus (self->element, self->bus);
  g_object_set (self->element, "trace-location", location, NULL);
  self->harness = test_play (self->element);
}

static void
traced_stop (Traced *self)
{
  gst_element_set_bus (self->element, NULL);
  gst_harness_teardown (self->harness);
  gst_object_unref (self->element);
  gst_object_unref (self->bus);
}

static void
deliver (Traced *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = test_rtp_packet (
        (guint16) self->frame, self->frame * 3000u, 100);

    gst_harness_set_time (self->harness, self->frame * 33 * GST_MSECOND);
    GST_BUFFER_DTS (buffer) = self->frame++ * 33 * GST_MSECOND;
    g_assert_cmpint (gst_harness_push (self->harness, buffer), ==, GST_FLOW_OK);
  }
}

/* How many warnings there are that the file could not be written. */
static guint
count_warnings (Traced *self)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (self->bus, GST_MESSAGE_WARNING))) {
    GError *error;

    gst_message_parse_warning (message, &error, NULL);
    n += g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE);
    g_error_free (error);
    gst_message_unref (message);
  }

  return n;
}

static guint
count_lines (const gchar *location)
{
  gchar *content;
  guint n = 0;

  g_assert_true (g_file_get_contents (location, &content, NULL, NULL));
  for (const gchar *c = content; *c != '\0'; c++)
    n += *c == '\n';
  g_free (content);

  return n;
}

static gchar *
make_location (gchar **directory)
{
  *directory = g_dir_make_tmp ("gcc-XXXXXX", NULL);

  return g_build_filename (*directory, "trace", NULL);
}

static void
remove_location (gchar *location, gchar *directory)
{
  g_unlink (location);
  g_rmdir (directory);
  g_free (location);
  g_free (directory);
}

static void
test_every_line_is_written (void)
{
  gchar *directory, *location = make_location (&directory);
  Traced traced;
  guint64 groups;

  traced_start (&traced, location);
  deliver (&traced, 3000);
  groups = test_stats_uint64 (traced.element, "groups");
  gst_element_set_state (traced.element, GST_STATE_NULL);
  g_assert_cmpuint (groups, >, 2900);
  g_assert_cmpuint (count_lines (location), >, groups);
  g_assert_cmpuint (count_warnings (&traced), ==, 0);

  traced_stop (&traced);
  remove_location (location, directory);
}

static gboolean
has_some_lines (gpointer location)
{
  return count_lines (location) > 1;
}

/* As docs/traces.md has it: a second later, while media still flows or not. */
static void
test_a_reader_can_follow (void)
{
  gchar *directory, *location = make_location (&directory);
  Traced traced;

  traced_start (&traced, location);
  deliver (&traced, 10);
  test_wait_until (has_some_lines, location);

  traced_stop (&traced);
  remove_location (location, directory);
}

static gboolean
has_warned (gpointer traced)
{
  return count_warnings (traced) > 0;
}

/* Guards against a trace that ends in silence. */
static void
test_a_full_disk_is_one_warning (void)
{
  Traced traced;

  if (access ("/dev/full", W_OK) != 0) {
    g_test_skip ("no /dev/full");
    return;
  }
  traced_start (&traced, "/dev/full");
  deliver (&traced, 1000);
  test_wait_until (has_warned, &traced);
  deliver (&traced, 1000);
  gst_element_set_state (traced.element, GST_STATE_NULL);
  g_assert_cmpuint (count_warnings (&traced), ==, 0);

  traced_stop (&traced);
}

static gpointer
deliver_in_thread (gpointer data)
{
  Traced *self = data;

  deliver (self, 6000);
  g_atomic_int_set (&self->is_done, TRUE);

  return NULL;
}

static gboolean
is_done (gpointer data)
{
  return g_atomic_int_get (&((Traced *) data)->is_done);
}

/* Guards against a disk that holds up media, and RTCP with it: the file was
 * written with the element's lock held. Here the file is a pipe that nobody
 * empties. */
static void
test_a_disk_that_hangs_does_not_hold_up_media (void)
{
  gchar *directory, *location = make_location (&directory);
  GThread *thread;
  Traced traced;
  gint reader;

  signal (SIGPIPE, SIG_IGN);
  g_assert_cmpint (mkfifo (location, 0600), ==, 0);
  reader = open (location, O_RDONLY | O_NONBLOCK);
  traced_start (&traced, location);

  thread = g_thread_new ("media", deliver_in_thread, &traced);
  test_wait_until (is_done, &traced);
  g_thread_join (thread);
  g_assert_cmpuint (test_stats_uint64 (traced.element, "packets"), ==, 6000);

  /* the disk is gone */
  close (reader);
  gst_element_set_state (traced.element, GST_STATE_NULL);
  g_assert_cmpuint (count_warnings (&traced), ==, 1);

  traced_stop (&traced);
  remove_location (location, directory);
}

/* What waits for the disk is bound. */
static void
test_a_disk_that_never_wakes_ends_the_trace (void)
{
  gchar *directory, *location = make_location (&directory);
  Traced traced;
  gint reader;

  signal (SIGPIPE, SIG_IGN);
  g_assert_cmpint (mkfifo (location, 0600), ==, 0);
  reader = open (location, O_RDONLY | O_NONBLOCK);
  traced_start (&traced, location);
  deliver (&traced, 60000);
  close (reader);
  gst_element_set_state (traced.element, GST_STATE_NULL);
  g_assert_cmpuint (count_warnings (&traced), ==, 1);

  traced_stop (&traced);
  remove_location (location, directory);
}

/* Guards against a trace that stays open, without the last lines, when the
 * element could not start. */
static void
test_a_start_that_fails_closes_the_trace (void)
{
  gchar *directory, *location = make_location (&directory);
  GstElement *element = test_make ("gccsender");
  GstPad *pad = gst_element_get_static_pad (element, "sink");

  g_object_set (element, "trace-location", location, NULL);
  test_refuse_activation (pad);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==,
      GST_STATE_CHANGE_FAILURE);
  g_assert_cmpuint (count_lines (location), ==, 2);

  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (pad);
  gst_object_unref (element);
  remove_location (location, directory);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/trace/" #name, test_##name)
  ADD (every_line_is_written);
  ADD (a_reader_can_follow);
  ADD (a_full_disk_is_one_warning);
  ADD (a_disk_that_hangs_does_not_hold_up_media);
  ADD (a_disk_that_never_wakes_ends_the_trace);
  ADD (a_start_that_fails_closes_the_trace);

  return g_test_run ();
}
