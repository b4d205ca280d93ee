"""Recordings of paths, from what measures them."""
