"""A call as data: link, flows, their addresses, and the files of a run."""
