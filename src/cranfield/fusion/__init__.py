"""One list from several: methods of fusion, and what no fusion should be expected to pass."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Headroom": "headroom",
        "compute_fusion_bounds": "headroom",
        "estimate_headroom": "headroom",
        "fuse": "combination",
    },
)
