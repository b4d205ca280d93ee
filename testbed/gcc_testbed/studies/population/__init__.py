"""Calls drawn at random, each reproducible by its name."""
