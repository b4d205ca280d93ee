"""Measures a finished call from the files in its directory alone."""
