"""Calls drawn at random, each reproducible by its name: parts of all studies that draw some."""
