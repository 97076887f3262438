"""Earlier ways to distinguish hard topics from easy ones, as the paper on the ease ratio lists them in its section 2.

They need average precision by topic and system, or the runs themselves: the spread of scores in a list, and the
divergence of lists. The paper names them and gives no formulas; where it leaves a choice open, the choice is stated
here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from cranfield._text import condensed, warn
from cranfield._typing import Floats, Ints
from cranfield._validation import check_integer
from cranfield.collection.reading import InputOptions, RunOptions
from cranfield.collection.run import Run
from cranfield.findings.location import STDIN
from cranfield.io.inputs import QrelsLike, RunsLike, named_runs, refuse_exchanged
from cranfield.io.run_transforms import rewritten
from cranfield.io.trec import load_run
from cranfield.measures import named
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import Evaluation, score
from cranfield.topic_difficulty.ease import refuse_ranges
from cranfield.topic_difficulty.list_divergence import jensen_shannon, top_lists, weights

if TYPE_CHECKING:
    import pandas as pd


COLUMNS = (
    *("median_ap", "eguchi", "aap", "carterette", "damessie", "grivolla", "vercoustre"),
    *("shtok", "perez_iglesias", "aslam_pavlu"),
)


class APOptions(RunOptions, total=False):
    """Options for runs that are scored by AP."""

    rel: float | None


@dataclass(frozen=True, eq=False, repr=False)
class DifficultyAlternatives(Result):
    """Other estimates of how hard topics are.

    Args:
        values: a row a ``topic`` (the index). ``median_ap`` and ``aap`` (average average precision) over systems; the
            classes made of them, ``eguchi``, ``carterette``, ``damessie``, ``grivolla`` and ``vercoustre``; ``shtok``,
            the mean standard deviation of the first scores, ``perez_iglesias``, the mean of the largest one at any
            cutoff, and ``aslam_pavlu``, the divergence between runs in bits.
        settings: cutoff and rel.
        signature: all that changes these numbers.
    """

    values: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"topics": lambda: tidy(self.values)}


def estimate_difficulty_otherwise(
    runs: RunsLike,
    qrels: QrelsLike,
    cutoff: int = 20,
    *,
    reading: InputOptions | None = None,
    **options: Unpack[APOptions],
) -> DifficultyAlternatives:
    """Estimate the difficulty of topics by the methods that the ease ratio was proposed to replace.

    Eguchi et al.: three classes of equal size by median AP. Carterette et al.: three by average AP (AAP). Damessie et
    al.: the two topics of highest and of lowest AAP. Grivolla et al.: two classes cut at the median AAP. Vercoustre et
    al.: four classes cut at m - sd, m and m + sd of AAP (sd of these topics, divided by their number; a value on a cut
    belongs to the harder class). Shtok et al.: standard deviation of the scores in the first k ranks of a run (divided
    by their number), mean over runs. Perez-Iglesias & Araujo: the largest such deviation of a run at any cutoff, mean
    over runs. Aslam & Pavlu: JSD = H(mean of p_s) - mean of H(p_s) in bits, where run s gives
    the document at rank r the probability p_s proportional to 1 / log2(r + 1), r = 1..k.

    Equal values are put into classes of equal size in the order of the qrels. Scores of different runs are averaged as
    they are, whatever their scales. A run without the topic has AP 0 and no part in the last three.

    Args:
        runs: as in ``estimate_difficulty``.
        qrels: as in ``estimate_difficulty``.
        cutoff: k, for Shtok et al. and for Aslam & Pavlu.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
            ``rel`` is that of AP, 1 by default.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: an unknown word, a cutoff below 1, or a word that contradicts the object given.

    References:
        Gienapp, Stein, Hagen & Potthast 2020, Estimating topic difficulty using normalized discounted cumulated gain,
        section 2. CIKM.
        Perez-Iglesias & Araujo 2010, Standard deviation as a query hardness estimator.
        doi:10.1007/978-3-642-16321-0_21
    """
    import pandas as pd

    reading = InputOptions.of(reading, options, APOptions)
    columns, scores = alternatives(runs, qrels, cutoff, reading)
    for line in condensed(scores.remarks):
        warn(line)
    settings = {"cutoff": int(cutoff), "rel": reading.level}
    signature = scores.signature() | signed("difficulty alternatives", settings)
    index = pd.Index(scores.topics, name="topic", dtype=object)
    return DifficultyAlternatives(pd.DataFrame(columns, index=index), settings, signature)


def alternatives(
    runs: RunsLike,
    qrels: QrelsLike,
    cutoff: int,
    reading: InputOptions,
) -> tuple[dict[str, Floats | list[str]], Evaluation]:
    """The columns of ``estimate_difficulty_otherwise`` in plain arrays, and the scores by AP."""
    check_integer(1, cutoff=cutoff)
    refuse_ranges(reading.policy)
    refuse_exchanged(runs, qrels)
    sources = read_once(runs, qrels, reading)
    measure = named("AP")
    assert measure is not None
    scores = score(sources, qrels, measure(rel=reading.level), reading=reading)
    ap = scores.values[0]
    median, mean = (_over_systems(ap, average) for average in (np.nanmedian, np.nanmean))
    columns: dict[str, Floats | list[str]] = {
        "median_ap": median,
        "eguchi": thirds(median),
        "aap": mean,
        "carterette": thirds(mean),
        "damessie": extremes(mean),
        "grivolla": halves(mean),
        "vercoustre": quarters(mean),
    }
    columns |= _compare_lists((run.data for run in scores.runs), scores.topics, int(cutoff), reading)
    assert tuple(columns) == COLUMNS
    return columns, scores


# ---- from values by topic to classes; larger values are easier


def thirds(values: Floats) -> list[str]:
    """Three classes of equal size, or as nearly so as can be with the easier ones larger; NaN has none."""
    out = [""] * len(values)
    for name, part in zip(("easy", "medium", "hard"), np.array_split(_rank_topics(values), 3), strict=True):
        for topic in part.tolist():
            out[topic] = name
    return out


def extremes(values: Floats, size: int = 2) -> list[str]:
    """The ``size`` largest values are easy and the ``size`` smallest hard; none is where there are fewer than both."""
    out, order = [""] * len(values), _rank_topics(values).tolist()
    if len(order) >= 2 * size:
        for topic in order[:size]:
            out[topic] = "easy"
        for topic in order[-size:]:
            out[topic] = "hard"
    return out


def _rank_topics(values: Floats) -> Ints:
    """Indices of the defined values, the largest first."""
    defined = np.flatnonzero(~np.isnan(values))
    return defined[np.argsort(-values[defined], kind="stable")]


def halves(values: Floats) -> list[str]:
    """Easy above the median, hard otherwise."""
    return _cut(values, [float(np.nanmedian(values))] if _has_values(values) else [0.0], ("hard", "easy"))


def quarters(values: Floats) -> list[str]:
    """Four classes cut at m - sd, m and m + sd of the values."""
    mean, sd = (float(np.nanmean(values)), float(np.nanstd(values))) if _has_values(values) else (0.0, 0.0)
    return _cut(values, [mean - sd, mean, mean + sd], ("hard", "moderately hard", "moderately easy", "easy"))


def _cut(values: Floats, cuts: Sequence[float], names: Sequence[str]) -> list[str]:
    classes = np.searchsorted(cuts, values, side="left").tolist()
    return ["" if np.isnan(value) else names[number] for value, number in zip(values.tolist(), classes, strict=True)]


def _has_values(values: Floats) -> bool:
    return bool((~np.isnan(values)).any())


def _over_systems(ap: Floats, summarise: Callable[..., Floats]) -> Floats:
    """A summary of each topic's values, NaN where it has none, [topics, systems] -> [topics]."""
    scored = ~np.isnan(ap).all(axis=1)
    out = np.full(len(ap), np.nan)
    if scored.any():
        out[scored] = summarise(ap[scored], axis=1)
    return out


# ---- from the lists themselves


def read_once(runs: RunsLike, qrels: QrelsLike, reading: InputOptions) -> dict[str, str | Run]:
    """Runs by name where they are; standard input, which can be read only once, in memory."""
    sources: dict[str, str | Run] = {run.name: run.data for run in named_runs(runs, reading.names, reading.columns)}
    # Judgments on standard input too are refused when the runs are scored.
    for name in [name for name, data in sources.items() if isinstance(data, str) and data == STDIN != qrels]:
        sources[name] = _loaded(STDIN, reading)
    return sources


def _loaded(path: str, reading: InputOptions) -> Run:
    return load_run(path, **reading.of_files, on_duplicate=reading.policy.on_duplicate)[0]


def _compare_lists(
    runs: Iterable[str | Run], topics: Sequence[str], cutoff: int, reading: InputOptions
) -> dict[str, Floats]:
    """Means over runs of what their scores predict, and the divergence between them, by column, [topics] each."""
    deviations: list[list[tuple[float, float]]] = [[] for _ in topics]
    lists: list[list[dict[bytes, float]]] = [[] for _ in topics]
    for source in runs:
        run = rewritten(source if isinstance(source, Run) else _loaded(source, reading), reading.policy)
        tops = top_lists(run, cutoff, reading.policy)
        for number, topic in enumerate(topics):
            if topic in tops:
                top = tops[topic]
                deviations[number].append((float(np.std(top.scores)), largest_deviation(top.all_scores)))
                lists[number].append(dict(zip(top.documents, weights(len(top.documents)), strict=True)))
    mean = np.array([np.mean(values, axis=0) if values else (np.nan, np.nan) for values in deviations])
    divergence = np.array([jensen_shannon(distributions) for distributions in lists])
    return {"shtok": mean[:, 0], "perez_iglesias": mean[:, 1], "aslam_pavlu": divergence}


def largest_deviation(scores: Floats) -> float:
    """The largest standard deviation of the first n scores of a list, over n = 1 to its length.

    Deviations divide by n. Wherever scores of irrelevant documents flatten the list, the deviation falls; its maximum
    needs no cutoff.

    Args:
        scores: of one list, in its order, [ranks], at least one.

    Reference:
        Perez-Iglesias & Araujo 2010, Standard deviation as a query hardness estimator, SPIRE.
        doi:10.1007/978-3-642-16321-0_21; as sigma_max in Cummins 2014, Document score distribution models for query
        performance inference and prediction. doi:10.1145/2559170
    """
    count = np.arange(1, len(scores) + 1)
    # Distances from the first score keep equal scores at exactly 0, and large ones from cancelling.
    distance = scores - scores[0]
    variance = np.cumsum(distance**2) / count - (np.cumsum(distance) / count) ** 2
    return float(np.sqrt(max(0.0, variance.max())))
