"""Measures of diversity: several intents behind one query. They need judgments whose field 2 names the intent."""
