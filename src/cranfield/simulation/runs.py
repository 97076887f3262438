"""Simulated collections with a known truth, to try the package and to test it.

When a collection is written to a folder, only files that an earlier simulation wrote are replaced.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from cranfield._text import counted, in_full, warn
from cranfield._typing import Floats
from cranfield.collection.ids import TextColumn
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.declarations.analysis import ByHand, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.errors import InputError
from cranfield.escaping import file_name
from cranfield.io.atomic_write import make_folder, together
from cranfield.io.trec import trec_lines
from cranfield.results.result import Result, Tables, signed

CHECKSUMS = "simulated.sha256"
"""The list of files of a simulation, as ``sha256sum`` writes it: content that has its checksum is ours to replace."""
LINE = re.compile(r"([0-9a-f]{64})  (qrels\.txt|truth\.tsv|runs/[^/]+\.run)")
"""A checksum, and one of the names that a simulation gives: no line leads out of the folder."""


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedRuns(Result):
    """A simulated collection, and the true quality of each of its systems.

    Args:
        qrels: labels 0 to 3.
        runs: one a system, in the order of ``quality``.
        quality: correlation of a system's scores with relevance, before its noise on each topic.
        settings: systems, topics, depth, seed.
        signature: all that changes this collection.

    Its rows are the truth: each ``system`` and its ``quality``.
    """

    qrels: Qrels
    runs: tuple[Run, ...]
    quality: tuple[float, ...]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        import pandas as pd

        names = [run.name for run in self.runs]
        return {"truth": lambda: pd.DataFrame({"system": names, "quality": self.quality})}

    def write_collection(self, folder: Path) -> tuple[Path, Path, list[Path]]:
        """Write ``qrels.txt``, ``truth.tsv`` and ``runs/NAME.run`` into a folder, which is created if missing.

        What an earlier simulation wrote there is replaced; the checksums that it left in ``simulated.sha256`` say what
        that is, and a warning counts them. Other files of these names are never touched. All files appear together at
        the end, or none.

        Raises:
            InputError: the folder cannot be written to, or holds files of these names that no simulation wrote.
        """
        qrels, truth = folder / "qrels.txt", folder / "truth.tsv"
        paths = [folder / "runs" / f"{file_name(run.name)}.run" for run in self.runs]
        lines = [f"{run.name}\t{quality:.6f}\n" for run, quality in zip(self.runs, self.quality, strict=True)]
        with make_folder(folder / "runs"):
            replace_simulated(
                folder,
                itertools.chain(
                    [(qrels, trec_lines(self.qrels))],
                    ((path, trec_lines(run)) for run, path in zip(self.runs, paths, strict=True)),
                    [(truth, [("system\tquality\n" + "".join(lines)).encode("utf-8", "surrogateescape")])],
                ),
            )
        return qrels, truth, paths


@analysis(
    "simulate runs",
    "Write a small collection with known quality of systems.",
    ByHand(),
    examples=("-o simulated", "-o simulated --n-systems 20 --n-topics 50"),
)
def simulate_runs(
    *,
    n_systems: Annotated[int, Option("Number of systems.", low=1, high=10_000)] = 12,
    n_topics: Annotated[int, Option("Number of topics.", low=1, high=100_000)] = 25,
    depth: Annotated[int, Option("Documents that a system retrieves for a topic.", low=1, high=100_000)] = 100,
    seed: SeedOption = 1,
) -> SimulatedRuns:
    """Simulate a collection in which the best system is known.

    Each topic has 4 * depth documents with a hidden relevance x ~ N(0, 1); labels cut x at the topic's own levels, so
    that topics differ in difficulty. System s gives document d the score q_s x_d + sqrt(1 - q_s^2) e_sd, e ~ N(0, 1),
    with q_s from 0.9 down to 0.3 plus a little noise for each topic, and retrieves its ``depth`` best. The expected
    value of every sensible measure falls with q. The half of the documents that most systems retrieve is judged.

    Raises:
        UsageError: a number outside its range.
    """
    rng = np.random.default_rng(seed)
    quality = np.linspace(0.9, 0.3, n_systems) if n_systems > 1 else np.array([0.9])
    pool = 4 * depth
    names = [f"doc{number:0{len(str(pool * n_topics))}d}" for number in range(pool * n_topics)]
    labels: dict[str, dict[str, float]] = {}
    retrieved = np.empty((n_systems, n_topics, depth), dtype=np.int64)
    score = np.empty((n_systems, n_topics, depth))
    for topic in range(n_topics):
        judged, grades, order, score[:, topic] = _one_topic(rng, quality, depth)
        first = topic * pool
        retrieved[:, topic] = order + first
        labels[str(topic + 1)] = {
            names[first + document]: float(grade) for document, grade in zip(judged, grades, strict=True)
        }
    order_of_systems = rng.permutation(n_systems)
    settings = record_options(simulate_runs, locals())
    documents = TextColumn.from_strings(names)
    return SimulatedRuns(
        Qrels.from_dict(labels, name="qrels"),
        tuple(
            Run(
                f"system{number + 1:0{len(str(n_systems))}d}",
                labels,
                np.arange(0, n_topics * depth + 1, depth),
                documents.take(retrieved[system].ravel()),
                score[system].ravel(),
                tag=f"system{number + 1:0{len(str(n_systems))}d}",
            )
            for number, system in enumerate(order_of_systems.tolist())
        ),
        tuple(quality[order_of_systems].tolist()),
        settings,
        signed("simulated runs", settings),
    )


def _one_topic(
    rng: np.random.Generator, quality: Floats, depth: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], Floats]:
    """Judged documents, their labels, and every system's best documents [systems, depth] with their scores."""
    systems, pool = len(quality), 4 * depth
    relevance = rng.standard_normal(pool)
    own = np.clip(quality + 0.1 * rng.standard_normal(systems), 0.0, 0.99)[:, None]
    scores = own * relevance + np.sqrt(1 - own**2) * rng.standard_normal((systems, pool))
    order = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    votes = np.bincount(order.ravel(), minlength=pool)
    judged = np.sort(np.argsort(-votes, kind="stable")[: pool // 2])
    levels = rng.uniform(0.8, 1.6) + np.array([0.0, 0.5, 1.0])
    grades = np.searchsorted(levels, relevance[judged], side="right")
    return judged, grades, order, np.round(np.take_along_axis(scores, order, axis=1), 6)


def replace_simulated(folder: Path, files: Iterable[tuple[Path, Sequence[bytes]]]) -> None:
    """Write a collection's files, all or none, and remove leftover runs of an earlier simulation.

    Args:
        folder: that holds them.
        files: paths below it and their text, in blocks.

    Raises:
        InputError: a file cannot be written, or is there already and neither of this content nor of an earlier
            simulation.
    """
    sums = folder / CHECKSUMS
    earlier = _sums(sums)
    if _is_there(sums) and not earlier:
        raise _foreign(sums)
    new: dict[str, str] = {}
    replaced = 0
    with together() as add:
        for path, blocks in files:
            data, name = b"".join(blocks), path.relative_to(folder).as_posix()
            new[name] = hashlib.sha256(data).hexdigest()
            if _is_there(path) and (digest := _sum(path)) != new[name]:
                if digest != earlier.get(name):
                    earlier |= _sums(sums)  # of another process, which has ended meanwhile
                if digest != earlier.get(name):
                    raise _foreign(path)
                replaced += 1
            add(path, data)
        add(sums, "".join(f"{digest}  {name}\n" for name, digest in new.items()).encode("utf-8", "surrogateescape"))
    # Left there, they would be scored with the new ones.
    removed = [name for name in earlier.keys() - new.keys() if _sum(folder / name) == earlier[name]]
    for name in removed:
        (folder / name).unlink(missing_ok=True)
    if replaced or removed:
        warn(
            f"{in_full(str(folder))}: {counted(replaced, 'file')} of an earlier simulation replaced, "
            f"{len(removed):,} removed"
        )


def _is_there(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110  (unlike Path, it answers for any folder)


def _foreign(path: Path) -> InputError:
    return InputError(
        f"{in_full(str(path))}: exists already and was not written by an earlier simulation: "
        "remove it, or name another folder"
    )


def _sums(path: Path) -> dict[str, str]:
    """Name -> checksum; nothing where the file is missing, or is not one that a simulation wrote."""
    with contextlib.suppress(OSError):
        lines = path.read_bytes().decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
        matches = [LINE.fullmatch(line) for line in lines]
        return {match[2]: match[1] for match in matches if match} if all(matches) else {}
    return {}


def _sum(path: Path) -> str:
    """The checksum of a file's content; empty for anything that is not a readable file."""
    with contextlib.suppress(OSError):
        if path.is_file():
            with path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
    return ""
