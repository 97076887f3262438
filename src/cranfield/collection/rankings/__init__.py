"""Rankings, and what they are made of: sums over lists, best lists, ties, and tables rank by rank."""

from cranfield.collection.rankings.dense import DENSE
from cranfield.collection.rankings.rankings import KEPT, Rankings
from cranfield.collection.rankings.segments import CELLS, LONG, PerRanking
from cranfield.collection.rankings.ties import TieGroups

__all__ = ["CELLS", "DENSE", "KEPT", "LONG", "PerRanking", "Rankings", "TieGroups"]
