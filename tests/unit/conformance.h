/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <math.h>

/* Published vectors. Each is printed as one line that docs/conformance.md is
 * made from (tests/conformance.py),
 *
 *   vector|<source>|<name>|<expected>|<got>|<pass, FAIL or n/a>
 *
 * in ASCII, and to stderr, since of the output of a TAP test `meson test -v`
 * shows nothing else. One that is not met fails the test, which goes on with
 * the next. The sources:
 *
 *   C13, C20   libwebrtc of August 2013 and of early 2020, with the test's file
 *   AIO        aiortc, with the test's file
 *   PR, PI     pion/rtcp and pion/interceptor, with the test's file
 *   G02        draft-ietf-rmcat-gcc-02
 *   CCR16      the AQM interplay paper of 2016
 *   PV13       the Packet Video paper of 2013
 *   derived    computed from a formula with the source's numbers, by others */

#define CONFORMANCE_LINE "vector|%s|%s|%s|%s|%s\n"

static inline void
conformance_report (const gchar *source, const gchar *name,
    const gchar *expected, const gchar *got, gboolean passes)
{
  g_printerr (
      CONFORMANCE_LINE, source, name, expected, got, passes ? "pass" : "FAIL");
  if (!passes)
    g_test_fail_printf (
        "%s: %s: expected %s, got %s", source, name, expected, got);
}

/* Within @tolerance; exact with 0. */
static inline void
conformance_check_int_near (const gchar *source, const gchar *name,
    gint64 expected, gint64 tolerance, gint64 got)
{
  g_autofree gchar *wanted = tolerance == 0
      ? g_strdup_printf ("%" G_GINT64_FORMAT, expected)
      : g_strdup_printf (
            "%" G_GINT64_FORMAT " +- %" G_GINT64_FORMAT, expected, tolerance);
  g_autofree gchar *gotten = g_strdup_printf ("%" G_GINT64_FORMAT, got);

  conformance_report (
      source, name, wanted, gotten, ABS (got - expected) <= tolerance);
}

static inline void
conformance_check_int (
    const gchar *source, const gchar *name, gint64 expected, gint64 got)
{
  conformance_check_int_near (source, name, expected, 0, got);
}

static inline void
conformance_check_double (const gchar *source, const gchar *name,
    gdouble expected, gdouble tolerance, gdouble got)
{
  g_autofree gchar *wanted = tolerance == 0.
      ? g_strdup_printf ("%.9g", expected)
      : g_strdup_printf ("%.9g +- %g", expected, tolerance);
  g_autofree gchar *gotten = g_strdup_printf ("%.9g", got);

  conformance_report (
      source, name, wanted, gotten, fabs (got - expected) <= tolerance);
}

static inline void
conformance_check_string (const gchar *source, const gchar *name,
    const gchar *expected, const gchar *got)
{
  conformance_report (
      source, name, expected, got, g_strcmp0 (expected, got) == 0);
}

static inline void
conformance_check_boolean (
    const gchar *source, const gchar *name, gboolean expected, gboolean got)
{
  conformance_check_string (
      source, name, expected ? "yes" : "no", got ? "yes" : "no");
}

/* A published vector of something that there is none of here, and why. */
static inline void
conformance_not_applicable (const gchar *source, const gchar *name,
    const gchar *expected, const gchar *why)
{
  g_printerr (CONFORMANCE_LINE, source, name, expected, why, "n/a");
}
