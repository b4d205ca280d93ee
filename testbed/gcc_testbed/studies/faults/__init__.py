"""Faults of networks and people, and their effect on a call."""
