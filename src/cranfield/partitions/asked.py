"""What an evaluation part by part was asked for: data sets and judgments, measures and policies, and a plan."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from cranfield import engine
from cranfield._validation import word
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import Reading
from cranfield.errors import UsageError
from cranfield.io.inputs import QrelsLike
from cranfield.io.topic_filter import excluded_file
from cranfield.measures import Measure, MeasuresLike
from cranfield.memory import budget, bytes_of
from cranfield.partitions.dataset import Dataset
from cranfield.partitions.given import RunsLike, datasets_of, judgments_of
from cranfield.partitions.parts import Topics
from cranfield.partitions.planning import Limits, Plan, planned
from cranfield.partitions.work import Keep, Work
from cranfield.scores.scale import Scale
from cranfield.scores.signature import fingerprint, package_version
from cranfield.scoring.evaluation import scales_of
from cranfield.scoring.measure_selection import measures_of


@dataclass(frozen=True)
class Asked:
    """What is to be scored, and how.

    Args:
        how: runs are read.
        measures: in their order.
        sets: the runs.
        judgments: in many files, or read already.
        limits: what memory has room for.
        plans: of each run.
    """

    how: Reading
    measures: tuple[Measure, ...]
    sets: list[Dataset]
    judgments: Dataset | Qrels
    limits: Limits
    plans: list[Plan]

    @classmethod
    def of(
        cls,
        runs: RunsLike,
        qrels: QrelsLike | Dataset,
        measures: MeasuresLike,
        topics: Topics,
        how: Reading,
        storage_options: Mapping[str, Any] | None,
        memory: int | str | None,
    ) -> Asked:
        """See ``evaluate_partitions``.

        Raises:
            InputError: a data set cannot be read, or judgments have no room.
            UsageError: an unknown word or measure, or one that cannot be had part by part.
        """
        word("topics", topics, get_args(Topics))
        asked = _measures(measures, how)
        limits = Limits(budget() if memory is None else bytes_of(memory))
        sets = datasets_of(runs, how, storage_options)
        judgments = judgments_of(qrels, how, storage_options)
        if isinstance(judgments, Qrels) and judgments.excluded is not None:
            raise UsageError("judgments that exclude documents need whole runs, which data sets are not read as")
        plans = planned([one.fragments("score") for one in sets], judgments, topics, limits)
        return cls(how, asked, sets, judgments, limits, plans)

    def close(self) -> None:
        """Remove temporary files."""
        for plan in self.plans:
            if plan.scratch is not None:
                plan.scratch.close()

    def work(self, plan: Plan, scales: Sequence[Scale], keep: Keep | None, *, collect: bool) -> Work:
        """What is done with each part of a run; see ``Work``."""
        names, how, limits = tuple(scale.name for scale in scales), self.how, self.limits
        facts = names, sorted(how.policy.as_dict().items()), plan.labels.tolist()
        return Work(
            asked=self.measures,
            names=names,
            summaries=tuple(scale.summary for scale in scales),
            policy=how.policy,
            digest=hashlib.sha256(repr(facts).encode()).hexdigest(),
            labels=plan.labels,
            kinds=plan.kinds,
            topics=plan.topics,
            judged=plan.judged,
            rows=limits.rows,
            held=limits.held,
            keep=keep,
            collect=collect,
            qrels=self.judgments.place,
        )

    def scales(self, plan: Plan) -> tuple[Scale, ...]:
        """How to read each measure's scores, quirks of peers included where the judgments are at hand.

        Raises:
            UsageError: such a quirk was asked for, and they are not.
        """
        policy = self.how.policy
        if isinstance(self.judgments, Qrels):
            return scales_of(self.measures, self.judgments.pool, policy, None)
        if any(one.declaration.peer_summary for one in self.measures) and policy.compat != "none":
            text = f"compat={policy.compat!r} sums up judgments as a peer does: give them as one file, not a data set"
            raise UsageError(text)
        return tuple(Scale.of(measure, {}, None) for measure in self.measures)

    def inputs(self) -> dict[str, Any]:
        """What a signature says beside the settings."""
        qrels = self.judgments
        of_qrels = {"name": qrels.name, "sha256": fingerprint(qrels)} if isinstance(qrels, Qrels) else qrels.facts()
        return {
            "engine": engine.current().NAME,
            "measures": [str(measure) for measure in self.measures],
            "max_rel": float(max(self.plans[0].labels.max(initial=0.0), 0.0)),
            "qrels": of_qrels,
            "runs": [one.facts() for one in self.sets],
        }

    def signature(self) -> dict[str, Any]:
        """That of scores of topics, as of an evaluation of whole runs."""
        return {"cranfield": package_version(), **self.inputs(), **self.how.policy.as_dict()}


def _measures(given: MeasuresLike, how: Reading) -> tuple[Measure, ...]:
    """Raises: UsageError: an unknown measure, or one that cannot be had part by part."""
    asked = measures_of(given, how.rel)
    for measure in asked:
        if measure.declaration.needs_intents:
            raise UsageError(f"{measure} needs intents, which judgments in a data set do not have: leave it out")
    for name, value in how.policy.rewriting.items():
        text = f"{name}={value!r} rewrites whole runs, which data sets are not read as"
        raise UsageError(f"{text}: rewrite the data set itself, or give each run as one file")
    if excluded_file() is not None:
        raise UsageError("--exclude rewrites whole runs, which data sets are not read as: give each run as one file")
    if how.policy.ties == "rank":
        raise UsageError("ties='rank' needs ranks, which are not read of a data set: choose trec or docid")
    return asked
