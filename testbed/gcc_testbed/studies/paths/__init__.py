"""Calls on recordings of paths, drawn at random, each reproducible by its name."""
