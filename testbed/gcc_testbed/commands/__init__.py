"""What a user types: a module for each command."""
