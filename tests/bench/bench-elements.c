/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What the elements cost, from pad push to pad push, beside identity. No RTP
 * session is near them: reports leave once a second and are not the point. */

#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "session/gstgccguard.h"

#define N_PACKETS 20000
#define LIMIT_NS 1000.
/* of 1000 receivers */
#define SECONDS 4

/* Of one gccsender, each on a pad of its own. */
#define MAX_STREAMS 20

/* 12 bytes of header, 4 of extension header, 1 of the extension's own */
#define ABS_SEND_TIME_OFFSET 17
#define ABS_SEND_TIME_ID 3

/* Paced at more than the call has, so that none waits for its time; and of what
 * is measured in all threads. */
#define PACED_BITRATE 2000000000
#define PACED_GAP (10 * GST_USECOND)
#define PACED_ROUNDS 9
/* After the first seconds of a call nobody waits for RTCP to be linked. */
#define PACED_PAUSE (2 * GST_SECOND)

#define CAPS \
  "application/" \
  "x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96"
/* gccsender puts it there with feedback=transport-cc, too */
#define TRANSPORT_CC_ID 5

#define CAPS_ABS_SEND_TIME \
  CAPS ",extmap-" G_STRINGIFY (ABS_SEND_TIME_ID) "=" GCC_ABS_SEND_TIME_URI
#define CAPS_TRANSPORT_CC \
  CAPS ",extmap-" G_STRINGIFY (TRANSPORT_CC_ID) "=" GCC_TRANSPORT_FEEDBACK_URI

typedef enum {
  NOTHING,
  ABS_SEND_TIME,
  /* with room for the number, and without */
  TRANSPORT_CC,
  TRANSPORT_CC_INSERTED,
} Extension;

/* --- a clock that is set, so that a packet takes as long as it does in a call,
 * and reading it costs what reading the system's clock does --- */

typedef struct {
  GstClock parent;
  GstClockTime time;
} BenchClock;

typedef struct {
  GstClockClass parent;
} BenchClockClass;

GType bench_clock_get_type (void);
G_DEFINE_TYPE (BenchClock, bench_clock, GST_TYPE_CLOCK)

static volatile gint64 system_time;

static GstClockTime
bench_clock_get_internal_time (GstClock *clock)
{
  system_time = g_get_monotonic_time ();
  return ((BenchClock *) clock)->time;
}

static void
bench_clock_class_init (BenchClockClass *klass)
{
  GST_CLOCK_CLASS (klass)->get_internal_time = bench_clock_get_internal_time;
}

static void
bench_clock_init (BenchClock *self)
{
  (void) self;
}

/* --- what gccsender takes for an RTP session downstream: it numbers packets
 * only where feedback can come from --- */

typedef GObject BenchSession;
typedef GObjectClass BenchSessionClass;

GType bench_session_get_type (void);
G_DEFINE_TYPE (BenchSession, bench_session, G_TYPE_OBJECT)

static void
bench_session_class_init (BenchSessionClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  g_signal_new ("on-receiving-rtcp", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
      NULL, G_TYPE_NONE, 1, GST_TYPE_BUFFER);
  g_signal_new ("on-sending-rtcp", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
      G_TYPE_BOOLEAN, 2, GST_TYPE_BUFFER, G_TYPE_BOOLEAN);
}

static void
bench_session_init (BenchSession *self)
{
  (void) self;
}

typedef struct {
  GstElement parent;
  BenchSession *session;
} BenchHolder;
typedef GstElementClass BenchHolderClass;

GType bench_holder_get_type (void);
G_DEFINE_TYPE (BenchHolder, bench_holder, GST_TYPE_ELEMENT)

static void
bench_holder_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  (void) id;
  (void) pspec;
  g_value_set_object (value, ((BenchHolder *) object)->session);
}

static void
bench_holder_dispose (GObject *object)
{
  g_clear_object (&((BenchHolder *) object)->session);
  G_OBJECT_CLASS (bench_holder_parent_class)->dispose (object);
}

static void
bench_holder_class_init (BenchHolderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = bench_holder_get_property;
  object_class->dispose = bench_holder_dispose;
  g_object_class_install_property (object_class, 1,
      g_param_spec_object (
          "internal-session", "", "", G_TYPE_OBJECT, G_PARAM_READABLE));
}

static void
bench_holder_init (BenchHolder *self)
{
  self->session = g_object_new (bench_session_get_type (), NULL);
}

/* --- an element between two pads --- */

typedef struct {
  const BenchPacket *packets;
  BenchClock *clock;
  Extension extension;
  GstElement *element;
  GstElement *holder;
  GstGccGuard *guard;
  guint n_streams;
  GstPad *srcpads[MAX_STREAMS];
  GstPad *sinkpads[MAX_STREAMS];
  GstBuffer *buffer;
  guint8 *header;
  GstClockTime start;
} ElementBench;

static GstFlowReturn
drop_buffer (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* Returns what is linked to @peer. */
static GstPad *
link_to (GstPad *peer)
{
  gboolean is_sink = GST_PAD_IS_SINK (peer);
  GstPad *pad = gst_pad_new (NULL, is_sink ? GST_PAD_SRC : GST_PAD_SINK);

  if (!is_sink)
    gst_pad_set_chain_function (pad, drop_buffer);
  gst_pad_set_active (pad, TRUE);
  g_assert_true (gst_pad_link (is_sink ? pad : peer, is_sink ? peer : pad) ==
      GST_PAD_LINK_OK);
  return pad;
}

static GstPad *
link_pad (GstElement *element, const gchar *name)
{
  GstPad *peer = gst_element_get_static_pad (element, name);
  GstPad *pad = link_to (peer);

  gst_object_unref (peer);
  return pad;
}

static GstBuffer *
make_buffer (Extension extension)
{
  const guint8 data[3] = { 0 };
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (BENCH_PAYLOAD_SIZE, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp));
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_set_ssrc (&rtp, 1);
  if (extension == ABS_SEND_TIME)
    g_assert_true (gst_rtp_buffer_add_extension_onebyte_header (
        &rtp, ABS_SEND_TIME_ID, data, sizeof data));
  else if (extension == TRANSPORT_CC)
    g_assert_true (gst_rtp_buffer_add_extension_onebyte_header (
        &rtp, TRANSPORT_CC_ID, data, GCC_TRANSPORT_FEEDBACK_NUMBER_LENGTH));
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

static void
send_events (GstPad *pad, Extension extension)
{
  static const gchar *texts[] = {
    [NOTHING] = CAPS,
    [ABS_SEND_TIME] = CAPS_ABS_SEND_TIME,
    [TRANSPORT_CC] = CAPS_TRANSPORT_CC,
    [TRANSPORT_CC_INSERTED] = CAPS_TRANSPORT_CC,
  };
  GstCaps *caps = gst_caps_from_string (texts[extension]);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_stream_start ("bench"));
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
}

static void
hold_session (ElementBench *self, gboolean inserts)
{
  self->holder = g_object_new (bench_holder_get_type (), NULL);
  gst_element_add_pad (self->holder, gst_object_ref (self->sinkpads[0]));
  /* what the pacer costs is measured in all threads, below */
  gst_util_set_object_arg (
      G_OBJECT (self->element), "manage", "encoder-bitrate+sink+fec");
  g_object_set (self->element, "pacing-factor", 0., NULL);
  gst_util_set_object_arg (
      G_OBJECT (self->element), "feedback", inserts ? "transport-cc" : "auto");
}

/* ... up to @n_streams, all of one session. */
static void
add_streams (ElementBench *self, guint n_streams)
{
  for (guint i = 1; i < n_streams; i++) {
    g_autofree gchar *name = g_strdup_printf ("src_%u", i - 1);
    GstPad *pad = gst_element_request_pad_simple (self->element, "sink_%u");

    self->srcpads[i] = link_to (pad);
    self->sinkpads[i] = link_pad (self->element, name);
    gst_element_add_pad (self->holder, gst_object_ref (self->sinkpads[i]));
    send_events (self->srcpads[i], self->extension);
    gst_object_unref (pad);
  }
  self->n_streams = n_streams;
}

/* As in a session that an element has joined: on the pad by which RTP comes. */
static void
guard_session (ElementBench *self)
{
  self->holder = g_object_new (bench_holder_get_type (), NULL);
  gst_object_set_name (GST_OBJECT (self->sinkpads[0]), "recv_rtp_sink");
  gst_element_add_pad (self->holder, gst_object_ref (self->sinkpads[0]));
  self->guard = gst_gcc_guard_new (self->holder);
}

static void
element_bench_init (ElementBench *self, const gchar *factory,
    Extension extension, const BenchPacket *packets, BenchClock *clock)
{
  GstMapInfo map;

  *self = (ElementBench){
    .packets = packets,
    .clock = clock,
    .element = gst_element_factory_make (factory, NULL),
    .extension = extension,
    .buffer = make_buffer (extension),
  };
  if (self->element == NULL)
    g_error ("there is no element %s: GST_PLUGIN_PATH is not set", factory);

  /* The memory stays where it is: its header is written before each push. */
  g_assert_true (gst_buffer_map (self->buffer, &map, GST_MAP_WRITE));
  self->header = map.data;
  gst_buffer_unmap (self->buffer, &map);

  gst_system_clock_set_default (GST_CLOCK_CAST (clock));
  self->srcpads[0] = link_pad (self->element, "sink");
  self->sinkpads[0] = link_pad (self->element, "src");
  self->n_streams = 1;
  if (extension >= TRANSPORT_CC)
    hold_session (self, extension == TRANSPORT_CC_INSERTED);
  gst_element_set_state (self->element, GST_STATE_PLAYING);
  send_events (self->srcpads[0], extension);
}

static void
element_bench_clear (ElementBench *self)
{
  gst_element_set_state (self->element, GST_STATE_NULL);
  if (self->guard != NULL) {
    gst_gcc_guard_close (self->guard);
    gst_gcc_guard_unref (self->guard);
  }
  for (guint i = 0; i < self->n_streams; i++) {
    gst_pad_set_active (self->srcpads[i], FALSE);
    gst_pad_set_active (self->sinkpads[i], FALSE);
    gst_object_unref (self->srcpads[i]);
    gst_object_unref (self->sinkpads[i]);
  }
  gst_object_unref (self->element);
  gst_clear_object (&self->holder);
  gst_buffer_unref (self->buffer);
}

static void
push (ElementBench *self, const BenchPacket *packet, guint stream)
{
  GstClockTime arrival = self->start +
      (GstClockTime) packet->arrival_us * GST_USECOND;
  guint32 timestamp = packet->rtp_timestamp +
      (guint32) (self->start / GST_MSECOND * 90);

  self->clock->time = arrival;
  GST_WRITE_UINT32_BE (self->header + 4, timestamp);
  GST_WRITE_UINT32_BE (self->header + 8, 1 + stream);
  if (self->extension == ABS_SEND_TIME)
    GST_WRITE_UINT24_BE (self->header + ABS_SEND_TIME_OFFSET,
        packet->abs_send_time +
            (guint32) gst_util_uint64_scale (self->start, 1 << 18, GST_SECOND));
  GST_BUFFER_DTS (self->buffer) = arrival;
  gst_pad_push (self->srcpads[stream], gst_buffer_ref (self->buffer));
}

/* One call that goes on from round to round. */
static void
push_packets (gpointer user_data, guint n)
{
  ElementBench *self = user_data;

  for (guint i = 0; i < n; i++)
    push (self, &self->packets[i], i % self->n_streams);
  self->start += (GstClockTime) N_PACKETS * GST_SECOND /
      BENCH_PACKETS_PER_SECOND;
}

/* A call that the element ignores would be cheap. */
static void
check_packets_were_measured (const ElementBench *self, guint n_frames)
{
  GstStructure *stats;
  guint64 groups;

  g_object_get (self->element, "stats", &stats, NULL);
  if (!gst_structure_get_uint64 (stats, "groups", &groups) ||
      groups < n_frames / 2 || !gst_structure_has_field (stats, "a-r-bps"))
    g_error ("gccreceiver has not measured the call");
  gst_structure_free (stats);
}

static void
check_packets_were_numbered (const ElementBench *self)
{
  GstStructure *stats;

  g_object_get (self->element, "stats", &stats, NULL);
  if (g_strcmp0 (gst_structure_get_string (stats, "feedback-reason"),
          "no transport-wide feedback has come") != 0)
    g_error ("gccsender has not numbered the packets");
  gst_structure_free (stats);
}

/* A guard that sees nothing would be cheap, too. */
static void
check_requests_are_dropped (const ElementBench *self)
{
  static const guint8 request[] = { 0x85, 0xcd, 0, 2, 0, 0, 0, 0xaa, 0, 0, 0,
    1 };

  gst_pad_push (
      self->srcpads[0], gst_buffer_new_memdup (request, sizeof request));
  if (gst_gcc_guard_get_counts (self->guard).requests != 1)
    g_error ("the guard has not seen the packets");
}

static void
bench_one_each (const BenchPacket *packets, BenchClock *clock)
{
  static const struct {
    const gchar *name;
    const gchar *factory;
    Extension extension;
    gboolean is_guarded;
    guint n_streams;
  } rows[] = {
    { "identity", "identity", NOTHING, FALSE, 1 },
    { "identity, before a guarded session", "identity", NOTHING, TRUE, 1 },
    { "gccreceiver", "gccreceiver", NOTHING, FALSE, 1 },
    { "gccreceiver, abs-send-time in the packets", "gccreceiver", ABS_SEND_TIME,
        FALSE, 1 },
    { "gccsender", "gccsender", NOTHING, FALSE, 1 },
    { "gccsender, transport-wide numbers", "gccsender", TRANSPORT_CC, FALSE,
        1 },
    { "gccsender, the same inserted", "gccsender", TRANSPORT_CC_INSERTED, FALSE,
        1 },
    { "gccsender, the same of 20 streams", "gccsender", TRANSPORT_CC_INSERTED,
        FALSE, MAX_STREAMS },
  };
  ElementBench benches[G_N_ELEMENTS (rows)];
  gpointer user_data[G_N_ELEMENTS (rows)];
  BenchResult results[G_N_ELEMENTS (rows)];
  gdouble worst = 0.;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    element_bench_init (
        &benches[i], rows[i].factory, rows[i].extension, packets, clock);
    if (rows[i].is_guarded)
      guard_session (&benches[i]);
    add_streams (&benches[i], rows[i].n_streams);
    user_data[i] = &benches[i];
  }
  bench_run_together (
      push_packets, user_data, G_N_ELEMENTS (rows), N_PACKETS, results);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    gdouble more = results[i].ns - results[0].ns;

    bench_print (rows[i].name, &results[i]);
    if (i > 0)
      printf ("  %-42s %+8.1f ns, %.2f times\n", "  beside identity", more,
          results[i].ns / results[0].ns);
    if (g_strcmp0 (rows[i].factory, "gccreceiver") == 0)
      check_packets_were_measured (&benches[i],
          N_PACKETS * BENCH_FRAMES_PER_SECOND / BENCH_PACKETS_PER_SECOND);
    if (rows[i].extension >= TRANSPORT_CC)
      check_packets_were_numbered (&benches[i]);
    if (rows[i].is_guarded)
      check_requests_are_dropped (&benches[i]);
    worst = MAX (worst, more);
    element_bench_clear (&benches[i]);
  }
  bench_print_goal ("a packet, beyond identity", worst, LIMIT_NS, " ns");
}

/* --- with the pacer's thread --- */

typedef struct {
  ElementBench bench;
  GstBuffer *buffers[N_PACKETS];
  gint n_arrived;
} PacedBench;

static gint64
get_process_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
}

static GstFlowReturn
count_buffer (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  PacedBench *self = gst_pad_get_element_private (pad);

  (void) parent;
  gst_buffer_unref (buffer);
  g_atomic_int_inc (&self->n_arrived);
  return GST_FLOW_OK;
}

static GstBuffer *
make_numbered_buffer (guint16 seq, gboolean marker)
{
  GstBuffer *buffer = make_buffer (TRANSPORT_CC);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_seq (&rtp, seq);
  gst_rtp_buffer_set_marker (&rtp, marker);
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

/* Nanoseconds of all threads for a packet of its own, until all have arrived.
 * @gap_us: real time between packets, in which the pacer's thread goes to sleep
 */
static gdouble
push_paced (PacedBench *self, guint n, guint gap_us)
{
  gint64 start;

  for (guint i = 0; i < n; i++)
    self->buffers[i] = make_numbered_buffer ((guint16) i, i % 4 == 3);
  self->n_arrived = 0;
  start = get_process_time ();
  for (guint i = 0; i < n; i++) {
    self->bench.clock->time += PACED_GAP;
    gst_pad_push (self->bench.srcpads[0], self->buffers[i]);
    if (gap_us > 0)
      g_usleep (gap_us);
  }
  while (g_atomic_int_get (&self->n_arrived) < (gint) n) {
    self->bench.clock->time += PACED_GAP;
    g_usleep (100);
  }
  return (gdouble) (get_process_time () - start) / n;
}

static gdouble
measure_paced (
    const gchar *factory, BenchClock *clock, guint n_packets, guint gap_us)
{
  gboolean is_sender = g_strcmp0 (factory, "gccsender") == 0;
  PacedBench *self = g_new0 (PacedBench, 1);
  gdouble least = G_MAXDOUBLE;

  element_bench_init (
      &self->bench, factory, is_sender ? TRANSPORT_CC : NOTHING, NULL, clock);
  gst_element_set_state (self->bench.element, GST_STATE_NULL);
  if (is_sender)
    g_object_set (self->bench.element, "pacing-factor", -1., "max-bitrate",
        PACED_BITRATE, "start-bitrate", PACED_BITRATE, NULL);
  gst_pad_set_element_private (self->bench.sinkpads[0], self);
  gst_pad_set_chain_function (self->bench.sinkpads[0], count_buffer);
  gst_element_set_state (self->bench.element, GST_STATE_PLAYING);
  send_events (self->bench.srcpads[0], TRANSPORT_CC);
  for (guint i = 0; i < PACED_ROUNDS; i++) {
    least = MIN (least, push_paced (self, n_packets, gap_us));
    clock->time += PACED_PAUSE;
  }
  element_bench_clear (&self->bench);
  g_free (self);
  return least;
}

static void
bench_paced (
    const gchar *what, BenchClock *clock, guint n_packets, guint gap_us)
{
  gdouble identity = measure_paced ("identity", clock, n_packets, gap_us);
  gdouble sender = measure_paced ("gccsender", clock, n_packets, gap_us);

  printf ("  %-42s %8.1f ns\n", what, sender);
  printf ("  %-42s %+8.1f ns\n", "  beside identity", sender - identity);
  bench_print_goal (
      "a packet, beyond identity", sender - identity, LIMIT_NS, " ns");
}

static gdouble
measure_many (
    const gchar *factory, const BenchPacket *packets, BenchClock *clock)
{
  ElementBench *benches = g_new (ElementBench, BENCH_N_RECEIVERS);
  gint64 start, took;

  for (guint i = 0; i < BENCH_N_RECEIVERS; i++)
    element_bench_init (&benches[i], factory, NOTHING, packets, clock);
  start = bench_cpu_time ();
  for (guint j = 0; j < SECONDS * BENCH_PACKETS_PER_SECOND; j++) {
    for (guint i = 0; i < BENCH_N_RECEIVERS; i++)
      push (&benches[i], &packets[j], 0);
  }
  took = bench_cpu_time () - start;
  for (guint i = 0; i < BENCH_N_RECEIVERS; i++)
    element_bench_clear (&benches[i]);
  g_free (benches);
  return (gdouble) took / (SECONDS * 1e9) * 100.;
}

void
bench_elements (void)
{
  g_autofree BenchPacket *packets = bench_make_call (N_PACKETS);
  BenchClock *clock = g_object_new (bench_clock_get_type (), NULL);
  gdouble share;

  printf ("elements, a packet:\n");
  bench_one_each (packets, clock);

  printf (
      "elements, a packet in all threads, least of %d rounds:\n", PACED_ROUNDS);
  bench_paced (
      "gccsender, paced and numbered, many at once", clock, N_PACKETS, 0);
  bench_paced (
      "gccsender, paced and numbered, one by one", clock, N_PACKETS / 10, 200);
  printf ("elements, many:\n");
  share = measure_many ("identity", packets, clock);
  printf ("  %d identity at 1 Mbit/s: %.1f %% of one core\n", BENCH_N_RECEIVERS,
      share);
  share = measure_many ("gccreceiver", packets, clock);
  printf ("  %d gccreceiver at 1 Mbit/s: %.1f %% of one core\n",
      BENCH_N_RECEIVERS, share);
  bench_print_goal ("of one core", share, 100., " %");
  gst_object_unref (clock);
}
