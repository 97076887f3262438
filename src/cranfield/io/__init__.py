"""Files: reading and writing runs and judgments, names of systems, words for what is wrong."""
