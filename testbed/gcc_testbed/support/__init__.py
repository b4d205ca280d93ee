"""What every part needs: errors, paths, processes, output. Knows nothing of calls."""
