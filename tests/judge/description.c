/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "description.h"

#include <string.h>

#define MAX_NUMBERS 4

/* What a number of a line becomes. */
typedef enum {
  NUMBER,
  SECONDS,
  MILLISECONDS,
  KBPS,
} Unit;

typedef struct {
  const gchar *key;
  Unit unit;
  gsize offset;
} Field;

#define FIELD(key, unit, member) \
  { key, unit, G_STRUCT_OFFSET (JudgeCall, member) }

/* Lines with one number. */
static const Field fields[] = {
  FIELD ("duration_s", SECONDS, duration),
  FIELD ("measure_from_s", SECONDS, measure_from),
  FIELD ("one_way_delay_ms", MILLISECONDS, delay),
  FIELD ("jitter_ms", MILLISECONDS, jitter),
  FIELD ("tick_ms", MILLISECONDS, tick),
  FIELD ("loss_percent", NUMBER, loss_percent),
  FIELD ("feedback_loss_percent", NUMBER, feedback_loss_percent),
  FIELD ("bucket_bytes", NUMBER, bucket_bytes),
  FIELD ("queue_ms", MILLISECONDS, queue_time),
  FIELD ("queue_bytes", NUMBER, queue_bytes),
  FIELD ("min_kbps", KBPS, min),
  FIELD ("start_kbps", KBPS, start),
  FIELD ("max_kbps", KBPS, max),
  FIELD ("frame_rate", NUMBER, frame_rate),
};

#undef FIELD

/* A line in parts: a key, and the numbers behind it. */
typedef struct {
  gchar key[32];
  gdouble numbers[MAX_NUMBERS];
  guint n;
} Line;

static GccTime
to_time (gdouble value, Unit unit)
{
  gdouble scale = unit == SECONDS ? (gdouble) GCC_SECOND
                                  : (gdouble) GCC_MSECOND;

  return (GccTime) (value * scale);
}

static void
store (JudgeCall *self, const Field *field, gdouble value)
{
  gpointer member = G_STRUCT_MEMBER_P (self, field->offset);

  if (field->unit == NUMBER)
    *(gdouble *) member = value;
  else if (field->unit == KBPS)
    *(GccRate *) member = (GccRate) (value * 1000.);
  else
    *(GccTime *) member = to_time (value, field->unit);
}

void
judge_call_init (JudgeCall *self)
{
  *self = (JudgeCall){
    .duration = 60 * GCC_SECOND,
    .delay = 25 * GCC_MSECOND,
    .queue_time = 300 * GCC_MSECOND,
    .min = 50000,
    .start = 300000,
    .max = 2000000,
    .frame_rate = 30.,
    .rows = g_array_new (FALSE, FALSE, sizeof (JudgeRow)),
    .tcps = g_array_new (FALSE, FALSE, sizeof (JudgeOther)),
    .calls = g_array_new (FALSE, FALSE, sizeof (JudgeOther)),
  };
}

void
judge_call_clear (JudgeCall *self)
{
  g_array_unref (self->rows);
  g_array_unref (self->tcps);
  g_array_unref (self->calls);
}

/* The key, and what is left of the text. */
static const gchar *
split_key (const gchar *text, gchar *key, gsize size)
{
  gsize length = strcspn (text, " ");

  g_strlcpy (key, text, MIN (length + 1, size));
  text += length;
  return text + strspn (text, " ");
}

static gboolean
line_parse (Line *self, const gchar *text)
{
  text = split_key (text, self->key, sizeof self->key);
  for (self->n = 0; *text != '\0' && self->n < MAX_NUMBERS; self->n++) {
    gchar *end;

    self->numbers[self->n] = g_ascii_strtod (text, &end);
    if (end == text || !(self->numbers[self->n] >= 0.))
      return FALSE;
    text = end + strspn (end, " ");
  }
  return *text == '\0';
}

static const gchar *
take_row (JudgeCall *self, const Line *line)
{
  JudgeRow row = {
    .time = to_time (line->numbers[0], SECONDS),
    .rate = line->numbers[1] * 1000.,
    .late = to_time (line->numbers[2], MILLISECONDS),
    .loss_percent = line->numbers[3],
  };
  GArray *rows = self->rows;
  GccTime before = rows->len > 0
      ? g_array_index (rows, JudgeRow, rows->len - 1).time
      : -1;

  if (line->n != 4)
    return "row: expected seconds, kbit/s, ms and percent";
  if (row.time <= before || (rows->len == 0 && row.time != 0))
    return "row: the first is at 0 s, and times increase";
  g_array_append_val (rows, row);
  return NULL;
}

static const gchar *
take_other (GArray *others, const Line *line)
{
  JudgeOther other = {
    .start = to_time (line->numbers[0], SECONDS),
    .stop = to_time (line->numbers[1], SECONDS),
    .extra_delay = line->n > 2 ? to_time (line->numbers[2], MILLISECONDS) : 0,
  };

  if (line->n < 2)
    return "expected the seconds of its beginning and its end";
  g_array_append_val (others, other);
  return NULL;
}

static const gchar *
take_web (JudgeCall *self, const Line *line)
{
  if (line->n != 4)
    return "web: expected connections, bytes, bytes, and seconds";
  self->n_web = line->numbers[0];
  self->web_least_bytes = line->numbers[1];
  self->web_most_bytes = line->numbers[2];
  self->web_idle = to_time (line->numbers[3], SECONDS);
  return NULL;
}

static const gchar *
take_codel (JudgeCall *self, JudgeQueue queue, const Line *line)
{
  if (line->n != 1)
    return "expected the target in ms";
  self->queue = queue;
  self->target = to_time (line->numbers[0], MILLISECONDS);
  return NULL;
}

static const gchar *
take_field (JudgeCall *self, const Line *line)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    if (strcmp (fields[i].key, line->key) != 0)
      continue;
    if (line->n != 1)
      return "expected a number";
    store (self, &fields[i], line->numbers[0]);
    return NULL;
  }
  return "no such key";
}

static const gchar *
take_line (JudgeCall *self, const Line *line)
{
  if (strcmp (line->key, "row") == 0)
    return take_row (self, line);
  if (strcmp (line->key, "tcp") == 0)
    return take_other (self->tcps, line);
  if (strcmp (line->key, "second_call") == 0)
    return take_other (self->calls, line);
  if (strcmp (line->key, "web") == 0)
    return take_web (self, line);
  if (strcmp (line->key, "codel") == 0)
    return take_codel (self, JUDGE_CODEL, line);
  if (strcmp (line->key, "fq_codel") == 0)
    return take_codel (self, JUDGE_FQ_CODEL, line);
  if (strcmp (line->key, "seed") == 0) {
    self->seed = (guint32) line->numbers[0];
    return NULL;
  }
  if (strcmp (line->key, "rtx") == 0) {
    self->is_repaired = TRUE;
    return NULL;
  }
  return take_field (self, line);
}

static const gchar *
find_contradiction (const JudgeCall *self)
{
  if (self->rows->len == 0)
    return "a call has rows";
  if (self->frame_rate < 1.)
    return "a call has frames";
  if (self->measure_from >= self->duration)
    return "a call lasts longer than until it is measured";
  return NULL;
}

const gchar *
judge_call_take (JudgeCall *self, const gchar *text, gboolean *is_complete)
{
  Line line;

  *is_complete = strcmp (text, "end") == 0;
  if (*is_complete)
    return find_contradiction (self);
  if (g_str_has_prefix (text, "call ")) {
    g_strlcpy (self->name, text + strlen ("call "), sizeof self->name);
    return NULL;
  }
  if (!line_parse (&line, text))
    return "expected a key and at most four numbers from 0 on";
  return take_line (self, &line);
}
