/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "whole-calls.h"

#include "support/cubic.h"

#define DEFAULT "recommended"
#define PEER "goog-2026"
#define START 300000
#define MAX_RATE 2000000
#define EXCESS 1.3
#define LOOK (10 * GCC_MSECOND)

/* Beside the peer: a tenth, or a difference that nobody notices. */
#define MUCH 0.1
#define LEAST_LOSS 0.001
#define LEAST_WAIT (5 * GCC_MSECOND)

/* A call of a row, and where it is. */
typedef struct {
  const WholeCall *row;
  const gchar *profile;
  guint path;
  guint draw;
  guint part;
  AnyCall flows[WHOLE_CALLS_MAX_FLOWS];
  guint n_flows;
  Cubic tcp;
} Link;

/* In a part. */
typedef struct {
  Range rate;
  gdouble use;
  gdouble lost;
  GccTime queue;
  GccTime p95;
  GccTime excess;
} Seen;

static GccTime
get_now (const Link *link)
{
  return any_call_get_now (&link->flows[0]);
}

static GccRate
get_max (const WholeCall *row)
{
  return row->max != 0 ? row->max : MAX_RATE;
}

static guint
get_n_draws (const WholeCall *row)
{
  return MAX (row->n_draws, 1);
}

/* What the first could have. */
static GccRate
get_fair (const Link *link)
{
  return MIN (ANY_CALL (&link->flows[0], capacity), get_max (link->row));
}

static gdouble
get_rate (const Link *link)
{
  return (gdouble) any_call_get_rate (&link->flows[0]) /
      (gdouble) get_fair (link);
}

/* --- a call --- */

static void
init_flow (Link *link, guint i)
{
  const WholeCall *row = link->row;
  AnyCall *flow = &link->flows[i];
  Call *call = &flow->transport;

  any_call_init (flow, row->over_remb, link->profile,
      row->start != 0 ? row->start : START, get_max (row));
  any_call_set_path (flow, &row->paths[link->path]);
  ANY_CALL (flow, link_free) = &link->flows[0].own_link_free;
  g_rand_set_seed (ANY_CALL (flow, rand), link->draw + 1);
  ANY_CALL (flow, next_frame) += i * 11 * GCC_MSECOND;
  if (row->has_reports)
    any_call_add_reports (flow);
  call->next_feedback += i * 17 * GCC_MSECOND +
      link->draw * call->feedback_interval / get_n_draws (row);
}

static void
begin_part (Link *link, const Part *part)
{
  for (guint i = 0; i < link->n_flows; i++) {
    AnyCall *flow = &link->flows[i];

    any_call_set_path (flow, &part->path);
    any_call_cut (flow, part->is_cut, part->is_mute);
    if (part->without_probes)
      gcc_sender_set_probing (flow->sender, FALSE, get_now (link));
  }
  link->tcp.is_on = part->tcp;
}

static void
step (Link *link)
{
  AnyCall *first = &link->flows[0];

  for (guint i = 0; i < link->n_flows; i++)
    any_call_step (&link->flows[i]);
  cubic_step (&link->tcp, &first->own_link_free, ANY_CALL (first, capacity),
      ANY_CALL (first, max_queue), get_now (link));
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const GccTime *x = a;
  const GccTime *y = b;

  return (*x > *y) - (*x < *y);
}

/* What is counted from the begin of a call on, as a difference. */
static void
count (const Link *link, gint sign, gint64 *bytes, gint *n_sent, gint *n_lost)
{
  *bytes += sign * ANY_CALL (&link->flows[0], received_bytes);
  for (guint i = 0; i < link->n_flows; i++) {
    *n_sent += sign * (gint) ANY_CALL (&link->flows[i], n_sent);
    *n_lost += sign * (gint) ANY_CALL (&link->flows[i], n_lost);
  }
}

static Seen
run_part (Link *link, const Part *part)
{
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (GccTime));
  GccTime begin = get_now (link), now = begin, modest = begin;
  Seen seen = { .rate = { G_MAXDOUBLE, 0. } };
  gint64 bytes = 0;
  gint n_sent = 0, n_lost = 0;

  count (link, -1, &bytes, &n_sent, &n_lost);
  while (now < begin + part->lasts &&
      (part->reaches == 0. || get_rate (link) < part->reaches)) {
    GccTime wait = 0;
    gdouble rate;

    step (link);
    now = get_now (link);
    rate = get_rate (link);
    for (guint i = 0; i < link->n_flows; i++)
      wait = MAX (wait, ANY_CALL (&link->flows[i], queueing));
    if (now % LOOK == 0)
      g_array_append_val (waits, wait);
    if (rate <= EXCESS)
      modest = now;
    seen.queue = MAX (seen.queue, wait);
    seen.excess = MAX (seen.excess, now - modest);
    seen.rate.least = MIN (seen.rate.least, rate);
    seen.rate.most = MAX (seen.rate.most, rate);
  }
  count (link, 1, &bytes, &n_sent, &n_lost);
  seen.use = (gdouble) bytes /
      (gdouble) gcc_rate_get_bytes (get_fair (link), now - begin);
  seen.lost = (gdouble) n_lost / n_sent;
  g_array_sort (waits, compare_times);
  if (waits->len > 0)
    seen.p95 = g_array_index (waits, GccTime, waits->len * 95 / 100);
  return seen;
}

/* --- what has to hold --- */

static void
check (const Link *link, gboolean holds, const gchar *what)
{
  if (!holds)
    g_test_fail_printf ("%s, path %u, draw %u, part %u: %s", link->profile,
        link->path, link->draw, link->part, what);
}

static gboolean
is_within (const Range *range, gdouble value)
{
  return value >= range->least && (range->most == 0. || value <= range->most);
}

static gboolean
is_below (GccTime most, GccTime value)
{
  return most == 0 || value < most;
}

static void
check_part (const Link *link, const Part *part, const Seen *seen)
{
  g_test_message ("%s, path %u, draw %u, part %u: A_s %.3f to %.3f, then %.3f; "
                  "use %.3f, lost %.4f, queue %.0f ms, excess %.2f s",
      link->profile, link->path, link->draw, link->part, seen->rate.least,
      seen->rate.most, get_rate (link), seen->use, seen->lost,
      gcc_time_to_ms (seen->queue), gcc_time_to_seconds (seen->excess));
  check (link, get_rate (link) >= part->reaches, "A_s does not get there");
  check (link, is_within (&part->stays, seen->rate.least), "A_s falls");
  check (link, is_within (&part->stays, seen->rate.most), "A_s rises");
  check (link, is_within (&part->ends, get_rate (link)), "A_s at the end");
  check (link, is_within (&part->use, seen->use), "use");
  check (link, is_within (&part->lost, seen->lost), "losses");
  check (link, is_below (part->most_queue, seen->queue), "the queue");
  check (link, is_below (part->most_excess, seen->excess), "A_s is too high");
}

/* Holds in each. */
static void
check_call (const Link *link, gdouble mean_use)
{
  const AnyCall *first = &link->flows[0];
  const GccSenderStats *stats = gcc_sender_get_stats (first->sender);
  gboolean loses = link->row->paths[link->path].feedback_loss > 0.;

  check (link, mean_use >= link->row->least_mean_use, "use of all parts");
  check (link, stats->target <= get_max (link->row), "A_s above the limit");
  check (link, !loses || stats->feedbacks_lost > 0, "no feedback is missing");
}

/* Returns what is seen of the last part. */
static Seen
run_call (const WholeCall *row, const gchar *profile, guint path, guint draw)
{
  /* too large for the stack */
  static Link link;
  const Part *part = row->parts;
  gdouble use = 0.;
  Seen seen;

  link.row = row;
  link.profile = profile;
  link.path = path;
  link.draw = draw;
  link.part = 0;
  link.n_flows = MAX (row->n_flows, 1);
  for (guint i = 0; i < link.n_flows; i++)
    init_flow (&link, i);
  cubic_init (&link.tcp, 50 * GCC_MSECOND);
  do {
    begin_part (&link, part);
    seen = run_part (&link, part);
    check_part (&link, part, &seen);
    use += seen.use;
    part++;
  } while (++link.part < WHOLE_CALLS_MAX_PARTS && part->lasts > 0);
  check_call (&link, use / link.part);
  for (guint i = 0; i < link.n_flows; i++)
    any_call_clear (&link.flows[i]);
  return seen;
}

/* A part of n calls, so that a sum is their mean. */
static void
add_up (Seen *mean, const Seen *seen, guint n)
{
  mean->use += seen->use / n;
  mean->lost += seen->lost / n;
  mean->p95 += seen->p95 / n;
}

/* What is not reached yet is an expected failure: when it is reached the test fails, so
 * that the row becomes a plain one. */
static void
compare (const WholeCall *row, const Seen *ours, const Seen *theirs)
{
  GccTime p95 = theirs->p95 +
      MAX ((GccTime) (MUCH * (gdouble) theirs->p95), LEAST_WAIT);

  g_test_message ("use %.3f and %.3f, lost %.4f and %.4f, p95 %.0f and %.0f ms",
      ours->use, theirs->use, ours->lost, theirs->lost,
      gcc_time_to_ms (ours->p95), gcc_time_to_ms (theirs->p95));
  g_assert_cmpfloat (ours->use, >=, theirs->use * (1. - MUCH));
  g_assert_cmpfloat (
      ours->lost, <=, MAX (theirs->lost * (1. + MUCH), LEAST_LOSS));
  if (row->longer_queue == NULL)
    g_assert_cmpint (ours->p95, <=, p95);
  else if (ours->p95 <= p95)
    g_test_fail_printf ("packets do not wait for longer than with the peer");
  else if (!g_test_failed ())
    g_test_incomplete (row->longer_queue);
}

/* One path at least. */
static gboolean
has_path (const WholeCall *row, guint i)
{
  static const Path none;

  return i == 0 ||
      (i < WHOLE_CALLS_MAX_PATHS &&
          memcmp (&row->paths[i], &none, sizeof none) != 0);
}

static void
test_row (gconstpointer data)
{
  const WholeCall *row = data;
  Seen ours = { 0 }, theirs = { 0 }, seen;
  guint n = get_n_draws (row);

  for (guint path = 0; has_path (row, path); path++)
    for (guint draw = 0; draw < n; draw++) {
      seen = run_call (row, DEFAULT, path, draw);
      add_up (&ours, &seen, n);
      if (!row->as_peer && !row->is_beside_peer)
        continue;
      seen = run_call (row, PEER, path, draw);
      add_up (&theirs, &seen, n);
    }
  if (row->is_beside_peer)
    compare (row, &ours, &theirs);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* each row says what it has to say */
  g_test_set_nonfatal_assertions ();
  for (guint i = 0; i < n_whole_calls; i++) {
    g_autofree gchar *path = g_strdup_printf (
        "/whole-calls/%s", whole_calls[i].name);

    g_test_add_data_func (path, &whole_calls[i], test_row);
  }
  return g_test_run ();
}
