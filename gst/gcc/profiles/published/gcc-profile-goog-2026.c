/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The sender over transport-wide feedback. Where no such feedback comes, the
 * profile is goog-2020: libwebrtc has no newer REMB generation. */

#include <gst/gcc/profiles/gcc-goog-2026.h>

#include <gst/gcc/profiles/gcc-profile-parts.h>

const GccSentHistoryParams gcc_goog_2026_sent_history = {
  .max_age = 60 * GCC_SECOND, /* C26 */
};

const GccAcknowledgedRateParams gcc_goog_2026_acknowledged_rate = {
  .window_packets = 20,             /* packets, C26 */
  .min_window = 1 * GCC_SECOND,     /* C26 */
  .max_packets = 500,               /* packets, C26 */
  .max_window = 5 * GCC_SECOND,     /* C26 */
  .required_packets = 10,           /* packets, C26 */
  .max_reordering = 1 * GCC_SECOND, /* C26 */
  .unnumbered_weight = 1.,          /* C26 */
};

const GccInterArrivalParams gcc_goog_2026_inter_arrival = {
  .group_length = 5 * GCC_MSECOND,  /* C26 */
  .tick = 1 * GCC_MSECOND,          /* C26: of its send times */
  .max_burst_gap = 5 * GCC_MSECOND, /* C26 */
  .max_burst = 100 * GCC_MSECOND,   /* C26 */
  .max_jump = 3 * GCC_SECOND,       /* C26 */
  .max_reordered = 3,               /* groups, C26 */
};

const GccTrendlineParams gcc_goog_2026_trendline = {
  .window = 20,       /* deltas, C26 */
  .smoothing = 0.9,   /* C26 */
  .gain = 4.,         /* C26 */
  .max_deltas = 1000, /* deltas, C26 */
};

const GccProbeEstimatorParams gcc_goog_2026_probe_estimator = {
  .min_share = 0.8,               /* C26 */
  .max_interval = 1 * GCC_SECOND, /* C26 */
  .max_ratio = 2.,                /* C26 */
  .link_ratio = 0.9,              /* C26 */
  .utilization = 0.95,            /* C26 */
  .max_age = 1 * GCC_SECOND,      /* C26 */
};

const GccAlrDetectorParams gcc_goog_2026_alr_detector = {
  .usage = 0.8,                /* C26, by a trial that is on */
  .window = 500 * GCC_MSECOND, /* C26 */
  .start = 0.4,                /* C26, by a trial that is on */
  .stop = -0.6,                /* C26, by a trial that is on */
};

const GccCongestionWindowParams gcc_goog_2026_congestion_window = {
  .n_feedbacks = 32,          /* feedbacks, C26 */
  .queue = 350 * GCC_MSECOND, /* C26, by a trial that is on */
  .min_window = 3000,         /* bytes, C26 */
  .min_rate = 30000,          /* bit/s, C26, by a trial that is on */
  .drops_frames = TRUE,       /* C26, by a trial that is on */
  .very_full = 1.5,           /* C26 */
  .full = 1.,                 /* C26 */
  .idle = 0.1,                /* C26 */
  .very_full_factor = 0.9,    /* C26 */
  .full_factor = 0.95,        /* C26 */
  .recovery_factor = 1.05,    /* C26 */
};

const GccRttBackoffParams gcc_goog_2026_rtt_backoff = {
  .max_rtt = 3 * GCC_SECOND,  /* C26 */
  .decrease = 0.8,            /* C26 */
  .interval = 1 * GCC_SECOND, /* C26 */
  .min_rate = 5000,           /* bit/s, C26 */
};

const GccProberParams gcc_goog_2026_prober = {
  .max_pending = 5,             /* clusters, C26 */
  .max_wait = 5 * GCC_SECOND,   /* C26 */
  .min_packet = 200,            /* bytes, C26 */
  .max_late = 10 * GCC_MSECOND, /* C26 */
  .max_early = 1 * GCC_MSECOND, /* C26 */
};

const GccProbeControllerParams gcc_goog_2026_probe_controller = {
  GOOG_2026_PROBE_CONTROLLER,
};

const GccLossEstimateParams gcc_goog_2026_loss_estimate = {
  .observation = 250 * GCC_MSECOND,     /* C26 */
  .window = 15,                         /* observations, C26 */
  .min_observations = 3,                /* observations, C26 */
  .rate_smoothing = 0.,                 /* C26 */
  .weight = 0.9,                        /* C26 */
  .average_weight = 0.9,                /* C26 */
  .median_factor = 2.,                  /* C26 */
  .factors = { 1.02, 1., 0.95 },        /* C26 */
  .acknowledged_factor = 1.,            /* C26 */
  .acknowledged_in_alr = FALSE,         /* C26 */
  .delay_based_candidate = TRUE,        /* C26 */
  .upper_bound_candidate = FALSE,       /* C26 */
  .bias = 0.0002,                       /* per kbit/s, C26 */
  .log_bias = 0.02,                     /* per ln (1 + kbit/s), C26 */
  .bias_threshold = 0.2,                /* fraction lost, C26 */
  .bias_smoothing = 0.002,              /* fraction lost, C26 */
  .inherent_0 = 0.01,                   /* fraction lost, C26 */
  .inherent_min = 0.001,                /* fraction lost, C26 */
  .inherent_max = 0.05,                 /* fraction lost, C26 */
  .inherent_balance = 100000,           /* bit/s, C26 */
  .newton_steps = 1,                    /* steps, C26 */
  .newton_step = 0.75,                  /* C26 */
  .bound_offset = 0.05,                 /* fraction lost, C26 */
  .bound_balance = 100000,              /* bit/s, C26 */
  .bounds_best = TRUE,                  /* C26 */
  .ramp_up = 1.5,                       /* C26 */
  .held_ramp_up = 1.2,                  /* C26 */
  .held_threshold = 1.3,                /* C26 */
  .max_increase = 1.3,                  /* C26 */
  .increase_window = 300 * GCC_MSECOND, /* C26 */
  .needs_inherent = TRUE,               /* C26 */
  .hold_0 = 300 * GCC_MSECOND,          /* C26 */
  .hold_factor = 2.,                    /* C26 */
  .hold_max = 60 * GCC_SECOND,          /* C26 */
  .floor = 1.,                          /* C26 */
  .min_rate = 1000,                     /* bit/s, C26 */
  .min_window_rate = 5000,              /* bit/s, C26 */
  .padding = 2 * GCC_SECOND,            /* C26 */
};

const GccBayesianRateParams gcc_goog_2026_bayesian_rate = {
  .first_window = 500 * GCC_MSECOND, /* C26 */
  .window = 150 * GCC_MSECOND,       /* C26 */
  .scale = 10.,                      /* kbit/s, C26 */
  .variance_0 = 50.,                 /* (kbit/s)², C26 */
  .variance_growth = 5.,             /* (kbit/s)², C26 */
  .alr_variance = 200.,              /* (kbit/s)², C26 */
};

const GccOveruseDetectorParams gcc_goog_2026_overuse_detector = {
  .gamma_0 = 12.5,             /* ms, C26 */
  .min_deltas = 2,             /* deltas, C26 */
  .n_max = 60,                 /* deltas, C26 */
  .k_u = 0.0087,               /* 1/ms, C26 */
  .k_d = 0.039,                /* 1/ms, C26 */
  .gamma_min = 6.,             /* ms, C26 */
  .gamma_max = 600.,           /* ms, C26 */
  .max_excess = 15.,           /* ms, C26 */
  .max_dt = 100 * GCC_MSECOND, /* C26 */
  .overuse_time_ms = 10.,      /* ms, C26 */
  .min_overuses = 2,           /* groups, C26 */
};

const GccRateControlParams gcc_goog_2026_rate_control = {
  GOOG_2026_RATE_CONTROL, .beta = 0.85, /* C26 */
  .beta_near_max = 0.85,                /* C26 */
  .decrease_offset = 5000,              /* bit/s, C26 */
};

const GccSendSideParams gcc_goog_2026_send_side = {
  GOOG_2026_SEND_SIDE, .delay.trendline = &gcc_goog_2026_trendline,
  .delay.detector = &gcc_goog_2026_overuse_detector,
  .rate_control = &gcc_goog_2026_rate_control,
  .probes = &gcc_goog_2026_probe_estimator,
  .probe_controller = &gcc_goog_2026_probe_controller,
  .probes_lower = TRUE,       /* C26 */
  .holds_media = TRUE,        /* C26 */
  .pads = TRUE,               /* C26 */
  .first_pacing_factor = 2.5, /* C26 */
  .pacing_factor = 1.1,       /* C26 */
};

const GccProfile gcc_profile_goog_2026 = {
  .name = "goog-2026",
  .description = "libwebrtc of 2026: the sender measures, over transport-wide "
                 "feedback, and probes; goog-2020 where none comes",
  GOOG_2020_STAGES,
  GOOG_TRANSPORT_WATCH,
  .pacer = {
    GOOG_PACER_GROUPS (0. /* ours */),
    .repays_probes = TRUE, /* C26 */
  },
  .send_side = &gcc_goog_2026_send_side,
};
