"""Published results reproduced: the calls of a paper, its figures, and verdicts."""
