"""Types of the compiled engine (``engine/src/lib.rs``); see ``cranfield.contract``."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Bytes, Floats, Ints
from cranfield.column_contract import IdColumn, PoolsGathered
from cranfield.contract import (
    Agreements,
    Documents,
    Judged,
    JudgedFile,
    Outcomes,
    QrelsColumns,
    Rows,
    RunColumns,
    RunIds,
    Source,
    Table,
)
from cranfield.sampling_contract import Reached

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
def pack_outcomes(place: Table, first: Ints, second: Ints) -> Bytes: ...
def look_up_sums(codes: Bytes, tables: Floats) -> Floats: ...
def sum_by_code(codes: Bytes, values: Floats) -> Floats: ...
def majority_order(rank: Table, starts: Ints) -> Ints: ...
def sum_ascending(row: Ints, values: Floats, rows: int) -> Floats: ...
def count_leads(table: Table, left: Ints, right: Ints) -> Ints: ...
def sum_by_rank(row: Ints, starts: Ints, weight: Floats, rows: int) -> Floats: ...
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
def count_decisions(columns: Floats, left: Ints, right: Ints, fuzziness: float, slack: float) -> tuple[Ints, Ints]: ...
def keep_statistics(
    moments: Floats,
    squares: Floats,
    limit: Floats,
    floor: Floats,
    cap: float,
    begin: int,
    into_ratio: Floats,
    into_moments: Floats,
) -> Ints: ...
def kth_places(values: Floats, begins: Ints, ends: Ints, kth: Ints) -> Ints: ...
def unite_documents(runs: Sequence[RunIds], topics: int) -> Documents: ...
def order_lists(
    starts: Ints,
    topics: Ints,
    bounds: Ints,
    document: NDArray[np.int32],
    score: Floats,
    rank: Ints | None,
    ties: str,
    into_document: NDArray[np.int32],
    into_score: Floats,
) -> Ints | None: ...
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
def score_rows(
    data: Bytes, offsets: Ints, cells: Floats, lead: bytes, measures: list[bytes], ends: list[bytes], missing: bytes
) -> bytes | None: ...
def gather_pools(whole_topics: bool, whole_documents: bool, rows: int) -> PoolsGathered: ...
def topic_edges(topics: IdColumn) -> tuple[int, int]: ...
def count_bytes(path: str) -> int: ...
def count_fields(path: str, threads: int) -> tuple[int, int]: ...
