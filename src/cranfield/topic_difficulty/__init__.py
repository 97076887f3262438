"""How hard topics are: the share of systems that beat a random order of the pool, and what came before that idea."""
