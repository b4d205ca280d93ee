/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Ten calls at once in one process, each with an rtpbin that sends and a session
 * that receives, for as many minutes as the argument says: tests/ten-calls.sh
 * runs it in virtual time. Five follow transport-wide feedback and five REMB,
 * over a link with a queue each. What must not change from the first minutes to
 * the last: the rates, the memory, the threads, the files; and no packet may be
 * missing that we sent. */

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <stdio.h>
#include <stdlib.h>

#include "element-test.h"

#define N_CALLS 10
#define CAPACITY 100000
#define QUEUE_BYTES "6250"
#define HEADERS 28

/* Of what the link takes, at the end; and how much that may change from one ten
 * minutes to the last: a minute says nothing of that. */
#define LEAST_SHARE 0.5
#define MAX_CHANGE 0.15
#define MAX_GROWTH_KB 2048

#define ABS_SEND_TIME ",extmap-3=(string)" GCC_ABS_SEND_TIME_URI

#define LINE \
  "rtpbin name=a rtp-profile=avpf rtpsession name=b rtp-profile=avpf " \
  "rmcatvideomodel framerate=10/1 bitrate=60000 min-bitrate=20000 " \
  "  max-bitrate=200000 seed=%u ! " \
  "  rtpvp8pay mtu=1400 picture-id-mode=15-bit ! application/x-rtp%s ! " \
  "  gccsender name=sender feedback=%s pacing-factor=2.5 " \
  "    min-bitrate=20000 start-bitrate=60000 " \
  "    max-bitrate=200000 ! a.send_rtp_sink_0 " \
  "a.send_rtp_src_0 ! " \
  "  queue name=link leaky=upstream max-size-buffers=0 max-size-time=0 " \
  "    max-size-bytes=" QUEUE_BYTES " ! " \
  "  gccreceiver name=receiver feedback=%s ! b.recv_rtp_sink " \
  "b.recv_rtp_src ! fakesink sync=false async=false " \
  "a.send_rtcp_src_0 ! queue ! b.recv_rtcp_sink " \
  "b.send_rtcp_src ! fakesink name=back sync=false async=false"

typedef struct {
  GstElement *pipeline;
  GstElement *sender;
  const gchar *feedback;
  GMutex lock;
  /* into the link */
  gboolean has_sent;
  guint16 seq;
  guint64 n_sent;
  guint64 n_missing;
  /* out of it */
  guint64 n_received;
  guint64 bytes;
  /* when the last ten minutes began */
  guint64 bytes_before;
  gdouble first_kbps;
  gdouble last_kbps;
} Call;

static Call calls[N_CALLS];

/* --- the link --- */

/* Retransmissions and FEC there are none: one stream, without a gap. */
static GstPadProbeReturn
look_at_sent (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  Call *self = user_data;
  guint16 seq;

  (void) pad;
  g_assert_true (gst_rtp_buffer_map (
      GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READ, &rtp));
  seq = gst_rtp_buffer_get_seq (&rtp);
  gst_rtp_buffer_unmap (&rtp);

  g_mutex_lock (&self->lock);
  if (self->has_sent)
    self->n_missing += (guint16) (seq - self->seq - 1);
  self->has_sent = TRUE;
  self->seq = seq;
  self->n_sent++;
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

/* A packet takes its time, and arrives when it is through. */
static GstPadProbeReturn
carry (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = gst_buffer_make_writable (
      GST_PAD_PROBE_INFO_BUFFER (info));
  gsize bytes = gst_buffer_get_size (buffer) + HEADERS;
  Call *self = user_data;

  (void) pad;
  g_usleep (bytes * 8 * G_USEC_PER_SEC / CAPACITY);
  GST_BUFFER_DTS (buffer) = GST_BUFFER_PTS (
      buffer) = gst_element_get_current_running_time (self->pipeline);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;

  g_mutex_lock (&self->lock);
  self->n_received++;
  self->bytes += bytes;
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

static void
add_probe (Call *self, const gchar *element, const gchar *name,
    GstPadProbeCallback callback, gpointer data)
{
  GstElement *found = gst_bin_get_by_name (GST_BIN (self->pipeline), element);
  GstPad *pad = gst_element_get_static_pad (found, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, data, NULL);
  gst_object_unref (pad);
  gst_object_unref (found);
}

/* --- a call --- */

static void
call_start (Call *self, guint number)
{
  gboolean is_remb = number % 2 == 1;
  g_autofree gchar *line = NULL;
  GstElement *a;
  GstPad *rtcp;

  self->feedback = is_remb ? "remb" : "transport-cc";
  line = g_strdup_printf (LINE, 1 + number, is_remb ? ABS_SEND_TIME : "",
      self->feedback, self->feedback);
  self->pipeline = gst_parse_launch (line, NULL);
  g_assert_nonnull (self->pipeline);
  self->sender = gst_bin_get_by_name (GST_BIN (self->pipeline), "sender");
  test_set_unit (self->sender, 1);
  g_mutex_init (&self->lock);
  a = gst_bin_get_by_name (GST_BIN (self->pipeline), "a");
  gst_element_set_state (a, GST_STATE_PAUSED);
  rtcp = test_open_rtcp (a, "recv_rtcp_sink_0");
  add_probe (self, "link", "sink", look_at_sent, self);
  add_probe (self, "link", "src", carry, self);
  add_probe (self, "back", "sink", test_send_back, rtcp);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  gst_object_unref (a);
}

/* kbit/s over so many minutes, which end now. */
static gdouble
call_measure (Call *self, guint minutes)
{
  gdouble kbps;

  g_mutex_lock (&self->lock);
  kbps = (gdouble) (self->bytes - self->bytes_before) * 8. / 60000. / minutes;
  self->bytes_before = self->bytes;
  g_mutex_unlock (&self->lock);
  return kbps;
}

/* Nobody else reads it. */
static void
call_check_bus (Call *self)
{
  GstBus *bus = gst_element_get_bus (self->pipeline);

  g_assert_cmpuint (test_count_warnings (bus), ==, 0);
  gst_bus_set_flushing (bus, TRUE);
  gst_bus_set_flushing (bus, FALSE);
  gst_object_unref (bus);
}

static void
call_check (Call *self, guint number, gdouble max_change)
{
  gdouble change = (self->last_kbps - self->first_kbps) / self->first_kbps;

  printf ("call %u, %s: %.1f kbit/s, at the end %.1f; %" G_GUINT64_FORMAT
          " packets, %" G_GUINT64_FORMAT " lost by the link, %" G_GUINT64_FORMAT
          " by us\n",
      number, self->feedback, self->first_kbps, self->last_kbps, self->n_sent,
      self->n_sent - self->n_received, self->n_missing);
  g_assert_cmpuint (self->n_missing, ==, 0);
  g_assert_cmpfloat (self->last_kbps, >=, LEAST_SHARE * CAPACITY / 1000.);
  g_assert_cmpfloat (ABS (change), <=, max_change);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->sender);
  gst_object_unref (self->pipeline);
  g_mutex_clear (&self->lock);
}

/* --- the process --- */

typedef struct {
  guint memory_kb;
  guint threads;
  guint files;
} Process;

static guint
get_memory_kb (void)
{
  g_autofree gchar *status = NULL;

  g_assert_true (
      g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  return (guint) strtoul (strstr (status, "VmRSS:") + 6, NULL, 10);
}

static Process
get_process (guint minute)
{
  Process self = {
    .memory_kb = get_memory_kb (),
    .threads = test_count_files ("/proc/self/task"),
    .files = test_count_files ("/proc/self/fd"),
  };

  printf ("minute %u: %u kB, %u threads, %u files\n", minute, self.memory_kb,
      self.threads, self.files);
  fflush (stdout);
  return self;
}

static void
check_process (const Process *before, const Process *after)
{
  g_assert_cmpuint (after->memory_kb, <=, before->memory_kb + MAX_GROWTH_KB);
  g_assert_cmpuint (after->threads, ==, before->threads);
  g_assert_cmpuint (after->files, ==, before->files);
}

/* --- all of it --- */

static void
run (guint minutes)
{
  for (; minutes > 0; minutes--) {
    g_usleep (60 * G_USEC_PER_SEC);
    for (guint i = 0; i < N_CALLS; i++)
      call_check_bus (&calls[i]);
  }
}

/* A sixth of the time to settle, then another one to compare with the last. */
static void
run_calls (guint minutes)
{
  guint part = MAX (minutes / 6, 1);
  Process before, after;

  run (part);
  before = get_process (part);
  for (guint i = 0; i < N_CALLS; i++)
    call_measure (&calls[i], part);
  run (part);
  for (guint i = 0; i < N_CALLS; i++)
    calls[i].first_kbps = call_measure (&calls[i], part);
  for (guint done = 2 * part; done < minutes; done += part) {
    run (part);
    for (guint i = 0; i < N_CALLS; i++)
      calls[i].last_kbps = call_measure (&calls[i], part);
    after = get_process (done + part);
  }
  for (guint i = 0; i < N_CALLS; i++)
    call_check (&calls[i], i, part < 10 ? G_MAXDOUBLE : MAX_CHANGE);
  check_process (&before, &after);
}

int
main (int argc, char **argv)
{
  guint minutes = argc > 1 ? (guint) atoi (argv[1]) : 0;

  if (minutes < 3) {
    g_printerr ("usage: ten-calls MINUTES, at least 3\n");
    return 2;
  }
  gst_init (&argc, &argv);
  test_tolerate_race_of_rtpsession ();
  for (guint i = 0; i < N_CALLS; i++)
    call_start (&calls[i], i);
  run_calls (minutes);
  for (guint i = 0; i < N_CALLS; i++)
    call_stop (&calls[i]);
  return 0;
}
