"""Rankings, and what they are made of: sums over lists, best lists, ties, and tables rank by rank."""

from cranfield.collection.rankings.rankings import CACHED, DENSE, Orders, Rankings, TieGroups
from cranfield.collection.rankings.segments import CELLS, LONG, PerRanking

__all__ = ["CACHED", "CELLS", "DENSE", "LONG", "Orders", "PerRanking", "Rankings", "TieGroups"]
