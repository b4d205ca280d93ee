"""Every line that the project publishes: found in its text, and run as it stands."""
