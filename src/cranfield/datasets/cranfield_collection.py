"""The Cranfield collection of 1967: its judgments, its queries, and six runs on it, from files of the package."""

from __future__ import annotations

import itertools
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np

from cranfield._text import in_full
from cranfield.collection.ids import TextColumn
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.collection.topics import TopicText
from cranfield.errors import InputError
from cranfield.io.atomic_write import make_folder, together
from cranfield.io.topic_files import read_topics
from cranfield.io.trec import trec_lines

RUNS = ("bm25", "bm25-b04", "dirichlet-100", "dirichlet-1000", "jelinek-mercer", "tf-idf")
"""Names of the systems."""
SCALE = 100_000
"""Scores are stored as whole multiples of 1 / SCALE."""


@dataclass(frozen=True, eq=False, repr=False)
class CranfieldCollection:
    """The Cranfield collection, as far as an evaluation needs it: 225 queries on 1,400 abstracts about aerodynamics.

    Args:
        qrels: labels 4 (a complete answer) to 1 (of minimal interest) of 1,612 pairs of topic and document, and 0 of
            the 225 source documents.
        runs: six systems, the 100 best documents of each topic.
        topics: topic -> its query.
        sources: the document from which each query arose, with label 0, for ``Qrels.excluding``.
    """

    qrels: Qrels
    runs: tuple[Run, ...]
    topics: Mapping[str, TopicText]
    sources: Qrels

    def __repr__(self) -> str:
        return f"CranfieldCollection({len(self.topics)} topics, {len(self.runs)} runs)"

    def write_collection(self, folder: Path) -> list[Path]:
        """Write ``qrels.txt``, ``sources.txt``, ``topics.tsv``, ``README.md`` and ``runs/NAME.run`` into a folder.

        The folder is created if missing. All files appear together at the end, or none; files that are there and equal
        stay as they are.

        Args:
            folder: that gets them.

        Returns:
            Their paths.

        Raises:
            InputError: the folder cannot be written to, or holds a file of one of these names and other content.
        """
        texts = {name: _read_text(name).encode() for name in ("qrels.txt", "sources.txt", "topics.tsv", "README.md")}
        texts |= {f"runs/{run.name}.run": b"".join(trec_lines(run)) for run in self.runs}
        with make_folder(folder / "runs"), together() as add:
            for name, text in texts.items():
                _refuse_other_content(folder / name, text)
                add(folder / name, text)
        return [folder / name for name in texts]


def load_cranfield() -> CranfieldCollection:
    """Load the Cranfield collection: real judgments and six real runs, without a network.

    The judgments are those of Cleverdon's second experiment. Their codes 1 to 4, where 1 is best, are labels 4 to 1
    here. Code -1, of which each topic has one, marks the document from which its query arose: it has the label 0, and
    stands in ``sources`` too, as it is neither judged nor irrelevant. A document without a label was of no interest to
    the judges. The runs are BM25 at two settings, query likelihood with Dirichlet smoothing at two settings and with
    Jelinek-Mercer smoothing, and TF-IDF.

    Returns:
        The judgments, the runs and the queries. The abstracts are not part of it.

    References:
        Cleverdon 1967, The Cranfield tests on index language devices. doi:10.1108/eb050097

    >>> import cranfield
    >>> collection = cranfield.load_cranfield()
    >>> collection
    CranfieldCollection(225 topics, 6 runs)
    >>> collection.topics["3"].query
    'what problems of heat conduction in composite slabs have been solved so far'
    >>> scores = cranfield.evaluate(runs=collection.runs, qrels=collection.qrels, measures="AP")
    >>> cranfield.summarize(scores).round(3)["AP"].idxmax()
    'tf-idf'
    """
    queries = dict(line.split("\t") for line in _read_text("topics.tsv").splitlines())
    return CranfieldCollection(
        _read_judgments("qrels"), tuple(map(_read_run, RUNS)), read_topics(queries), _read_judgments("sources")
    )


def _read_text(name: str) -> str:
    """The text of a file of the collection, also where the package is a zip archive."""
    folder = files("cranfield.datasets").joinpath("cranfield_1400")
    if name == "README.md":
        return folder.joinpath(name).read_text("utf-8")
    return lzma.decompress(folder.joinpath(f"{name}.xz").read_bytes()).decode("ascii")


def _read_judgments(name: str) -> Qrels:
    labels: dict[str, dict[str, float]] = {}
    for line in _read_text(f"{name}.txt").splitlines():
        topic, _, document, label = line.split()
        labels.setdefault(topic, {})[document] = float(label)
    return Qrels.from_dict(labels, name=name)


def _read_run(name: str) -> Run:
    """Read lines of topic, documents, and scores as the first one and what each is less than the one before."""
    topics, lengths = [], []
    documents: list[str] = []
    scores = []
    for topic, ids, drops in _read_lists(f"{name}.tsv"):
        topics.append(topic)
        lengths.append(len(ids))
        documents += ids
        scores.append((2 * drops[0] - np.cumsum(drops)) / SCALE)
    return Run(
        name,
        topics,
        np.array([0, *itertools.accumulate(lengths)], dtype=np.int64),
        TextColumn.from_strings(documents),
        np.concatenate(scores),
        np.concatenate([np.arange(1, length + 1) for length in lengths]),
        tag=name,
    )


def _read_lists(name: str) -> Iterator[tuple[str, Sequence[str], np.ndarray[tuple[int], np.dtype[np.int64]]]]:
    for line in _read_text(name).splitlines():
        topic, ids, drops = line.split("\t")
        yield topic, ids.split(), np.array(drops.split(), dtype=np.int64)


def _refuse_other_content(path: Path, text: bytes) -> None:
    """Raises: InputError: a file of this name has other content."""
    if path.is_file() and path.read_bytes() != text:
        raise InputError(f"{in_full(str(path))}: exists already, with other content: remove it, or name another folder")
