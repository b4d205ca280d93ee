"""Common parts: errors, paths, processes, output. They do not depend on calls."""
