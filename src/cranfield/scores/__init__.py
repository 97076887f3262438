"""Scores of systems on topics: kept, labelled, ordered, summarised, signed, read and written."""
