/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Properties of the elements and of their pads, as any application and
 * gst-launch use them. */

#include <gst/gst.h>
#include <string.h>

#include "element-test.h"

/* --- any property --- */

/* Old names have the values of others. */
static gboolean
is_ours (const GParamSpec *pspec)
{
  return (pspec->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE &&
      !(pspec->flags & G_PARAM_DEPRECATED) &&
      g_str_has_prefix (g_type_name (pspec->owner_type), "GstGcc");
}

static void
choose_enum (GParamSpec *pspec, GValue *value)
{
  GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;
  gint value_before = g_value_get_enum (value);

  for (guint i = klass->n_values; i-- > 0;)
    if (klass->values[i].value != value_before)
      g_value_set_enum (value, klass->values[i].value);
}

/* Another than the default. */
static void
choose (GParamSpec *pspec, GValue *value)
{
  g_param_value_set_default (pspec, value);
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    choose_enum (pspec, value);
  else if (G_IS_PARAM_SPEC_FLAGS (pspec))
    g_value_set_flags (value, 0);
  else if (G_VALUE_HOLDS_BOOLEAN (value))
    g_value_set_boolean (value, !g_value_get_boolean (value));
  else if (G_VALUE_HOLDS_UINT (value))
    g_value_set_uint (value,
        g_value_get_uint (value) == G_MAXUINT ? 1000000
                                              : g_value_get_uint (value) + 1);
  else if (G_VALUE_HOLDS_INT (value))
    g_value_set_int (value, g_value_get_int (value) + 1);
  else if (G_VALUE_HOLDS_DOUBLE (value))
    g_value_set_double (value, g_value_get_double (value) + 1.);
  else if (G_VALUE_HOLDS_STRING (value))
    g_value_set_string (value, "some/where");
  else if (G_VALUE_HOLDS (value, GST_TYPE_STRUCTURE))
    g_value_take_boxed (
        value, gst_structure_new ("some", "where", G_TYPE_DOUBLE, 2., NULL));
  else
    g_value_take_object (value, gst_element_factory_make ("identity", NULL));
}

/* GObject compares boxed values by address. */
static gboolean
are_equal (GParamSpec *pspec, const GValue *a, const GValue *b)
{
  return G_VALUE_HOLDS (a, GST_TYPE_STRUCTURE)
      ? gst_structure_is_equal (g_value_get_boxed (a), g_value_get_boxed (b))
      : g_param_values_cmp (pspec, a, b) == 0;
}

static void
check_property (GObject *object, GParamSpec *pspec)
{
  GValue set = G_VALUE_INIT, got = G_VALUE_INIT;

  g_test_message ("%s", pspec->name);
  g_value_init (&set, pspec->value_type);
  g_value_init (&got, pspec->value_type);
  g_object_get_property (object, pspec->name, &got);
  if (!G_VALUE_HOLDS_OBJECT (&got))
    g_assert_true (g_param_value_defaults (pspec, &got));

  choose (pspec, &set);
  g_object_set_property (object, pspec->name, &set);
  g_object_get_property (object, pspec->name, &got);
  g_assert_true (are_equal (pspec, &set, &got));
  g_assert_false (g_param_value_defaults (pspec, &got));
  g_value_unset (&set);
  g_value_unset (&got);
}

static void
check_properties (gpointer object)
{
  guint n;
  GParamSpec **pspecs = g_object_class_list_properties (
      G_OBJECT_GET_CLASS (object), &n);

  for (guint i = 0; i < n; i++)
    if (is_ours (pspecs[i]))
      check_property (object, pspecs[i]);
  g_free (pspecs);
}

static void
test_what_is_set_is_read (gconstpointer factory)
{
  GstElement *element = test_make (factory);

  check_properties (element);
  gst_object_unref (element);
}

static void
test_what_is_set_on_a_pad_is_read (void)
{
  GstElement *sender = test_make ("gccsender");
  GstPad *pad = gst_element_request_pad_simple (sender, "sink_%u");

  check_properties (pad);
  gst_element_release_request_pad (sender, pad);
  gst_object_unref (pad);
  gst_object_unref (sender);
}

/* --- old names --- */

static const struct {
  const gchar *factory;
  const gchar *old;
  const gchar *flag;
} old_names[] = {
  { "gccsender", "control-encoder", "encoder-bitrate" },
  { "gccsender", "configure-encoder", "encoder-settings" },
  { "gccsender", "configure-sink", "sink" },
  { "gccsender", "configure-session", "session" },
  { "gccsender", "control-fec", "fec" },
  { "gccreceiver", "configure-session", "session" },
};

static guint
get_flag (GstElement *element, const gchar *nick)
{
  GParamSpec *pspec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (element), "manage");

  return g_flags_get_value_by_nick (
      G_PARAM_SPEC_FLAGS (pspec)->flags_class, nick)
      ->value;
}

static void
count_notification (GObject *element, GParamSpec *pspec, guint *n)
{
  (void) element;
  (void) pspec;

  (*n)++;
}

static void
test_an_old_name_sets_its_flag (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (old_names); i++) {
    GstElement *element = test_make (old_names[i].factory);
    guint before = test_get_uint (element, "manage"), n_notified = 0;
    guint flag = get_flag (element, old_names[i].flag);
    gboolean old;

    g_signal_connect (element, "notify::manage",
        G_CALLBACK (count_notification), &n_notified);
    g_object_get (element, old_names[i].old, &old, NULL);
    g_assert_cmpint (old, ==, (before & flag) != 0);

    g_object_set (element, old_names[i].old, TRUE, NULL);
    g_assert_cmpuint (test_get_uint (element, "manage"), ==, (before | flag));
    g_object_set (element, old_names[i].old, FALSE, NULL);
    g_assert_cmpuint (test_get_uint (element, "manage"), ==, (before & ~flag));
    g_assert_cmpuint (n_notified, ==, 2);

    gst_util_set_object_arg (G_OBJECT (element), "manage", old_names[i].flag);
    g_object_get (element, old_names[i].old, &old, NULL);
    g_assert_true (old);
    gst_object_unref (element);
  }
}

static void
count_deprecations (GstDebugCategory *category, GstDebugLevel level,
    const gchar *file, const gchar *function, gint line, GObject *object,
    GstDebugMessage *message, gpointer n)
{
  (void) category;
  (void) file;
  (void) function;
  (void) line;
  (void) object;

  if (level == GST_LEVEL_WARNING &&
      strstr (gst_debug_message_get (message), " is deprecated") != NULL)
    ++*(guint *) n;
}

static void
test_an_old_name_is_in_the_log_once (void)
{
  GstElement *element = test_make ("gccsender");
  guint n = 0;

  gst_debug_set_threshold_for_name ("gccsender", GST_LEVEL_WARNING);
  gst_debug_add_log_function (count_deprecations, &n, NULL);
  for (guint i = 0; i < 3; i++)
    g_object_set (element, "configure-sink", FALSE, "control-fec", FALSE, NULL);
  gst_debug_remove_log_function (count_deprecations);
  gst_debug_unset_threshold_for_name ("gccsender");
  g_assert_cmpuint (n, ==, 2);
  gst_object_unref (element);
}

/* As gst-launch reads them. */
static void
test_all_of_it_is_a_word (void)
{
  GstElement *element = test_make ("gccsender");
  guint all;

  gst_util_set_object_arg (G_OBJECT (element), "manage",
      "encoder-bitrate+encoder-settings+sink+session+fec");
  all = test_get_uint (element, "manage");
  gst_util_set_object_arg (G_OBJECT (element), "manage", "none");
  g_assert_cmpuint (test_get_uint (element, "manage"), ==, 0);
  gst_util_set_object_arg (G_OBJECT (element), "manage", "all");
  g_assert_cmpuint (test_get_uint (element, "manage"), ==, all);
  gst_object_unref (element);
}

/* --- pads by name --- */

/* As gst-launch sets sink_0::weight=2. */
static void
test_pads_are_found_by_their_names (void)
{
  GstElement *sender = test_make ("gccsender");
  GstPad *pad = gst_element_request_pad_simple (sender, "sink_7");
  GObject *child;
  gdouble weight;

  gst_child_proxy_set (GST_CHILD_PROXY (sender), "sink_7::weight", 2.,
      "sink::max-bitrate", 300000u, NULL);
  g_object_get (pad, "weight", &weight, NULL);
  g_assert_cmpfloat (weight, ==, 2.);
  gst_child_proxy_get (
      GST_CHILD_PROXY (sender), "sink_7::weight", &weight, NULL);
  g_assert_cmpfloat (weight, ==, 2.);

  g_assert_cmpuint (
      gst_child_proxy_get_children_count (GST_CHILD_PROXY (sender)), ==, 2);
  child = gst_child_proxy_get_child_by_index (GST_CHILD_PROXY (sender), 1);
  g_assert_true (child == G_OBJECT (pad));
  g_object_unref (child);
  g_assert_null (
      gst_child_proxy_get_child_by_index (GST_CHILD_PROXY (sender), 2));

  gst_element_release_request_pad (sender, pad);
  gst_object_unref (pad);
  gst_object_unref (sender);
}

/* --- stats --- */

static void
test_every_field_of_stats_is_documented (gconstpointer factory)
{
  GstElement *element = test_make (factory);
  GstStructure *stats;
  gchar *page;

  g_assert_true (
      g_file_get_contents (g_getenv ("STATS_PAGE"), &page, NULL, NULL));
  g_object_get (element, "stats", &stats, NULL);
  for (gint i = 0; i < gst_structure_n_fields (stats); i++) {
    gchar *field = g_strdup_printf (
        "`%s`", gst_structure_nth_field_name (stats, (guint) i));

    if (strstr (page, field) == NULL)
      g_error ("docs/stats.md lacks %s", field);
    g_free (field);
  }
  gst_structure_free (stats);
  g_free (page);
  gst_object_unref (element);
}

/* --- from one run to the next --- */

static guint
get_last_rate (GstElement *sender)
{
  GstStructure *stats = test_get_stats (sender);
  gint64 rate;

  g_assert_true (gst_structure_get_int64 (stats, "a-s-bps", &rate));
  gst_structure_free (stats);
  g_assert_cmpuint (test_get_uint (sender, "target-bitrate"), ==, (guint) rate);

  return (guint) rate;
}

/* An application begins its next call with it. */
static void
test_the_last_rate_is_there_until_the_next_run (void)
{
  GstElement *sender = gst_element_factory_make ("gccsender", NULL);

  gst_element_set_state (sender, GST_STATE_PLAYING);
  g_signal_emit_by_name (sender, "restart", 1234567u);
  gst_element_set_state (sender, GST_STATE_READY);
  g_assert_cmpuint (get_last_rate (sender), ==, 1234567);
  gst_element_set_state (sender, GST_STATE_NULL);
  g_assert_cmpuint (get_last_rate (sender), ==, 1234567);

  g_object_set (sender, "start-bitrate", 1234567, NULL);
  gst_element_set_state (sender, GST_STATE_PLAYING);
  g_assert_cmpuint (get_last_rate (sender), ==, 1234567);
  test_stop (sender);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/settings/" #name, test_##name)
#define ADD_FOR(name, factory) \
  g_test_add_data_func ("/settings/" #name "/" factory, factory, test_##name)
  ADD_FOR (what_is_set_is_read, "gccsender");
  ADD_FOR (what_is_set_is_read, "gccreceiver");
  ADD_FOR (every_field_of_stats_is_documented, "gccsender");
  ADD_FOR (every_field_of_stats_is_documented, "gccreceiver");
  ADD (what_is_set_on_a_pad_is_read);
  ADD (an_old_name_sets_its_flag);
  ADD (an_old_name_is_in_the_log_once);
  ADD (all_of_it_is_a_word);
  ADD (pads_are_found_by_their_names);
  ADD (the_last_rate_is_there_until_the_next_run);

  return g_test_run ();
}
