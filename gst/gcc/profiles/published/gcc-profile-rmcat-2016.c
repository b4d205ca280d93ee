/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/profiles/gcc-profile-parts.h>

/* The paper measured a browser of late 2015 with the gains of gamma that it
 * prints, which only a field trial had then (C15). Numbers from C16 or C20 came
 * later. They are used where the paper and the drafts agree with them, or where
 * the numbers of 2015 are known for a different filter only. C15 itself had Q =
 * { 1e-13, 1e-2 }, no bound of a burst nor of the time in one adaptation of
 * gamma, a fixed window of 1 s for R, a least rate of 30 kbit/s, 2.05 R in
 * place of 2 R, at least 1000 bit/s in an additive step, and kept the old rate
 * above 1.5 R + 10 kbit/s. */
#define RMCAT_2016_RECEIVING \
  .delay = { \
    .group = { \
      .grouping = GCC_GROUPING_BURST, /* C15; CCR16: frames */ \
      .burst_time = 5 * GCC_MSECOND,  /* C15 */ \
      .max_burst = 100 * GCC_MSECOND, /* C20 */ \
      .max_jump = 3 * GCC_SECOND,     /* C20 */ \
      .max_reordered = 3,             /* groups, C20 */ \
    }, \
    .filter = { \
      .model = GCC_FILTER_MODEL_CAPACITY, /* CCR16, eq. (3) */ \
      .stable = GCC_FILTER_STABLE_SIGNAL, /* C15 */ \
      .inverse_capacity_0 = 8. / 512.,    /* ms/byte, C15: 512 kbit/s */ \
      .m_0 = 0.,                          /* ms, C15 */ \
      .E_0 = { 100., 0.1 },               /* C15 */ \
      .Q = { 1e-13, 1e-3 },               /* per group, C16, G02 */ \
      .Q_boost = 10.,                     /* C15 */ \
      .var_0 = 50.,                       /* ms², C15 */ \
      .var_min = 1.,                      /* ms², C15 */ \
      .chi_rate = 30.,                    /* groups/s, C15 */ \
      .chi_start = 0.01,                  /* C15 */ \
      .chi = 0.002,                       /* C15 */ \
      .n_start = 300,                     /* groups, C15 */ \
      .f_max_groups = 60,                 /* groups, C15 */ \
      .max_deviations = 3.,               /* C15 */ \
    }, \
    .detector = { \
      .gamma_0 = 12.5,             /* ms, C15, G02 */ \
      .min_deltas = 2,             /* deltas, C15 */ \
      .n_max = 60,                 /* deltas, C15 */ \
      .k_u = 0.01,                 /* 1/ms, CCR16, G02; C15's trial */ \
      .k_d = 0.00018,              /* 1/ms, CCR16, G02; C15's trial */ \
      .gamma_min = 6.,             /* ms, C15, G02 */ \
      .gamma_max = 600.,           /* ms, C15, G02 */ \
      .max_excess = 15.,           /* ms, C15, G02 */ \
      .max_dt = 100 * GCC_MSECOND, /* C16 */ \
      .overuse_time_ms = 10.,      /* ms, G02; C15's trial */ \
      .min_overuses = 2,           /* groups, C15 */ \
    }, \
  }, \
  .received_rate = { \
    .window = 500 * GCC_MSECOND, /* CCR16; C15: 1 s */ \
    .grows = TRUE,               /* C16 */ \
  }, \
  .rate_control = { \
    .initial_state = GCC_RATE_CONTROL_HOLD, /* C15 */ \
    .rests_in_hold = TRUE,                  /* C15 */ \
    .initial_time = 5 * GCC_SECOND,         /* C15 */ \
    .min_rate = 10000,                      /* bit/s, C16; C15: 30000 */ \
    .initial_rate = 30000000,               /* bit/s, C15 */ \
    .beta = 0.85,                           /* C15; CCR16: 0.8 to 0.95 */ \
    .beta_near_max = 0.85,                  /* C15 */ \
    GOOG_CAPACITY, \
    .unknown_deviations = 3.,                 /* C15 */ \
    .rtt = 200 * GCC_MSECOND,                 /* C15 */ \
    .response_delay = 100 * GCC_MSECOND,      /* C15 */ \
    .reduce_ratio = 2.,                       /* C20; C15: 2.05 */ \
    .min_reduce_interval = 10 * GCC_MSECOND,  /* C15 */ \
    .max_reduce_interval = 200 * GCC_MSECOND, /* C15 */ \
    .aimd = { \
      .min_increase = 1000,                     /* bit/s, C15 */ \
      .max_ratio = 1.5,                         /* CCR16 */ \
      .eta = 1.08,                              /* per s, C15; CCR16: 1.005 to \
                                                   1.3 */ \
      .max_eta_time = 1 * GCC_SECOND,           /* C15 */ \
      .frame_rate = 30.,                        /* 1/s, C15 */ \
      .packet_size = 1200.,                     /* bytes, C15 */ \
      .additive_packets = 0.5,                  /* packets, C15 */ \
      .min_additive_rate = 4000.,               /* bit/s per s, C20 */ \
    }, \
  }, \
  .receiver = { \
    .abs_send_time = TRUE,               /* C15 */ \
    .max_without = 30,                   /* packets, C20 */ \
    .first_interval = 500 * GCC_MSECOND, /* C15 */ \
    .min_interval = 200 * GCC_MSECOND,   /* C15 */ \
    .max_interval = 1000 * GCC_MSECOND,  /* C15 */ \
    .feedback_size = 80.,                /* bytes, C15 */ \
    .feedback_share = 0.05,              /* C15 */ \
    .stream_timeout = 2 * GCC_SECOND,    /* C15 */ \
  }, \
  .remb = { \
    .interval = 200 * GCC_MSECOND, /* C15 */ \
    .drop = 0.97,                  /* C15 */ \
    .early = TRUE,                 /* C15 */ \
  }, \
  .loss_reporter = { \
    .interval = 1 * GCC_SECOND, /* C15 */ \
  }

/* The sender of the browser: it grows faster than eq. (2) prints, and has a
 * start phase and probes, which the paper does not mention. */
const GccProfile gcc_profile_rmcat_2016 = {
  .name = "rmcat-2016",
  .description = "What the AQM paper of 2016 measured: adaptive threshold, "
      "AIMD, loss controller without TFRC, probes at the start",
  RMCAT_2016_RECEIVING,
  .remb_probe = {
    .max_packets = 15,                        /* packets, C15 */
    .max_unpaced_size = 200,                  /* bytes, C15 */
    .duration = 2 * GCC_SECOND,               /* C15 */
    .min_gaps = 4,                            /* gaps, C15 */
    .min_gap_ms = 1.,                         /* ms, C15 */
    .max_deviation_ms = 2.5,                  /* ms, C15 */
    .max_growth_ms = 2.,                      /* ms, C15 */
    .max_drain_ms = 5.,                       /* ms, C15 */
    .expected_clusters = 3,                   /* C15 */
  },
  .loss = {
    .p_low = 0.02,                            /* CCR16, eq. (2); C15 */
    .p_high = 0.10,                           /* CCR16, eq. (2); C15 */
    .increase = 1.08,                         /* C15; CCR16, eq. (2): 1.05 */
    .increase_offset = 1000,                  /* bit/s, C15 */
    .increase_interval = 1 * GCC_SECOND,      /* C15 */
    .increase_from_min = TRUE,                /* C15 */
    .decrease = 0.5,                          /* CCR16, eq. (2); C15 */
    .decrease_interval = 300 * GCC_MSECOND,   /* C15 */
    .reports.min_packets = 20,                /* packets, C15 */
    .report_timeout = 6 * GCC_SECOND,         /* C20; C15 grew on in silence */
    .tick = 25 * GCC_MSECOND,                 /* C20 */
    .reports.interval = 1 * GCC_SECOND,       /* C15 */
  },
  GOOG_FEEDBACK_WATCH (1. /* C15: never */),
  .target = {
    .start_phase = 2 * GCC_SECOND,            /* C15 */
  },
  GOOG_PROTECTION (0),
  ENCODER_RATE (0), /* C15: each change */
  .pacer = {
    GOOG_PACER_GROUPS (2.5 /* C15 */),
    .start_probe = {
      .factors = { 3., 6. },                  /* of the start rate, C15 */
      .n_packets = { 5, 6 },                  /* five gaps each, C15 */
      .min_spacing = 1 * GCC_MSECOND,         /* C15 */
      .prober = {
        .max_pending = 2,                     /* ours: all of them */
        .max_wait = 5 * GCC_SECOND,           /* ours */
        .min_packet = 200,                    /* bytes, C15 */
        .max_late = 3 * GCC_MSECOND,          /* C15 */
      },
    },
  },
};

/* To the letter of the paper's eq. (2). */
const GccProfile gcc_profile_rmcat_2016_eq_2 = {
  .name = "rmcat-2016-eq-2",
  .description = "As rmcat-2016, but the sender to the letter of the paper's "
      "eq. (2), without probes",
  RMCAT_2016_RECEIVING,
  .loss = {
    .p_low = 0.02,                            /* CCR16, eq. (2) */
    .p_high = 0.10,                           /* CCR16, eq. (2) */
    .increase = 1.05,                         /* CCR16, eq. (2) */
    .increase_interval = 1 * GCC_SECOND,      /* C15 */
    .decrease = 0.5,                          /* CCR16, eq. (2) */
    .decrease_interval = 300 * GCC_MSECOND,   /* C15 */
    .reports.min_packets = 20,                /* packets, C15 */
    .reports.interval = 1 * GCC_SECOND,       /* C15 */
  },
  GOOG_FEEDBACK_WATCH (1. /* C15: never */),
  GOOG_PROTECTION (0),
  ENCODER_RATE (0), /* C15: each change */
  GOOG_TRANSPORT_FEEDBACK,
  GOOG_PACER (2.5 /* C15 */),
};
