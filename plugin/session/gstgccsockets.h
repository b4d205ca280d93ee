/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/wire/gcc-ccfb.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* The sockets at the ends of a way, as far as elements tell them in `used-socket`
 * and `used-socket-v6`, as udpsrc and udpsink do. To be called without any lock
 * held. */

/* Has those upstream of @sinkpad tell the ECN bits of packets. */
void gst_gcc_sockets_request_ecn (GstPad *sinkpad);

/* Sets the ECN bits of packets that leave those downstream of @srcpad. */
void gst_gcc_sockets_write_ecn (GstPad *srcpad, GccEcn ecn);

G_END_DECLS
