/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-rate-split.h>

#include <math.h>

/* All streams are filled to one level, in bit/s per weight, like vessels with a
 * bottom at the minimum and a lid at the maximum. The level is found by
 * bisection; this many steps exceed the precision of a double. */
#define N_BISECTIONS 64

static GccRate
get_filled (const GccShare *share, gdouble level)
{
  gdouble rate = level * share->weight;

  if (rate >= (gdouble) share->max)
    return share->max;
  return MAX ((GccRate) rate, share->min);
}

static gboolean
fits (GccRate total, const GccShare *shares, guint n_shares, gdouble level)
{
  for (guint i = 0; i < n_shares && total >= 0; i++)
    total -= get_filled (&shares[i], level);
  return total >= 0;
}

static void
fill (GccShare *shares, guint n_shares, gdouble level)
{
  for (guint i = 0; i < n_shares; i++)
    shares[i].rate = get_filled (&shares[i], level);
}

/* Distributes a rest that is too small to raise every stream by 1 bit/s. */
static void
hand_out_rest (GccRate rest, GccShare *shares, guint n_shares, gdouble above)
{
  for (guint i = 0; i < n_shares; i++) {
    GccRate missing = get_filled (&shares[i], above) - shares[i].rate;
    GccRate part = MIN (missing, rest);

    shares[i].rate += part;
    rest -= part;
  }
}

static void
find_level (GccRate total, const GccShare *shares, guint n_shares,
    gdouble *level, gdouble *above)
{
  *level = 0.;
  *above = 1.;
  while (fits (total, shares, n_shares, *above)) {
    *level = *above;
    *above *= 2.;
  }
  for (guint i = 0; i < N_BISECTIONS; i++) {
    gdouble middle = *level + (*above - *level) / 2.;

    if (fits (total, shares, n_shares, middle))
      *level = middle;
    else
      *above = middle;
  }
}

void
gcc_rate_split (GccRate total, GccShare *shares, guint n_shares)
{
  gdouble level, above;

  for (guint i = 0; i < n_shares; i++) {
    g_return_if_fail (shares[i].weight > 0.);
    g_return_if_fail (shares[i].min >= 0 && shares[i].min <= shares[i].max);
  }

  if (!fits (total, shares, n_shares, 0.)) {
    fill (shares, n_shares, 0.);
  } else if (fits (total, shares, n_shares, INFINITY)) {
    fill (shares, n_shares, INFINITY);
  } else {
    find_level (total, shares, n_shares, &level, &above);
    fill (shares, n_shares, level);
    for (guint i = 0; i < n_shares; i++)
      total -= shares[i].rate;
    hand_out_rest (total, shares, n_shares, above);
  }
}
