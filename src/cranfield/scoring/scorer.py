"""A prepared evaluator: judgments and measures once, then runs, or parts of runs, again and again.

Parts give exact sums, from which runs are also compared, without their scores of topics being held anywhere.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, Unpack

import numpy as np

from cranfield._message import setting
from cranfield._text import listed, quoted, warn_condensed
from cranfield._typing import Floats, Ints
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.collection.streams import holds_stream, is_stream
from cranfield.errors import InputError, TopicError, UsageError
from cranfield.findings.finding import Finding
from cranfield.findings.location import Location
from cranfield.io.inputs import NamedRun, QrelsLike, RunLike, RunsLike, named_runs
from cranfield.measures import MeasuresLike
from cranfield.scores.scale import summarize_scores
from cranfield.scoring.arrow_rows import map_rows, merge_parts
from cranfield.scoring.arrow_stream import StreamedScores, names_systems, read_parts, refuse_return
from cranfield.scoring.compute import compute_cells
from cranfield.scoring.evaluation import make_scales
from cranfield.scoring.loop import DEFAULT, Task, prepare, read_measures
from cranfield.scoring.paired_differences import PairedTest, SystemPair, paired_tests, subtract_pairs
from cranfield.scoring.partial_sums import Partial, PartTotals, compute_totals, sum_moments
from cranfield.scoring.remarks import missing_topics, remarks_on_judgments
from cranfield.statistics.exact_differences import Difference
from cranfield.statistics.exact_sums import Moments

Sum = TypeVar("Sum", Moments, Difference)


class Scorer:
    """Judgments and measures, prepared once, for a loop that scores again and again.

    Called with a run it returns what ``evaluate_means`` returns, by the same code and to the same bit. Fed with
    complete topics of one run part by part (``score``), it returns exact sums, which are merged in any order. It may be
    sent to other processes.

    Args:
        qrels: as in ``evaluate``; of all topics, since some measures depend on the labels of all.
        measures: as in ``evaluate``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.

    Raises:
        InputError: the judgments are refused.
        UsageError: an unknown word, measure or parameter, or a word that contradicts the object given.

    >>> import cranfield
    >>> scorer = cranfield.Scorer({"q1": {"d1": 1}, "q2": {"d7": 2}}, ["AP", "nDCG@10"])
    >>> scorer({"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d7": 1.5}})["AP"]
    0.75
    """

    def __init__(
        self,
        qrels: QrelsLike,
        measures: MeasuresLike = DEFAULT,
        *,
        reading: InputOptions | None = None,
        **options: Unpack[ReadingOptions],
    ) -> None:
        self.reading = InputOptions.of(reading, options)
        chosen = read_measures(measures, self.reading.rel)
        self.qrels = prepare(qrels, (), chosen, self.reading)
        self._remarks = remarks_on_judgments(qrels, self.qrels, chosen, self.reading.policy)
        self._scales = make_scales(chosen, self.qrels.pool, self.reading.policy, None)
        self._kinds = tuple(scale.summary for scale in self._scales)
        self._task = Task(
            measures=chosen, qrels=self.qrels, policy=self.reading.policy, file_options=self.reading.of_files
        )

    @cached_property
    def _parts(self) -> Task:
        """Scores parts, in which most topics are missing."""
        return replace(self._task, policy=replace(self.reading.policy, missing="empty"), keep_rankings=True)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the judgments, measures and policies, hexadecimal."""
        import hashlib

        facts = self.qrels.digest, self.measures, sorted(self.reading.policy.as_dict().items())
        return hashlib.sha256(repr(facts).encode()).hexdigest()

    @property
    def measures(self) -> tuple[str, ...]:
        """Names, in the order of the request."""
        return tuple(scale.name for scale in self._scales)

    def __call__(self, run: RunLike) -> dict[str, float]:
        """Measure -> mean over topics, or the other summary that it declares.

        Raises:
            InputError: the run is refused, or fits the judgments in no topic.
            UsageError: it is several runs, or none.
        """
        cells = self._cells(run)[:, :, np.newaxis]
        return {
            scale.name: float(summarize_scores(scale, block)[0])
            for scale, block in zip(self._scales, cells, strict=True)
        }

    def by_topic(self, run: RunLike) -> dict[str, dict[str, float]]:
        """Topic -> measure -> score; NaN where there is none.

        Raises:
            InputError: as in a call.
            UsageError: as in a call.
        """
        rows = self._cells(run).T.tolist()
        named = zip(self.qrels.topics, rows, strict=True)
        return {topic: dict(zip(self.measures, row, strict=True)) for topic, row in named}

    def _cells(self, run: RunLike) -> Floats:
        """Scores of one run, [measures, topics], with warnings of what is odd in the data."""
        if is_stream(run):
            ((_, read),) = self._read_one(run).items()
            self._finish(read, "run")
            return read.values
        scored = self._task(self._single(run))
        warn_condensed([*self._remarks, *scored.remarks])
        assert scored.values.cells is not None  # it does not wait for other runs
        values: Floats = scored.values.cells[0]
        return values

    def _single(self, run: RunLike) -> NamedRun:
        runs = named_runs(run, columns=self.reading.columns)
        if len(runs) > 1:
            raise UsageError(f"a Scorer scores one run at a time, not {len(runs)}: call it once for each, or evaluate")
        return runs[0]

    # ---- parts of a run

    def score(self, part: RunLike) -> Partial:
        """The scores of some complete topics of a run, as sums that are merged with ``|``.

        Args:
            part: as a run. Every topic of it that is judged counts as scored; a part without any gives empty sums.

        Raises:
            InputError: the part is refused.
            UsageError: it is several runs, or none.
        """
        if is_stream(part):
            ((_, read),) = self._read_one(part).items()
            values, length = read.values, read.length
        else:
            values, length = self._score_part(self._single(part))
        topics = np.flatnonzero(length)
        return self._partial(topics, values[:, topics])

    def score_runs(self, part: RunsLike) -> JointPartial:
        """The sums of several runs, from which ``result_of_runs`` also tests their differences.

        Args:
            part: the same topics of every run, in a list or by name. A topic that one of them lacks is read as
                ``missing`` says.

        Raises:
            InputError: a run is refused.
            TopicError: a run lacks a topic of another where ``missing="error"``.
            UsageError: it is not a run.
        """
        if holds_stream(part):
            scored = {name: (read.values, read.length) for name, read in self._read_each(part).items()}
        else:
            runs = named_runs(part, columns=self.reading.columns)
            scored = {run.name: self._score_part(run) for run in runs}
        topics = np.flatnonzero(np.any([length > 0 for _, length in scored.values()], axis=0))
        lacking = {name: topics[length[topics] == 0] for name, (_, length) in scored.items()}
        if self.reading.policy.missing == "error":
            for name, absent in lacking.items():
                self._refuse_missing([self.qrels.topics[topic] for topic in absent.tolist()], name)
        scores = {name: values[:, topics] for name, (values, _) in scored.items()}
        if self.reading.policy.missing == "skip":
            for name, (_, length) in scored.items():
                scores[name][:, length[topics] == 0] = np.nan
        partials = {name: self._partial(topics, values) for name, values in scores.items()}
        return JointPartial(partials, subtract_pairs(scores), {name: len(absent) for name, absent in lacking.items()})

    def _score_part(self, run: NamedRun) -> tuple[Floats, Ints]:
        """Scores of part of a run, [measures, topics], and how many documents it has of each topic, [topics]."""
        values, length, remarks = self._score_noticing(run)
        warn_condensed(remarks)
        return values, length

    def _score_noticing(self, run: NamedRun) -> tuple[Floats, Ints, list[Finding]]:
        """As ``_score_part``, with what was noticed."""
        try:
            scored = self._parts(run)
        except TopicError as error:
            if error.code != "no-shared-topic":
                raise
            return self._score_nothing(), np.zeros(len(self.qrels.topics), dtype=np.int64), []
        assert scored.values.cells is not None and scored.rankings is not None
        remarks = [remark for remark in scored.remarks if remark.code != "missing-topics"]
        return scored.values.cells[0], scored.rankings.length, remarks

    # ---- streams of rows sorted by topic

    def means_of_each(self, runs: RunsLike) -> dict[str, dict[str, float]]:
        """System -> measure -> mean of runs of which some are streams; see ``evaluate_means``.

        Raises:
            InputError, UsageError: as in a call.
        """
        means = {}
        for name, read in self._read_each(runs).items():
            self._finish(read, name)
            cells = zip(self._scales, read.values[:, :, np.newaxis], strict=True)
            means[name] = {scale.name: float(summarize_scores(scale, block)[0]) for scale, block in cells}
        warn_condensed(self._remarks)
        return means

    def _read_each(self, runs: Any) -> dict[str, StreamedScores]:
        """Run -> its scores, of several runs of which some are streams."""
        single = is_stream(runs)
        pairs = runs.items() if isinstance(runs, Mapping) else [(None, run) for run in ([runs] if single else runs)]
        each: dict[str, StreamedScores] = {}
        for number, (given, run) in enumerate(pairs, 1):
            read = self._read_one(run, str(given or ("run" if single else f"run{number}")), several=given is None)
            if given is not None:
                read = {str(given): next(iter(read.values()))}
            repeated = next((name for name in read if name in each), None)
            if repeated is not None:
                text = f"two runs are called {quoted(repeated)}; give them names: {{name: run, ...}}"
                raise InputError(text, code="equal-names", value=repeated)
            each |= read
        return each

    def _read_one(self, run: Any, name: str = "run", *, several: bool = False) -> dict[str, StreamedScores]:
        """System -> the scores of its topics, read part by part.

        Raises:
            InputError: a part is refused, or a topic comes back.
            UsageError: there are several systems where one is asked for.
        """
        columns, read = self.reading.columns, dict[str, StreamedScores]()
        streamed = is_stream(run)
        for part in read_parts(run, columns) if streamed else [run]:
            unnamed = streamed and not names_systems(part, columns)
            for one in named_runs(part, columns=columns, default=None if streamed else name):
                system = name if unnamed else one.name
                values, length, remarks = self._score_noticing(one)
                if system not in read:
                    read[system] = StreamedScores.build(self._score_nothing())
                again = read[system].add(values, length, remarks)
                if again is not None:
                    raise refuse_return(run, part, self.qrels.topics[again], columns)
                if len(read) > 1 and not several:
                    names = ", ".join(map(quoted, read))
                    raise UsageError(f"one run is asked for, and the rows are of several systems: {names}")
        return read

    def _finish(self, read: StreamedScores, name: str) -> None:
        """Refuse or report what the whole of a run lacks; scores of absent topics are those of nothing.

        Raises:
            TopicError: it fits the judgments in no topic, or lacks one where ``missing="error"``.
        """
        topics = [self.qrels.topics[topic] for topic in np.flatnonzero(read.length == 0).tolist()]
        if len(topics) == len(self.qrels.topics):
            raise TopicError("run and qrels share no topic", self.qrels.location, code="no-shared-topic")
        if self.reading.policy.missing == "error":
            self._refuse_missing(topics)
        location = Location(name=f"run {quoted(name)}")
        absent = [missing_topics(location, topics, self.reading.policy)] if topics else []
        warn_condensed([*read.list_remarks(), *absent])

    def _partial(self, topics: Ints, values: Floats) -> Partial:
        names = frozenset(self.qrels.topics[topic] for topic in topics.tolist())
        return Partial(self.digest, self.measures, names, sum_moments(self._kinds, values))

    def map_arrow(self, rows: Any) -> Any:
        """Compute the sums of a part of a run for engines that hand over Arrow's rows, as Spark and Ray do.

        The part has complete topics, as in ``score``. ``result`` takes the values of the column that comes back.

        Args:
            rows: a table or a record batch, or an iterator of record batches; columns are found by their names.

        Returns:
            A table with one row and one column, ``part`` (binary); of an iterator, an iterator of record batches,
            without any where there are none. The values are pickled: take them from your own workers alone.

        Raises:
            InputError: the part is refused.
        """
        return map_rows(rows, lambda part: {"part": [pickle.dumps(self.score(part))]}, {"part": "binary"})

    def map_arrow_by_topic(self, rows: Any) -> Any:
        """Compute the scores of the topics of a part of a run, for engines that hand over Arrow's rows.

        Args:
            rows: as in ``map_arrow``; complete topics.

        Returns:
            A column ``topic`` (text) and one for each measure (double; NaN where there is no score), as in
            ``schema_by_topic``: a row for each judged topic of the part. Topics that the run lacks are in no part.

        Raises:
            InputError: the part is refused.
        """
        return map_rows(rows, self._columns_by_topic, {"topic": "string", **dict.fromkeys(self.measures, "double")})

    @property
    def schema_by_topic(self) -> str:
        """The columns of ``map_arrow_by_topic``, as Spark writes them."""
        quoted_names = (f"`{name.replace('`', '``')}` double" for name in self.measures)
        return ", ".join(["`topic` string", *quoted_names])

    def _columns_by_topic(self, part: Any) -> dict[str, Any]:
        values, length = self._score_part(self._single(part))
        topics = np.flatnonzero(length)
        names = [self.qrels.topics[topic] for topic in topics.tolist()]
        return {"topic": names, **dict(zip(self.measures, values[:, topics], strict=True))}

    def result(self, total: Partial | Iterable[Partial | bytes]) -> PartTotals:
        """Means from the sums of all parts; topics of which no part had documents are read as ``missing`` says.

        Args:
            total: sums that were merged with ``|``; or those of all parts, as ``score`` or ``map_arrow`` gave them.

        Raises:
            InputError: there are none, two parts share a topic, or they are of other judgments, measures or policies.
            TopicError: no judged topic was scored, or some were not where ``missing="error"``.
        """
        total = total if isinstance(total, Partial) else merge_parts(total)
        absent = self._absent(total)
        warn_condensed(self._remarks)
        return self._totals("run", total, absent)

    def result_of_runs(self, total: JointPartial) -> JointTotals:
        """Means of several runs, with the paired t-test of every two.

        Raises:
            InputError: as in ``result``.
            TopicError: as in ``result``.
        """
        absent = self._absent(next(iter(total.runs.values())))
        warn_condensed(self._remarks)
        totals = {name: self._totals(name, run, absent, total.missing[name]) for name, run in total.runs.items()}
        without = tuple(Difference.subtract(row, row) for row in self._score_nothing()[:, absent])
        differences = {pair: _add(present, without) for pair, present in total.differences.items()}
        means = {name: run.means for name, run in totals.items()}
        return JointTotals(totals, paired_tests(self._scales, means, differences))

    def _absent(self, total: Partial) -> Ints:
        """Numbers of the topics of which no part had documents.

        Raises:
            InputError, TopicError: see ``result``.
        """
        if total.scorer != self.digest:
            raise InputError("these sums are of other judgments, measures or policies than those of this Scorer")
        topics = self.qrels.topics
        absent = np.array([number for number, topic in enumerate(topics) if topic not in total.topics], dtype=np.int64)
        if len(absent) == len(topics):
            text = "no part has a judged topic: run and qrels share no topic"
            raise TopicError(text, self.qrels.location, code="no-shared-topic")
        if self.reading.policy.missing == "error":
            self._refuse_missing([topics[number] for number in absent.tolist()])
        return absent

    def _refuse_missing(self, lacking: list[str], name: str = "") -> None:
        """Raises: TopicError: there are any."""
        if not lacking:
            return
        of_run = f" in run {quoted(name)}" if name else ""
        text = (
            f"{len(lacking):,} of {len(self.qrels.topics):,} judged topics are missing{of_run} "
            f"({setting('missing=error')}): "
            f"{listed(lacking)}"
        )
        raise TopicError(text, self.qrels.location, code="missing-topics", value=lacking[0])

    def _totals(self, name: str, total: Partial, absent: Ints, missing: int = 0) -> PartTotals:
        """Means of a run over all topics: those that are ``absent`` everywhere, and ``missing`` more of this run."""
        topics, moments, lacking = self.qrels.topics, total.moments, len(absent) + missing
        if len(absent):
            names = [topics[number] for number in absent.tolist()]
            warn_condensed([missing_topics(Location(name=name), names, self.reading.policy)])
            moments = _add(moments, sum_moments(self._kinds, self._score_nothing()[:, absent]))
        return compute_totals(self._scales, moments, len(topics) - lacking, lacking)

    def _score_nothing(self) -> Floats:
        """Scores where no document was retrieved, [measures, topics]."""
        none, zeros = np.empty(0, dtype=np.int64), np.zeros(len(self.qrels.topics) + 1, dtype=np.int64)
        ties = none if self.reading.policy.weighs_ties else None
        rankings = Rankings(
            systems=("run",),
            pool=self.qrels.pool,
            length=zeros[1:].copy(),
            starts=zeros,
            rank=none,
            document=none,
            grade=np.empty(0),
            policy=self.reading.policy,
            first=ties,
            last=ties,
        )
        values: Floats = compute_cells(self._task.measures, rankings, self.reading.policy, "none")[0]
        return values


def _add(left: tuple[Sum, ...], right: tuple[Sum, ...]) -> tuple[Sum, ...]:
    """The sums of each measure over the topics of both."""
    return tuple(a + b for a, b in zip(left, right, strict=True))


@dataclass(frozen=True, slots=True)
class JointPartial:
    """The sums of several runs over some topics; parts are merged with ``|``, in any order.

    Args:
        runs: name -> sums of its scores; every run has the same topics.
        differences: of every two runs, by each measure.
        missing: name -> how many of these topics it has no documents of.
    """

    runs: dict[str, Partial]
    differences: dict[SystemPair, tuple[Difference, ...]]
    missing: dict[str, int]

    def __or__(self, other: JointPartial) -> JointPartial:
        """The sums over the topics of both.

        Raises:
            InputError: a topic is in both, or they are of other runs, judgments, measures or policies.
        """
        if not isinstance(other, JointPartial):
            return NotImplemented
        if list(self.runs) != list(other.runs):
            ours, theirs = ", ".join(self.runs), ", ".join(other.runs)
            text = f"these sums are of other runs ({ours}; {theirs}): give every part the same runs in the same order"
            raise InputError(text, code="other-runs")
        return JointPartial(
            {name: run | other.runs[name] for name, run in self.runs.items()},
            {pair: _add(ours, other.differences[pair]) for pair, ours in self.differences.items()},
            {name: count + other.missing[name] for name, count in self.missing.items()},
        )


@dataclass(frozen=True, slots=True)
class JointTotals:
    """The results of several runs.

    Args:
        totals: run -> means, counts and variances.
        tests: paired t-test of every two runs by each measure, the better run first.
    """

    totals: dict[str, PartTotals]
    tests: tuple[PairedTest, ...]
