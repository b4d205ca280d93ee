/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The extension for transport-wide feedback in the caps that leave gccreceiver. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "numbered-call.h"

typedef struct {
  GstHarness *harness;
  GstBus *bus;
} CapsTest;

static void
caps_test_start (CapsTest *self, const gchar *mode)
{
  self->harness = gst_harness_new ("gccreceiver");
  self->bus = gst_bus_new ();
  gst_element_set_state (self->harness->element, GST_STATE_NULL);
  gst_element_set_bus (self->harness->element, self->bus);
  gst_util_set_object_arg (G_OBJECT (self->harness->element), "feedback", mode);
  gst_element_set_state (self->harness->element, GST_STATE_PLAYING);
}

static void
caps_test_stop (CapsTest *self)
{
  gst_element_set_bus (self->harness->element, NULL);
  gst_object_unref (self->bus);
  gst_harness_teardown (self->harness);
}

/* What leaves of @in is @out. */
static void
check_caps (CapsTest *self, const gchar *in, const gchar *out)
{
  GstCaps *expected = gst_caps_from_string (out);
  GstCaps *caps;

  gst_harness_set_src_caps_str (self->harness, in);
  caps = gst_pad_get_current_caps (self->harness->sinkpad);
  g_test_message ("%s", in);
  g_assert_true (gst_caps_is_equal (caps, expected));
  gst_caps_unref (caps);
  gst_caps_unref (expected);
}

static void
test_the_extension_is_put_into_caps_without_it (void)
{
  CapsTest test;

  caps_test_start (&test, "transport-cc");
  check_caps (&test, NUMBERED_CAPS, NUMBERED_CAPS EXTMAP (12));
  check_caps (&test, NUMBERED_CAPS EXTMAP (3), NUMBERED_CAPS EXTMAP (3));
  check_caps (&test,
      NUMBERED_CAPS ",extmap-3=(string)<sendonly,\"" URI "\",\"\">",
      NUMBERED_CAPS ",extmap-3=(string)<sendonly,\"" URI "\",\"\">");
  /* others, in mid-call */
  check_caps (&test, NUMBERED_CAPS ",extmap-1=(string)urn:other",
      NUMBERED_CAPS ",extmap-1=(string)urn:other" EXTMAP (12));
  g_assert_cmpuint (test_count_warnings (test.bus), ==, 0);
  caps_test_stop (&test);
}

static void
test_an_identifier_that_is_taken_is_told_once (void)
{
  static const gchar taken[] = NUMBERED_CAPS ",extmap-12=(string)urn:other";
  CapsTest test;

  caps_test_start (&test, "transport-cc");
  check_caps (&test, taken, taken);
  check_caps (&test, NUMBERED_CAPS, NUMBERED_CAPS EXTMAP (12));
  check_caps (&test, taken, taken);
  g_assert_cmpuint (test_count_warnings (test.bus), ==, 1);
  caps_test_stop (&test);
}

/* rtpsession would not read it there, and nobody would know why. In webrtcbin
 * it is SDP that has to. */
static void
test_caps_without_payload_type_are_told_unless_they_tell_nothing (void)
{
  static const gchar no_payload[] =
      "application/x-rtp,media=(string)video,clock-rate=(int)90000";
  static const gchar nothing[] = "application/x-rtp";
  CapsTest test;

  caps_test_start (&test, "transport-cc");
  check_caps (&test, nothing, nothing);
  g_assert_cmpuint (test_count_warnings (test.bus), ==, 0);
  check_caps (&test, no_payload, no_payload);
  g_assert_cmpuint (test_count_warnings (test.bus), ==, 1);
  caps_test_stop (&test);
}

static void
check_that_the_extension_is_taken_out (const gchar *mode)
{
  CapsTest test;

  caps_test_start (&test, mode);
  check_caps (&test, NUMBERED_CAPS, NUMBERED_CAPS);
  check_caps (&test, NUMBERED_CAPS EXTMAP (3), NUMBERED_CAPS);
  check_caps (&test,
      NUMBERED_CAPS EXTMAP (3) ",extmap-4=(string)urn:other" EXTMAP (5),
      NUMBERED_CAPS ",extmap-4=(string)urn:other");
  check_caps (&test,
      NUMBERED_CAPS ",extmap-3=(string)<sendonly,\"" URI "\",\"\">",
      NUMBERED_CAPS);
  caps_test_stop (&test);
}

static void
test_the_extension_is_taken_out_for_remb (void)
{
  check_that_the_extension_is_taken_out ("remb");
}

static void
test_the_extension_is_taken_out_for_ccfb (void)
{
  check_that_the_extension_is_taken_out ("ccfb");
}

static void
test_caps_stay_as_they_are_by_default (void)
{
  CapsTest test;

  caps_test_start (&test, "auto");
  check_caps (&test, NUMBERED_CAPS, NUMBERED_CAPS);
  check_caps (&test, NUMBERED_CAPS EXTMAP (3), NUMBERED_CAPS EXTMAP (3));
  caps_test_stop (&test);
}

/* Queries are for what comes in: a source must not have to know. */
static void
test_queries_are_for_the_caps_that_come (void)
{
  static const gchar *const modes[] = { "auto", "remb", "transport-cc" };
  GstCaps *without = gst_caps_from_string (NUMBERED_CAPS);
  GstCaps *with = gst_caps_from_string (NUMBERED_CAPS EXTMAP (12));

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    CapsTest test;
    GstPad *sinkpad;
    GstCaps *caps;

    caps_test_start (&test, modes[i]);
    sinkpad = gst_element_get_static_pad (test.harness->element, "sink");
    gst_harness_set_sink_caps_str (test.harness, "application/x-rtp");
    g_assert_true (gst_pad_query_accept_caps (sinkpad, without));
    g_assert_true (gst_pad_query_accept_caps (sinkpad, with));
    caps = gst_pad_query_caps (sinkpad, NULL);
    g_assert_true (gst_caps_is_always_compatible (without, caps));
    g_assert_true (gst_caps_is_always_compatible (with, caps));
    gst_caps_unref (caps);
    gst_object_unref (sinkpad);
    caps_test_stop (&test);
  }
  gst_caps_unref (with);
  gst_caps_unref (without);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define TEST(name) g_test_add_func ("/receiver-caps/" #name, test_##name)
  TEST (the_extension_is_put_into_caps_without_it);
  TEST (an_identifier_that_is_taken_is_told_once);
  TEST (caps_without_payload_type_are_told_unless_they_tell_nothing);
  TEST (the_extension_is_taken_out_for_remb);
  TEST (the_extension_is_taken_out_for_ccfb);
  TEST (caps_stay_as_they_are_by_default);
  TEST (queries_are_for_the_caps_that_come);

  return g_test_run ();
}
