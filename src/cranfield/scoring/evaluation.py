"""Scores, and all that changed them: what an evaluation returns, and its signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield import engine
from cranfield._version import package_version
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.errors import UsageError
from cranfield.findings.finding import Finding
from cranfield.io.inputs import NamedRun
from cranfield.io.skipped_runs import signed_left_out
from cranfield.measures import Measure
from cranfield.scores.relevance_level import count_labels
from cranfield.scores.scale import Scale
from cranfield.scores.signature import fingerprint, sign_qrels
from cranfield.scores.table import ScoreTable
from cranfield.scoring.compute import TieBounds

if TYPE_CHECKING:
    from cranfield.scores.premises import Premise


@dataclass(frozen=True, eq=False, kw_only=True)
class Evaluation(ScoreTable):
    """A table of scores, with all that ``score`` knows of it.

    Args:
        measures: in the order of the request, duplicates merged.
        tags: run tag of each system.
        policy: how odd cases were read.
        qrels: the judgments.
        runs: where each system came from.
        remarks: what a careful reader should know of the data.
        bounds: the source of each value's interval, or none.
        rankings: all lists, if ``score`` kept them.
        hashes: SHA-256 of the file of each run as it was read; empty for a run in memory, or where nothing is signed.
        unjudged: of each run, cutoff -> share of its first documents that is not judged, where there are any; empty
            where nobody asked.
        absent: of each run, the share of judged topics that it lacks, where many count as empty rankings, or any are
            left out of its means; else 0.
    """

    measures: tuple[Measure, ...]
    tags: tuple[str, ...]
    policy: Policy
    qrels: Qrels
    runs: tuple[NamedRun, ...]
    remarks: tuple[Finding, ...] = field(repr=False)
    bounds: TieBounds = "none"
    rankings: Rankings | None = field(default=None, repr=False)
    hashes: tuple[str, ...] = field(default=(), repr=False)
    unjudged: tuple[Mapping[str, float], ...] = field(default=(), repr=False)
    absent: tuple[float, ...] = field(default=(), repr=False)

    def signature(self) -> dict[str, Any]:
        """All that changes these numbers, see ``make_signature``.

        Raises:
            UsageError: they were scored with ``sign=False``.
        """
        if self.source is None:
            raise UsageError("these scores were made with sign=False, so that their runs were not hashed")
        return dict(self.source)

    def chosen(self, systems: Sequence[str], measures: Sequence[Measure]) -> Evaluation:
        """A subset of systems and measures in this order, without rankings, signed as an evaluation of these alone.

        Raises:
            ValueError: there is no such system or measure.
        """
        rows = [self.measures.index(measure) for measure in measures]
        columns = [self.systems.index(system) for system in systems]
        source = None if self.source is None else _narrow_signature(self.signature(), measures, columns)
        cells = np.ix_(rows, range(len(self.topics)), columns)
        lower, upper = (None if ends is None else ends[cells] for ends in (self.lower, self.upper))
        tags, runs = tuple(self.tags[at] for at in columns), tuple(self.runs[at] for at in columns)
        return replace(
            self,
            systems=tuple(systems),
            scales=tuple(replace(self.scales[at], source=source) for at in rows),
            values=self.values[cells],
            lower=lower,
            upper=upper,
            measures=tuple(measures),
            tags=tags,
            runs=runs,
            rankings=None,
            hashes=tuple(self.hashes[at] for at in columns) if self.hashes else (),
            unjudged=tuple(self.unjudged[at] for at in columns) if self.unjudged else (),
            absent=tuple(self.absent[at] for at in columns),
        )

    @property
    def premises(self) -> list[Premise]:
        """The premises of these scores, see ``describe_premises``."""
        from cranfield.scores.premises import describe_premises  # here: rows for programs say none

        unjudged = self.unjudged or ({},) * len(self.systems)
        signed = zip(self.systems, unjudged, self.absent, strict=True)
        runs = [{"name": name, "unjudged": by, "absent_topics": share} for name, by, share in signed]
        return describe_premises(sign_premises(self.measures, self.qrels, self.policy) | {"runs": runs})

    @property
    def caption(self) -> str:
        """The line above the table."""
        return f"{super().caption} of {self.qrels.name}"


def make_scales(measures: Sequence[Measure], pool: Pool, policy: Policy, source: Any) -> tuple[Scale, ...]:
    """Return how to read each measure's scores, including the quirks of a peer."""
    scales = []
    for measure in measures:
        attributes: dict[str, Any] = dict(measure.declaration.attributes)
        quirk = measure.declaration.peer_summary
        value = quirk(pool, policy) if quirk is not None else None
        if value is not None:
            attributes |= {"peer_summary": value, "peer_summary_topics": len(pool.topics)}
        scales.append(Scale(str(measure), attributes, source))
    return tuple(scales)


class ReadRun(NamedTuple):
    """A run as it is signed.

    Args:
        run: the run.
        tag: of its lines.
        sha256: of its file as it was read.
        metadata: the header of ir_metadata in it, or nothing.
        unjudged: cutoff -> share of its first documents that is not judged, where there are any.
        absent: share of judged topics that it lacks, as in ``Evaluation``.
    """

    run: NamedRun
    tag: str
    sha256: str
    metadata: str
    unjudged: Mapping[str, float]
    absent: float


def make_signature(
    measures: Sequence[Measure],
    qrels: Qrels,
    runs: Sequence[ReadRun],
    policy: Policy,
    bounds: TieBounds,
) -> dict[str, Any]:
    """Version, engine, measures, policies, and SHA-256 of every input.

    Args:
        measures: of the evaluation.
        qrels: the judgments.
        runs: the runs as they were read.
        policy: how ties and odd cases were read.
        bounds: the source of the intervals.
    """
    excluded = qrels.excluded
    return {
        "cranfield": package_version(),
        "engine": engine.current().NAME,
        "bounds": bounds,
        **sign_premises(measures, qrels, policy),
        **(_sign_intents(qrels) if any(measure.declaration.needs_intents for measure in measures) else {}),
        "qrels": sign_qrels(qrels),
        **({} if excluded is None else {"excluded": sign_qrels(excluded)}),
        "runs": [
            {
                "name": read.run.name,
                "tag": read.tag,
                "sha256": read.sha256 if isinstance(read.run.data, str) else fingerprint(read.run.data),
                **({"ir_metadata": read.metadata} if read.metadata else {}),
                **({"unjudged": dict(read.unjudged)} if read.unjudged else {}),
                **({"absent_topics": read.absent} if read.absent else {}),
            }
            for read in runs
        ],
        **signed_left_out(),
    }


def sign_premises(measures: Sequence[Measure], qrels: Qrels, policy: Policy) -> dict[str, Any]:
    """Return the measures and policies, and which labels there are."""
    labels = count_labels(qrels.grade, measures)
    return {
        "measures": [str(measure) for measure in measures],
        **policy.as_dict(),
        "max_rel": qrels.pool.max_grade,
        **({"labels": labels} if labels else {}),
    }


def _narrow_signature(signature: dict[str, Any], measures: Sequence[Measure], runs: Sequence[int]) -> dict[str, Any]:
    """The signature of an evaluation of these measures and runs alone.

    Args:
        signature: of all measures and runs.
        measures: a subset of them.
        runs: a subset of them, by number.
    """
    subset = {"measures": [str(measure) for measure in measures], "runs": [signature["runs"][at] for at in runs]}
    by_intent = any(measure.declaration.needs_intents for measure in measures)
    return {name: subset.get(name, value) for name, value in signature.items() if by_intent or name != "intents"}


def _sign_intents(qrels: Qrels) -> dict[str, Any]:
    """Return how likely intents were."""
    weights = qrels.weights
    digest = {"sha256": fingerprint(weights)} if weights.rule == "given" else {}
    settings = {"weight_sum": qrels.weight_sum, "keep_empty_intents": qrels.keep_empty_intents}
    return {"intents": {"weights": weights.name, **digest, **settings}}
