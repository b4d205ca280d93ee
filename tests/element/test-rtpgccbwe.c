/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The drop-in as applications of gst-plugins-rs' rtpgccbwe use it: made by its name,
 * its estimate followed and written. */

#include <gst/gst.h>
#include <string.h>

#include "element-test.h"

#define START 1000000u

/* --- a call in the test's time, whose encoder stands beside it --- */

typedef struct {
  GstHarness *h;
  GstElement *bwe;
  GstElement *encoder;
  GstPad *rtcp;
  guint16 seq;
  gint n_notified;
} Call;

/* Of the harness whose clock it is. */
static GstClockTime now;

static void
follow_estimate (GObject *bwe, GParamSpec *pspec, gpointer user_data)
{
  Call *self = user_data;
  guint rate = test_get_uint (bwe, "estimated-bitrate");

  (void) pspec;
  g_atomic_int_inc (&self->n_notified);
  g_object_set (self->encoder, "target-bitrate", (gint) rate, NULL);
}

/* A pacer has a thread, for which the test would have to wait. */
static void
leave_pacing_out (GstElement *bwe)
{
  gst_child_proxy_set (
      GST_CHILD_PROXY (bwe), "gccsender::pacing-factor", 0., NULL);
}

/* rtpbin asks for pads with the number of the session. */
static GstElement *
make_aux_sender (GstElement *rtpbin, guint session, gpointer user_data)
{
  Call *self = user_data;
  GstElement *bin = gst_bin_new (NULL);

  (void) rtpbin;
  g_assert_cmpuint (session, ==, 0);
  self->bwe = gst_element_factory_make ("rtpgccbwe", NULL);
  leave_pacing_out (self->bwe);
  g_object_set (self->bwe, "estimated-bitrate", START, NULL);
  g_signal_connect (self->bwe, "notify::estimated-bitrate",
      G_CALLBACK (follow_estimate), self);
  gst_bin_add (GST_BIN (bin), gst_object_ref (self->bwe));
  gst_element_add_pad (
      bin, gst_ghost_pad_new ("sink_0", self->bwe->sinkpads->data));
  gst_element_add_pad (
      bin, gst_ghost_pad_new ("src_0", self->bwe->srcpads->data));

  return bin;
}

/* No clock but that of the first call. */
static void
call_start_beside (Call *self)
{
  GstElement *rtpbin = test_make ("rtpbin");

  *self = (Call){ 0 };
  self->encoder = test_make ("vp8enc");
  g_object_set (self->encoder, "target-bitrate", (gint) START, NULL);
  g_signal_connect (
      rtpbin, "request-aux-sender", G_CALLBACK (make_aux_sender), self);
  self->h = gst_harness_new_with_element (
      rtpbin, "send_rtp_sink_0", "send_rtp_src_0");
  gst_harness_set_src_caps_str (self->h, TEST_RTP_CAPS);
  gst_harness_set_drop_buffers (self->h, TRUE);
  self->rtcp = test_open_rtcp (rtpbin, "recv_rtcp_sink_0");
  gst_object_unref (rtpbin);
}

static void
call_start (Call *self)
{
  call_start_beside (self);
  test_use_testclock (self->h);
  now = 0;
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->h->element, GST_STATE_NULL);
  gst_pad_set_active (self->rtcp, FALSE);
  gst_object_unref (self->rtcp);
  gst_object_unref (self->encoder);
  gst_object_unref (self->bwe);
  gst_harness_teardown (self->h);
}

static void
deliver (Call *self, GstBuffer *rtcp)
{
  g_assert_cmpint (gst_pad_push (self->rtcp, rtcp), ==, GST_FLOW_OK);
}

static void
send_a_packet (Call *self)
{
  gst_harness_push (
      self->h, test_rtp_packet (self->seq, self->seq * 1800u, 1000));
  self->seq++;
}

static void
report (Call *self)
{
  deliver (
      self, test_receiver_report (TEST_SSRC, 0, (guint16) (self->seq - 1)));
}

static void
call_for_a_second (Call *self)
{
  for (guint i = 0; i < 50; i++) {
    now += 20 * GST_MSECOND;
    gst_harness_set_time (self->h, now);
    send_a_packet (self);
  }
  report (self);
}

static guint
get_estimate (Call *self)
{
  return test_get_uint (self->bwe, "estimated-bitrate");
}

static guint
get_encoder_rate (Call *self)
{
  return test_get_uint (self->encoder, "target-bitrate");
}

static GstElement *
make (void)
{
  return test_make ("rtpgccbwe");
}

/* --- what an application knows --- */

static void
test_properties_are_as_applications_know_them (void)
{
  static const gchar *const nicks[] = { "kalman", "linear-regression" };
  GstElement *bwe = make ();
  GParamSpec *estimator = g_object_class_find_property (
      G_OBJECT_GET_CLASS (bwe), "estimator");

  g_assert_cmpuint (test_get_uint (bwe, "min-bitrate"), ==, 1000);
  g_assert_cmpuint (test_get_uint (bwe, "estimated-bitrate"), ==, 2048000);
  g_assert_cmpuint (test_get_uint (bwe, "max-bitrate"), ==, 8192000);
  for (guint i = 0; i < G_N_ELEMENTS (nicks); i++) {
    gint value;

    gst_util_set_object_arg (G_OBJECT (bwe), "estimator", nicks[i]);
    g_object_get (bwe, "estimator", &value, NULL);
    g_assert_cmpint (value, ==, i);
  }
  g_assert_nonnull (
      g_strrstr (g_param_spec_get_blurb (estimator), "without effect"));
  gst_object_unref (bwe);
}

static void
test_what_is_written_before_the_start_is_read_and_notified (void)
{
  Call call = { .bwe = make () };

  call.encoder = test_make ("vp8enc");
  g_signal_connect (call.bwe, "notify::estimated-bitrate",
      G_CALLBACK (follow_estimate), &call);
  g_object_set (call.bwe, "estimated-bitrate", 123000, NULL);
  g_assert_cmpuint (get_estimate (&call), ==, 123000);
  g_assert_cmpuint (get_encoder_rate (&call), ==, 123000);
  g_assert_cmpint (g_atomic_int_get (&call.n_notified), ==, 1);
  gst_object_unref (call.encoder);
  gst_object_unref (call.bwe);
}

/* What is less than a percent is told to nobody. */
static gboolean
follows (gpointer call)
{
  gdouble estimate = get_estimate (call);

  return G_APPROX_VALUE (
      get_encoder_rate (call), estimate, estimate / 100. + 1000.);
}

/* Another thread may be about to notify. Its handler counts the notification before it
 * sets the encoder. */
static void
wait_until_it_follows (Call *self)
{
  test_wait_until (follows, self);
}

/* All that an application does: make it, follow it. */
static void
test_the_estimate_is_followed_through_a_call (void)
{
  Call call;
  gint before;

  call_start (&call);
  for (guint i = 0; i < 5; i++) {
    call_for_a_second (&call);
    wait_until_it_follows (&call);
  }
  g_assert_cmpuint (get_estimate (&call), >, START);

  before = g_atomic_int_get (&call.n_notified);
  deliver (&call, test_remb (200000, 1));
  wait_until_it_follows (&call);
  g_assert_cmpint (g_atomic_int_get (&call.n_notified), ==, before + 1);
  g_assert_cmpuint (get_estimate (&call), ==, 200000);
  g_assert_cmpuint (get_encoder_rate (&call), ==, 200000);
  call_stop (&call);
}

/* Guards against: an encoder that is set with each feedback, for a few bit/s. */
static void
test_less_than_a_percent_is_not_notified (void)
{
  Call call;
  gint before;

  call_start (&call);
  call_for_a_second (&call);
  wait_until_it_follows (&call);
  deliver (&call, test_remb (500000, 1));
  wait_until_it_follows (&call);
  before = g_atomic_int_get (&call.n_notified);
  deliver (&call, test_remb (496000, 1));
  wait_until_it_follows (&call);
  g_assert_cmpuint (get_estimate (&call), <, 497000);
  g_assert_cmpint (g_atomic_int_get (&call.n_notified), ==, before);
  deliver (&call, test_remb (494000, 1));
  wait_until_it_follows (&call);
  g_assert_cmpint (g_atomic_int_get (&call.n_notified), ==, before + 1);
  call_stop (&call);
}

/* Guards against: gccsender's own way with encoders and FEC. */
static void
test_no_encoder_is_touched (void)
{
  Call call;
  GstElement *sender;
  guint manage;

  call_start (&call);
  sender = gst_bin_get_by_name (GST_BIN (call.bwe), "gccsender");
  g_object_set (sender, "encoder", call.encoder, NULL);
  g_signal_handlers_disconnect_by_func (call.bwe, follow_estimate, &call);
  g_object_set (call.encoder, "target-bitrate", 123000, NULL);
  for (guint i = 0; i < 3; i++)
    call_for_a_second (&call);
  deliver (&call, test_remb (200000, 1));
  g_assert_cmpuint (get_encoder_rate (&call), ==, 123000);
  g_object_get (sender, "manage", &manage, NULL);
  g_assert_cmpuint (manage, ==, 0x4 | 0x8); /* sink and session */
  gst_object_unref (sender);
  call_stop (&call);
}

/* --- writing in mid-call --- */

static void
test_an_estimate_that_is_written_is_gone_on_from (void)
{
  Call call;

  call_start (&call);
  for (guint i = 0; i < 3; i++)
    call_for_a_second (&call);
  g_object_set (call.bwe, "estimated-bitrate", 150000, NULL);
  g_assert_cmpuint (get_estimate (&call), ==, 150000);
  g_assert_cmpuint (get_encoder_rate (&call), ==, 150000);
  call_for_a_second (&call);
  g_assert_cmpuint (get_estimate (&call), >, 150000);
  g_assert_cmpuint (get_estimate (&call), <, 300000);

  g_object_set (call.bwe, "estimated-bitrate", 3000000, NULL);
  g_assert_cmpuint (get_estimate (&call), ==, 3000000);
  g_assert_cmpuint (get_encoder_rate (&call), ==, 3000000);
  call_stop (&call);
}

/* A rate that is written, and the one that is read then. */
static const struct {
  guint written;
  guint read;
} nonsense[] = { { 0, 1000 }, { G_MAXUINT, 8192000 }, { 1, 1000 } };

static void
test_nonsense_that_is_written_is_kept_within_the_limits (void)
{
  Call call;

  call_start (&call);
  for (guint i = 0; i < 3; i++)
    call_for_a_second (&call);
  for (guint i = 0; i < G_N_ELEMENTS (nonsense); i++) {
    g_object_set (call.bwe, "estimated-bitrate", nonsense[i].written, NULL);
    g_assert_cmpuint (get_estimate (&call), ==, nonsense[i].read);
    g_assert_cmpuint (get_encoder_rate (&call), ==, nonsense[i].read);
    call_for_a_second (&call);
    g_assert_cmpuint (get_estimate (&call), >=, 1000);
    g_assert_cmpuint (get_estimate (&call), <=, 8192000);
  }
  call_stop (&call);
}

/* Guards against: an application that takes 4294967295 for a gint, and sets -1. */
static void
test_nonsense_that_is_written_before_the_start_is_kept_within_the_limits (void)
{
  Call call;

  call_start (&call);
  for (guint i = 0; i < G_N_ELEMENTS (nonsense); i++) {
    gst_element_set_state (call.h->element, GST_STATE_NULL);
    g_object_set (call.bwe, "estimated-bitrate", nonsense[i].written, NULL);
    g_assert_cmpuint (get_estimate (&call), ==, nonsense[i].read);
    g_assert_cmpuint (get_encoder_rate (&call), ==, nonsense[i].read);
    gst_element_set_state (call.h->element, GST_STATE_PLAYING);
    g_assert_cmpuint (get_estimate (&call), ==, nonsense[i].read);
  }
  call_stop (&call);
}

/* As an application that sets all three, whose rate is above the default limit. */
static void
test_a_limit_may_be_raised_after_the_start_rate_is_written (void)
{
  GstElement *bwe = make ();

  g_object_set (bwe, "min-bitrate", 1000, "estimated-bitrate", 20000000,
      "max-bitrate", 30000000, NULL);
  g_assert_cmpuint (test_get_uint (bwe, "estimated-bitrate"), ==, 20000000);
  gst_object_unref (bwe);
}

static void
write_it_again (GObject *bwe, GParamSpec *pspec, gpointer n_written)
{
  (void) pspec;
  ++*(guint *) n_written;
  g_object_set (bwe, "estimated-bitrate", 500000, NULL);
}

/* Guards against: a handler that is called by what it does, for ever. */
static void
test_a_handler_may_write_the_estimate (void)
{
  Call call;
  guint n_written = 0;

  call_start (&call);
  call_for_a_second (&call);
  g_signal_connect (call.bwe, "notify::estimated-bitrate",
      G_CALLBACK (write_it_again), &n_written);
  g_object_set (call.bwe, "estimated-bitrate", 700000, NULL);
  g_assert_cmpuint (get_estimate (&call), ==, 500000);
  g_assert_cmpuint (n_written, >=, 1);
  g_assert_cmpuint (n_written, <=, 3);
  call_stop (&call);
}

/* --- limits --- */

static void
test_limits_that_are_moved_past_each_other_hold_at_once (void)
{
  Call call;

  call_start (&call);
  call_for_a_second (&call);
  g_object_set (call.bwe, "min-bitrate", 9000000, "max-bitrate", 9500000, NULL);
  g_assert_cmpuint (get_estimate (&call), ==, 9000000);
  g_object_set (call.bwe, "max-bitrate", 300000, "min-bitrate", 200000, NULL);
  g_assert_cmpuint (get_estimate (&call), ==, 300000);
  call_stop (&call);
}

/* gccsender refuses to start so; an application of the original gets that far. */
static void
test_a_minimum_above_the_maximum_stops_nothing (void)
{
  GstHarness *h;
  GstElement *bwe = make ();

  test_log_start ("gccrtpgccbwe");
  g_object_set (bwe, "min-bitrate", 600000, NULL);
  g_object_set (bwe, "max-bitrate", 400000, NULL);
  g_object_set (bwe, "max-bitrate", 300000, NULL);
  h = gst_harness_new_with_element (bwe, "sink", "src");
  g_assert_cmpint (GST_STATE (bwe), ==, GST_STATE_PLAYING);
  g_assert_cmpuint (test_get_uint (bwe, "estimated-bitrate"), ==, 300000);
  g_assert_cmpuint (test_get_uint (bwe, "min-bitrate"), ==, 600000);
  {
    gchar *log = test_log_stop ();
    gchar *first = strstr (log, "is above max-bitrate");

    g_assert_nonnull (first);
    g_assert_null (strstr (first + 1, "is above max-bitrate"));
    g_free (log);
  }
  gst_harness_teardown (h);
  gst_object_unref (bwe);
}

/* --- attacks --- */

static void
test_a_thousand_come_and_go_beside_a_call (void)
{
  Call call;

  call_start (&call);
  for (guint i = 0; i < 1000; i++) {
    GstElement *bwe = make ();

    g_object_set (bwe, "estimated-bitrate", i, NULL);
    if (i % 100 == 0) {
      gst_element_set_state (bwe, GST_STATE_PLAYING);
      gst_element_set_state (bwe, GST_STATE_NULL);
    }
    gst_object_unref (bwe);
    if (i % 100 == 0)
      call_for_a_second (&call);
  }
  g_assert_cmpuint (get_estimate (&call), >, START);
  call_stop (&call);
}

static void
test_two_calls_have_an_estimate_each (void)
{
  Call call, other;

  call_start (&call);
  call_start_beside (&other);
  for (guint i = 0; i < 3; i++) {
    call_for_a_second (&call);
    for (guint j = 0; j < 50; j++)
      send_a_packet (&other);
    report (&other);
  }
  g_object_set (other.bwe, "estimated-bitrate", 150000, NULL);
  deliver (&call, test_remb (400000, 1));
  g_assert_cmpuint (get_estimate (&call), ==, 400000);
  g_assert_cmpuint (get_estimate (&other), ==, 150000);
  g_assert_cmpuint (get_encoder_rate (&call), ==, 400000);
  g_assert_cmpuint (get_encoder_rate (&other), ==, 150000);
  call_stop (&other);
  call_stop (&call);
}

static gpointer
write_nonsense (gpointer bwe)
{
  for (guint i = 0; i < 500; i++)
    g_object_set (bwe, "estimated-bitrate", i % 3 == 0 ? i : G_MAXUINT - i,
        "min-bitrate", 1 + i % 7 * 100000, "max-bitrate", 1 + i % 5 * 200000,
        "estimator", i % 2, NULL);

  return NULL;
}

/* The encoder is set by any of them, one of which may be late. */
static void
test_threads_may_write_while_a_call_runs_and_ends (void)
{
  GThread *threads[3];
  Call call;

  call_start (&call);
  g_signal_handlers_disconnect_by_func (call.bwe, follow_estimate, &call);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("application", write_nonsense, call.bwe);
  for (guint i = 0; i < 5; i++)
    call_for_a_second (&call);
  gst_element_set_state (call.h->element, GST_STATE_NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  /* The last that was written holds, whoever was last. */
  g_object_set (call.bwe, "min-bitrate", 400000, "max-bitrate", 500000,
      "estimated-bitrate", 450000, NULL);
  gst_element_set_state (call.h->element, GST_STATE_PLAYING);
  g_assert_cmpuint (get_estimate (&call), ==, 450000);
  call_stop (&call);
}

/* --- other plugins --- */

static void
test_without_gccsender_an_error_tells_what_to_install (void)
{
  GstRegistry *registry = gst_registry_get ();
  GstPluginFeature *gccsender = gst_registry_lookup_feature (
      registry, "gccsender");
  GstBus *bus = gst_bus_new ();
  GstElement *bwe;
  GstMessage *message;

  gst_registry_remove_feature (registry, gccsender);
  bwe = make ();
  gst_element_set_bus (bwe, bus);
  g_object_set (bwe, "estimated-bitrate", 1, "min-bitrate", 2, NULL);
  g_assert_cmpuint (test_get_uint (bwe, "estimated-bitrate"), ==, 2048000);
  g_assert_cmpuint (g_list_length (bwe->pads), ==, 2);
  g_assert_cmpint (gst_element_set_state (bwe, GST_STATE_PLAYING), ==,
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  gst_message_unref (message);

  gst_element_set_state (bwe, GST_STATE_NULL);
  gst_element_set_bus (bwe, NULL);
  gst_object_unref (bwe);
  gst_object_unref (bus);
  gst_registry_add_feature (registry, gccsender);
}

/* Another element of the name. */
typedef GstBin AnotherBwe;
typedef GstBinClass AnotherBweClass;

GType another_bwe_get_type (void);

G_DEFINE_TYPE (AnotherBwe, another_bwe, GST_TYPE_BIN)

static void
another_bwe_class_init (AnotherBweClass *klass)
{
  gst_element_class_set_static_metadata (
      GST_ELEMENT_CLASS (klass), "Another", "Filter", "For tests", "gst-gcc");
}

static void
another_bwe_init (AnotherBwe *self)
{
  (void) self;
}

static gboolean
register_another (GstPlugin *plugin)
{
  return gst_element_register (
      plugin, "rtpgccbwe", GST_RANK_NONE, another_bwe_get_type ());
}

static gboolean
is_another (void)
{
  GstElement *element = make ();
  gboolean result = G_OBJECT_TYPE (element) == another_bwe_get_type ();

  gst_object_unref (element);

  return result;
}

/* As docs/webrtc.md tells. GStreamer keeps one feature of a name, whatever the ranks: the
 * one that was registered last. */
static void
test_of_two_plugins_the_one_that_is_loaded_last_has_the_name (void)
{
  GstRegistry *registry = gst_registry_get ();
  GstPluginFeature *ours = gst_registry_lookup_feature (registry, "rtpgccbwe");
  Call call;

  call_start (&call);
  gst_plugin_feature_set_rank (ours, GST_RANK_PRIMARY);
  g_assert_false (is_another ());
  g_assert_true (gst_plugin_register_static (GST_VERSION_MAJOR,
      GST_VERSION_MINOR, "another", "Has the same name", register_another, "1",
      "LGPL", "test", "test", "http://localhost"));
  g_assert_true (is_another ());

  /* What has been made goes on. */
  for (guint i = 0; i < 3; i++)
    call_for_a_second (&call);
  g_assert_cmpuint (get_estimate (&call), >, START);
  call_stop (&call);
  gst_registry_add_feature (registry, ours);
  g_assert_false (is_another ());
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/rtpgccbwe/" #name, test_##name)
  ADD (properties_are_as_applications_know_them);
  ADD (what_is_written_before_the_start_is_read_and_notified);
  ADD (the_estimate_is_followed_through_a_call);
  ADD (less_than_a_percent_is_not_notified);
  ADD (no_encoder_is_touched);
  ADD (an_estimate_that_is_written_is_gone_on_from);
  ADD (nonsense_that_is_written_is_kept_within_the_limits);
  ADD (nonsense_that_is_written_before_the_start_is_kept_within_the_limits);
  ADD (a_limit_may_be_raised_after_the_start_rate_is_written);
  ADD (a_handler_may_write_the_estimate);
  ADD (limits_that_are_moved_past_each_other_hold_at_once);
  ADD (a_minimum_above_the_maximum_stops_nothing);
  ADD (a_thousand_come_and_go_beside_a_call);
  ADD (two_calls_have_an_estimate_each);
  ADD (threads_may_write_while_a_call_runs_and_ends);
  ADD (without_gccsender_an_error_tells_what_to_install);
  ADD (of_two_plugins_the_one_that_is_loaded_last_has_the_name);
#undef ADD

  return g_test_run ();
}
