"""Collections that the package contains."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "CranfieldCollection": "cranfield_collection",
        "load_cranfield": "cranfield_collection",
    },
)
