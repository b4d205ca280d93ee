"""Calls drawn where calls go wrong."""
