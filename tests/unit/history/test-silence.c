/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-silence.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

/* fifty packets a second */
#define GAP (20 * GCC_MSECOND)

#define START 1000000
#define RTT (50 * GCC_MSECOND)

typedef struct {
  GccSilence silence;
  GccRate rate;
  GccTime now;
} Sending;

static void
sending_init (Sending *self, const gchar *profile_name)
{
  const GccProfile *profile = gcc_profile_find (profile_name);

  *self = (Sending){ .rate = START };
  gcc_silence_init (
      &self->silence, &profile->feedback_watch, profile->arrival_watch);
  gcc_silence_feed_sent (&self->silence, 0);
}

static void
check_timeout (Sending *self)
{
  GccRate rate = gcc_silence_handle_timeout (&self->silence, self->rate);

  if (rate != GCC_RATE_NONE)
    self->rate = rate;
}

static void
send_for (Sending *self, GccTime duration)
{
  for (GccTime end = self->now + duration; self->now < end;) {
    self->now += GAP;
    gcc_silence_feed_sent (&self->silence, self->now);
    if (gcc_silence_next_timeout (&self->silence) != GCC_TIME_NONE)
      check_timeout (self);
  }
}

static void
test_news_in_time_is_no_silence (void)
{
  Sending sending;

  sending_init (&sending, "recommended");
  for (guint i = 0; i < 20; i++) {
    send_for (&sending, GCC_SECOND / 2);
    gcc_silence_feed_news (&sending.silence, sending.now);
  }
  g_assert_true (gcc_silence_has_feedback (&sending.silence));
  g_assert_false (gcc_silence_is_silent (&sending.silence));
  g_assert_cmpint (sending.rate, ==, START);
}

static void
test_without_feedback_nothing_is_heard (void)
{
  Sending sending;

  sending_init (&sending, "recommended");
  gcc_silence_feed_news (&sending.silence, 0);
  send_for (&sending, 60 * GCC_SECOND);
  g_assert_true (gcc_silence_is_unheard (&sending.silence));
  g_assert_false (gcc_silence_is_cut_off (&sending.silence));
  g_assert_true (gcc_silence_lowers (&sending.silence));
  g_assert_cmpint (sending.rate, <, START / 2);
}

/* Reports each half second of packets that do not arrive. */
static void
report_for (Sending *self, guint n)
{
  for (; n > 0; n--) {
    send_for (self, GCC_SECOND / 2);
    gcc_silence_feed_feedback (&self->silence, self->now);
    gcc_silence_feed_no_news (&self->silence, RTT);
    check_timeout (self);
  }
}

static void
test_reports_without_news_cut_the_sender_off (void)
{
  Sending sending;

  sending_init (&sending, "recommended");
  gcc_silence_feed_news (&sending.silence, 0);
  report_for (&sending, 20);
  g_assert_false (gcc_silence_is_unheard (&sending.silence));
  g_assert_true (gcc_silence_is_cut_off (&sending.silence));
  g_assert_true (gcc_silence_is_silent (&sending.silence));
  g_assert_false (gcc_silence_has_feedback (&sending.silence));
  g_assert_cmpint (sending.rate, <, START / 2);
  gcc_silence_feed_news (&sending.silence, sending.now);
  g_assert_false (gcc_silence_is_silent (&sending.silence));
  g_assert_false (gcc_silence_lowers (&sending.silence));
}

static void
test_published_generations_take_any_report_for_news (void)
{
  Sending sending;

  sending_init (&sending, "goog-2020");
  g_assert_false (sending.silence.watches_arrivals);
  gcc_silence_feed_news (&sending.silence, 0);
  report_for (&sending, 20);
  g_assert_false (gcc_silence_is_silent (&sending.silence));
  g_assert_cmpint (sending.rate, ==, START);
}

#define ADD(test) g_test_add_func ("/silence/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (news_in_time_is_no_silence);
  ADD (without_feedback_nothing_is_heard);
  ADD (reports_without_news_cut_the_sender_off);
  ADD (published_generations_take_any_report_for_news);
  return g_test_run ();
}
