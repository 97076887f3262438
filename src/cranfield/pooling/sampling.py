"""A stratified sample of a pool: which documents to judge, and the prels that their labels make.

Scores estimated from such a sample have errors, estimated by a jackknife of its strata.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack
from zlib import crc32

import numpy as np

from cranfield._message import name_value, setting
from cranfield._text import counted, cut, quoted
from cranfield._typing import Floats, Ints, Mask
from cranfield._validation import check_integer, is_number
from cranfield.collection.qrels import group_rows
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.collection.sampled_qrels import UNSAMPLED, SampledQrels
from cranfield.declarations.analysis import FromRuns, Groups, View, analysis
from cranfield.declarations.checks import Idle, Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption, SeedOption
from cranfield.errors import InputError, UsageError
from cranfield.io.inputs import QrelsLike, RunsLike, named_runs
from cranfield.io.trec import trec_lines
from cranfield.measures import Measure, sampling_error
from cranfield.pooling.pools import NO_GROUPS, POOL_POLICIES, Pools, QrelsOption, drop_unknown_labels
from cranfield.pooling.rescoring import judged_once
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.results.sheet import Sheet, shorten_signature
from cranfield.scoring import Evaluation, MeasuresLike, Progress

if TYPE_CHECKING:
    import pandas as pd


STRATA = {10: 1.0, 100: 0.1}
"""Every document down to rank 10, and a tenth of those below, down to rank 100."""
LEAST = 2
"""Least documents sampled of a stratum that has as many: one alone gives no estimate of the error."""
MEASURES = ("xinfAP", "infNDCG")
LEVEL = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class PoolSample(Result):
    """A stratified sample of a pool.

    Args:
        documents: a row for each ``topic`` and ``document`` that was sampled, in order of their ids.
        strata: a row for each ``stratum``.
        pool: a row for each ``topic``, ``document`` and ``stratum`` of the whole pool, and whether it was ``sampled``.
        settings: strata, seed, and whether the pool was kept to judged documents.
        signature: all that changes this sample.
    """

    on_request = ("pool",)
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "documents": (
            Column("document"),
            Column("stratum", "from 1"),
            Column("probability", "with which it was drawn: the sampled share of its stratum of its topic"),
            Column("label", "of the judgments, NaN where there is none yet", label=True),
        ),
        "strata": (
            Column("first", "the first of its ranks"),
            Column("last", "the last of its ranks"),
            Column("rate", "the share that is to be sampled"),
            Column("pooled", "documents of all topics"),
            Column("sampled", "how many of them are in the sample"),
        ),
    }
    documents: pd.DataFrame
    strata: pd.DataFrame
    pool: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def printed_rows(self, table: str) -> pd.DataFrame:
        """A table, without labels where there are no judgments."""
        return drop_unknown_labels(self.to_frame(table), self.signature)

    def caption(self, table: str) -> str:
        """State the size of the sample, in all and of each stratum, with its seed and signature."""
        parts = [
            f"ranks {row.first:,} to {row.last:,}: {row.sampled:,} of {row.pooled:,}"
            for row in self.strata.itertuples()
        ]
        seed, total = self.settings["seed"], counted(len(self.documents), "document")
        return f"{total} sampled; {'; '.join(parts)}; seed {seed}; {shorten_signature(self.signature)}"

    def text(self, table: str) -> Iterable[bytes]:
        """The judgments of the sample as prels."""
        return trec_lines(self.to_qrels())

    def to_qrels(self, name: str = "sample") -> SampledQrels:
        """The judgments of the sample, which ``write`` writes as prels.

        Raises:
            InputError: a document was sampled and is not judged.
        """
        open_ = self.documents[self.documents["label"].isna()]
        if len(open_):
            topic, document = open_.iloc[0][["topic", "document"]]
            text = (
                f"{counted(len(open_), 'sampled document')} {'has' if len(open_) == 1 else 'have'} no label, first "
                f"{quoted(document)} of topic {quoted(topic)}: judge what was sampled, or sample from judged documents "
                "alone"
            )
            raise InputError(text, code="unjudged", value=cut(document))
        label = dict(zip(zip(self.documents["topic"], self.documents["document"], strict=True),
                         self.documents["label"], strict=True))  # fmt: skip
        keys = list(zip(self.pool["topic"], self.pool["document"], strict=True))
        rows = [(topic, "0", document, label.get((topic, document), UNSAMPLED)) for topic, document in keys]
        stratum = dict(zip(keys, map(str, self.pool["stratum"]), strict=True))
        return SampledQrels.sampled(group_rows(rows, name, False), stratum, name=name, path=None, sha256="")


def read_strata(texts: Sequence[str]) -> dict[int, float]:
    """Read texts such as ``10:1``: last rank -> share.

    Raises:
        UsageError: a text is something else, or a rank occurs twice.
    """
    strata: dict[int, float] = {}
    for text in texts:
        end, colon, rate = text.partition(":")
        try:
            strata[int(end)], known = float(rate), int(end) in strata
        except ValueError:
            colon, known = "", False
        if not colon or known:
            raise UsageError(f"{setting('strata', text)}: expected RANK:SHARE, such as 50:0.2, each rank once")
    return strata


@analysis(
    "pool sample",
    "Draw a stratified sample to judge.",
    FromRuns(measures="none", policies=POOL_POLICIES, rel=None, judged=False),
    views=(
        View("documents", "those to judge."),
        View("strata", "their sizes."),
        View(
            "prels",
            "the judgments of the sample, as sample_eval reads them.",
            text="prels",
            rules=(Rule({"qrels": None}, "prels hold labels: give them as {qrels}"),),
        ),
    ),
    rules=(
        Rule(
            {"only_judged": True, "qrels": None},
            "{only_judged=True} keeps the pool to judged documents: give them as {qrels}",
        ),
    ),
    idle=(
        Idle(("qrels",), {"table": "strata", "only_judged": False}, "with --show strata but for {only_judged=True}"),
    ),
    groups=NO_GROUPS,
    guide="Draw a stratified sample of the pool, with all documents of its top and a part of the others.\n\n"
    "The stratum of a document follows from its best rank in any run. The same runs and --seed give the same sample: "
    "judge what is listed, then call again with the labels as --qrels and --show prels. Then `cranfield pool "
    "estimate sampled.prels RUN... --predicted model.txt` estimates scores from it and a model's labels, and "
    "`cranfield evaluate sampled.prels RUN... --sampling-error` without any.",
    examples=("runs/*.run", "runs/*.run --stratum 10:1 --stratum 100:0.1"),
)
def sample_pool(
    runs: RunsLike,
    *,
    strata: Annotated[
        Mapping[int, float],
        Option(
            "Last rank of a stratum, and the share of it to sample, above 0 and at most 1.",
            flags=("--stratum",),
            metavar="RANK:SHARE",
            default="10:1 100:0.1",
            read="cranfield.pooling.sampling:read_strata",
        ),
    ] = STRATA,
    qrels: QrelsOption = None,
    only_judged: Annotated[bool, Option("Pool only documents of {qrels}, to try a plan.")] = False,
    seed: SeedOption = 1,
    reading: InputOptions | None = None,
    **options: Unpack[ReadingOptions],
) -> PoolSample:
    """Draw a stratified sample of the pool of several runs.

    A document belongs to a stratum by its smallest rank in any run: with ``{10: 1, 50: 0.2}`` to the first, all of
    which is sampled, down to rank 10, and to the second, a fifth of which is, down to rank 50; what lies deeper is not
    pooled. Of each stratum of each topic at least two documents are sampled, if it has them. The sample depends on the
    pool and the seed: ask without ``qrels`` for what to judge, and again with it for the prels.

    Args:
        runs: as in ``evaluate``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.

    Raises:
        InputError: a file is refused, or no topic of the runs is judged.
        UsageError: strata that are not ranks and shares, or no judgments to keep the pool to.

    References:
        Yilmaz, Kanoulas & Aslam 2008, A simple and efficient sampling method for estimating AP and NDCG.
        doi:10.1145/1390334.1390437

    >>> runs = {"A": {"1": {"a": 3, "b": 2, "c": 1}}, "B": {"1": {"b": 3, "d": 2, "a": 1}}}
    >>> sample_pool(runs, strata={1: 1, 3: 0.5}).strata[["stratum", "pooled", "sampled"]].values.tolist()
    [[1, 2, 2], [2, 2, 2]]
    """
    ends = _checked(strata)
    reading = InputOptions.of(reading, options)
    pools = Pools.read(runs, qrels, max(ends), reading)
    best = pools.best_rank()
    stratum = np.searchsorted(np.array(list(ends)), best) + 1
    inside = (best > 0) & (~np.isnan(pools.label) if only_judged else True)
    sampled = _drawn(pools, stratum, inside, list(ends.values()), seed)
    settings = record_options(sample_pool, locals(), strata={str(end): rate for end, rate in ends.items()})
    return _sample(pools, stratum, inside, sampled, ends, settings, signed("pool sample", settings, **pools.inputs()))


def _checked(strata: Mapping[int, float]) -> dict[int, float]:
    """Last rank of each stratum, ascending -> its share.

    Raises:
        UsageError: see ``sample_pool``.
    """
    if not isinstance(strata, Mapping) or not strata:
        raise UsageError(
            f"strata={name_value(strata)} should name the last rank of each stratum and its share: {{10: 1, 50: 0.2}}"
        )
    for end, rate in strata.items():
        check_integer(1, **{"the last rank of a stratum": end})
        if not is_number(rate) or not 0 < rate <= 1:
            raise UsageError(
                f"strata={{{end}: {name_value(rate)}}}: the share that is sampled should be above 0 and at most 1"
            )
    return {int(end): float(strata[end]) for end in sorted(strata)}


def _drawn(pools: Pools, stratum: Ints, inside: Mask, rates: list[float], seed: int) -> Mask:
    """Draw the documents of the sample, bool [documents]; the draws of a topic do not depend on other topics."""
    sampled = np.zeros(len(stratum), dtype=bool)
    for number, topic in enumerate(pools.topics):
        rows = pools.topic_rows(number)
        rng = np.random.default_rng([seed, crc32(topic.encode())])
        for stratum_number, rate in enumerate(rates, 1):
            members = rows.start + np.flatnonzero(inside[rows] & (stratum[rows] == stratum_number))
            wanted = max(int(rate * len(members) + 0.5), min(LEAST, len(members)))
            sampled[rng.permutation(members)[:wanted]] = True
    return sampled


def _sample(
    pools: Pools,
    stratum: Ints,
    inside: Mask,
    sampled: Mask,
    ends: dict[int, float],
    settings: dict[str, Any],
    signature: dict[str, Any],
) -> PoolSample:
    import pandas as pd

    topic = np.array(pools.topics, dtype=object)[pools.rankings.pool.topic]
    rows = np.flatnonzero(inside)
    names = {"topic": topic[rows], "document": [pools.documents[row] for row in rows.tolist()]}
    pool = pd.DataFrame(names | {"stratum": stratum[rows], "sampled": sampled[rows]})
    label: Floats = pools.label[rows]
    probability = pool.groupby(["topic", "stratum"], sort=False)["sampled"].transform("mean")
    documents = pool.assign(probability=probability, label=label)[pool["sampled"]].drop(columns="sampled")
    documents = documents.reset_index(drop=True)
    numbers = np.arange(1, len(ends) + 1)
    facts = {
        "stratum": numbers,
        "first": [last + 1 for last, _ in pairwise([0, *ends])],
        "last": list(ends),
        "rate": list(ends.values()),
        "pooled": [int((pool["stratum"] == number).sum()) for number in numbers],
        "sampled": [int((documents["stratum"] == number).sum()) for number in numbers],
    }
    return PoolSample(documents, pd.DataFrame(facts), pool, settings, signature)


@dataclass(frozen=True, eq=False, repr=False)
class SampledScores(Result):
    """Scores estimated from judgments of a sample, with their errors of sampling.

    Args:
        systems: a row for each ``measure`` and ``system``.
        topics: the same of each ``topic``, NaN where the error is unknown.
        settings: the level of the intervals.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "systems": (
            Column("measure"),
            Column("system"),
            Column("score", "mean of the topics"),
            Column("error", "standard error that the sample leaves in it"),
            Column("bias", "how much too large it is on average"),
            Column("lower", "end of the interval around score - bias"),
            Column("upper", "the other end"),
            Column(
                "without",
                "topics whose error is unknown, since nothing was sampled of a stratum, or nothing relevant was: they "
                "add no error",
            ),
        ),
    }
    systems: pd.DataFrame
    topics: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Explain the columns of errors, biases and intervals."""
        return (
            "error, bias: of the sample of judgments, by the jackknife; lower to upper: "
            f"{self.settings['level']:.0%} of score - bias, for these topics"
        )

    def for_paper(self, table: str, rows: pd.DataFrame) -> Sheet:
        """All columns, with the signature in the caption."""
        return Sheet.from_frame(rows, f"{self.caption(table)}; {shorten_signature(self.signature)}", self.signature)


@analysis(
    "evaluate",
    "",
    FromRuns(MEASURES, further=("exclude", "intents")),
    given=("sampling_error",),
    switch="With judgments of a sample (prels): print each estimate with its standard error, bias, and interval.  "
    f"[default of --measure with it: {', '.join(MEASURES)}]",
    views=(View("systems"), View("topics", flags=("--by-topic", "-q"))),
    groups=Groups(refused="the error of a sample is that of all its topics"),
    formats=("latex", "markdown"),
)
def estimate_sampling_error(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = MEASURES,
    *,
    level: LevelOption = LEVEL,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **options: Unpack[ReadingOptions],
) -> SampledScores:
    """Estimate how far scores by judgments of a sample may be from those by the judgments of the whole pool.

    Another sample would have given other scores. Each sampled document is left out in turn, the others of its stratum
    standing for it, and the spread of what is then estimated gives error and bias: the jackknife of stratified
    sampling. Topics were sampled independently of each other. The topics themselves are taken as given: these intervals
    say nothing of other topics, see ``compare`` for these.

    Args:
        runs, qrels, measures: as in ``evaluate``; the judgments are prels, and the measures estimate from them.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        progress: called with how much is done, of how much: of the runs that are read.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        MeasureError: a measure that does not estimate from a sample.
        UsageError: a level outside its range, or a word that contradicts the object given.

    References:
        Yilmaz, Kanoulas & Aslam 2008, A simple and efficient sampling method for estimating AP and NDCG.
        doi:10.1145/1390334.1390437
    """
    reading = InputOptions.of(reading, options)
    inputs = named_runs(runs, reading.names, reading.columns)
    scores, rankings = judged_once(inputs, qrels, measures, reading, progress)
    shape = len(rankings.systems), len(scores.topics)
    tables = [
        _tabulate_measure(scores, number, estimate.error.reshape(shape), estimate.bias.reshape(shape), level)
        for number, estimate in enumerate(sampling_error(measure, rankings) for measure in scores.measures)
    ]
    return _result(scores, tables, record_options(estimate_sampling_error, locals()))


def _tabulate_measure(
    scores: Evaluation, number: int, error: Floats, bias: Floats, level: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of systems and of topics by one measure; error and bias are float64 [systems, topics]."""
    import pandas as pd

    measure: Measure = scores.measures[number]
    values = scores.values[number].T
    counted = ~np.isnan(values)
    size = np.maximum(counted.sum(axis=1), 1)
    known = counted & ~np.isnan(error)
    spread, shift = (np.where(known, part, 0.0) for part in (error, bias))
    means = {"score": scores.summaries[number], "error": np.sqrt((spread**2).sum(axis=1)) / size}
    means |= {"bias": shift.sum(axis=1) / size}
    systems = pd.DataFrame({"measure": str(measure), "system": list(scores.systems), **_ends(means, level)})
    topics = {"score": values.ravel(), "error": error.ravel(), "bias": bias.ravel()}
    names = {
        "measure": str(measure),
        "system": np.repeat(np.array(scores.systems, dtype=object), len(scores.topics)),
        "topic": list(scores.topics) * len(scores.systems),
    }
    return systems.assign(without=(counted & ~known).sum(axis=1)), pd.DataFrame(names | _ends(topics, level))


def _ends(facts: dict[str, Any], level: float) -> dict[str, Any]:
    """Add the normal interval around score - bias."""
    from scipy.special import ndtri

    centre, half = facts["score"] - facts["bias"], float(ndtri(0.5 + level / 2)) * facts["error"]
    return {**facts, "lower": centre - half, "upper": centre + half}


def _result(
    scores: Evaluation, tables: list[tuple[pd.DataFrame, pd.DataFrame]], settings: dict[str, Any]
) -> SampledScores:
    import pandas as pd

    systems, topics = (pd.concat(parts, ignore_index=True) for parts in zip(*tables, strict=True))
    return SampledScores(systems, topics, settings, scores.signature() | signed("sampling error", settings))
