"""Scores on a scale that topics share: schemes, factors that are learnt once, and a study of what they do."""
