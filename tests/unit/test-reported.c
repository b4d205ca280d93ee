/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Kinds of path that people have reported trouble with, and that the default does
 * not master yet: each is an expected failure. When the goal is reached the test
 * fails, so that it becomes a plain one. examples/testbed/scorecard/card.toml has
 * the calls. */

#include "call.h"

#define PROFILE "recommended"

static void
expect_failure (gboolean is_reached, const gchar *what)
{
  if (is_reached) {
    g_test_message ("the goal is reached: make it an assertion");
    g_test_fail ();
  } else {
    g_test_incomplete (what);
  }
}

/* Every 15 s another delay and rate, and random loss: a longer route is taken for a
 * queue of others, and that is found out 20 s later. */
static void
test_another_route_each_15_s_is_used (void)
{
  static const struct {
    GccTime delay;
    GccRate capacity;
  } routes[] = {
    { 20 * GCC_MSECOND, 6000000 },
    { 42 * GCC_MSECOND, 4000000 },
    { 28 * GCC_MSECOND, 8000000 },
    { 55 * GCC_MSECOND, 3000000 },
    { 35 * GCC_MSECOND, 5000000 },
    { 60 * GCC_MSECOND, 7000000 },
  };
  gdouble used = 0.;
  Call call;

  call_init (&call, PROFILE, 300000, 10000000);
  call.loss = 0.003;
  for (guint i = 0; i < G_N_ELEMENTS (routes); i++) {
    gdouble share;

    call.delay = routes[i].delay;
    call.capacity = routes[i].capacity;
    call.received_bytes = 0;
    call_run (&call, 15 * GCC_SECOND);
    share = (gdouble) call.received_bytes * 8. / 15. /
        (gdouble) routes[i].capacity;
    if (g_test_verbose ())
      g_printerr ("route %u: share %.2f\n", i, share);
    used += share / G_N_ELEMENTS (routes);
  }
  expect_failure (used > 0.9, "less than 0.9 of the path are used");
  call_clear (&call);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/reported/" #name, test_##name)
  ADD (another_route_each_15_s_is_used);
#undef ADD

  return g_test_run ();
}
