"""Types of the compiled engine (``engine/src/lib.rs``); see ``cranfield.contract``."""

from collections.abc import Sequence
from typing import Any

from cranfield.arrays import Bytes, Floats, Ints
from cranfield.column_contract import IdColumn, PoolsGathered
from cranfield.contract import (
    Agreements,
    Documents,
    Judged,
    JudgedFile,
    Outcomes,
    QrelsColumns,
    Reached,
    Rows,
    RunColumns,
    RunIds,
    Source,
    Table,
)

NAME: str

def read_run(source: Source, layout: str, max_unpacked: int, on_duplicate: str) -> RunColumns: ...
def read_qrels(source: Source, layout: str, max_unpacked: int) -> QrelsColumns: ...
def index(topics: list[str], starts: Ints, data: Bytes, offsets: Ints) -> Any: ...
def judge_file(
    source: Source,
    layout: str,
    max_unpacked: int,
    index: Any,
    ties: str,
    on_duplicate: str,
    threads: int,
    sign: bool,
) -> JudgedFile: ...
def judge_run(
    topics: list[str],
    starts: Ints,
    data: Bytes,
    offsets: Ints,
    score: Floats,
    rank: Ints | None,
    index: Any,
    ties: str,
    on_duplicate: str,
) -> Judged: ...
def count_outcomes(place: Table, order: Ints, cuts: Ints) -> Outcomes: ...
def count_agreements(place: Table, order: Ints, cuts: Ints) -> Agreements: ...
def majority_order(rank: Table, starts: Ints) -> Ints: ...
def count_reached(
    sums: Floats,
    left: Ints,
    right: Ints,
    signed: bool,
    scale: Floats,
    squares: Floats | None,
    levels: Floats,
    largest: Floats,
) -> Reached: ...
def unite_documents(runs: Sequence[RunIds], topics: int) -> Documents: ...
def nested_rows(nested: object, pools: bool) -> Rows | None: ...
def packed_ids(values: list[Any]) -> tuple[Bytes, Ints] | None: ...
def grouped_rows(
    topics: tuple[Bytes, Ints], documents: tuple[Bytes, Ints], score: Floats, rank: Ints | None
) -> tuple[list[str], Ints, Bytes, Ints, Floats, Ints | None] | None: ...
def grouped_pools(topics: tuple[Bytes, Ints], documents: tuple[Bytes, Ints], label: Floats) -> Rows | None: ...
def written_ids(numbers: Ints) -> tuple[Bytes, Ints] | None: ...
def gathered_ids(data: Bytes, offsets: Ints, rows: Ints) -> tuple[Bytes, Ints] | None: ...
def viewed_ids(views: Bytes, buffers: list[Bytes]) -> tuple[Bytes, Ints] | None: ...
def run_lines(
    topics: list[str], starts: Ints, data: Bytes, offsets: Ints, score: Floats, rank: Ints | None, tag: str
) -> list[bytes] | None: ...
def gather_pools(whole_topics: bool, whole_documents: bool, rows: int) -> PoolsGathered: ...
def topic_edges(topics: IdColumn) -> tuple[int, int]: ...
def count_bytes(path: str) -> int: ...
def count_fields(path: str, threads: int) -> tuple[int, int]: ...
