"""Many calls: a grid over scenario keys, run by Snakemake, gathered in a table."""
