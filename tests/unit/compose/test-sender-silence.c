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
} Path;

static void
path_init (Path *self, const gchar *profile)
{
  self->now_ms = 0;
  self->seq = 0;
  self->n_silences = 0;
  gcc_sender_init (
      &self->sender, gcc_profile_find (profile), 100000, 300000, 2000000);
}

static void
path_clear (Path *self)
{
  gcc_sender_clear (&self->sender);
}

static void
path_check_timeout (Path *self)
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
path_send (Path *self)
{
  for (guint i = 0; i < 50; i++) {
    self->now_ms += 20;
    reporting_send_up_to (&self->sender, REPORTING_STREAM, self->seq++,
        self->now_ms * GCC_MSECOND);
    path_check_timeout (self);
  }
  return gcc_sender_get_target (&self->sender);
}

/* The same, and a report on all of it. */
static GccRate
path_send_and_report (Path *self)
{
  path_send (self);
  reporting_tell_loss (&self->sender, 0, self->seq - 1, 50, self->now_ms);
  return gcc_sender_get_target (&self->sender);
}

static void
test_a_receiver_that_dies_takes_a_s_to_its_minimum (void)
{
  const GccSenderStats *stats;
  GccRate before, rate;
  Path path;

  path_init (&path, "recommended");
  stats = gcc_sender_get_stats (&path.sender);
  g_assert_false (stats->has_feedback);
  for (guint i = 0; i < 30; i++)
    path_send_and_report (&path);
  g_assert_true (stats->has_feedback);
  g_assert_cmpint (stats->target, >, 1000000);

  for (guint i = 0; i < 4; i++)
    path_send (&path);
  g_assert_true (stats->has_feedback);
  path_send (&path);
  path_send (&path);
  g_assert_false (stats->has_feedback);
  before = stats->target;
  /* from here on nothing raises it, not the last report's lack of loss either
   */
  for (guint i = 0; i < 30; i++, before = rate) {
    rate = path_send (&path);
    g_assert_cmpint (rate, ==, MAX (before * 8 / 10, 100000));
  }
  g_assert_cmpint (before, ==, 100000);
  g_assert_cmpuint (path.n_silences, ==, 1);
  path_clear (&path);
}

static void
test_feedback_that_is_back_ends_the_silence (void)
{
  const GccSenderStats *stats;
  GccRate before = 0;
  Path path;

  path_init (&path, "recommended");
  stats = gcc_sender_get_stats (&path.sender);
  for (guint i = 0; i < 20; i++)
    path_send_and_report (&path);
  for (guint i = 0; i < 4; i++)
    before = path_send (&path);
  g_assert_true (stats->has_feedback);
  for (guint i = 0; i < 6; i++)
    path_send (&path);
  g_assert_false (stats->has_feedback);
  g_assert_cmpint (stats->target, <, before / 2);

  /* the loss in the first report is that of the silence */
  path_send (&path);
  reporting_tell_loss (&path.sender, 200, path.seq - 1, 50, path.now_ms);
  g_assert_true (stats->has_feedback);
  g_assert_cmpint (stats->target, >=, before);
  g_assert_cmpint (stats->target, <=, before * 109 / 100 + 2000);
  before = stats->target;
  path_send_and_report (&path);
  g_assert_cmpint (stats->target, >=, before);

  for (guint i = 0; i < 20; i++)
    path_send (&path);
  g_assert_cmpuint (path.n_silences, ==, 2);
  path_clear (&path);
}

static void
test_a_receiver_that_never_was_lowers_the_start_rate (void)
{
  Path path;

  path_init (&path, "recommended");
  for (guint i = 0; i < 6; i++)
    g_assert_cmpint (path_send (&path), ==, 300000);
  for (guint i = 0; i < 20; i++)
    path_send (&path);
  g_assert_cmpint (gcc_sender_get_target (&path.sender), ==, 100000);
  g_assert_cmpuint (path.n_silences, ==, 1);
  path_clear (&path);
}

/* Reports about others, or about packets that were never sent. */
static void
test_reports_that_do_not_count_are_silence (void)
{
  Path path;

  path_init (&path, "recommended");
  for (guint i = 0; i < 20; i++) {
    GccReportBlock foreign = {
      .reporter = REPORTING_RECEIVER,
      .ssrc = REPORTING_STREAM + 1,
      .ext_highest_seq = path.seq,
    };
    GccReportBlock ahead = {
      .reporter = REPORTING_RECEIVER,
      .ssrc = REPORTING_STREAM,
      .ext_highest_seq = path.seq + 10000,
    };

    path_send (&path);
    gcc_sender_feed_reports (
        &path.sender, &foreign, 1, path.now_ms * GCC_MSECOND);
    gcc_sender_feed_reports (
        &path.sender, &ahead, 1, path.now_ms * GCC_MSECOND);
  }
  g_assert_cmpuint (path.n_silences, ==, 1);
  g_assert_false (gcc_sender_get_stats (&path.sender)->has_feedback);
  path_clear (&path);
}

static void
test_a_source_that_pauses_keeps_a_s (void)
{
  GccRate before;
  Path path;

  path_init (&path, "recommended");
  for (guint i = 0; i < 30; i++)
    path_send_and_report (&path);
  before = gcc_sender_get_target (&path.sender);
  for (guint i = 0; i < 6000; i++) {
    path.now_ms += 100;
    path_check_timeout (&path);
  }
  g_assert_cmpint (gcc_sender_get_target (&path.sender), >=, before);
  g_assert_cmpuint (path.n_silences, ==, 0);
  g_assert_true (gcc_sender_get_stats (&path.sender)->has_feedback);
  path_clear (&path);
}

static void
test_published_generations_keep_a_s_in_silence (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccRate rate;
    Path path;

    if (gcc_profiles[i] == &gcc_profile_recommended)
      continue;
    path_init (&path, gcc_profiles[i]->name);
    for (guint j = 0; j < 10; j++)
      path_send_and_report (&path);
    for (guint j = 0; j < 8; j++)
      path_send (&path);
    rate = gcc_sender_get_target (&path.sender);
    g_assert_cmpuint (path.n_silences, ==, 1);
    for (guint j = 0; j < 60; j++)
      g_assert_cmpint (path_send (&path), ==, rate);
    path_clear (&path);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func (
      "/sender-silence/a_receiver_that_dies_takes_a_s_to_its_minimum",
      test_a_receiver_that_dies_takes_a_s_to_its_minimum);
  g_test_add_func ("/sender-silence/feedback_that_is_back_ends_the_silence",
      test_feedback_that_is_back_ends_the_silence);
  g_test_add_func (
      "/sender-silence/a_receiver_that_never_was_lowers_the_start_rate",
      test_a_receiver_that_never_was_lowers_the_start_rate);
  g_test_add_func ("/sender-silence/reports_that_do_not_count_are_silence",
      test_reports_that_do_not_count_are_silence);
  g_test_add_func ("/sender-silence/a_source_that_pauses_keeps_a_s",
      test_a_source_that_pauses_keeps_a_s);
  g_test_add_func ("/sender-silence/published_generations_keep_a_s_in_silence",
      test_published_generations_keep_a_s_in_silence);
  return g_test_run ();
}
