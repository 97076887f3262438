"""Public names of ``cranfield.fusion``, from the modules that define them."""

from cranfield.fusion.headroom import compute_fusion_bounds as compute_fusion_bounds

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.fusion.combination import fuse as fuse
from cranfield.fusion.headroom import Headroom as Headroom
from cranfield.fusion.headroom import estimate_headroom as estimate_headroom
