/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What both elements have to pass: what goes in comes out. */

#include "element-test.h"

#include <glib/gstdio.h>
#include <string.h>

static GstHarness *
start (gconstpointer factory)
{
  GstHarness *h = gst_harness_new (factory);

  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);

  return h;
}

static void
test_media_passes_unchanged (gconstpointer factory)
{
  GstHarness *h = start (factory);

  for (guint16 i = 0; i < 10; i++) {
    GstBuffer *in = test_rtp_packet (i, i * 3000u, 1000);
    GstBuffer *copy = gst_buffer_copy_deep (in);
    GstMapInfo map;
    GstBuffer *out;

    GST_BUFFER_PTS (in) = i * 33 * GST_MSECOND;
    GST_BUFFER_DTS (in) = i * 33 * GST_MSECOND + 7;
    g_assert_cmpint (gst_harness_push (h, in), ==, GST_FLOW_OK);
    out = gst_harness_pull (h);

    g_assert_true (out == in);
    g_assert_cmpuint (GST_BUFFER_PTS (out), ==, i * 33 * GST_MSECOND);
    g_assert_cmpuint (GST_BUFFER_DTS (out), ==, i * 33 * GST_MSECOND + 7);
    g_assert_true (gst_buffer_map (copy, &map, GST_MAP_READ));
    g_assert_cmpint (gst_buffer_memcmp (out, 0, map.data, map.size), ==, 0);
    gst_buffer_unmap (copy, &map);
    gst_buffer_unref (copy);
    gst_buffer_unref (out);
  }

  gst_harness_teardown (h);
}

static GstFlowReturn
count_list (GstPad *pad, GstObject *parent, GstBufferList *list)
{
  guint *n_buffers = g_object_get_data (G_OBJECT (pad), "n-buffers");

  (void) parent;
  *n_buffers = gst_buffer_list_length (list);
  gst_buffer_list_unref (list);

  return GST_FLOW_OK;
}

static void
test_buffer_lists_stay_lists (gconstpointer factory)
{
  GstHarness *h = start (factory);
  GstBufferList *list = gst_buffer_list_new ();
  guint n_buffers = 0;

  g_object_set_data (G_OBJECT (h->sinkpad), "n-buffers", &n_buffers);
  gst_pad_set_chain_list_function (h->sinkpad, count_list);
  for (guint16 i = 0; i < 5; i++)
    gst_buffer_list_add (list, test_rtp_packet (i, 0, 100));

  g_assert_cmpint (gst_pad_push_list (h->srcpad, list), ==, GST_FLOW_OK);
  g_assert_cmpuint (n_buffers, ==, 5);

  gst_harness_teardown (h);
}

static void
test_events_pass_in_order (gconstpointer factory)
{
  const GstEventType expected[] = { GST_EVENT_STREAM_START, GST_EVENT_CAPS,
    GST_EVENT_SEGMENT, GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_EOS };
  GstHarness *h = start (factory);

  gst_harness_push_event (h,
      gst_event_new_custom (
          GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("anything")));
  gst_harness_push_event (h, gst_event_new_eos ());

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    GstEvent *event = gst_harness_pull_event (h);

    g_assert_cmpstr (
        GST_EVENT_TYPE_NAME (event), ==, gst_event_type_get_name (expected[i]));
    gst_event_unref (event);
  }

  /* and upstream */
  gst_harness_push_upstream_event (h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new_empty ("GstForceKeyUnit")));
  for (;;) {
    GstEvent *event = gst_harness_pull_upstream_event (h);
    gboolean found;

    g_assert_nonnull (event);
    found = gst_event_has_name (event, "GstForceKeyUnit");
    gst_event_unref (event);
    if (found)
      break;
  }

  gst_harness_teardown (h);
}

static void
push_one (GstHarness *h, guint16 seqnum)
{
  GstBuffer *buffer = test_rtp_packet (seqnum, seqnum * 3000u, 100);

  GST_BUFFER_DTS (buffer) = seqnum * 33 * GST_MSECOND;
  g_assert_cmpint (gst_harness_push (h, buffer), ==, GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (h));
}

static void
test_flush_and_restart_work (gconstpointer factory)
{
  GstHarness *h = start (factory);
  GstSegment segment;

  push_one (h, 1);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  g_assert_cmpint (
      gst_harness_push (h, test_rtp_packet (2, 0, 100)), ==, GST_FLOW_FLUSHING);
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  push_one (h, 3);

  gst_element_set_state (h->element, GST_STATE_NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  push_one (h, 4);

  gst_harness_teardown (h);
}

static void
test_missing_session_is_a_warning (gconstpointer factory)
{
  GstHarness *h = start (factory);
  GstBus *bus = gst_bus_new ();

  gst_element_set_bus (h->element, bus);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);
  push_one (h, 1);
  g_assert_cmpuint (test_count_warnings (bus), >=, 1);
  push_one (h, 2);
  push_one (h, 3);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);

  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

static void
test_trace_has_a_header (gconstpointer factory)
{
  GstElement *element = gst_element_factory_make (factory, NULL);
  gchar *directory = g_dir_make_tmp ("gcc-XXXXXX", NULL);
  gchar *location = g_build_filename (directory, "trace.csv", NULL);
  gchar *content;

  g_object_set (element, "trace-location", location, NULL);
  gst_element_set_state (element, GST_STATE_PAUSED);
  gst_element_set_state (element, GST_STATE_NULL);

  g_assert_true (g_file_get_contents (location, &content, NULL, NULL));
  g_assert_true (g_str_has_prefix (content, "time_s,event,"));
  g_assert_nonnull (strchr (content, '\n'));

  g_unlink (location);
  g_rmdir (directory);
  g_free (content);
  g_free (location);
  g_free (directory);
  gst_object_unref (element);
}

static void
test_unwritable_trace_is_an_error (gconstpointer factory)
{
  GstElement *element = gst_element_factory_make (factory, NULL);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;

  gst_element_set_bus (element, bus);
  g_object_set (element, "trace-location", "/nowhere/trace.csv", NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==,
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_assert_nonnull (message);

  gst_message_unref (message);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_object_unref (element);
}

void
test_add_for_both (const gchar *factory)
{
  static const struct {
    const gchar *name;
    GTestDataFunc test;
  } tests[] = {
    { "media_passes_unchanged", test_media_passes_unchanged },
    { "buffer_lists_stay_lists", test_buffer_lists_stay_lists },
    { "events_pass_in_order", test_events_pass_in_order },
    { "flush_and_restart_work", test_flush_and_restart_work },
    { "missing_session_is_a_warning", test_missing_session_is_a_warning },
    { "trace_has_a_header", test_trace_has_a_header },
    { "unwritable_trace_is_an_error", test_unwritable_trace_is_an_error },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    gchar *path = g_strdup_printf ("/%s/%s", factory, tests[i].name);

    g_test_add_data_func (path, factory, tests[i].test);
    g_free (path);
  }
}
