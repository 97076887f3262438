"""Are two systems different? Tests of pairs and of many systems, intervals, groups, and topic set sizes."""
