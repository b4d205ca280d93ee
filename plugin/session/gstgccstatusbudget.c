/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccstatusbudget.h"

/* Number of the first packet, number of statuses, reference time and count. */
#define MESSAGE_HEADER 8

typedef struct {
  guint16 first;
  guint16 n_statuses;
  guint8 count;
} Message;

void
gst_gcc_status_budget_add (GstGccStatusBudget *self, guint n)
{
  guint room = GST_GCC_STATUS_BUDGET_MAX - self->allowance;

  self->allowance += MIN (room,
      MIN (n, GST_GCC_STATUS_BUDGET_MAX) * GST_GCC_STATUS_BUDGET_PER_PACKET);
}

static Message
read_message (const guint8 *fci)
{
  return (Message){
    .first = GST_READ_UINT16_BE (fci),
    .n_statuses = GST_READ_UINT16_BE (fci + 2),
    .count = fci[7],
  };
}

/* How many counts the message is ahead of the next one; below 0: it is late. */
static gint
get_lead (const GstGccStatusBudget *self, const Message *message)
{
  return (gint8) (guint8) (message->count - self->expected_count);
}

/* rtpsession takes numbers that the next message by its count leaves out for
 * lost packets. */
static guint
get_cost (const GstGccStatusBudget *self, const Message *message)
{
  gboolean is_next = self->has_message && get_lead (self, message) == 0 &&
      message->first >= self->expected_seq;

  return message->n_statuses +
      (is_next ? (guint) (message->first - self->expected_seq) : 0);
}

/* A late message, and one that goes back, change nothing. */
static void
follow (GstGccStatusBudget *self, const Message *message)
{
  gint lead = get_lead (self, message);

  if (self->has_message &&
      (lead < 0 || (lead == 0 && message->first < self->expected_seq)))
    return;
  self->has_message = TRUE;
  self->expected_seq = (guint16) (message->first + message->n_statuses);
  self->expected_count = (guint8) (message->count + 1);
}

gboolean
gst_gcc_status_budget_take (
    GstGccStatusBudget *self, const guint8 *fci, gsize length)
{
  Message message;
  guint cost;

  g_return_val_if_fail (length >= MESSAGE_HEADER, FALSE);

  message = read_message (fci);
  cost = get_cost (self, &message);
  if (cost > self->allowance)
    return FALSE;
  self->allowance -= cost;
  follow (self, &message);

  return TRUE;
}
