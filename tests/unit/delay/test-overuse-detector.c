/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-overuse-detector.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include <gst/gcc/delay/gcc-delay-detector.h>

#include "conformance.h"
#include "published-random.h"

#define C20 "C20 overuse_detector_unittest"
#define RTP_RATE 90000
#define PACKET_SIZE 1200

/* One stream's way from a packet to a signal, with the ms clock and the random
 * numbers of the published tests. */
typedef struct {
  GccProfile profile;
  GccDelayDetector delay;
  PublishedRandom random;
  guint32 rtp_timestamp;
  gint64 now_ms;
  gint64 receive_ms;
} Stream;

static void
stream_init (Stream *stream, const GccProfile *profile)
{
  *stream = (Stream){
    .profile = *profile,
    .random = PUBLISHED_RANDOM_INIT,
    .rtp_timestamp = 10 * 90,
  };
  gcc_delay_detector_init (&stream->delay, &stream->profile.delay);
}

static GccSignal
stream_get_signal (const Stream *stream)
{
  return gcc_delay_detector_get_signal (&stream->delay);
}

static void
stream_receive (Stream *stream, gsize size)
{
  GccTime now = stream->receive_ms * GCC_MSECOND;
  GccDelaySample sample = {
    .departure = stream->rtp_timestamp,
    .clock_rate = RTP_RATE,
    .arrival = now,
    .size = size,
  };
  GccDelayState state;

  if (gcc_delay_detector_update (&stream->delay, &sample, now, &state))
    g_assert_true (isfinite (state.m_ms));
}

/* One frame of packets that arrive together, then the wait for the next. */
static void
stream_receive_frame (Stream *stream, guint packets, gint64 period_ms,
    gint64 drift_ms, gdouble sigma_ms)
{
  gint64 jitter_ms;

  for (guint i = 0; i < packets; i++)
    stream_receive (stream, PACKET_SIZE);

  stream->rtp_timestamp += (guint32) period_ms * 90;
  stream->now_ms += period_ms + drift_ms;
  jitter_ms = (gint64) (published_random_gaussian (
                            &stream->random, 0., sigma_ms) +
      0.5);
  stream->receive_ms = MAX (stream->receive_ms, stream->now_ms + jitter_ms);
}

static guint
stream_count_overuses (Stream *stream, guint frames, guint packets,
    gint64 period_ms, gdouble sigma_ms)
{
  guint overuses = 0;
  gboolean was_over = FALSE;

  for (guint i = 0; i < frames; i++) {
    gboolean is_over;

    stream_receive_frame (stream, packets, period_ms, 0, sigma_ms);
    is_over = stream_get_signal (stream) == GCC_SIGNAL_OVERUSE;
    if (is_over && !was_over)
      overuses++;
    was_over = is_over;
  }
  return overuses;
}

static guint
stream_count_frames_until_overuse (Stream *stream, guint packets,
    gint64 period_ms, gint64 drift_ms, gdouble sigma_ms)
{
  for (guint frames = 1; frames <= 1000; frames++) {
    stream_receive_frame (stream, packets, period_ms, drift_ms, sigma_ms);
    if (stream_get_signal (stream) == GCC_SIGNAL_OVERUSE)
      return frames;
  }
  return 0;
}

typedef struct {
  guint packets;
  gint64 period_ms;
  gint64 drift_ms;
  gdouble sigma_ms;
  guint frames;
} DriftVector;

static void
check_drift (const gchar *source, const GccProfile *profile,
    const DriftVector *vector, guint false_overuses)
{
  g_autofree gchar *what = g_strdup_printf (
      "%u packets every %d ms, drift %d ms, sigma %g ms", vector->packets,
      (gint) vector->period_ms, (gint) vector->drift_ms, vector->sigma_ms);
  g_autofree gchar *calm = g_strconcat ("false over-uses: ", what, NULL);
  g_autofree gchar *drift = g_strconcat ("frames to over-use: ", what, NULL);
  Stream stream;

  stream_init (&stream, profile);
  conformance_check_int (source, calm, false_overuses,
      stream_count_overuses (&stream, 100000, vector->packets,
          vector->period_ms, vector->sigma_ms));
  conformance_check_int (source, drift, vector->frames,
      stream_count_frames_until_overuse (&stream, vector->packets,
          vector->period_ms, vector->drift_ms, vector->sigma_ms));
}

static void
test_drift_is_found_after_as_many_frames_as_published (void)
{
  static const DriftVector vectors[] = {
    { 6, 33, 1, 0., 7 },
    { 1, 100, 1, 0., 7 },
    { 1, 333, 100, 3., 4 },
    { 1, 333, 1, 10., 44 },
    { 1, 100, 1, 3., 20 },
    { 1, 100, 1, 10., 44 },
    { 1, 33, 1, 3., 19 },
    { 3, 33, 1, 3., 19 },
    { 6, 33, 1, 3., 19 },
    { 1, 33, 10, 10., 10 },
    { 3, 33, 10, 10., 10 },
    { 6, 33, 10, 10., 10 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    check_drift (C20, gcc_profile_find ("goog-2020"), &vectors[i], 0);
}

/* Not published, but derived with the published random numbers from the
 * algorithm as it was in 2013. */
static void
test_drift_is_found_after_as_many_frames_as_in_2013 (void)
{
  static const struct {
    DriftVector drift;
    guint frames_halved;
    guint false_overuses_halved;
  } vectors[] = {
    { { 6, 33, 1, 0., 6 }, 6, 0 },
    { { 1, 100, 1, 0., 4 }, 4, 0 },
    { { 1, 100, 1, 3., 19 }, 10, 257 },
    { { 1, 100, 1, 10., 44 }, 21, 288 },
    { { 1, 33, 1, 3., 31 }, 15, 0 },
    { { 1, 33, 10, 3., 7 }, 6, 0 },
    { { 1, 33, 1, 10., 94 }, 41, 0 },
    { { 1, 33, 10, 10., 10 }, 10, 0 },
  };
  GccProfile halved = *gcc_profile_find ("rtcweb-2013");

  halved.delay.detector.gamma_0 /= 2.;
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    DriftVector drift = vectors[i].drift;

    check_drift (
        "C13 derived, gamma 25", gcc_profile_find ("rtcweb-2013"), &drift, 0);
    drift.frames = vectors[i].frames_halved;
    check_drift ("C13 derived, gamma 12.5", &halved, &drift,
        vectors[i].false_overuses_halved);
  }
}

static void
test_exact_frames_are_never_overuse (void)
{
  Stream stream;

  stream_init (&stream, gcc_profile_find ("goog-2020"));
  conformance_check_int (C20, "over-uses in 1000 exact frames of 33 ms", 0,
      stream_count_overuses (&stream, 1000, 1, 33, 0.));
}

static void
test_alternating_jitter_is_never_overuse (void)
{
  gboolean is_normal = TRUE;
  Stream stream;

  stream_init (&stream, gcc_profile_find ("goog-2020"));
  for (guint i = 0; i < 1000; i++) {
    stream_receive (&stream, PACKET_SIZE);
    stream.rtp_timestamp += 10 * 90;
    stream.receive_ms += i % 2 == 0 ? 5 : 15;
    is_normal &= stream_get_signal (&stream) == GCC_SIGNAL_NORMAL;
  }
  conformance_check_boolean (
      C20, "normal while arrival alternates 5, 15 ms", TRUE, is_normal);

  is_normal = TRUE;
  stream_init (&stream, gcc_profile_find ("goog-2020"));
  for (guint i = 0; i < 1000; i++) {
    stream_receive (&stream, PACKET_SIZE);
    stream.receive_ms += 10;
    stream.rtp_timestamp += i % 2 == 0 ? 5 * 90 : 15 * 90;
    is_normal &= stream_get_signal (&stream) == GCC_SIGNAL_NORMAL;
  }
  conformance_check_boolean (
      C20, "normal while RTP alternates 5, 15 ms", TRUE, is_normal);
}

static void
test_low_variance_makes_it_quick (void)
{
  gboolean is_normal = TRUE;
  guint frames = 0;
  Stream stream;

  stream_init (&stream, gcc_profile_find ("goog-2020"));
  for (guint i = 0; i < 1000; i++) {
    for (guint j = 0; j < 6; j++)
      stream_receive (&stream, PACKET_SIZE);
    stream.rtp_timestamp += 33 * 90;
    stream.now_ms += 33;
    stream.receive_ms = stream.now_ms + (i % 2 == 0 ? 1 : 0);
    is_normal &= stream_get_signal (&stream) == GCC_SIGNAL_NORMAL;
  }
  conformance_check_boolean (
      C20, "normal with 0, 1 ms of jitter", TRUE, is_normal);

  while (stream_get_signal (&stream) != GCC_SIGNAL_OVERUSE && frames < 100) {
    for (guint j = 0; j < 6; j++)
      stream_receive (&stream, PACKET_SIZE);
    stream.rtp_timestamp += 33 * 90;
    stream.now_ms += 33 + 6;
    stream.receive_ms = stream.now_ms;
    frames++;
  }
  conformance_check_int (
      C20, "frames to over-use: +6 ms after low variance", 4, frames);
}

/* Feeds @n equal values of m; tells whether one of them was over-use. */
static gboolean
is_overuse (GccOveruseDetector *detector, guint n, gdouble m, guint *n_deltas,
    gint64 *now_ms)
{
  gboolean over = FALSE;

  for (guint i = 0; i < n; i++) {
    over |= gcc_overuse_detector_update (detector, m, *n_deltas, 3000.,
                *now_ms * GCC_MSECOND) == GCC_SIGNAL_OVERUSE;
    *n_deltas += 1;
    *now_ms += 5;
  }
  return over;
}

static GccProfile
get_slow_profile (void)
{
  GccProfile profile = *gcc_profile_find ("goog-2020");

  profile.delay.detector.k_u = 0.01;
  profile.delay.detector.k_d = 0.00018;
  return profile;
}

static void
test_gamma_follows_m (void)
{
  GccProfile profile = get_slow_profile ();
  GccOveruseDetector detector;
  guint n = 60;
  gint64 now_ms = 0;

  gcc_overuse_detector_init (&detector, &profile.delay.detector);
  conformance_check_boolean (C20, "ThresholdAdapts: m above gamma", TRUE,
      is_overuse (&detector, 10, 0.21, &n, &now_ms));
  conformance_check_boolean (C20, "ThresholdAdapts: higher m", TRUE,
      is_overuse (&detector, 10, 1.1 * 0.21, &n, &now_ms));
  conformance_check_boolean (C20, "ThresholdAdapts: gamma has risen", FALSE,
      is_overuse (&detector, 10, 0.21, &n, &now_ms));
  conformance_check_boolean (C20, "ThresholdAdapts: lower m", FALSE,
      is_overuse (&detector, 150, 0.7 * 0.21, &n, &now_ms));
  conformance_check_boolean (C20, "ThresholdAdapts: gamma has fallen", TRUE,
      is_overuse (&detector, 10, 0.21, &n, &now_ms));
}

static void
test_gamma_does_not_follow_spikes (void)
{
  GccProfile profile = get_slow_profile ();
  GccOveruseDetector detector;
  guint n = 60;
  gint64 now_ms = 0;

  gcc_overuse_detector_init (&detector, &profile.delay.detector);
  conformance_check_boolean (C20, "DoesntAdaptToSpikes: before", TRUE,
      is_overuse (&detector, 10, 1., &n, &now_ms));
  now_ms += 100;
  conformance_check_boolean (C20, "DoesntAdaptToSpikes: spike", TRUE,
      is_overuse (&detector, 3, 20., &n, &now_ms));
  conformance_check_boolean (C20, "DoesntAdaptToSpikes: after", TRUE,
      is_overuse (&detector, 10, 1., &n, &now_ms));
}

static void
test_underuse_is_signalled_at_once (void)
{
  GccOveruseDetector detector;

  gcc_overuse_detector_init (
      &detector, &gcc_profile_find ("goog-2020")->delay.detector);
  g_assert_cmpint (gcc_overuse_detector_update (&detector, -1., 60, 33., 0), ==,
      GCC_SIGNAL_UNDERUSE);
  g_assert_cmpint (gcc_overuse_detector_update (&detector, 0., 61, 33., 0), ==,
      GCC_SIGNAL_NORMAL);
}

static void
test_gamma_stays_in_its_bounds (void)
{
  const GccProfile *profile = gcc_profile_find ("goog-2020");
  GccOveruseDetector detector;
  GccTime now = 0;

  gcc_overuse_detector_init (&detector, &profile->delay.detector);
  for (guint i = 0; i < 1000; i++, now += GCC_SECOND)
    gcc_overuse_detector_update (&detector, 0., 60, 33., now);
  g_assert_cmpfloat (gcc_overuse_detector_get_gamma (&detector), ==,
      profile->delay.detector.gamma_min);

  for (guint i = 0; i < 1000; i++, now += GCC_SECOND) {
    gdouble gamma = gcc_overuse_detector_get_gamma (&detector);

    gcc_overuse_detector_update (&detector, (gamma + 14.) / 60., 60, 33., now);
  }
  g_assert_cmpfloat (gcc_overuse_detector_get_gamma (&detector), ==,
      profile->delay.detector.gamma_max);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/overuse-detector/" #name, test_##name)
  ADD (drift_is_found_after_as_many_frames_as_published);
  ADD (drift_is_found_after_as_many_frames_as_in_2013);
  ADD (exact_frames_are_never_overuse);
  ADD (alternating_jitter_is_never_overuse);
  ADD (low_variance_makes_it_quick);
  ADD (gamma_follows_m);
  ADD (gamma_does_not_follow_spikes);
  ADD (underuse_is_signalled_at_once);
  ADD (gamma_stays_in_its_bounds);
#undef ADD
  return g_test_run ();
}
