/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-layers.h>

#define LOW 150000
#define MID 500000
#define HIGH 1500000

#define TENTH (GCC_SECOND / 10)

static const GccLayersParams params = {
  .margin = 1.1,
  .patience = 1 * GCC_SECOND,
  .rest = 1 * GCC_SECOND,
  .max_rest = 5 * GCC_SECOND,
  .trial = 3 * GCC_SECOND,
};

/* Three pictures of a camera, the smallest one first. */
typedef struct {
  GccLayer layers[3];
  GccPause pauses[3];
  GccTime now;
} Camera;

static void
camera_init (Camera *self)
{
  const GccRate mins[] = { LOW, MID, HIGH };

  self->now = 0;
  for (guint i = 0; i < 3; i++) {
    gcc_pause_init (&self->pauses[i]);
    self->layers[i] = (GccLayer){ .min = mins[i],
      .priority = 3 - i,
      .is_pausable = TRUE,
      .pause = &self->pauses[i] };
  }
}

static void
camera_choose (Camera *self, GccRate total)
{
  gcc_layers_choose (&params, total, self->layers, 3, self->now);
}

/* The rate is @total for @duration, and looked at ten times a second. */
static void
camera_run (Camera *self, GccRate total, GccTime duration)
{
  for (GccTime end = self->now + duration; self->now < end; self->now += TENTH)
    camera_choose (self, total);
}

static guint
count_flowing (const Camera *self)
{
  guint n = 0;

  for (guint i = 0; i < 3; i++)
    n += !self->pauses[i].is_paused;
  return n;
}

static void
test_as_many_layers_flow_as_fit (void)
{
  const struct {
    GccRate total;
    guint n;
  } links[] = { { 100000, 0 }, { 150000, 1 }, { 400000, 1 }, { 649999, 1 },
    { 900000, 2 }, { 3000000, 3 } };

  for (guint i = 0; i < G_N_ELEMENTS (links); i++) {
    Camera camera;

    camera_init (&camera);
    camera_choose (&camera, links[i].total);
    g_assert_cmpuint (count_flowing (&camera), ==, links[i].n);
  }
}

static void
test_a_layer_is_paused_at_once (void)
{
  Camera camera;

  camera_init (&camera);
  camera_run (&camera, 3000000, TENTH);
  g_assert_cmpuint (count_flowing (&camera), ==, 3);
  camera_run (&camera, 900000, TENTH);
  g_assert_cmpuint (count_flowing (&camera), ==, 2);
  camera_run (&camera, 400000, TENTH);
  g_assert_cmpuint (count_flowing (&camera), ==, 1);
}

static void
test_a_layer_resumes_once_it_has_fit_for_a_while (void)
{
  Camera camera;

  camera_init (&camera);
  camera_run (&camera, 400000, TENTH);
  camera_run (&camera, 900000, 1 * GCC_SECOND);
  g_assert_cmpuint (count_flowing (&camera), ==, 1);
  camera_run (&camera, 900000, TENTH);
  g_assert_cmpuint (count_flowing (&camera), ==, 2);
}

static void
test_a_dip_begins_the_while_anew (void)
{
  Camera camera;

  camera_init (&camera);
  camera_run (&camera, 400000, TENTH);
  for (guint i = 0; i < 5; i++) {
    camera_run (&camera, 900000, GCC_SECOND - TENTH);
    camera_run (&camera, 640000, TENTH);
    g_assert_cmpuint (count_flowing (&camera), ==, 1);
  }
}

/* Guards against: a layer of 1.5 Mbit/s that stayed away on a link of 3 Mbit/s, because
 * each probe measured a little more or less than 1.1 times its minimum. */
static void
test_a_dip_that_leaves_the_minimum_does_not (void)
{
  Camera camera;

  camera_init (&camera);
  camera_run (&camera, 400000, TENTH);
  camera_run (&camera, 900000, TENTH);
  for (guint i = 0; i < 5; i++) {
    g_assert_cmpuint (count_flowing (&camera), ==, 1);
    camera_run (&camera, LOW + MID, TENTH);
    camera_run (&camera, 900000, TENTH);
  }
  g_assert_cmpuint (count_flowing (&camera), ==, 2);
}

/* Guards against: a layer that starts and stops where the rate is its minimum. */
static void
test_a_layer_that_barely_fits_stays_as_it_is (void)
{
  Camera camera;

  camera_init (&camera);
  camera_run (&camera, LOW + MID, GCC_SECOND);
  g_assert_cmpuint (count_flowing (&camera), ==, 2);
  camera_run (&camera, LOW + MID - 1, TENTH);
  camera_run (&camera, LOW + MID * 11 / 10 - 1, 10 * GCC_SECOND);
  g_assert_cmpuint (count_flowing (&camera), ==, 1);
  camera_run (&camera, LOW + MID * 11 / 10, 2 * GCC_SECOND);
  g_assert_cmpuint (count_flowing (&camera), ==, 2);
}

static void
test_a_clock_that_is_set_back_begins_the_while_anew (void)
{
  Camera camera;

  camera_init (&camera);
  camera.now = 100 * GCC_SECOND;
  camera_run (&camera, 400000, TENTH);
  camera_run (&camera, 900000, GCC_SECOND / 2);
  camera.now = 0;
  camera_run (&camera, 900000, 1 * GCC_SECOND);
  g_assert_cmpuint (count_flowing (&camera), ==, 1);
  camera_run (&camera, 900000, TENTH);
  g_assert_cmpuint (count_flowing (&camera), ==, 2);
}

static void
test_paused_layers_wait_for_all_minima_and_a_margin (void)
{
  const struct {
    GccRate total, wanted;
  } links[] = { { 100000, 2300000 }, { 400000, 2300000 }, { 900000, 2300000 },
    { 3000000, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (links); i++) {
    Camera camera;

    camera_init (&camera);
    camera_choose (&camera, links[i].total);
    g_assert_cmpint (
        gcc_layers_get_wanted (&params, camera.layers, 3), ==, links[i].wanted);
  }
}

static GccLayer
make_layer (GccPause *pause, GccRate min, guint priority, gboolean is_pausable)
{
  gcc_pause_init (pause);

  return (GccLayer){ min, priority, is_pausable, pause };
}

static void
test_a_layer_that_may_not_be_paused_comes_first (void)
{
  GccPause face, screen;
  GccLayer layers[] = { make_layer (&screen, 500000, 9, TRUE),
    make_layer (&face, 300000, 0, FALSE) };

  gcc_layers_choose (&params, 700000, layers, 2, 0);
  g_assert_true (screen.is_paused);
  g_assert_false (face.is_paused);

  gcc_layers_choose (&params, 0, layers, 2, 0);
  g_assert_false (face.is_paused);
}

static void
test_a_small_layer_flows_in_place_of_a_great_one (void)
{
  GccPause face, screen;
  GccLayer layers[] = { make_layer (&face, 300000, 1, TRUE),
    make_layer (&screen, 1000000, 2, TRUE) };

  gcc_layers_choose (&params, 900000, layers, 2, 0);
  g_assert_true (screen.is_paused);
  g_assert_false (face.is_paused);
}

/* ... which makes way once the great one has fit for a while. */
static void
test_what_flows_in_its_place_does_not_hold_a_layer_back (void)
{
  GccPause face, screen;
  GccLayer layers[] = { make_layer (&face, 300000, 1, TRUE),
    make_layer (&screen, 1000000, 2, TRUE) };

  gcc_layers_choose (&params, 900000, layers, 2, 0);
  g_assert_false (gcc_layers_choose (&params, 1150000, layers, 2, 0));
  g_assert_true (gcc_layers_choose (&params, 1150000, layers, 2, GCC_SECOND));
  g_assert_false (gcc_layers_choose (&params, 1150000, layers, 2, GCC_SECOND));
  g_assert_false (screen.is_paused);
  g_assert_true (face.is_paused);
}

static void
test_of_one_priority_the_first_comes_first (void)
{
  GccPause first, second;
  GccLayer layers[] = { make_layer (&first, 300000, 1, TRUE),
    make_layer (&second, 300000, 1, TRUE) };

  for (GccTime now = 0; now < 5 * GCC_SECOND; now += TENTH) {
    gcc_layers_choose (&params, 500000, layers, 2, now);
    g_assert_false (first.is_paused);
    g_assert_true (second.is_paused);
  }
}

static void
test_one_that_may_be_paused_no_longer_resumes_at_once (void)
{
  GccPause pause;
  GccLayer layer = make_layer (&pause, 300000, 0, TRUE);

  gcc_layers_choose (&params, 0, &layer, 1, 0);
  g_assert_true (pause.is_paused);
  layer.is_pausable = FALSE;
  gcc_layers_choose (&params, 0, &layer, 1, 0);
  g_assert_false (pause.is_paused);
}

static GccRate
get_fitting (const GccLayer *layer)
{
  gboolean is_tried = layer->pause->tried_since != GCC_TIME_NONE;

  return layer->pause->is_paused || is_tried ? 0 : layer->min;
}

/* Whatever the rate, those that may be paused fit into what the others leave, but for
 * one that is tried. */
static void
test_the_minima_of_those_that_flow_fit (void)
{
  for (guint round = 0; round < 1000; round++) {
    GccPause pauses[20];
    GccLayer layers[20];
    GccTime now = 0;

    for (guint i = 0; i < 20; i++)
      layers[i] = make_layer (&pauses[i], g_test_rand_int_range (1, 100000),
          (guint) g_test_rand_int_range (0, 4), TRUE);
    for (guint step = 0; step < 50; step++, now += TENTH) {
      GccRate left = g_test_rand_int_range (0, 1500000);

      gcc_layers_choose (&params, left, layers, 20, now);
      for (guint i = 0; i < 20; i++)
        left -= get_fitting (&layers[i]);
      g_assert_cmpint (left, >=, 0);
    }
  }
}

/* Guards against: a call that is silent for good, because nothing that it sends shows
 * that the path has become faster. */
static void
test_where_nothing_flows_the_first_layer_is_tried (void)
{
  static const guint rests[] = { 1, 2, 4, 5, 5 };
  Camera camera;

  camera_init (&camera);
  for (guint i = 0; i < G_N_ELEMENTS (rests); i++) {
    camera_run (&camera, LOW - 1, rests[i] * GCC_SECOND);
    g_assert_cmpuint (count_flowing (&camera), ==, 0);
    camera_run (&camera, LOW - 1, 3 * GCC_SECOND);
    g_assert_cmpuint (count_flowing (&camera), ==, 1);
    g_assert_false (camera.pauses[0].is_paused);
    camera_run (&camera, LOW - 1, TENTH);
    g_assert_cmpuint (count_flowing (&camera), ==, 0);
    camera.now -= TENTH;
  }
}

static void
test_a_layer_that_is_tried_goes_on_once_it_fits (void)
{
  Camera camera;

  camera_init (&camera);
  camera_run (&camera, LOW - 1, 2 * GCC_SECOND);
  camera_run (&camera, LOW, 10 * GCC_SECOND);
  g_assert_cmpuint (count_flowing (&camera), ==, 1);
  camera_run (&camera, LOW - 1, TENTH);
  g_assert_cmpuint (count_flowing (&camera), ==, 0);
}

/* What flows has reports. */
static void
test_nothing_is_tried_where_one_flows (void)
{
  Camera camera;

  camera_init (&camera);
  camera_run (&camera, MID - 1, 30 * GCC_SECOND);
  g_assert_cmpuint (count_flowing (&camera), ==, 1);
  camera_run (&camera, LOW - 1, TENTH);
  camera_run (&camera, LOW - 1, GCC_SECOND - TENTH);
  g_assert_cmpuint (count_flowing (&camera), ==, 0);
}

/* Guards against: a call on a path that failed for a moment, and rests for as long as
 * the one before. */
static void
test_a_layer_that_has_fit_rests_briefly_again (void)
{
  Camera camera;

  camera_init (&camera);
  camera_run (&camera, LOW - 1, 20 * GCC_SECOND);
  camera_run (&camera, LOW * 2, 2 * GCC_SECOND);
  g_assert_cmpuint (count_flowing (&camera), ==, 1);
  camera_run (&camera, LOW - 1, GCC_SECOND);
  g_assert_cmpuint (count_flowing (&camera), ==, 0);
  camera_run (&camera, LOW - 1, TENTH);
  g_assert_cmpuint (count_flowing (&camera), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/layers/" #name, test_##name)
  ADD (as_many_layers_flow_as_fit);
  ADD (a_layer_is_paused_at_once);
  ADD (a_layer_resumes_once_it_has_fit_for_a_while);
  ADD (a_dip_begins_the_while_anew);
  ADD (a_dip_that_leaves_the_minimum_does_not);
  ADD (a_layer_that_barely_fits_stays_as_it_is);
  ADD (a_clock_that_is_set_back_begins_the_while_anew);
  ADD (paused_layers_wait_for_all_minima_and_a_margin);
  ADD (a_layer_that_may_not_be_paused_comes_first);
  ADD (a_small_layer_flows_in_place_of_a_great_one);
  ADD (what_flows_in_its_place_does_not_hold_a_layer_back);
  ADD (of_one_priority_the_first_comes_first);
  ADD (one_that_may_be_paused_no_longer_resumes_at_once);
  ADD (the_minima_of_those_that_flow_fit);
  ADD (where_nothing_flows_the_first_layer_is_tried);
  ADD (a_layer_that_is_tried_goes_on_once_it_fits);
  ADD (nothing_is_tried_where_one_flows);
  ADD (a_layer_that_has_fit_rests_briefly_again);
#undef ADD

  return g_test_run ();
}
