/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Applications that set their encoders by themselves, and what they follow. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"

/* Of the encoder, which nobody but the application sets. */
#define CHOSEN 123000
/* v before the element starts */
#define START 300000u

/* A call in the test's time, whose encoder stands beside it. */
typedef struct {
  GstHarness *h;
  GstElement *sender;
  GstElement *encoder;
  GstPad *rtcp;
  GstBus *bus;
  GstClockTime now;
  guint16 seq;
  /* of notify::encoder-bitrate */
  guint n_notified;
  guint last;
  guint least;
  guint greatest;
} Call;

static gint
get_encoder_rate (Call *self)
{
  return (gint) test_get_uint (self->encoder, "target-bitrate");
}

static guint
get_v_of_stats (GstElement *sender)
{
  GstStructure *stats;
  gint64 rate;

  g_object_get (sender, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_int64 (stats, "v-bps", &rate));
  gst_structure_free (stats);

  return (guint) rate;
}

static void
check_notified (GObject *sender, GParamSpec *pspec, gpointer user_data)
{
  Call *self = user_data;
  guint rate = test_get_uint (sender, "encoder-bitrate");

  (void) pspec;
  g_assert_cmpuint (rate, !=, self->last);
  g_assert_cmpuint (rate, ==, get_v_of_stats (GST_ELEMENT (sender)));
  self->n_notified++;
  self->last = rate;
  self->least = MIN (self->least, rate);
  self->greatest = MAX (self->greatest, rate);
}

/* @settings: of gccsender */
static void
call_start (Call *self, const gchar *settings)
{
  gchar *line = g_strdup_printf (
      "gccsender name=sender start-bitrate=500000 %s ! session.send_rtp_sink "
      "rtpsession name=session session.send_rtp_src ! identity",
      settings);
  GError *error = NULL;
  GstElement *bin = gst_object_ref_sink (
      gst_parse_bin_from_description (line, TRUE, &error));
  GstElement *session = gst_bin_get_by_name (GST_BIN (bin), "session");

  g_assert_no_error (error);
  g_free (line);
  *self = (Call){ .least = G_MAXUINT, .last = START, .bus = gst_bus_new () };
  self->sender = gst_bin_get_by_name (GST_BIN (bin), "sender");
  self->encoder = test_make ("vp8enc");
  g_object_set (self->encoder, "target-bitrate", CHOSEN, NULL);
  g_object_set (self->sender, "encoder", self->encoder, NULL);
  g_signal_connect (self->sender, "notify::encoder-bitrate",
      G_CALLBACK (check_notified), self);
  gst_element_set_bus (bin, self->bus);
  self->h = test_play (bin);
  self->rtcp = test_open_rtcp (session, "recv_rtcp_sink");
  gst_object_unref (session);
  gst_object_unref (bin);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->h->element, GST_STATE_NULL);
  gst_element_set_bus (self->h->element, NULL);
  gst_pad_set_active (self->rtcp, FALSE);
  gst_object_unref (self->rtcp);
  gst_object_unref (self->encoder);
  gst_object_unref (self->sender);
  gst_harness_teardown (self->h);
  gst_object_unref (self->bus);
}

static void
deliver (Call *self, GstBuffer *rtcp)
{
  g_assert_cmpint (gst_pad_push (self->rtcp, rtcp), ==, GST_FLOW_OK);
}

static void
send_a_packet (Call *self)
{
  self->now += 20 * GST_MSECOND;
  gst_harness_set_time (self->h, self->now);
  gst_harness_push (
      self->h, test_rtp_packet (self->seq, self->seq * 1800u, 1000));
  self->seq++;
}

/* A second of packets and a report on them, by which @fraction_lost is lost. */
static void
call_for_a_second (Call *self, guint8 fraction_lost)
{
  for (guint i = 0; i < 50; i++)
    send_a_packet (self);
  deliver (self,
      test_receiver_report (
          TEST_SSRC, fraction_lost, (guint16) (self->seq - 1)));
}

/* The rate falls, and rises again. */
static void
let_the_rate_change (Call *self)
{
  for (guint i = 0; i < 3; i++)
    call_for_a_second (self, 0);
  deliver (self, test_remb (200000, 1));
  call_for_a_second (self, 0);
  deliver (self, test_remb (5000000, 1));
  for (guint i = 0; i < 5; i++)
    call_for_a_second (self, 0);
  for (guint i = 0; i < 2; i++)
    call_for_a_second (self, 100);
}

static void
test_the_encoder_is_the_applications (void)
{
  Call call;

  call_start (&call, "manage=encoder-settings+sink+session+fec");
  let_the_rate_change (&call);
  g_assert_cmpint (get_encoder_rate (&call), ==, CHOSEN);
  g_assert_cmpuint (call.least, <=, 200000);
  g_assert_cmpuint (call.greatest, >, 500000);
  call_stop (&call);
}

static void
test_each_change_of_v_is_notified (void)
{
  Call call;

  call_start (&call, "manage=sink+session+fec");
  let_the_rate_change (&call);
  g_assert_cmpuint (call.n_notified, >=, 5);
  g_assert_cmpuint (call.last, ==, get_v_of_stats (call.sender));
  call_stop (&call);
}

/* Guards against: a property that only works where encoders are left alone. */
static void
test_v_is_also_notified_where_encoders_are_set (void)
{
  Call call;

  call_start (&call, "");
  let_the_rate_change (&call);
  g_assert_cmpuint (call.n_notified, >=, 5);
  g_assert_cmpint (ABS (get_encoder_rate (&call) - (gint) call.last), <, 1000);
  call_stop (&call);
}

/* The packets are 400 kbit/s, whatever is asked for. */
static guint
count_excesses (const gchar *settings, guint remb)
{
  Call call;
  GstMessage *message;
  guint n = 0;

  call_start (&call, settings);
  for (guint i = 0; i < 10; i++) {
    call_for_a_second (&call, 0);
    deliver (&call, test_remb (remb, 1));
  }
  while ((message = gst_bus_pop_filtered (call.bus, GST_MESSAGE_WARNING))) {
    GError *warning;

    gst_message_parse_warning (message, &warning, NULL);
    n += strstr (warning->message, "The encoders send") != NULL;
    g_error_free (warning);
    gst_message_unref (message);
  }
  call_stop (&call);

  return n;
}

/* Guards against: a full queue without a word. */
static void
test_encoders_that_send_too_much_are_told_of_once (void)
{
  g_assert_cmpuint (count_excesses ("", 200000), ==, 1);
  g_assert_cmpuint (count_excesses ("manage=sink+session+fec", 200000), ==, 1);
  g_assert_cmpuint (count_excesses ("", 390000), ==, 0);
}

/* Guards against: v of a start, in all states before. */
static void
test_before_the_start_v_is_the_start_bitrate (void)
{
  GstElement *sender = test_make ("gccsender");

  g_assert_cmpuint (test_get_uint (sender, "encoder-bitrate"), ==,
      test_get_uint (sender, "start-bitrate"));
  gst_object_unref (sender);
}

/* The application had the encoder meanwhile: what was set before does not count. */
static void
test_an_encoder_that_is_controlled_again_is_set_at_once (void)
{
  Call call;
  gint rate;

  call_start (&call, "");
  call_for_a_second (&call, 0);
  rate = get_encoder_rate (&call);
  g_assert_cmpint (rate, !=, CHOSEN);

  gst_util_set_object_arg (
      G_OBJECT (call.sender), "manage", "sink+session+fec");
  g_object_set (call.encoder, "target-bitrate", CHOSEN, NULL);
  call_for_a_second (&call, 0);
  g_assert_cmpint (get_encoder_rate (&call), ==, CHOSEN);

  gst_util_set_object_arg (G_OBJECT (call.sender), "manage", "all");
  g_assert_cmpint (get_encoder_rate (&call), >=, rate);
  call_stop (&call);
}

/* Guards against: a warning of an encoder that is no concern of gccsender's. */
static void
test_a_pad_without_an_encoder_is_no_mistake (void)
{
  for (guint i = 0; i < 2; i++) {
    Call call;

    call_start (&call, i == 0 ? "" : "manage=sink+session+fec");
    g_object_set (call.sender, "encoder", NULL, NULL);
    call_for_a_second (&call, 0);
    g_assert_cmpuint (test_count_warnings (call.bus), ==, 1 - i);
    call_stop (&call);
  }
}

/* Guards against: the same of an encoder that obeys no rate so low. */
static void
test_an_encoder_of_the_application_may_exceed_the_target (void)
{
  GstElement *encoder = gst_element_factory_make ("x264enc", NULL);

  if (encoder == NULL) {
    g_test_skip ("x264enc is missing");
    return;
  }
  gst_object_ref_sink (encoder);
  for (guint i = 0; i < 2; i++) {
    Call call;

    call_start (&call, i == 0 ? "" : "manage=sink+session+fec");
    g_object_set (call.sender, "encoder", encoder, NULL);
    call_for_a_second (&call, 0);
    g_object_set (call.sender, "min-bitrate", 1, "max-bitrate", 2000, NULL);
    g_assert_cmpuint (test_count_warnings (call.bus), ==, 1 - i);
    call_stop (&call);
  }
  gst_object_unref (encoder);
}

static void
test_v_is_for_all_encoders_together (void)
{
  Call call;
  GstPad *source = gst_pad_new ("source", GST_PAD_SRC);
  GstElement *other = test_make ("vp8enc");
  GstPad *pad;
  gint rate;

  call_start (&call, "");
  pad = gst_element_request_pad_simple (call.sender, "sink_%u");
  g_object_set (pad, "encoder", other, NULL);
  g_assert_cmpint (gst_pad_link_full (source, pad, GST_PAD_LINK_CHECK_NOTHING),
      ==, GST_PAD_LINK_OK);
  call_for_a_second (&call, 0);
  g_object_set (
      call.sender, "min-bitrate", 800000, "max-bitrate", 800000, NULL);
  g_object_get (other, "target-bitrate", &rate, NULL);
  g_assert_cmpint (rate, ==, 400000);
  g_assert_cmpint (get_encoder_rate (&call), ==, 400000);
  g_assert_cmpuint (test_get_uint (call.sender, "encoder-bitrate"), ==, 800000);

  gst_pad_unlink (source, pad);
  gst_element_release_request_pad (call.sender, pad);
  gst_object_unref (pad);
  gst_object_unref (source);
  gst_object_unref (other);
  call_stop (&call);
}

typedef void (*Restart) (GstElement *sender, guint bitrate);

static void
restart (GstElement *sender, guint bitrate)
{
  g_signal_emit_by_name (sender, "restart", bitrate);
}

/* The old way. */
static void
set_start (GstElement *sender, guint bitrate)
{
  g_object_set (sender, "start-bitrate", bitrate, NULL);
}

static void
check_restart (Restart restart_at)
{
  Call call;

  call_start (&call, "manage=sink+session+fec max-bitrate=4000000");
  for (guint i = 0; i < 3; i++)
    call_for_a_second (&call, 0);
  restart_at (call.sender, 150000);
  g_assert_cmpuint (call.last, ==, 150000);
  call_for_a_second (&call, 0);
  g_assert_cmpuint (call.last, >, 150000);
  g_assert_cmpuint (call.last, <, 300000);

  restart_at (call.sender, G_MAXUINT);
  g_assert_cmpuint (call.last, ==, 4000000);
  restart_at (call.sender, 1);
  g_assert_cmpuint (call.last, ==, 50000);
  call_stop (&call);
}

static void
test_the_target_goes_on_from_a_rate_that_is_set (void)
{
  check_restart (restart);
  check_restart (set_start);
}

/* Guards against: a rate of one call that begins the next. */
static void
test_a_restart_leaves_the_next_start_alone (void)
{
  Call call;

  call_start (&call, "");
  call_for_a_second (&call, 0);
  restart (call.sender, 150000);
  g_assert_cmpuint (test_get_uint (call.sender, "start-bitrate"), ==, 500000);
  call_stop (&call);
}

static void
test_without_fec_all_that_is_left_is_for_encoders (void)
{
  Call call;

  call_start (&call, "manage=sink+session+fec");
  let_the_rate_change (&call);
  g_assert_cmpuint (
      test_get_uint (call.sender, "media-bitrate"), ==, call.last);
  call_stop (&call);
}

static gpointer
toggle (gpointer sender)
{
  for (guint i = 0; i < 2000; i++)
    gst_util_set_object_arg (
        sender, "manage", i % 2 == 0 ? "all" : "sink+session+fec");

  return NULL;
}

/* Attack: the switch turned while reports come. */
static void
test_the_switch_may_be_turned_in_mid_call (void)
{
  Call call;
  GThread *thread;

  call_start (&call, "");
  g_signal_handlers_disconnect_by_func (call.sender, check_notified, &call);
  thread = g_thread_new ("application", toggle, call.sender);
  let_the_rate_change (&call);
  g_thread_join (thread);

  /* The last turn was to FALSE. */
  g_object_set (call.encoder, "target-bitrate", CHOSEN, NULL);
  let_the_rate_change (&call);
  g_assert_cmpint (get_encoder_rate (&call), ==, CHOSEN);
  call_stop (&call);
}

/* --- the element is stopped while a handler of the application runs --- */

typedef struct {
  gboolean stops;
  gint has_begun;
  gint has_ended;
} Handler;

static void
handle_slowly (GObject *sender, GParamSpec *pspec, gpointer user_data)
{
  Handler *self = user_data;

  (void) pspec;
  g_atomic_int_set (&self->has_begun, TRUE);
  if (self->stops)
    gst_element_set_state (GST_ELEMENT (sender), GST_STATE_NULL);
  else
    g_usleep (G_USEC_PER_SEC / 5);
  g_atomic_int_set (&self->has_ended, TRUE);
}

static gboolean
has_begun (gpointer handler)
{
  return g_atomic_int_get (&((Handler *) handler)->has_begun);
}

static gboolean
has_ended (gpointer handler)
{
  return g_atomic_int_get (&((Handler *) handler)->has_ended);
}

/* No report follows the first, so a thread of GStreamer's pool lowers the rate. */
static void
call_until_a_handler_runs (Call *call, Handler *handler)
{
  call_start (call, "");
  g_signal_handlers_disconnect_by_func (call->sender, check_notified, call);
  call_for_a_second (call, 0);
  g_signal_connect (call->sender, "notify::target-bitrate",
      G_CALLBACK (handle_slowly), handler);
  while (!has_begun (handler)) {
    send_a_packet (call);
    g_usleep (1000);
  }
}

/* Guards against: a handler that uses what the application freed after the end. */
static void
test_no_handler_runs_once_the_element_is_stopped (void)
{
  Handler handler = { 0 };
  Call call;

  call_until_a_handler_runs (&call, &handler);
  gst_element_set_state (call.h->element, GST_STATE_NULL);
  g_assert_true (has_ended (&handler));
  call_stop (&call);
}

/* Attack: the handler waits for itself. */
static void
test_a_handler_may_stop_the_element (void)
{
  Handler handler = { .stops = TRUE };
  Call call;

  call_until_a_handler_runs (&call, &handler);
  test_wait_until (has_ended, &handler);
  call_stop (&call);
}

/* The receiving end of a call, whose session goes on when gccreceiver is stopped. */
typedef struct {
  GstHarness *h;
  GstElement *receiver;
  GObject *session;
} Receiving;

static void
receiving_start (Receiving *self)
{
  GError *error = NULL;
  GstElement *bin = gst_object_ref_sink (gst_parse_bin_from_description (
      "gccreceiver name=receiver ! session.recv_rtp_sink "
      "rtpsession name=session session.recv_rtp_src ! identity",
      TRUE, &error));
  GstElement *session = gst_bin_get_by_name (GST_BIN (bin), "session");

  g_assert_no_error (error);
  self->receiver = gst_bin_get_by_name (GST_BIN (bin), "receiver");
  g_object_get (session, "internal-session", &self->session, NULL);
  self->h = test_play (bin);
  gst_object_unref (session);
  gst_object_unref (bin);
}

static void
receive_for_a_second (Receiving *self)
{
  for (guint i = 1; i <= 50; i++) {
    gst_harness_set_time (self->h, GST_SECOND + i * 20 * GST_MSECOND);
    gst_harness_push (self->h, test_rtp_packet ((guint16) i, i * 1800u, 1000));
  }
}

/* As if the session sent a report, a second after the last packet. */
static gpointer
send_report (gpointer receiving)
{
  Receiving *self = receiving;
  GstBuffer *report = gst_rtcp_buffer_new (1400);
  gboolean keep;

  g_signal_emit_by_name (
      self->session, "on-sending-rtcp", report, FALSE, &keep);
  gst_buffer_unref (report);

  return NULL;
}

/* Attack: gccreceiver is taken out in mid-call. */
static void
test_no_handler_runs_once_the_receiver_is_stopped (void)
{
  Handler handler = { 0 };
  Receiving receiving;
  GThread *thread;

  receiving_start (&receiving);
  receive_for_a_second (&receiving);
  g_signal_connect (receiving.receiver, "notify::estimated-bitrate",
      G_CALLBACK (handle_slowly), &handler);
  gst_harness_set_time (receiving.h, 3 * GST_SECOND);
  thread = g_thread_new ("session", send_report, &receiving);
  test_wait_until (has_begun, &handler);
  gst_element_set_locked_state (receiving.receiver, TRUE);
  gst_element_set_state (receiving.receiver, GST_STATE_NULL);
  g_assert_true (has_ended (&handler));

  g_thread_join (thread);
  gst_harness_teardown (receiving.h);
  g_object_unref (receiving.session);
  gst_object_unref (receiving.receiver);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/application/" #name, test_##name)
  ADD (the_encoder_is_the_applications);
  ADD (each_change_of_v_is_notified);
  ADD (v_is_also_notified_where_encoders_are_set);
  ADD (encoders_that_send_too_much_are_told_of_once);
  ADD (before_the_start_v_is_the_start_bitrate);
  ADD (an_encoder_that_is_controlled_again_is_set_at_once);
  ADD (a_pad_without_an_encoder_is_no_mistake);
  ADD (an_encoder_of_the_application_may_exceed_the_target);
  ADD (v_is_for_all_encoders_together);
  ADD (the_target_goes_on_from_a_rate_that_is_set);
  ADD (a_restart_leaves_the_next_start_alone);
  ADD (without_fec_all_that_is_left_is_for_encoders);
  ADD (the_switch_may_be_turned_in_mid_call);
  ADD (no_handler_runs_once_the_element_is_stopped);
  ADD (a_handler_may_stop_the_element);
  ADD (no_handler_runs_once_the_receiver_is_stopped);
#undef ADD

  return g_test_run ();
}
