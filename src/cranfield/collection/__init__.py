"""The nouns: Run, Qrels, the pool of each topic, and Rankings (runs seen through qrels). No file is opened here."""
