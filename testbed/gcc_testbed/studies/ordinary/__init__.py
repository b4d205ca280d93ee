"""Calls drawn as most people make them."""
