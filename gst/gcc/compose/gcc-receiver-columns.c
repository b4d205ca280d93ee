/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-receiver.h>

#include <stddef.h>

#define COLUMN(name, type, member, description) \
  { name, GCC_COLUMN_##type, offsetof (GccReceiverStats, member), description }

const GccColumn gcc_receiver_columns[] = {
  COLUMN ("ssrc", UINT, ssrc, "stream of the last packet group"),
  COLUMN ("d_ms", DOUBLE, delay_variation_ms,
      "d(t_i), inter-arrival minus inter-departure time, ms"),
  COLUMN ("m_ms", DOUBLE, m_ms,
      "m(t_i), output of the arrival filter, ms per group"),
  COLUMN ("modified_m_ms", DOUBLE, modified_m_ms,
      "min (n, 60) * m(t_i), which is compared with gamma, ms"),
  COLUMN ("gamma_ms", DOUBLE, gamma_ms,
      "gamma, threshold of the over-use detector, ms"),
  COLUMN ("signal", SIGNAL, signal,
      "what the remote rate controller was given: normal, overuse or "
      "underuse"),
  COLUMN ("state", RATE_CONTROL, state,
      "what the remote rate controller did last: hold, increase or decrease"),
  COLUMN ("competition", COMPETITION, competition,
      "whose a queue is that stands: none is known of, drain to see, or tcp"),
  COLUMN ("verdict", VERDICT, verdict,
      "what the last drain has shown: own, others, longer-path, slower-link "
      "or unknown"),
  COLUMN ("path_queue_ms", DOUBLE, path_queue_ms,
      "how long the last packet waited, ms"),
  COLUMN ("path_capacity_bps", RATE, path_capacity,
      "what the packets of a frame have shown of the link at most, bit/s"),
  COLUMN ("r_bps", RATE, received_rate, "R(t), received rate, bit/s"),
  COLUMN ("a_r_bps", RATE, estimate, "A_r, estimate of the receiver, bit/s"),
  COLUMN ("remb_bps", RATE, remb, "the last A_r due at the sender, bit/s"),
  COLUMN ("packets", UINT64, packets, "RTP packets seen"),
  COLUMN ("groups", UINT64, groups, "packet groups measured"),
  COLUMN (
      "overuses", UINT64, overuses, "times that the signal turned to overuse"),
};

const guint gcc_receiver_n_columns = G_N_ELEMENTS (gcc_receiver_columns);

const gchar *
gcc_receiver_event_to_string (GccReceiverEvent event)
{
  switch (event) {
    case GCC_RECEIVER_EVENT_NONE:
      return "none";
    case GCC_RECEIVER_EVENT_GROUP:
      return "group";
    case GCC_RECEIVER_EVENT_RATE:
      return "rate";
    case GCC_RECEIVER_EVENT_REMB:
      return "remb";
  }

  g_return_val_if_reached (NULL);
}
