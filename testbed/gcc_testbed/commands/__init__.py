"""The commands of a user: a module for each."""
