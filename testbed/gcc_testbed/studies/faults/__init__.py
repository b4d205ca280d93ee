"""What networks and people do to a call, and what becomes of it."""
