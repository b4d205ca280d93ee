"""Scripted calls over real Linux qdiscs, measured packet by packet."""

__version__ = "0.3.0"
