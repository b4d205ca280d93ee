/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <gst/gcc/wire/gcc-ccfb.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* The ECN bits of IP headers (RFC 3168, section 5), by GIO's sockets. There is one
 * implementation for each system. */

/* Registers the control message that has the bits. The first type that is
 * registered for a message gets it, and GLib 2.88 has one of its own, which
 * udpsrc drops: to be called when the plugin is loaded. */
void gst_gcc_ecn_register (void);

/* Has @socket tell the bits of each packet that arrives. */
void gst_gcc_ecn_request (GSocket *socket);

/* The bits of @buffer, which was received in this thread just now, or which has a
 * GstNetControlMessageMeta; %GCC_ECN_NOT_ECT where they are not known. */
GccEcn gst_gcc_ecn_read (GstBuffer *buffer);

/* Sets the bits of packets that leave @socket. The other six, DSCP, stay. */
void gst_gcc_ecn_write (GSocket *socket, GccEcn ecn);

G_END_DECLS
