"""Runs rewritten before they are judged: passages become documents, and rows that an evaluation leaves out go."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from cranfield._text import quoted
from cranfield._typing import Ints
from cranfield.collection.ids import TextColumn
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.errors import InputError
from cranfield.findings.location import Location


def rewritten(run: Run, policy: Policy, excluded: Qrels | None = None) -> Run:
    """A run as the policy wants it: documents for passages, then without own documents and excluded ones.

    Rows keep their order, and ranks close up when the run is judged. A run that was rewritten before is left as it is.

    Args:
        run: as it was read.
        policy: how runs are read.
        excluded: documents that are left out, topic by topic.

    Raises:
        InputError: nothing is left; or a passage occurs twice in a topic, which the policy refuses.
    """
    if run.rewritten or not (policy.rewrites or excluded):
        return run
    documents, rank = run.documents.tobytes(), run.rank
    rows: Iterable[int] = range(len(documents))
    if policy.passages:
        if policy.on_duplicate == "error":
            run.check_unrepeated()
        # The part before the last separator; the complete id where there is none, or nothing before it.
        documents = [text.rpartition(policy.passages.encode())[0] or text for text in documents]
        rows, rank = _best_passages(run, documents)
    removed = _documents_to_remove(run, policy, excluded)
    topic = np.repeat(np.arange(len(run.topics)), np.diff(run.starts))
    topic_of_row = topic.tolist()
    remaining = np.array([row for row in rows if documents[row] not in removed[topic_of_row[row]]], dtype=np.int64)
    if not len(remaining):
        text = "nothing is left of the run without the documents that are to be left out"
        raise InputError(text, Location(run.path) if run.path else f"run {quoted(run.name)}", code="empty")
    present, size = np.unique(topic[remaining], return_counts=True)
    return Run(
        run.name,
        [run.topics[number] for number in present.tolist()],
        np.concatenate([[0], np.cumsum(size)]).astype(np.int64),
        TextColumn.from_bytes([documents[row] for row in remaining.tolist()]),
        run.score[remaining],
        None if rank is None else rank[remaining],
        tag=run.tag,
        path=run.path,
        sha256=run.sha256,
        rewritten=True,
    )


def _documents_to_remove(run: Run, policy: Policy, excluded: Qrels | None) -> list[set[bytes]]:
    """Documents that leave the list of each topic of the run."""
    removed = [{topic.encode()} if policy.own_document == "drop" else set() for topic in run.topics]
    if excluded is not None:
        excluded_ids = excluded.ids_by_topic()
        for topic, ids in zip(run.topics, removed, strict=True):
            ids.update(excluded_ids.get(topic, ()))
    return removed


def _best_passages(run: Run, documents: list[bytes]) -> tuple[list[int], Ints | None]:
    """The row of each document's best passage, ascending, and ranks, of which each such row has its document's best.

    The best passage has the largest score; of equal ones the first as written.
    """
    score, rank = run.score.tolist(), None if run.rank is None else run.rank.copy()
    best_rows: list[int] = []
    for a, b in pairwise(run.starts.tolist()):
        rows: dict[bytes, list[int]] = {}
        for row in range(a, b):
            rows.setdefault(documents[row], []).append(row)
        for passages in rows.values():
            best = max(passages, key=score.__getitem__)
            best_rows.append(best)
            if rank is not None:
                rank[best] = rank[passages].min()
    return sorted(best_rows), rank
