"""Verdicts as a table, and those that scores, or preferences between lists, imply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import numpy as np

from cranfield._text import counted
from cranfield._typing import Floats, Ints
from cranfield._validation import check_integer, not_negative
from cranfield.collection.preferences import Preferences
from cranfield.comparison.preference import ListPreferences
from cranfield.declarations.analysis import FromVerdicts, Groups, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.errors import InputError
from cranfield.memory import analysed, require
from cranfield.pairwise.options import IN_FILE_ORDER
from cranfield.pairwise.verdicts import PairVerdicts
from cranfield.results.columns import Column
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.opening import Needs, open_scores
from cranfield.statistics.rounding import NOISE

BYTES = 120
"""Bytes for a verdict at the most, while verdicts are made."""


@dataclass(frozen=True, eq=False, repr=False)
class VerdictList(Result):
    """Verdicts, one below the other.

    Args:
        verdicts: what is listed.
        settings: the options.
        signature: all that changes these rows.
    """

    absent = "none"
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "verdicts": (Column("topic"), Column("left"), Column("right"), Column("verdict"), Column("judge"))
    }
    verdicts: PairVerdicts = field(compare=False)  # the signature has their digest
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"verdicts": self.verdicts.to_frame}

    def text(self, table: str) -> str:
        """The verdicts as preference judgments, ``topic better worse``."""
        from cranfield.io.trec import preference_lines

        return preference_lines(self.verdicts.preferences())


@analysis(
    "judges pairs",
    "",
    FromVerdicts(scores="converted"),
    views=(
        View("verdicts", "rows, or made of scores.", pairs=IN_FILE_ORDER),
        View("preferences", "`topic better worse`.", text="preference judgments"),
    ),
    groups=Groups(refused="verdicts are listed as they are: select the rows of a group by their topics"),
)
def list_verdicts(
    source: PairVerdicts | ListPreferences | ScoresLike,
    *,
    threshold: Annotated[
        float,
        Option("Differences up to this are ties, in verdicts that are made.", low=0),
    ] = 0.0,
) -> VerdictList:
    """List verdicts: those of judges, or those that scores or preferences between lists imply.

    Args:
        source: verdicts; preferences of ``cranfield.comparison.prefer``; or scores of one measure, complete.

    Raises:
        InputError: fewer than two systems, a missing score, or more verdicts than memory allows.
    """
    if isinstance(source, PairVerdicts):
        verdicts = source
    elif isinstance(source, ListPreferences):
        verdicts = convert_preferences(source, threshold=threshold)
    else:
        verdicts = convert_scores(source, threshold=threshold)
    settings = record_options(list_verdicts, locals())
    return VerdictList(verdicts, settings, signed("verdicts", settings, verdicts={"sha256": verdicts.digest}))


def convert_scores(
    scores: ScoresLike, *, threshold: float = 0.0, randomize: bool = False, seed: int = 1
) -> PairVerdicts:
    """Turn scores into verdicts on every two systems of a topic: the better one, or a tie within a threshold.

    Args:
        scores: of one measure, dims (topic, system), complete.
        threshold: the largest difference that is a tie, at least 0; differences of 1e-12 always are.
        randomize: draw which system is left; otherwise it is the earlier one.
        seed: the same seed gives the same verdicts.

    Raises:
        InputError: fewer than two systems, a missing score, or more verdicts than memory allows.
        UsageError: a threshold below 0.
    """
    not_negative(threshold=threshold)
    check_integer(0, seed=seed)
    matrix = open_scores(scores, Needs("verdicts", complete=True))
    values = np.asarray(matrix.values if matrix.larger_is_better else -matrix.values)
    if values.shape[1] < 2:
        raise InputError("verdicts need two systems: there is one", "the scores", code="too-few")
    _require_memory(len(values), values.shape[1] * (values.shape[1] - 1) // 2)
    left, right = np.triu_indices(values.shape[1], 1)
    rng = np.random.default_rng(seed) if randomize else None
    differences = values[:, left] - values[:, right]
    return _judge_pairs(matrix.topics, matrix.systems, left, right, differences, threshold, matrix.measure, rng)


def convert_preferences(
    preferences: ListPreferences | Preferences, *, threshold: float = 0.0, randomize: bool = False, seed: int = 1
) -> PairVerdicts:
    """Turn preferences into verdicts: those between the lists of systems, or preference judgments of documents.

    ``PairVerdicts.preferences`` goes the other way, from verdicts on documents to preference judgments.

    Args:
        preferences: of ``cranfield.comparison.prefer``, or judgments ``topic better worse``. Pairs without a preference
            on a topic have no verdict there.
        threshold: the largest preference that is a tie, at least 0, for preferences between lists.
        randomize: draw which one is left; otherwise it is the earlier system, or the better document.
        seed: the same seed gives the same verdicts.

    Raises:
        InputError: more verdicts than memory allows.
        UsageError: a threshold below 0.
    """
    not_negative(threshold=threshold)
    check_integer(0, seed=seed)
    rng = np.random.default_rng(seed) if randomize else None
    if isinstance(preferences, Preferences):
        rows = [(topic, *pair, "left") for topic, pairs in preferences.pairs.items() for pair in pairs]
        made = PairVerdicts.of(rows, name=f"verdicts of {preferences.name}")
        return _randomize_sides(made, rng)
    _require_memory(*preferences.topics.shape)
    names = preferences.pairs[["system", "other"]].to_numpy()
    systems = tuple(dict.fromkeys(names.ravel().tolist()))
    number = {name: at for at, name in enumerate(systems)}
    left, right = (np.array([number[name] for name in names[:, side]], dtype=np.int64) for side in (0, 1))
    topics = [str(topic) for topic in preferences.topics["topic"].values]
    judge = str(preferences.settings["preference"])
    return _judge_pairs(topics, systems, left, right, preferences.topics.values, threshold, judge, rng)


def _require_memory(topics: int, pairs: int) -> None:
    """Raises: InputError: these verdicts do not fit into the budget."""
    what = analysed(f"{counted(topics * pairs, 'verdict')} on {counted(pairs, 'pair')} of systems")
    require(BYTES * topics * pairs, what, "choose fewer systems or topics")


def _judge_pairs(
    topics: Sequence[str],
    systems: Sequence[str],
    left: Ints,
    right: Ints,
    differences: Floats,
    threshold: float,
    judge: str,
    rng: np.random.Generator | None,
) -> PairVerdicts:
    """Make a verdict of each difference [topics, pairs] that is defined, as ``judge``."""
    known = np.nan_to_num(differences).ravel()
    outcome = np.where(np.abs(known) <= max(threshold, NOISE), 0, np.sign(known)).astype(np.int64)
    order = np.argsort(np.array(systems, dtype=object))
    number = np.argsort(order)  # system -> its place among the sorted names
    made = PairVerdicts(
        tuple(topics),
        tuple(systems[at] for at in order),
        (judge,),
        np.repeat(np.arange(len(topics)), differences.shape[1]),
        number[np.tile(left, len(topics))],
        number[np.tile(right, len(topics))],
        outcome,
        np.zeros(len(outcome), dtype=np.int64),
        name=f"verdicts by {judge}",
    )
    # Sides are drawn of undefined ones too, so that a pair's side does not depend on which others are defined.
    made = _randomize_sides(made, rng)
    defined = ~np.isnan(differences).ravel()
    return made if defined.all() else made.select_rows(defined, made.judges)


def _randomize_sides(verdicts: PairVerdicts, rng: np.random.Generator | None) -> PairVerdicts:
    """Exchange left and right in about half of the rows; in none where ``rng`` is None."""
    return verdicts if rng is None else verdicts.swap_rows(rng.random(len(verdicts)) < 0.5)
