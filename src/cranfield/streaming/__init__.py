"""What is larger than memory: scores that are read in blocks, runs that are scored in parts, and clusters that help."""
