/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>

#include "element-test.h"

#define START 300000u
#define LEAST 64000u

/* --- an encoder with a lock --- */

/* Passes RTP packets on. Like many a real one it holds its stream lock while it
 * pushes, and needs it to change its bitrate. */
typedef struct {
  GstElement parent;
  GstPad *sinkpad;
  GstPad *srcpad;
  GMutex stream_lock;
  guint bitrate;
  gint n_begun;
  gboolean keeps_bitrate;
} TestEncoder;

typedef GstElementClass TestEncoderClass;

GType test_encoder_get_type (void);

G_DEFINE_TYPE (TestEncoder, test_encoder, GST_TYPE_ELEMENT)

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE (
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GstFlowReturn
test_encoder_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  TestEncoder *self = (TestEncoder *) parent;
  GstFlowReturn flow;

  (void) pad;
  g_mutex_lock (&self->stream_lock);
  flow = gst_pad_push (self->srcpad, buffer);
  g_mutex_unlock (&self->stream_lock);

  return flow;
}

static void
test_encoder_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TestEncoder *self = (TestEncoder *) object;

  (void) id;
  (void) pspec;
  g_atomic_int_inc (&self->n_begun);
  g_mutex_lock (&self->stream_lock);
  if (!self->keeps_bitrate)
    self->bitrate = g_value_get_uint (value);
  g_mutex_unlock (&self->stream_lock);
}

static void
test_encoder_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  (void) id;
  (void) pspec;
  g_value_set_uint (value, ((TestEncoder *) object)->bitrate);
}

static void
test_encoder_finalize (GObject *object)
{
  g_mutex_clear (&((TestEncoder *) object)->stream_lock);
  G_OBJECT_CLASS (test_encoder_parent_class)->finalize (object);
}

static void
test_encoder_class_init (TestEncoderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = test_encoder_set_property;
  object_class->get_property = test_encoder_get_property;
  object_class->finalize = test_encoder_finalize;
  g_object_class_install_property (object_class, 1,
      g_param_spec_uint ("bitrate", "Bitrate", "In bit/s", LEAST, G_MAXUINT,
          LEAST, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (
      element_class, "Encoder", "Codec/Encoder/Video", "For tests", "gst-gcc");
}

static void
test_encoder_init (TestEncoder *self)
{
  g_mutex_init (&self->stream_lock);
  self->bitrate = LEAST;
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, test_encoder_chain);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}

/* --- what the tests do with it --- */

typedef struct {
  GstHarness *h;
  GstElement *sender;
  TestEncoder *encoder;
  guint16 seqnum;
} Stream;

/* @settings: of gccsender */
static void
stream_start_with (Stream *self, const gchar *settings)
{
  gchar *line = g_strconcat (
      "testencoder ! gccsender min-bitrate=1 ", settings, NULL);

  *self = (Stream){ 0 };
  self->h = gst_harness_new_parse (line);
  g_free (line);
  self->sender = gst_harness_find_element (self->h, "gccsender");
  self->encoder = (TestEncoder *) gst_harness_find_element (
      self->h, "testencoder");
  gst_harness_set_src_caps_str (self->h, TEST_RTP_CAPS);
}

/* An encoder that is set at each change. */
static void
stream_start (Stream *self)
{
  stream_start_with (self, "encoder-bitrate-unit=1 encoder-change-cost=0");
}

static void
stream_stop (Stream *self)
{
  gst_object_unref (self->encoder);
  gst_object_unref (self->sender);
  gst_harness_teardown (self->h);
}

static void
stream_push (Stream *self)
{
  guint16 seqnum = self->seqnum++;

  g_assert_cmpint (
      gst_harness_push (self->h, test_rtp_packet (seqnum, seqnum * 3000u, 10)),
      ==, GST_FLOW_OK);
}

/* Brings the target to @rate, as a report would. */
static void
set_target (GstElement *sender, guint rate)
{
  g_object_set (sender, "min-bitrate", rate, "max-bitrate", rate, NULL);
}

static gpointer
set_target_to_200000 (gpointer sender)
{
  set_target (sender, 200000);

  return NULL;
}

static gboolean
is_being_set (gpointer encoder)
{
  return g_atomic_int_get (&((TestEncoder *) encoder)->n_begun) > 0;
}

/* Another thread that has a new target and waits for the encoder's stream lock,
 * which the caller holds. */
static GThread *
have_it_set_meanwhile (Stream *self)
{
  GThread *thread;

  g_atomic_int_set (&self->encoder->n_begun, 0);
  thread = g_thread_new ("target", set_target_to_200000, self->sender);
  test_wait_until (is_being_set, self->encoder);

  return thread;
}

static GstElement *
get_encoder (gpointer object)
{
  GstElement *encoder;

  g_object_get (object, "encoder", &encoder, NULL);
  /* The caller has it anyway. */
  if (encoder != NULL)
    gst_object_unref (encoder);

  return encoder;
}

/* --- locks --- */

static void
read_the_encoder (GObject *encoder, GParamSpec *pspec, gpointer sender)
{
  (void) pspec;
  g_assert_true (get_encoder (sender) == GST_ELEMENT (encoder));
}

/* Guards against: a lock held while encoders are set, which the property takes,
 * too. */
static void
test_a_handler_of_the_encoder_may_read_the_encoder (void)
{
  Stream stream;

  stream_start (&stream);
  g_signal_connect (stream.encoder, "notify::bitrate",
      G_CALLBACK (read_the_encoder), stream.sender);
  set_target (stream.sender, 200000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 200000);
  stream_stop (&stream);
}

static void
set_limits_once (GObject *encoder, GParamSpec *pspec, gpointer sender)
{
  (void) pspec;
  g_signal_handlers_disconnect_by_func (encoder, set_limits_once, sender);
  set_target (sender, 100000);
}

/* Guards against the same; and what the handler wants comes last. */
static void
test_a_handler_of_the_encoder_may_set_the_limits (void)
{
  Stream stream;

  stream_start (&stream);
  g_signal_connect (stream.encoder, "notify::bitrate",
      G_CALLBACK (set_limits_once), stream.sender);
  set_target (stream.sender, 200000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 100000);
  stream_stop (&stream);
}

static GstPadProbeReturn
read_the_sender (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Stream *self = user_data;
  GThread *thread = have_it_set_meanwhile (self);

  (void) info;
  g_assert_true (get_encoder (self->sender) == GST_ELEMENT (self->encoder));
  g_assert_cmpuint (test_stats_uint64 (self->sender, "reports"), ==, 0);
  g_assert_cmpuint (test_get_uint (self->sender, "target-bitrate"), ==, 200000);
  g_object_set_data (G_OBJECT (pad), "thread", thread);

  return GST_PAD_PROBE_REMOVE;
}

/* Guards against: one thread in the encoder's stream lock that waits for ours,
 * and one in ours that waits for the encoder's. */
static void
test_an_encoder_that_pushes_may_read_the_sender (void)
{
  Stream stream;

  stream_start (&stream);
  stream_push (&stream);
  gst_pad_add_probe (stream.encoder->srcpad, GST_PAD_PROBE_TYPE_BUFFER,
      read_the_sender, &stream, NULL);
  stream_push (&stream);
  g_thread_join (
      g_object_get_data (G_OBJECT (stream.encoder->srcpad), "thread"));
  g_assert_cmpuint (stream.encoder->bitrate, ==, 200000);
  stream_stop (&stream);
}

static GstPadProbeReturn
have_it_look_again (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Stream *self = user_data;

  (void) info;
  g_object_set_data (G_OBJECT (pad), "thread", have_it_set_meanwhile (self));
  g_object_set (self->sender, "encoder", NULL, NULL);

  return GST_PAD_PROBE_REMOVE;
}

/* Guards against: the same, by a packet with which the pipeline is looked at.
 */
static void
test_an_encoder_may_push_while_it_is_set (void)
{
  Stream stream;

  stream_start (&stream);
  stream_push (&stream);
  gst_pad_add_probe (stream.encoder->srcpad, GST_PAD_PROBE_TYPE_BUFFER,
      have_it_look_again, &stream, NULL);
  stream_push (&stream);
  g_thread_join (
      g_object_get_data (G_OBJECT (stream.encoder->srcpad), "thread"));
  g_assert_cmpuint (stream.encoder->bitrate, ==, 200000);
  stream_stop (&stream);
}

/* Guards against: a thread that waits for another to have set the encoder, and
 * an older target that is set after a newer one. */
static void
test_of_two_targets_the_later_wins_and_nobody_waits (void)
{
  Stream stream;
  GThread *thread;

  stream_start (&stream);
  g_mutex_lock (&stream.encoder->stream_lock);
  thread = have_it_set_meanwhile (&stream);
  set_target (stream.sender, 150000);
  g_mutex_unlock (&stream.encoder->stream_lock);
  g_thread_join (thread);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 150000);
  stream_stop (&stream);
}

static void
read_at_the_end (gpointer sender, GObject *encoder)
{
  g_assert_true (get_encoder (sender) != GST_ELEMENT (encoder));
  g_object_set_data (sender, "encoder-is-gone", sender);
}

/* Guards against: an encoder that is finalized with a lock held, and whose end
 * the application follows. */
static void
test_an_encoder_may_end_in_our_hands (void)
{
  Stream stream;
  GstElement *given = gst_object_ref_sink (
      gst_element_factory_make ("testencoder", NULL));

  stream_start (&stream);
  g_object_weak_ref (G_OBJECT (given), read_at_the_end, stream.sender);
  g_object_set (stream.sender, "encoder", given, NULL);
  gst_object_unref (given);
  stream_push (&stream);
  g_assert_true (get_encoder (stream.sender) == given);
  g_object_set (stream.sender, "encoder", NULL, NULL);
  stream_push (&stream);
  g_assert_nonnull (
      g_object_get_data (G_OBJECT (stream.sender), "encoder-is-gone"));
  stream_stop (&stream);
}

/* --- the least rate --- */

static void
test_an_encoder_stays_at_its_least_rate_and_that_is_said_once (void)
{
  Stream stream;
  GstBus *bus = gst_bus_new ();

  stream_start (&stream);
  stream_push (&stream);
  gst_element_set_bus (stream.sender, bus);

  for (guint rate = 1000; rate > 1; rate /= 10) {
    set_target (stream.sender, rate);
    g_assert_cmpuint (stream.encoder->bitrate, ==, LEAST);
  }
  g_assert_cmpuint (test_count_warnings (bus), ==, 1);

  /* swinging about it is no news */
  set_target (stream.sender, LEAST + 1);
  set_target (stream.sender, LEAST - 1);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);

  set_target (stream.sender, 2 * LEAST);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 2 * LEAST);
  set_target (stream.sender, LEAST);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);
  set_target (stream.sender, LEAST - 1);
  g_assert_cmpuint (test_count_warnings (bus), ==, 1);

  gst_element_set_bus (stream.sender, NULL);
  gst_object_unref (bus);
  stream_stop (&stream);
}

static void
test_an_encoder_that_keeps_its_bitrate_is_named_once (void)
{
  Stream stream;
  GstBus *bus = gst_bus_new ();

  stream_start (&stream);
  stream_push (&stream);
  gst_element_set_bus (stream.sender, bus);
  set_target (stream.sender, 2 * LEAST);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);

  stream.encoder->keeps_bitrate = TRUE;
  /* an encoder may round */
  set_target (stream.sender, 2 * LEAST + 1000);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);
  set_target (stream.sender, 3 * LEAST);
  g_assert_cmpuint (test_count_warnings (bus), ==, 1);
  set_target (stream.sender, 4 * LEAST);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);

  gst_element_set_bus (stream.sender, NULL);
  gst_object_unref (bus);
  stream_stop (&stream);
}

/* Guards against: v = 1 bit/s as a rate for an encoder. */
static void
test_audio_may_take_all_of_the_target (void)
{
  GstHarness *h = gst_harness_new ("gccsender");
  GstPad *video = gst_pad_new ("video", GST_PAD_SRC);
  GstPad *pad = gst_element_request_pad_simple (h->element, "sink_%u");
  TestEncoder *encoder = (TestEncoder *) gst_object_ref_sink (
      gst_element_factory_make ("testencoder", NULL));
  GstBus *bus = gst_bus_new ();

  gst_element_set_state (h->element, GST_STATE_READY);
  g_object_set (h->element, "encoder-bitrate-unit", 1, NULL);
  g_object_set (pad, "encoder", encoder, NULL);
  g_assert_cmpint (gst_pad_link (video, pad), ==, GST_PAD_LINK_OK);
  gst_element_set_bus (h->element, bus);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (h,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96");
  for (guint16 i = 0; i < 100; i++)
    gst_harness_push (h, test_rtp_packet (i, i * 960u, 1000));
  test_count_warnings (bus);

  set_target (h->element, START);
  g_assert_cmpuint (encoder->bitrate, ==, LEAST);
  g_assert_cmpuint (test_count_warnings (bus), ==, 1);

  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_object_unref (encoder);
  gst_pad_unlink (video, pad);
  gst_element_release_request_pad (h->element, pad);
  gst_object_unref (pad);
  gst_object_unref (video);
  gst_harness_teardown (h);
}

/* --- an encoder that pays for a change --- */

/* The encoder has had @rate since now, which is 0 from here on. */
static void
stream_begin_at (Stream *self, guint rate)
{
  test_use_testclock (self->h);
  set_target (self->sender, rate);
  g_assert_cmpuint (self->encoder->bitrate, ==, rate);
  g_atomic_int_set (&self->encoder->n_begun, 0);
}

static gint
get_n_set (Stream *self)
{
  return g_atomic_int_get (&self->encoder->n_begun);
}

/* Guards against: a key frame for each 30 bit/s. */
static void
test_an_encoder_that_is_not_known_is_not_set_for_each_change (void)
{
  Stream stream;

  stream_start_with (&stream, "encoder-bitrate-unit=1");
  stream_begin_at (&stream, 200000);
  for (guint i = 1; i < 100; i++) {
    gst_harness_set_time (stream.h, i * 50 * GST_MSECOND);
    set_target (stream.sender, 200000 + 30 * i);
  }
  g_assert_cmpint (get_n_set (&stream), ==, 0);
  stream_stop (&stream);
}

static void
test_a_large_fall_is_set_at_once (void)
{
  Stream stream;

  stream_start_with (&stream, "encoder-bitrate-unit=1");
  stream_begin_at (&stream, 200000);
  set_target (stream.sender, 130000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 130000);
  stream_stop (&stream);
}

static void
test_a_change_costs_what_the_user_says (void)
{
  Stream stream;

  stream_start_with (&stream,
      "profile=goog-2026 encoder-bitrate-unit=1 encoder-change-cost=100");
  stream_begin_at (&stream, 200000);
  set_target (stream.sender, 220000);
  gst_harness_set_time (stream.h, 999 * GST_MSECOND);
  set_target (stream.sender, 220000);
  g_assert_cmpint (get_n_set (&stream), ==, 0);
  gst_harness_set_time (stream.h, 1000 * GST_MSECOND);
  set_target (stream.sender, 220000);
  g_assert_cmpint (get_n_set (&stream), ==, 1);
  stream_stop (&stream);
}

/* As they were published. */
static void
test_other_profiles_set_each_change (void)
{
  static const gchar *const profiles[] = { "rtcweb-2013", "rmcat-2016",
    "rmcat-2016-eq-2", "draft-gcc-02", "goog-2020", "goog-2026" };

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    gchar *settings = g_strdup_printf (
        "encoder-bitrate-unit=1 profile=%s", profiles[i]);
    Stream stream;

    stream_start_with (&stream, settings);
    stream_begin_at (&stream, 200000);
    set_target (stream.sender, 200001);
    g_assert_cmpuint (stream.encoder->bitrate, ==, 200001);
    stream_stop (&stream);
    g_free (settings);
  }
}

static gboolean
has_900_kilobits (gpointer encoder)
{
  return ((TestEncoder *) encoder)->bitrate == 900000;
}

/* Guards against: a change that is forgotten when neither the target moves again nor a
 * report comes, and the rate of before that goes on. */
static void
test_the_last_of_several_changes_is_made (void)
{
  Stream stream;

  stream_start_with (&stream,
      "encoder-bitrate-unit=1 start-bitrate=4000000 max-bitrate=4000000");
  stream_begin_at (&stream, 4000000);
  gst_harness_set_time (stream.h, 100 * GST_MSECOND);
  set_target (stream.sender, 1000000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 1000000);
  gst_harness_set_time (stream.h, 300 * GST_MSECOND);
  set_target (stream.sender, 900000);

  /* a tenth less for 1.5 s costs what the change does */
  gst_harness_set_time (stream.h, 1790 * GST_MSECOND);
  stream_push (&stream);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 1000000);
  gst_harness_set_time (stream.h, 1810 * GST_MSECOND);
  stream_push (&stream);
  test_wait_until (has_900_kilobits, stream.encoder);
  g_assert_cmpint (get_n_set (&stream), ==, 2);
  stream_stop (&stream);
}

/* Guards against: a change that is forgotten when the target stays. */
static void
test_what_waits_is_set_with_a_later_report (void)
{
  Stream stream;
  GstElement *session;
  GstPad *rtcp;

  stream_start_with (&stream,
      "encoder-bitrate-unit=1 ! session.send_rtp_sink rtpsession name=session "
      "session.send_rtp_src ! identity");
  session = gst_harness_find_element (stream.h, "rtpsession");
  rtcp = test_open_rtcp (session, "recv_rtcp_sink");
  stream_begin_at (&stream, 200000);
  set_target (stream.sender, 220000);
  stream_push (&stream);
  /* a tenth more, after a fall: five times 1.5 s */
  gst_harness_set_time (stream.h, 8 * GST_SECOND);
  g_assert_cmpint (get_n_set (&stream), ==, 0);

  gst_pad_push (rtcp, test_receiver_report (TEST_SSRC, 0, 0));
  g_assert_cmpuint (stream.encoder->bitrate, ==, 220000);

  gst_element_set_state (stream.h->element, GST_STATE_NULL);
  gst_pad_set_active (rtcp, FALSE);
  gst_object_unref (rtcp);
  gst_object_unref (session);
  stream_stop (&stream);
}

/* An encoder that starts over does so with the value that it has, too. */
static void
test_less_than_a_unit_is_not_set (void)
{
  Stream stream;

  stream_start_with (
      &stream, "encoder-bitrate-unit=1000 encoder-change-cost=0");
  set_target (stream.sender, 70000000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 70000);
  g_atomic_int_set (&stream.encoder->n_begun, 0);
  set_target (stream.sender, 70000030);
  g_assert_cmpint (get_n_set (&stream), ==, 0);
  set_target (stream.sender, 70001000);
  g_assert_cmpint (get_n_set (&stream), ==, 1);
  stream_stop (&stream);
}

/* --- an encoder that does not obey --- */

#define WANTED 400000u

/* Sends @multiple of its bitrate, with a packet each 20 ms, and the target of WANTED
 * is applied with each fifth, as with a report. */
static void
stream_encode (Stream *self, gdouble multiple, GstClockTime duration)
{
  GstClockTime now = gst_clock_get_time (GST_ELEMENT_CLOCK (self->h->element));
  GstClockTime end = now + duration;

  for (guint i = 0; now < end; i++) {
    gdouble bits = multiple * self->encoder->bitrate / 50;

    now += 20 * GST_MSECOND;
    gst_harness_set_time (self->h, now);
    gst_harness_push (self->h,
        test_rtp_packet (
            self->seqnum, self->seqnum * 1800u, (guint) (bits / 8)));
    self->seqnum++;
    if (i % 5 == 0)
      set_target (self->sender, WANTED);
  }
}

static guint
count_warnings_with (GstBus *bus, const gchar *text)
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

/* Warnings that name the encoder and its ratio. */
static guint
count_of_ratio (GstBus *bus)
{
  return count_warnings_with (bus, "times its bitrate");
}

static gdouble
get_ratio (GstElement *sender)
{
  GstStructure *stats;
  gdouble ratio = 0;

  g_object_get (sender, "stats", &stats, NULL);
  gst_structure_get_double (stats, "encoder-ratio", &ratio);
  gst_structure_free (stats);

  return ratio;
}

/* Guards against: a target that is passed on and never looked at again. */
static void
test_an_encoder_that_sends_too_much_or_too_little_is_corrected (void)
{
  static const struct {
    gdouble multiple;
    GstClockTime time;
    gdouble least;
    gdouble most;
    guint n_warnings;
  } cases[] = {
    { 1., 20 * GST_SECOND, 1., 1., 0 },
    { 2., 7 * GST_SECOND, 0.95, 1.05, 1 },
    { 0.5, 25 * GST_SECOND, 0.7, 1.05, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBus *bus = gst_bus_new ();
    gdouble part;
    Stream stream;

    stream_start (&stream);
    stream_begin_at (&stream, WANTED);
    gst_element_set_bus (stream.sender, bus);
    stream_encode (&stream, cases[i].multiple, cases[i].time);
    part = cases[i].multiple * stream.encoder->bitrate / WANTED;
    g_assert_cmpfloat (part, >=, cases[i].least);
    g_assert_cmpfloat (part, <=, cases[i].most);
    stream_encode (&stream, cases[i].multiple, 3 * GST_SECOND);
    g_assert_cmpfloat_with_epsilon (
        get_ratio (stream.sender), cases[i].multiple, 0.1);
    g_assert_cmpuint (count_of_ratio (bus), ==, cases[i].n_warnings);
    gst_element_set_bus (stream.sender, NULL);
    gst_object_unref (bus);
    stream_stop (&stream);
  }
}

/* As it was published. */
static void
test_a_published_profile_corrects_no_encoder (void)
{
  Stream stream;

  stream_start_with (&stream, "encoder-bitrate-unit=1 profile=goog-2026");
  stream_begin_at (&stream, WANTED);
  stream_encode (&stream, 2., 20 * GST_SECOND);
  g_assert_cmpuint (stream.encoder->bitrate, ==, WANTED);
  g_assert_cmpfloat (get_ratio (stream.sender), ==, 0.);
  stream_stop (&stream);
}

/* --- an encoder that must not be set in mid-frame --- */

typedef struct {
  GstElement *sender;
  GstElement *encoder;
  GstPadChainFunction encode;
  guint before;
  guint amid;
} Av1;

static guint
get_kilobits (GstElement *av1enc)
{
  guint rate;

  g_object_get (av1enc, "target-bitrate", &rate, NULL);

  return rate;
}

static GstFlowReturn
encode_with_a_new_target (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  Av1 *self = g_object_get_data (G_OBJECT (pad), "av1");

  self->before = get_kilobits (self->encoder);
  set_target (self->sender, 200000);
  self->amid = get_kilobits (self->encoder);

  return self->encode (pad, parent, buffer);
}

static void
encode_a_frame (Av1 *self, GstHarness *video)
{
  GstPad *pad = gst_element_get_static_pad (self->encoder, "sink");
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 64 * 64 * 3 / 2, NULL);

  gst_buffer_memset (frame, 0, 128, 64 * 64 * 3 / 2);
  GST_BUFFER_PTS (frame) = 0;
  g_object_set_data (G_OBJECT (pad), "av1", self);
  self->encode = GST_PAD_CHAINFUNC (pad);
  gst_pad_set_chain_function (pad, encode_with_a_new_target);
  g_assert_cmpint (gst_harness_push (video, frame), ==, GST_FLOW_OK);
  gst_object_unref (pad);
}

/* Guards against: libaom's abort (cdef_alloc_data: Assertion
 * `((cm)->error)->setjmp' failed), since av1enc sets it in one thread while it
 * encodes in another. */
static void
test_av1enc_is_set_between_frames (void)
{
  GstHarness *h = gst_harness_new ("gccsender");
  Av1 self = { .sender = h->element,
    .encoder = gst_element_factory_make ("av1enc", NULL) };
  GstHarness *video;

  if (self.encoder == NULL) {
    g_test_skip ("av1enc is missing");
    gst_harness_teardown (h);
    return;
  }
  g_object_set (self.encoder, "usage-profile", 1, "cpu-used", 8, NULL);
  video = gst_harness_new_with_element (self.encoder, "sink", "src");
  gst_harness_set_src_caps_str (
      video, "video/x-raw,format=I420,width=64,height=64,framerate=25/1");
  gst_element_set_state (h->element, GST_STATE_READY);
  g_object_set (h->element, "encoder", self.encoder, NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  set_target (self.sender, 100000);
  g_assert_cmpuint (get_kilobits (self.encoder), ==, 100);

  encode_a_frame (&self, video);
  g_assert_cmpuint (self.amid, ==, self.before);
  g_assert_cmpuint (get_kilobits (self.encoder), ==, 200);

  gst_harness_teardown (h);
  gst_harness_teardown (video);
  gst_object_unref (self.encoder);
}

/* Of an encoder that @sender has set to @target; -1: it is not installed. */
static gint64
property_with (
    const gchar *sender, const gchar *line, const gchar *property, guint target)
{
  GstHarness *h = gst_harness_new_parse (sender);
  GstElement *gccsender = gst_harness_find_element (h, "gccsender");
  GstElement *encoder = gst_parse_launch_full (
      line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, NULL);
  GValue rate = G_VALUE_INIT;
  gint64 result = -1;

  if (encoder != NULL) {
    gst_object_ref_sink (encoder);
    gst_element_set_state (h->element, GST_STATE_READY);
    g_object_set (gccsender, "encoder", encoder, "min-bitrate", 1, NULL);
    gst_element_set_state (h->element, GST_STATE_PLAYING);
    set_target (gccsender, target);
    g_value_init (&rate, G_TYPE_INT64);
    g_object_get_property (G_OBJECT (encoder), property, &rate);
    result = g_value_get_int64 (&rate);
    gst_object_unref (encoder);
  }
  gst_object_unref (gccsender);
  gst_harness_teardown (h);

  return result;
}

static gint64
rate_with_target (const gchar *factory, const gchar *property, guint target)
{
  return property_with ("gccsender", factory, property, target);
}

/* With @sender downstream of it, @encoder, a line of one element, has @expected in
 * @property; nothing is checked where the element is missing. */
static void
assert_property (const gchar *sender, const gchar *encoder,
    const gchar *property, guint target, gint64 expected)
{
  gint64 value = property_with (sender, encoder, property, target);

  if (value == -1)
    g_test_message ("%s is missing", encoder);
  else
    g_assert_cmpint (value, ==, expected);
}

/* Guards against: 0 kbit/s, which x264enc and x265enc refuse, and rates that
 * vp8enc reads as "automatic" and openh264enc ignores. */
static void
test_known_encoders_get_a_rate_that_they_obey (void)
{
  static const struct {
    const gchar *factory;
    const gchar *property;
    gint64 least;
  } encoders[] = {
    { "vp8enc", "target-bitrate", 1000 },
    { "vp9enc", "target-bitrate", 1000 },
    { "x264enc", "bitrate", 10 },
    { "x265enc", "bitrate", 1 },
    { "openh264enc", "bitrate", 1000 },
    { "av1enc", "target-bitrate", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (encoders); i++)
    assert_property ("gccsender", encoders[i].factory, encoders[i].property, 1,
        encoders[i].least);
}

static void
test_rates_are_rounded_to_the_encoders_unit (void)
{
  if (rate_with_target ("x264enc", "bitrate", START) == -1) {
    g_test_skip ("x264enc is missing");
    return;
  }
  g_assert_cmpint (rate_with_target ("x264enc", "bitrate", 299600), ==, 300);
  g_assert_cmpint (rate_with_target ("x264enc", "bitrate", 299400), ==, 299);
}

/* Guards against: vp9enc and av1enc with the effort of a film, of which a frame
 * takes longer than it is shown. tests/bench measures what this comes to. */
static void
test_known_encoders_are_told_to_keep_real_time (void)
{
  static const struct {
    const gchar *factory;
    const gchar *property;
    gint64 value;
  } encoders[] = {
    { "vp8enc", "cpu-used", 8 },
    { "vp9enc", "cpu-used", 7 },
    { "vp9enc", "row-mt", TRUE },
    /* veryfast, ultrafast */
    { "x264enc", "speed-preset", 3 },
    { "x265enc", "speed-preset", 1 },
    { "av1enc", "cpu-used", 9 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (encoders); i++)
    assert_property ("gccsender manage=all", encoders[i].factory,
        encoders[i].property, START, encoders[i].value);
}

/* Guards against: vp8enc with the variable rate of its defaults, which sends 3.9 times
 * what it is asked for once that has fallen to a quarter. */
static void
test_encoders_that_are_not_configured_follow_a_bitrate_all_the_same (void)
{
  static const struct {
    const gchar *line;
    const gchar *property;
    gint64 value;
  } encoders[] = {
    { "vp8enc", "end-usage", 1 },
    { "vp8enc", "buffer-size", 300 },
    { "vp9enc", "end-usage", 1 },
    { "vp9enc", "buffer-initial-size", 150 },
    /* what the application has set stays, and so does all else */
    { "vp8enc end-usage=cq", "end-usage", 2 },
    { "vp8enc buffer-size=1000", "buffer-size", 1000 },
    { "vp8enc", "keyframe-max-dist", 128 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (encoders); i++)
    assert_property ("gccsender", encoders[i].line, encoders[i].property, START,
        encoders[i].value);
  g_assert_cmpint (property_with ("gccsender manage=sink+session+fec", "vp8enc",
                       "buffer-size", START),
      ==, 6000);
}

/* --- which encoder --- */

static gboolean
encoder_is_upstream (gpointer user_data)
{
  GstElement **elements = user_data;

  return get_encoder (elements[0]) == elements[1];
}

/* They hold references to where they come from. */
static void
forget_messages (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_bus_set_flushing (bus, TRUE);
  gst_bus_set_flushing (bus, FALSE);
  gst_object_unref (bus);
}

static GstPadProbeReturn
replace_encoder (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstElement *pipeline = user_data;
  GstElement *old = gst_bin_get_by_name (GST_BIN (pipeline), "old");
  GstElement *payloader = gst_bin_get_by_name (GST_BIN (pipeline), "payloader");
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  GstElement *source = gst_pad_get_parent_element (pad);
  GstElement *new = gst_element_factory_make ("vp8enc", "new");

  (void) info;
  gst_element_unlink_many (source, old, payloader, NULL);
  gst_bin_remove (GST_BIN (pipeline), old);
  gst_element_set_state (old, GST_STATE_NULL);

  /* With nobody in its place the old one is left alone and let go. */
  set_target (sender, 250000);
  g_assert_cmpuint (test_get_uint (old, "target-bitrate"), ==, START);
  forget_messages (pipeline);
  g_object_add_weak_pointer (G_OBJECT (old), (gpointer *) &old);
  gst_object_unref (old);
  g_assert_null (old);

  g_object_set (new, "deadline", G_GINT64_CONSTANT (1), NULL);
  gst_bin_add (GST_BIN (pipeline), new);
  g_assert_true (gst_element_link_many (source, new, payloader, NULL));
  gst_element_sync_state_with_parent (new);

  gst_object_unref (source);
  gst_object_unref (sender);
  gst_object_unref (payloader);

  return GST_PAD_PROBE_REMOVE;
}

/* Guards against: the encoder of the start that gets the rates for ever. */
static void
test_an_encoder_that_is_replaced_is_followed (void)
{
  GstElement *pipeline = gst_parse_launch (
      "videotestsrc name=source is-live=true ! "
      "vp8enc name=old deadline=1 ! rtpvp8pay name=payloader ! "
      "gccsender name=sender ! fakesink async=false",
      NULL);
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  GstElement *new;
  GstPad *pad = gst_element_get_static_pad (source, "src");

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER,
      replace_encoder, pipeline, NULL);
  while ((new = gst_bin_get_by_name (GST_BIN (pipeline), "new")) == NULL)
    g_thread_yield ();

  /* found with the first packet, without a report */
  test_wait_until (encoder_is_upstream, (GstElement *[]){ sender, new });
  set_target (sender, 200000);
  g_assert_cmpuint (test_get_uint (new, "target-bitrate"), ==, 200000);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (new);
  gst_object_unref (pad);
  gst_object_unref (source);
  gst_object_unref (sender);
  gst_object_unref (pipeline);
}

/* Guards against: an encoder that keeps its links and leaves with its bin. */
static void
test_an_encoder_whose_bin_is_removed_is_let_go (void)
{
  GstElement *pipeline = gst_parse_launch (
      "bin.( name=camera testencoder name=encoder ! identity ) ! "
      "gccsender name=sender encoder-bitrate-unit=1",
      NULL);
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  GstElement *camera = gst_bin_get_by_name (GST_BIN (pipeline), "camera");
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (pipeline), "encoder");

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_true (get_encoder (sender) == encoder);
  gst_bin_remove (GST_BIN (pipeline), camera);
  set_target (sender, 200000);
  g_assert_null (get_encoder (sender));
  g_assert_cmpuint (test_get_uint (encoder, "bitrate"), ==, START);

  gst_element_set_state (camera, GST_STATE_NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (encoder);
  gst_object_unref (camera);
  gst_object_unref (sender);
  gst_object_unref (pipeline);
}

static guint
count_of_none (GstBus *bus)
{
  return count_warnings_with (bus, "No encoder found upstream of pad sink");
}

/* Guards against: a call that goes on without an encoder, and nobody knows why the rate
 * is not followed. */
static void
test_an_encoder_that_leaves_and_is_not_replaced_is_missed_once (void)
{
  GstElement *pipeline = gst_parse_launch (
      "testencoder name=encoder ! identity name=after ! "
      "gccsender name=sender encoder-bitrate-unit=1",
      NULL);
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (pipeline), "encoder");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstClock *clock = gst_test_clock_new ();

  test_use_clock (pipeline, clock);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_true (get_encoder (sender) == encoder);
  gst_bin_remove (GST_BIN (pipeline), encoder);
  set_target (sender, 200000);
  gst_test_clock_set_time (GST_TEST_CLOCK (clock), 1900 * GST_MSECOND);
  set_target (sender, 210000);
  g_assert_cmpuint (count_of_none (bus), ==, 0);
  for (guint i = 0; i < 5; i++) {
    gst_test_clock_set_time (
        GST_TEST_CLOCK (clock), (2100 + 1000 * i) * GST_MSECOND);
    set_target (sender, 220000 + i);
  }
  g_assert_cmpuint (count_of_none (bus), ==, 1);

  gst_element_set_state (encoder, GST_STATE_NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (encoder);
  gst_object_unref (sender);
  gst_object_unref (pipeline);
  gst_object_unref (clock);
}

static void
test_a_pads_encoder_takes_effect_while_playing (void)
{
  Stream stream;
  TestEncoder *given = (TestEncoder *) gst_object_ref_sink (
      gst_element_factory_make ("testencoder", NULL));
  GstPad *pad;

  stream_start (&stream);
  pad = gst_element_get_static_pad (stream.sender, "sink");
  g_assert_true (get_encoder (pad) == GST_ELEMENT (stream.encoder));

  g_object_set (pad, "encoder", given, NULL);
  stream_push (&stream);
  set_target (stream.sender, 200000);
  g_assert_cmpuint (given->bitrate, ==, 200000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, START);
  g_assert_true (get_encoder (pad) == GST_ELEMENT (given));

  g_object_set (pad, "encoder", NULL, NULL);
  stream_push (&stream);
  set_target (stream.sender, 100000);
  g_assert_cmpuint (given->bitrate, ==, 200000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 100000);
  g_assert_true (get_encoder (pad) == GST_ELEMENT (stream.encoder));

  gst_object_unref (pad);
  gst_object_unref (given);
  stream_stop (&stream);
}

/* Guards against: references to rtpulpfecenc and rtprtxsend until the next
 * start. */
static void
test_after_null_the_pipeline_is_not_referenced (void)
{
  const gchar *names[] = { "encoder", "fec", "rtx" };
  GstElement *elements[G_N_ELEMENTS (names)];
  GstElement *pipeline = gst_parse_launch (
      "testencoder name=encoder ! rtpulpfecenc name=fec pt=100 ! "
      "rtprtxsend name=rtx ! gccsender name=sender encoder-bitrate-unit=1",
      NULL);
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_nonnull (get_encoder (sender));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    elements[i] = gst_bin_get_by_name (GST_BIN (pipeline), names[i]);
    gst_object_unref (elements[i]);
    g_object_add_weak_pointer (
        G_OBJECT (elements[i]), (gpointer *) &elements[i]);
  }

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_null (elements[i]);
  gst_object_unref (sender);
}

/* --- who is told --- */

static guint
count_messages (GstBus *bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    gst_message_unref (message);
    n++;
  }

  return n;
}

static void
count_notify (GObject *sender, GParamSpec *pspec, gpointer n_notified)
{
  (void) sender;
  (void) pspec;
  ++*(guint *) n_notified;
}

static gboolean
message_comes (gpointer stream)
{
  Stream *self = stream;

  set_target (self->sender, test_get_uint (self->sender, "max-bitrate"));

  return count_messages (GST_ELEMENT_BUS (self->sender)) > 0;
}

/* Changes the target until @n_messages have come, and 1000 times at least.
 * Returns how often. */
static guint
change_until (GstElement *sender, guint n_messages)
{
  guint n_seen = 0, n = 0;

  while (n < 1000 || n_seen < n_messages) {
    set_target (sender, 200000 + n++ % 2);
    if (n_seen < n_messages)
      n_seen += count_messages (GST_ELEMENT_BUS (sender));
  }

  return n;
}

/* Guards against: a bus nobody reads that fills the memory. */
static void
test_messages_come_ten_times_a_second_at_most (void)
{
  Stream stream;
  GstBus *bus = gst_bus_new ();
  guint n_notified = 0, n_changes;
  gint64 start;

  stream_start (&stream);
  gst_element_set_bus (stream.sender, bus);
  g_signal_connect (stream.sender, "notify::target-bitrate",
      G_CALLBACK (count_notify), &n_notified);

  /* Between four of them lie 0.3 s, however slow the machine is. */
  start = g_get_monotonic_time ();
  n_changes = change_until (stream.sender, 4);
  g_assert_cmpint (
      g_get_monotonic_time () - start, >=, 3 * G_USEC_PER_SEC / 10);
  g_assert_cmpuint (n_changes, >, 100);
  g_assert_cmpuint (n_notified, ==, n_changes);

  /* A change too soon after a message is posted with a later report. */
  set_target (stream.sender, 250000);
  test_wait_until (message_comes, &stream);

  g_object_set (stream.sender, "post-messages", FALSE, NULL);
  change_until (stream.sender, 0);
  g_assert_cmpuint (count_messages (bus), ==, 0);

  gst_element_set_bus (stream.sender, NULL);
  gst_object_unref (bus);
  stream_stop (&stream);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_element_register (
      NULL, "testencoder", GST_RANK_NONE, test_encoder_get_type ());

#define ADD(name) g_test_add_func ("/encoders/" #name, test_##name)
  ADD (a_handler_of_the_encoder_may_read_the_encoder);
  ADD (a_handler_of_the_encoder_may_set_the_limits);
  ADD (an_encoder_that_pushes_may_read_the_sender);
  ADD (an_encoder_may_push_while_it_is_set);
  ADD (of_two_targets_the_later_wins_and_nobody_waits);
  ADD (an_encoder_may_end_in_our_hands);
  ADD (an_encoder_stays_at_its_least_rate_and_that_is_said_once);
  ADD (an_encoder_that_keeps_its_bitrate_is_named_once);
  ADD (audio_may_take_all_of_the_target);
  ADD (an_encoder_that_is_not_known_is_not_set_for_each_change);
  ADD (a_large_fall_is_set_at_once);
  ADD (a_change_costs_what_the_user_says);
  ADD (other_profiles_set_each_change);
  ADD (the_last_of_several_changes_is_made);
  ADD (what_waits_is_set_with_a_later_report);
  ADD (less_than_a_unit_is_not_set);
  ADD (an_encoder_that_sends_too_much_or_too_little_is_corrected);
  ADD (a_published_profile_corrects_no_encoder);
  ADD (av1enc_is_set_between_frames);
  ADD (known_encoders_get_a_rate_that_they_obey);
  ADD (rates_are_rounded_to_the_encoders_unit);
  ADD (known_encoders_are_told_to_keep_real_time);
  ADD (encoders_that_are_not_configured_follow_a_bitrate_all_the_same);
  ADD (an_encoder_that_is_replaced_is_followed);
  ADD (an_encoder_whose_bin_is_removed_is_let_go);
  ADD (an_encoder_that_leaves_and_is_not_replaced_is_missed_once);
  ADD (a_pads_encoder_takes_effect_while_playing);
  ADD (after_null_the_pipeline_is_not_referenced);
  ADD (messages_come_ten_times_a_second_at_most);
#undef ADD

  return g_test_run ();
}
