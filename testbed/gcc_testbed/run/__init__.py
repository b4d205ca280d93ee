"""Makes a call: topology, pipelines and traffic, in a world that runs them."""
