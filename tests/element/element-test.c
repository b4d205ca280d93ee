/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* MAP_ANONYMOUS */
#define _DEFAULT_SOURCE

#include "element-test.h"

#include <glib/gstdio.h>
#include <gst/gcc/gcc-remb.h>
#include <gst/rtp/rtp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PEER_SSRC 0xaabbccddu

/* GStreamer's tracer of leaks tells at the end of GStreamer what is left, in a
 * warning, which is fatal in a test. */
__attribute__ ((constructor)) static void
end_gstreamer_at_exit (void)
{
  if (g_getenv ("GST_TRACERS") != NULL)
    atexit (gst_deinit);
}

void
test_set_unit (GstElement *sender, guint unit)
{
  gst_child_proxy_set (
      GST_CHILD_PROXY (sender), "sink::encoder-bitrate-unit", unit, NULL);
}

GstBuffer *
test_rtp_packet (guint16 seqnum, guint32 timestamp, guint payload_size)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (payload_size, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp));
  memset (gst_rtp_buffer_get_payload (&rtp), 0x5a, payload_size);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_set_seq (&rtp, seqnum);
  gst_rtp_buffer_set_timestamp (&rtp, timestamp);
  gst_rtp_buffer_set_ssrc (&rtp, TEST_SSRC);
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

guint16
test_read_seqnum (GstBuffer *buffer)
{
  guint16 seqnum;

  g_assert_cmpuint (
      gst_buffer_extract (buffer, 2, &seqnum, sizeof seqnum), ==, 2);

  return GUINT16_FROM_BE (seqnum);
}

static GstBuffer *
begin_report (GstRTCPBuffer *rtcp, GstRTCPPacket *packet)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);

  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, rtcp));
  g_assert_true (gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RR, packet));
  gst_rtcp_packet_rr_set_ssrc (packet, PEER_SSRC);

  return buffer;
}

GstBuffer *
test_receiver_report (
    guint32 ssrc, guint8 fraction_lost, guint32 ext_highest_seq)
{
  return test_timed_report (ssrc, fraction_lost, ext_highest_seq, 0, 0);
}

GstBuffer *
test_timed_report (guint32 ssrc, guint8 fraction_lost, guint32 ext_highest_seq,
    guint32 lsr, guint32 dlsr)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstBuffer *buffer = begin_report (&rtcp, &packet);

  g_assert_true (gst_rtcp_packet_add_rb (
      &packet, ssrc, fraction_lost, 0, ext_highest_seq, 0, lsr, dlsr));
  gst_rtcp_buffer_unmap (&rtcp);

  return buffer;
}

GstBuffer *
test_remb (GccRate rate, guint n_ssrcs)
{
  const GccRemb remb = { .rate = rate, .ssrcs = { TEST_SSRC }, .n_ssrcs = 1 };
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstBuffer *buffer = begin_report (&rtcp, &packet);
  guint8 *fci;

  g_assert_true (
      gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_PSFB, &packet));
  gst_rtcp_packet_fb_set_type (&packet, (GstRTCPFBType) 15);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, PEER_SSRC);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, 0);
  g_assert_true (
      gst_rtcp_packet_fb_set_fci_length (&packet, GCC_REMB_FCI_LENGTH (1) / 4));
  fci = gst_rtcp_packet_fb_get_fci (&packet);
  gcc_remb_write_fci (&remb, fci);
  fci[4] = (guint8) n_ssrcs;
  gst_rtcp_buffer_unmap (&rtcp);

  return buffer;
}

GstBuffer *
test_nack (guint16 seqnum, guint16 following)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstBuffer *buffer = begin_report (&rtcp, &packet);
  guint8 *fci;

  g_assert_true (
      gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RTPFB, &packet));
  gst_rtcp_packet_fb_set_type (&packet, GST_RTCP_RTPFB_TYPE_NACK);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, PEER_SSRC);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, TEST_SSRC);
  g_assert_true (gst_rtcp_packet_fb_set_fci_length (&packet, 1));
  fci = gst_rtcp_packet_fb_get_fci (&packet);
  GST_WRITE_UINT16_BE (fci, seqnum);
  GST_WRITE_UINT16_BE (fci + 2, following);
  gst_rtcp_buffer_unmap (&rtcp);

  return buffer;
}

typedef struct {
  guint8 *pages;
  gsize size;
} Guarded;

static void
guarded_free (gpointer data)
{
  Guarded *self = data;

  munmap (self->pages, 2 * self->size);
  g_free (self);
}

GstBuffer *
test_guarded_buffer (const guint8 *bytes, gsize length)
{
  Guarded *self = g_new (Guarded, 1);
  guint8 *data;

  self->size = (gsize) sysconf (_SC_PAGESIZE);
  g_assert_cmpuint (length, <=, self->size);
  self->pages = mmap (NULL, 2 * self->size, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (self->pages != MAP_FAILED);
  g_assert_cmpint (
      mprotect (self->pages + self->size, self->size, PROT_NONE), ==, 0);
  data = self->pages + self->size - length;
  memcpy (data, bytes, length);

  return gst_buffer_new_wrapped_full (
      0, data, length, 0, length, self, guarded_free);
}

static gboolean
is_race_of_rtpsession (const gchar *message)
{
  return strstr (message, "version == hash_table->version") != NULL;
}

static gboolean
is_fatal (const gchar *domain, GLogLevelFlags level, const gchar *message,
    gpointer user_data)
{
  (void) domain;
  (void) level;
  (void) user_data;

  return !is_race_of_rtpsession (message);
}

/* GLib's own handler bails out of the test program, although the message is not
 * fatal. */
static void
log_message (const gchar *domain, GLogLevelFlags level, const gchar *message,
    gpointer user_data)
{
  if (!is_race_of_rtpsession (message))
    g_log_default_handler (domain, level, message, user_data);
}

void
test_tolerate_race_of_rtpsession (void)
{
  g_log_set_handler ("GLib",
      G_LOG_LEVEL_CRITICAL | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION,
      log_message, NULL);
  g_test_log_set_fatal_handler (is_fatal, NULL);
}

void
test_wait_until (gboolean (*condition) (gpointer user_data), gpointer user_data)
{
  gint64 since = g_get_monotonic_time ();
  clock_t worked = clock ();

  for (guint i = 0; i < 6000; i++) {
    if (condition (user_data))
      return;
    g_usleep (10000);
  }
  /* on a machine that has no time for the test it is far more than a minute */
  g_error ("waited %.0f s in vain, of which the process had %.1f s of a "
           "processor",
      (gdouble) (g_get_monotonic_time () - since) / G_USEC_PER_SEC,
      (gdouble) (clock () - worked) / CLOCKS_PER_SEC);
}

gboolean
test_is_set (gpointer flag)
{
  return g_atomic_int_get ((gint *) flag) > 0;
}

typedef struct {
  void (*call) (gpointer data);
  gpointer data;
  gint done;
} Job;

static gpointer
run_job (gpointer data)
{
  Job *self = data;

  self->call (self->data);
  g_atomic_int_set (&self->done, TRUE);

  return NULL;
}

void
test_check_returns (void (*call) (gpointer data), gpointer data)
{
  Job job = { .call = call, .data = data };
  GThread *thread = g_thread_new ("job", run_job, &job);

  test_wait_until (test_is_set, &job.done);
  g_thread_join (thread);
}

/* Another test may have set its own. */
static void
reset_clock (gpointer clock)
{
  GstClock *present = gst_system_clock_obtain ();

  if (present == clock)
    gst_system_clock_set_default (NULL);
  gst_object_unref (present);
  gst_object_unref (clock);
}

void
test_use_clock (gpointer owner, GstClock *clock)
{
  gst_system_clock_set_default (clock);
  g_object_set_data_full (
      owner, "test-clock", gst_object_ref (clock), reset_clock);
}

void
test_use_testclock (GstHarness *harness)
{
  GstTestClock *clock;

  gst_harness_use_testclock (harness);
  clock = gst_harness_get_testclock (harness);
  test_use_clock (harness->element, GST_CLOCK (clock));
  gst_object_unref (clock);
}

gboolean
test_has_timer (GstHarness *harness)
{
  GstTestClock *clock = gst_harness_get_testclock (harness);
  gboolean has = gst_test_clock_peek_id_count (clock) > 0;

  gst_object_unref (clock);

  return has;
}

guint
test_count_warnings (GstBus *bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING))) {
    gst_message_unref (message);
    n++;
  }

  return n;
}

guint
test_count_warnings_with (GstBus *bus, const gchar *text)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL) {
    GError *error;

    gst_message_parse_warning (message, &error, NULL);
    n += g_strstr_len (error->message, -1, text) != NULL;
    g_error_free (error);
    gst_message_unref (message);
  }

  return n;
}

static GMutex log_lock;
static GString *log_text;
static const gchar *log_category;

static void
keep_line (GstDebugCategory *category, GstDebugLevel level, const gchar *file,
    const gchar *function, gint number, GObject *object,
    GstDebugMessage *message, gpointer user_data)
{
  (void) file;
  (void) function;
  (void) number;
  (void) object;
  (void) user_data;
  if (level > GST_LEVEL_INFO ||
      g_strcmp0 (gst_debug_category_get_name (category), log_category) != 0)
    return;

  g_mutex_lock (&log_lock);
  g_string_append_printf (log_text, "%s\n", gst_debug_message_get (message));
  g_mutex_unlock (&log_lock);
}

void
test_log_start (const gchar *category)
{
  log_text = g_string_new (NULL);
  log_category = category;
  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_for_name (category, GST_LEVEL_INFO);
  gst_debug_add_log_function (keep_line, NULL, NULL);
}

gboolean
test_log_has (gpointer text)
{
  gboolean has;

  g_mutex_lock (&log_lock);
  has = strstr (log_text->str, text) != NULL;
  g_mutex_unlock (&log_lock);

  return has;
}

gchar *
test_log_stop (void)
{
  gst_debug_remove_log_function (keep_line);

  return g_string_free (g_steal_pointer (&log_text), FALSE);
}

GstStructure *
test_get_stats (GstElement *element)
{
  GstStructure *stats;

  g_object_get (element, "stats", &stats, NULL);

  return stats;
}

guint64
test_stats_uint64 (GstElement *element, const gchar *field)
{
  GstStructure *stats = test_get_stats (element);
  guint64 value = G_MAXUINT64;

  g_assert_true (gst_structure_get_uint64 (stats, field, &value));
  gst_structure_free (stats);

  return value;
}

gboolean
test_stats_say (GstElement *element, const gchar *field, const gchar *value)
{
  GstStructure *stats = test_get_stats (element);
  gboolean say;

  say = g_strcmp0 (gst_structure_get_string (stats, field), value) == 0;
  gst_structure_free (stats);

  return say;
}

guint
test_get_uint (gpointer object, const gchar *property)
{
  guint value;

  g_object_get (object, property, &value, NULL);

  return value;
}

/* --- for both elements --- */

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

static gboolean
refuse_to_activate (
    GstPad *pad, GstObject *parent, GstPadMode mode, gboolean active)
{
  (void) pad;
  (void) parent;
  (void) mode;

  return !active;
}

void
test_refuse_activation (GstPad *pad)
{
  gst_pad_set_activatemode_function (pad, refuse_to_activate);
}

gboolean
test_is_missing (const gchar *factory)
{
  GstElementFactory *found = gst_element_factory_find (factory);
  gboolean missing = found == NULL;

  gst_clear_object (&found);

  return missing;
}

guint
test_count_files (const gchar *directory)
{
  GDir *dir = g_dir_open (directory, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);

  return n;
}

static gboolean
give_event (GstPad *pad, GstEvent *event)
{
  return GST_PAD_IS_SRC (pad) ? gst_pad_push_event (pad, event)
                              : gst_pad_send_event (pad, event);
}

void
test_begin_stream (GstPad *pad, const gchar *caps)
{
  GstCaps *parsed = gst_caps_from_string (caps);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_set_active (pad, TRUE);
  give_event (pad, gst_event_new_stream_start ("test"));
  give_event (pad, gst_event_new_caps (parsed));
  give_event (pad, gst_event_new_segment (&segment));
  gst_caps_unref (parsed);
}

GstPad *
test_open_source (GstPad *sink, const gchar *caps)
{
  GstPad *pad = gst_pad_new ("source", GST_PAD_SRC);

  g_assert_cmpint (gst_pad_link (pad, sink), ==, GST_PAD_LINK_OK);
  test_begin_stream (pad, caps);

  return pad;
}

GstPad *
test_open_rtcp (GstElement *session, const gchar *pad)
{
  GstPad *sink = gst_element_request_pad_simple (session, pad);
  GstPad *source = test_open_source (sink, "application/x-rtcp");

  gst_object_unref (sink);

  return source;
}

GstPadProbeReturn
test_send_back (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  (void) pad;
  gst_pad_push (user_data, gst_buffer_ref (GST_PAD_PROBE_INFO_BUFFER (info)));

  return GST_PAD_PROBE_DROP;
}

void
test_leave_upnp_out (GstElement *webrtc)
{
  GObject *ice, *agent;

  g_object_get (webrtc, "ice-agent", &ice, NULL);
  g_object_get (ice, "agent", &agent, NULL);
  g_object_set (agent, "upnp", FALSE, NULL);
  g_object_unref (agent);
  g_object_unref (ice);
}

GstElement *
test_parse (const gchar *line)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  g_assert_no_error (error);

  return pipeline;
}

GstElement *
test_get_element (GstElement *pipeline, const gchar *name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  g_assert_nonnull (element);
  gst_object_unref (element);

  return element;
}
