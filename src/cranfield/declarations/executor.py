"""The option of who works, which commands take that load neither pandas nor SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from cranfield.declarations.option import Option

if TYPE_CHECKING:
    from cranfield._executor import ExecutorLike

ExecutorOption: TypeAlias = Annotated[
    "ExecutorLike | None",
    Option(
        "Address of a Dask cluster to work on, tcp://host:8786, or `local` for workers on this machine; from Python "
        "also a client or a cluster, or any executor of ``concurrent.futures``.",
        flags=("--dask",),
        metavar="ADDRESS",
        recorded=False,
    ),
]
