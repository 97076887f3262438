"""Rankings, and what they are made of: sums over lists, best lists, ties, and tables rank by rank."""

from cranfield.collection.rankings.rankings import DENSE, KEPT, Rankings, TieGroups
from cranfield.collection.rankings.segments import CELLS, LONG, PerRanking

__all__ = ["CELLS", "DENSE", "KEPT", "LONG", "PerRanking", "Rankings", "TieGroups"]
