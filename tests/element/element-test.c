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

/* A message of @type in @buffer, with @n_words of contents. */
static guint8 *
add_feedback (GstRTCPBuffer *rtcp, GstRTCPType type, GstRTCPFBType format,
    guint32 ssrc, guint16 n_words)
{
  GstRTCPPacket packet;

  g_assert_true (gst_rtcp_buffer_add_packet (rtcp, type, &packet));
  gst_rtcp_packet_fb_set_type (&packet, format);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, PEER_SSRC);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, ssrc);
  g_assert_true (gst_rtcp_packet_fb_set_fci_length (&packet, n_words));

  return gst_rtcp_packet_fb_get_fci (&packet);
}

GstBuffer *
test_remb (GccRate rate, guint n_ssrcs)
{
  const GccRemb remb = { .rate = rate, .ssrcs = { TEST_SSRC }, .n_ssrcs = 1 };
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstBuffer *buffer = begin_report (&rtcp, &packet);
  guint8 *fci = add_feedback (&rtcp, GST_RTCP_TYPE_PSFB, (GstRTCPFBType) 15, 0,
      GCC_REMB_FCI_LENGTH (1) / 4);

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
  guint8 *fci = add_feedback (
      &rtcp, GST_RTCP_TYPE_RTPFB, GST_RTCP_RTPFB_TYPE_NACK, TEST_SSRC, 1);

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

GstElement *
test_make (const gchar *factory)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  g_assert_nonnull (element);

  return gst_object_ref_sink (element);
}

GstHarness *
test_play (GstElement *bin)
{
  GstHarness *h = gst_harness_new_with_element (bin, "sink", "src");

  test_use_testclock (h);
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  gst_harness_set_drop_buffers (h, TRUE);

  return h;
}

void
test_stop (GstElement *element)
{
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
}

void
test_init (int *argc, char ***argv)
{
  gst_init (argc, argv);
  g_test_init (argc, argv, NULL);
}

void
test_init_virtual (int *argc, char ***argv)
{
  g_random_set_seed (1);
  test_init (argc, argv);
  test_tolerate_race_of_rtpsession ();
}
