"""Shows a measured call: plots, the summary, a page."""
