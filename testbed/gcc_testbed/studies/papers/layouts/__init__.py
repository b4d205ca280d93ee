"""The kinds of figures a paper has; paper.toml names one for each."""
