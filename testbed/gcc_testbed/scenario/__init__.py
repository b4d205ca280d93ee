"""What a call is, as data: link, flows, their addresses, and the files a run leaves."""
