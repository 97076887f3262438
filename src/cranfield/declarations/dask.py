"""The option of a Dask cluster, which commands take that load neither pandas nor SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from cranfield.declarations.option import Option

if TYPE_CHECKING:
    from cranfield._dask import DaskLike

DaskOption: TypeAlias = Annotated[
    "DaskLike | None",
    Option(
        "Address of a Dask cluster to work on, tcp://host:8786, or `local` for workers on this machine; from Python "
        "also a client or a cluster.",
        metavar="ADDRESS",
    ),
]
