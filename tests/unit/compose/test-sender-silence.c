/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A sender whose receiver says nothing. A receiver died, and A_s stayed where it was
 * for as long as anybody looked. */

#include <gst/gcc/compose/gcc-sender-private.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "reporting.h"

typedef struct {
  GccSender sender;
  gint64 now_ms;
  guint32 seq;
  guint n_silences;
} Source;

static void
source_init (Source *self, const gchar *profile)
{
  self->now_ms = 0;
  self->seq = 0;
  self->n_silences = 0;
  gcc_sender_init (
      &self->sender, gcc_profile_find (profile), 100000, 300000, 2000000);
}

static void
source_clear (Source *self)
{
  gcc_sender_clear (&self->sender);
}

static void
source_check_timeout (Source *self)
{
  GccTime now = self->now_ms * GCC_MSECOND;
  GccTime timeout = gcc_sender_next_timeout (&self->sender);

  if (timeout != GCC_TIME_NONE && now >= timeout &&
      gcc_sender_handle_timeout (&self->sender, now) ==
          GCC_SENDER_EVENT_SILENCE)
    self->n_silences++;
}

/* A second of fifty packets. */
static GccRate
source_send (Source *self)
{
  for (guint i = 0; i < 50; i++) {
    self->now_ms += 20;
    reporting_send_up_to (&self->sender, REPORTING_STREAM, self->seq++,
        self->now_ms * GCC_MSECOND);
    source_check_timeout (self);
  }
  return gcc_sender_get_target (&self->sender);
}

/* The same, and a report on all of it. */
static GccRate
source_send_and_report (Source *self)
{
  source_send (self);
  reporting_tell_loss (&self->sender, 0, self->seq - 1, 50, self->now_ms);
  return gcc_sender_get_target (&self->sender);
}

static void
test_a_receiver_that_dies_takes_a_s_to_its_minimum (void)
{
  const GccSenderStats *stats;
  GccRate before, rate;
  Source source;

  source_init (&source, "recommended");
  stats = gcc_sender_get_stats (&source.sender);
  g_assert_false (stats->has_feedback);
  for (guint i = 0; i < 30; i++)
    source_send_and_report (&source);
  g_assert_true (stats->has_feedback);
  g_assert_cmpint (stats->target, >, 1000000);

  for (guint i = 0; i < 4; i++)
    source_send (&source);
  g_assert_true (stats->has_feedback);
  source_send (&source);
  source_send (&source);
  g_assert_false (stats->has_feedback);
  before = stats->target;
  /* from here on nothing raises it, not the last report's lack of loss either
   */
  for (guint i = 0; i < 30; i++, before = rate) {
    rate = source_send (&source);
    g_assert_cmpint (rate, ==, MAX (before * 8 / 10, 100000));
  }
  g_assert_cmpint (before, ==, 100000);
  g_assert_cmpuint (source.n_silences, ==, 1);
  source_clear (&source);
}

static void
test_feedback_that_is_back_ends_the_silence (void)
{
  const GccSenderStats *stats;
  GccRate before = 0;
  Source source;

  source_init (&source, "recommended");
  stats = gcc_sender_get_stats (&source.sender);
  for (guint i = 0; i < 20; i++)
    source_send_and_report (&source);
  for (guint i = 0; i < 4; i++)
    before = source_send (&source);
  g_assert_true (stats->has_feedback);
  for (guint i = 0; i < 6; i++)
    source_send (&source);
  g_assert_false (stats->has_feedback);
  g_assert_cmpint (stats->target, <, before / 2);

  /* the loss in the first report is that of the silence */
  source_send (&source);
  reporting_tell_loss (&source.sender, 200, source.seq - 1, 50, source.now_ms);
  g_assert_true (stats->has_feedback);
  g_assert_cmpint (stats->target, >=, before);
  g_assert_cmpint (stats->target, <=, before * 109 / 100 + 2000);
  before = stats->target;
  source_send_and_report (&source);
  g_assert_cmpint (stats->target, >=, before);

  for (guint i = 0; i < 20; i++)
    source_send (&source);
  g_assert_cmpuint (source.n_silences, ==, 2);
  source_clear (&source);
}

static void
test_a_receiver_that_never_was_lowers_the_start_rate (void)
{
  Source source;

  source_init (&source, "recommended");
  for (guint i = 0; i < 6; i++)
    g_assert_cmpint (source_send (&source), ==, 300000);
  for (guint i = 0; i < 20; i++)
    source_send (&source);
  g_assert_cmpint (gcc_sender_get_target (&source.sender), ==, 100000);
  g_assert_cmpuint (source.n_silences, ==, 1);
  source_clear (&source);
}

/* Reports about others, or about packets that were never sent. */
static void
test_reports_that_do_not_count_are_silence (void)
{
  Source source;

  source_init (&source, "recommended");
  for (guint i = 0; i < 20; i++) {
    GccReportBlock foreign = {
      .reporter = REPORTING_RECEIVER,
      .ssrc = REPORTING_STREAM + 1,
      .ext_highest_seq = source.seq,
    };
    GccReportBlock ahead = {
      .reporter = REPORTING_RECEIVER,
      .ssrc = REPORTING_STREAM,
      .ext_highest_seq = source.seq + 10000,
    };

    source_send (&source);
    gcc_sender_feed_reports (
        &source.sender, &foreign, 1, source.now_ms * GCC_MSECOND);
    gcc_sender_feed_reports (
        &source.sender, &ahead, 1, source.now_ms * GCC_MSECOND);
  }
  g_assert_cmpuint (source.n_silences, ==, 1);
  g_assert_false (gcc_sender_get_stats (&source.sender)->has_feedback);
  source_clear (&source);
}

static void
test_a_source_that_pauses_keeps_a_s (void)
{
  GccRate before;
  Source source;

  source_init (&source, "recommended");
  for (guint i = 0; i < 30; i++)
    source_send_and_report (&source);
  before = gcc_sender_get_target (&source.sender);
  for (guint i = 0; i < 6000; i++) {
    source.now_ms += 100;
    source_check_timeout (&source);
  }
  g_assert_cmpint (gcc_sender_get_target (&source.sender), >=, before);
  g_assert_cmpuint (source.n_silences, ==, 0);
  g_assert_true (gcc_sender_get_stats (&source.sender)->has_feedback);
  source_clear (&source);
}

static void
test_published_generations_keep_a_s_in_silence (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccRate rate;
    Source source;

    if (gcc_profiles[i] == &gcc_profile_recommended)
      continue;
    source_init (&source, gcc_profiles[i]->name);
    for (guint j = 0; j < 10; j++)
      source_send_and_report (&source);
    for (guint j = 0; j < 8; j++)
      source_send (&source);
    rate = gcc_sender_get_target (&source.sender);
    g_assert_cmpuint (source.n_silences, ==, 1);
    for (guint j = 0; j < 60; j++)
      g_assert_cmpint (source_send (&source), ==, rate);
    source_clear (&source);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/sender-silence/" #name, test_##name)
  ADD (a_receiver_that_dies_takes_a_s_to_its_minimum);
  ADD (feedback_that_is_back_ends_the_silence);
  ADD (a_receiver_that_never_was_lowers_the_start_rate);
  ADD (reports_that_do_not_count_are_silence);
  ADD (a_source_that_pauses_keeps_a_s);
  ADD (published_generations_keep_a_s_in_silence);
#undef ADD
  return g_test_run ();
}
