/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide feedback at gccsender: what may be on its way, and padding. */

#include "transport-path.h"
#include <gst/check/gsttestclock.h>

/* --- how much may be on its way --- */

typedef enum {
  NO_ALARM,
  ALARM_DUE,
  ALARM_LATER,
} Alarm;

/* What the pacer waits for. */
static Alarm
get_alarm (GstTestClock *clock, GstClockTime now)
{
  GstClockID alarm;
  Alarm result;

  if (!gst_test_clock_peek_next_pending_id (clock, &alarm))
    return NO_ALARM;
  result = gst_clock_id_get_time (alarm) > now ? ALARM_LATER : ALARM_DUE;
  gst_clock_id_unref (alarm);

  return result;
}

/* What is due happens. */
static Alarm
look (Path *self)
{
  GstTestClock *clock = gst_harness_get_testclock (self->harness);
  Alarm alarm = get_alarm (clock, self->now);

  if (alarm == ALARM_DUE)
    gst_clock_id_unref (gst_test_clock_process_next_clock_id (clock));
  gst_object_unref (clock);

  return alarm;
}

/* Whether what was sent leaves now, or waits. */
static gboolean
leaves (Path *self)
{
  guint n = self->departures->len;

  while (path_take_departures (self) == 0 && self->departures->len == n &&
      look (self) != ALARM_LATER)
    g_usleep (100);

  return self->departures->len > n;
}

static void
start_paced (Path *self, const gchar *profile)
{
  gchar *properties = g_strdup_printf (
      "pacing-factor=-1 probing=false profile=%s", profile);

  path_start (self, properties, NEGOTIATED);
  g_free (properties);
  for (guint i = 0; i < 100; i++) {
    path_pass_time (self, 20 * GST_MSECOND);
    path_send_packet (self);
    g_assert_true (self->departures->len == i + 1 || leaves (self));
    if (i % 5 == 4)
      path_tell (self);
  }
}

/* Sends until something waits, for two seconds at most. */
static gboolean
fill_window (Path *self)
{
  for (guint i = 0; i < 100; i++) {
    guint n = self->departures->len;

    path_pass_time (self, 20 * GST_MSECOND);
    path_send_packet (self);
    if (self->departures->len == n && !leaves (self))
      return TRUE;
  }

  return FALSE;
}

/* Guards: a window that was told in the stats, and that nobody acted on. */
static void
test_media_waits_while_the_window_is_full (void)
{
  Path path;

  start_paced (&path, "goog-2026");
  g_assert_true (fill_window (&path));
  g_assert_true (path_get_boolean (&path, "window-full"));
  path_tell (&path);
  g_assert_true (leaves (&path));
  g_assert_false (path_get_boolean (&path, "window-full"));

  g_assert_true (fill_window (&path));
  path_pass_time (&path, MAX_PACING_DELAY - GST_MSECOND);
  g_assert_false (leaves (&path));
  path_pass_time (&path, GST_MSECOND);
  g_assert_true (leaves (&path));
  path_stop (&path);
}

static void
test_the_default_profile_holds_no_media (void)
{
  Path path;

  start_paced (&path, "recommended");
  g_assert_false (fill_window (&path));
  path_stop (&path);
}

static GstBuffer *
make_frame (Path *self)
{
  GstBuffer *buffer = path_make_packet (self);
  const guint8 marker = 0x80 | 96;

  gst_buffer_fill (buffer, 1, &marker, 1);

  return path_make_room (buffer, self->id);
}

static gboolean
is_padding_wanted (Path *self)
{
  GstStructure *stats;
  gint64 rate;

  g_object_get (self->sender, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_int64 (stats, "padding-bps", &rate));
  gst_structure_free (stats);

  return rate > 0;
}

static gboolean
is_padding_timed (gpointer path)
{
  return !is_padding_wanted (path) || look (path) == ALARM_LATER;
}

/* In 20 ms. */
static void
let_padding_leave (Path *self)
{
  test_wait_until (is_padding_timed, self);
  path_pass_time (self, 20 * GST_MSECOND);
  if (look (self) == ALARM_DUE)
    leaves (self);
}

/* Frames of one packet, a third of which are lost for three seconds. */
static guint64
count_padding_after_loss (const gchar *profile)
{
  Path path;
  guint64 n;

  start_paced (&path, profile);
  for (guint i = 0; i < 500; i++) {
    path.loss_percent = i < 150 && i % 3 == 0 ? 100 : 0;
    let_padding_leave (&path);
    path_push (&path, make_frame (&path));
    leaves (&path);
    if (i % 5 == 4)
      path_tell (&path);
  }
  n = path_count (&path, "padding-packets");
  path_stop (&path);

  return n;
}

/* Guards: a padding rate that was told in the stats, and that nobody acted on. */
static void
test_padding_makes_up_for_media_after_loss (void)
{
  guint64 n = count_padding_after_loss ("goog-2026");

  g_assert_cmpuint (n, >, 10);
  /* a second or two at less than 1 Mbit/s each time */
  g_assert_cmpuint (n, <, 5000);
  g_assert_cmpuint (count_padding_after_loss ("recommended"), ==, 0);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/transport/" #name, test_##name)
  ADD (media_waits_while_the_window_is_full);
  ADD (the_default_profile_holds_no_media);
  ADD (padding_makes_up_for_media_after_loss);

  return g_test_run ();
}
