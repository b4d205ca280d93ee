/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-picture-size.h>

static const GccPictureSize hd = { 1280, 720 };
static const GccPictureSize wanted = { 320, 180 };

static gboolean
is_better (guint width, guint height, guint other_width, guint other_height)
{
  const GccPictureSize size = { width, height };
  const GccPictureSize other = { other_width, other_height };

  g_assert_false (gcc_picture_size_is_better (&size, &size, &hd, &wanted));

  return gcc_picture_size_is_better (&size, &other, &hd, &wanted) &&
      !gcc_picture_size_is_better (&other, &size, &hd, &wanted);
}

static void
test_a_length_follows_from_the_other (void)
{
  g_assert_cmpuint (gcc_picture_size_get_height (&hd, 500), ==, 281);
  g_assert_cmpuint (gcc_picture_size_get_width (&hd, 281), ==, 500);
  g_assert_cmpuint (gcc_picture_size_get_height (&hd, 1), ==, 1);
  g_assert_cmpuint (gcc_picture_size_get_width (&hd, G_MAXINT), ==, G_MAXINT);
}

static void
test_the_nearest_of_the_same_shape_is_best (void)
{
  g_assert_true (is_better (320, 180, 160, 90));
  g_assert_true (is_better (160, 90, 640, 360));
  /* multiples of 16 */
  g_assert_true (is_better (320, 176, 160, 90));
}

static void
test_no_size_of_another_shape_is_better (void)
{
  g_assert_true (is_better (1920, 1080, 320, 240));
  g_assert_true (is_better (16, 9, 352, 288));
  g_assert_true (is_better (640, 352, 320, 192));
}

static void
test_of_other_shapes_the_least_stretched_is_best (void)
{
  g_assert_true (is_better (640, 480, 352, 288));
  g_assert_true (is_better (160, 120, 640, 480));
}

/* Even lengths of a small picture. */
static void
test_rounding_is_another_shape_of_no_picture (void)
{
  const GccPictureSize flat = { 1000, 5 }, half = { 500, 2 };

  g_assert_true (gcc_picture_size_has_shape (&half, &flat));
}

static void
test_any_size_is_taken (void)
{
  static const guint any[] = { 1, 2, 3, 641, G_MAXINT };

  for (guint i = 0; i < 5 * 5 * 5 * 5; i++) {
    const GccPictureSize size = { any[i % 5], any[i / 5 % 5] };
    const GccPictureSize shape = { any[i / 25 % 5], any[i / 125] };

    g_assert_true (gcc_picture_size_has_shape (&shape, &shape));
    g_assert_false (gcc_picture_size_is_better (&size, &size, &shape, &size));
    g_assert_cmpuint (gcc_picture_size_get_width (&shape, size.height), >, 0);
    g_assert_cmpuint (
        gcc_picture_size_get_height (&shape, size.width), <=, G_MAXINT);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/picture-size/" #name, test_##name)
  ADD (a_length_follows_from_the_other);
  ADD (the_nearest_of_the_same_shape_is_best);
  ADD (no_size_of_another_shape_is_better);
  ADD (of_other_shapes_the_least_stretched_is_best);
  ADD (rounding_is_another_shape_of_no_picture);
  ADD (any_size_is_taken);
#undef ADD

  return g_test_run ();
}
