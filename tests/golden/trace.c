/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "trace.h"

static void
print_value (const GccColumn *column, gconstpointer stats)
{
  gconstpointer member = G_STRUCT_MEMBER_P (stats, column->offset);

  switch (column->type) {
    case GCC_COLUMN_TIME:
    case GCC_COLUMN_RATE:
    case GCC_COLUMN_UINT64:
      g_print (",%" G_GINT64_FORMAT, *(const gint64 *) member);
      break;
    case GCC_COLUMN_DOUBLE:
      g_print (",%.9g", *(const gdouble *) member);
      break;
    case GCC_COLUMN_BOOLEAN:
    case GCC_COLUMN_UINT:
      g_print (",%u", *(const guint32 *) member);
      break;
    default:
      g_print (",%s", gcc_column_get_word (column, stats));
      break;
  }
}

/* Without @stats, the names. */
static void
print_columns (
    const gchar *side, const GccColumn *columns, guint n, gconstpointer stats)
{
  for (guint i = 0; i < n; i++) {
    if (stats == NULL)
      g_print (",%s:%s", side, columns[i].name);
    else
      print_value (&columns[i], stats);
  }
}

static void
print_names (gboolean has_receiver)
{
  g_print ("time_s,flow");
  print_columns ("sender", gcc_sender_columns, gcc_sender_n_columns, NULL);
  if (has_receiver)
    print_columns (
        "receiver", gcc_receiver_columns, gcc_receiver_n_columns, NULL);
  g_print ("\n");
}

static void
print_flow (const GoldenFlow *flow, guint n_samples)
{
  const GccReceiverStats *stats = golden_flow_get_receiver_stats (flow);

  g_print (
      "%.1f,%u", (n_samples + 1.) / GOLDEN_SAMPLES_PER_SECOND, flow->index);
  print_columns ("sender", gcc_sender_columns, gcc_sender_n_columns,
      golden_flow_get_sender_stats (flow));
  if (stats != NULL)
    print_columns (
        "receiver", gcc_receiver_columns, gcc_receiver_n_columns, stats);
  g_print ("\n");
}

void
golden_trace_print (
    gpointer data, guint n_samples, const GoldenFlow *flows, guint n_flows)
{
  (void) data;
  if (n_samples == 0)
    print_names (golden_flow_get_receiver_stats (flows) != NULL);
  for (guint i = 0; i < n_flows; i++)
    print_flow (&flows[i], n_samples);
}
