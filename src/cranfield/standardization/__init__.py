"""Scores on a scale that topics share."""
