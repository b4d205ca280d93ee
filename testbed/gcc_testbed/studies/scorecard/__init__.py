"""The scorecard: one fixed set of calls, ours beside what else could be used."""
