"""Studies of many calls: sweeps, papers, the scorecard, and faults."""
