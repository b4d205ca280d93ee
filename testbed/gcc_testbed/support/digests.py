"""Short names for long texts."""

from __future__ import annotations

import hashlib


def digest(text: str) -> str:
    """Eight hexadecimal digits that stand for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]
