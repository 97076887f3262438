"""The same runs under the labels of several judges: what an organiser would conclude from each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield.arrays import Floats
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import IntentWords, Reading
from cranfield.comparison.outcome import Adjustment, Test
from cranfield.errors import InputError, UsageError
from cranfield.evaluation import evaluate
from cranfield.io.runs import RunsLike
from cranfield.measures import Measure, parse_measures
from cranfield.results.frames import stacked, tidy, unrolled
from cranfield.results.result import Result, Tables
from cranfield.statistics.contrasts import noise
from cranfield.statistics.intervals import t_interval
from cranfield.statistics.multiplicity import adjust
from cranfield.statistics.paired_tests import moments, paired_t
from cranfield.synthesis.label_agreement import (
    Judges,
    LabelAgreement,
    Relevant,
    compare_labels,
    levels_of,
    named_judges,
    reference_of,
)
from cranfield.synthesis.ranking_agreement import Agreement, compare_rankings
from cranfield.wording import quoted

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


@dataclass(frozen=True, eq=False, repr=False)
class JudgeAgreement(Result):
    """How the conclusions of an evaluation depend on who judged.

    Args:
        systems: the order of systems and the significant pairs under each judge, see ``Agreement``.
        labels: the labels themselves, see ``LabelAgreement``.
        bias: one row a ``judge`` and ``system``: ``mean_reference`` and ``mean`` of the system's scores; ``bias`` with
            its interval ``low`` to ``high`` and ``p_adjusted``, significant where it is below alpha; ``residual``.
        scores: judge -> scores of every system, dims (``topic``, system); as tidy rows each ``score``.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("judge_agreement",)
    systems: Agreement
    labels: LabelAgreement
    bias: pd.DataFrame
    scores: dict[str, xr.DataArray]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "bias": lambda: tidy(self.bias),
            "scores": lambda: stacked({name: unrolled(one, "score") for name, one in self.scores.items()}, "judge"),
            **self.systems.nested("systems"),
            **self.labels.nested("labels"),
        }


def compare_judges(
    runs: RunsLike,
    judges: Judges,
    measure: Measure | str = "nDCG@10",
    *,
    reference: str | None = None,
    relevant: Relevant = 1,
    common: bool = False,
    test: Test = "t",
    correction: Adjustment | None = None,
    alpha: float = 0.05,
    seed: int = 1,
    reading: Reading | None = None,
    policy: Policy | None = None,
    **words: Unpack[IntentWords],
) -> JudgeAgreement:
    """Score the same runs under the labels of several judges, human or not, and compare what follows.

    A judge's bias for or against system s is how much more than the other systems it gains or loses, on the topics that
    judge J and reference H both have:

        bias_s = mean over topics of (J_ts - mean_s J_ts) - (H_ts - mean_s H_ts),

    with Student's interval over topics and p adjusted (Holm) for the number of systems. A judge who spreads all systems
    further apart looks biased for the good ones; ``residual`` is what remains of a system's mean after the best
    straight line from the reference's means to the judge's.

    Args:
        runs: as ``evaluate`` takes them; two systems or more.
        judges: name -> judgments, or several, called by their names.
        measure: one.
        reference: what the others are compared with; the first, by default.
        relevant: smallest relevant label, for all judges or by name; for kappa, and for a measure that sets none.
        common: keep only documents that all judges judged.
        test: of the differences between systems, see ``compare``.
        correction: for the number of pairs; as in ``compare``.
        alpha: level of significance, in (0, 1).
        seed: of tests that draw.
        reading: how files and runs are read, as one object, see ``Reading``.
        policy: its policies alone, see ``Policy``.
        words: the same one by one: those of ``Policy``, ``input_format``, ``names``, ``intent_weights``, ``weight_sum``
            and ``keep_empty_intents``. The level of relevance is ``relevant``.

    Raises:
        InputError: files are refused, judges share no topic or document, or fewer than two systems.
        UsageError: fewer than two judges, several measures, an unknown name, a reading with a level of relevance, or a
            word that contradicts the object given.
    """
    asked = parse_measures(measure) if isinstance(measure, str) else [measure]
    if len(asked) != 1:
        raise UsageError(f"agreement of judges works on one measure, and {measure!r} is {len(asked)}")
    how = Reading.of(reading, policy, words, IntentWords)
    if how.rel is not None:
        raise UsageError(f"rel={how.rel:g} means nothing here: judges have levels, relevant={how.rel:g}")
    found = named_judges(judges, how.input_format)
    chosen, levels = reference_of(found, reference), levels_of(found, relevant)
    if common:
        found = on_common_documents(found)
    labels = compare_labels(found, reference=chosen, relevant=levels)
    scores = {}
    for name, qrels in found.items():
        # Without a level of its own, a measure has the default of its declaration.
        rel = None if levels[name] == 1 else levels[name]
        dataset = evaluate(runs, qrels, asked, reading=replace(how, rel=rel))
        only = dataset[next(iter(dataset.data_vars))]
        scores[name] = only.assign_attrs(dataset.attrs | only.attrs)
    systems = compare_rankings(scores, reference=chosen, test=test, correction=correction, alpha=alpha, seed=seed)
    settings = {"measure": str(asked[0]), "relevant": levels, "common": common, **systems.settings}
    signature = systems.signature | {"analysis": "judge agreement", "settings": settings}
    return JudgeAgreement(systems, labels, _bias(scores, chosen, 1.0 - alpha), scores, settings, signature)


def on_common_documents(found: dict[str, Qrels]) -> dict[str, Qrels]:
    """The same judgments on the documents that everybody judged.

    Raises:
        InputError: there is none.
    """
    labels = {name: qrels.to_dict() for name, qrels in found.items()}
    first, *others = labels.values()
    keys = {
        topic: [document for document in pool if all(document in other.get(topic, {}) for other in others)]
        for topic, pool in first.items()
    }
    if not any(keys.values()):
        raise InputError("no document was judged by all judges")
    return {
        name: Qrels.from_dict(
            {topic: {document: of[topic][document] for document in pool} for topic, pool in keys.items() if pool},
            name=name,
        )
        for name, of in labels.items()
    }


def _bias(scores: dict[str, xr.DataArray], reference: str, level: float) -> pd.DataFrame:
    import pandas as pd

    tables = []
    for name, theirs in scores.items():
        if name == reference:
            continue
        ours = scores[reference]
        topics = [topic for topic in ours["topic"].to_numpy() if topic in set(theirs["topic"].to_numpy())]
        if len(topics) < 2:
            raise InputError(f"{quoted(name)} and {quoted(reference)} share {len(topics)} topics, of 2 needed")
        systems = ours["system"].to_numpy()
        pair = [one.sel(topic=topics, system=systems).transpose("topic", "system").to_numpy() for one in (ours, theirs)]
        if np.isnan(pair[0]).any() or np.isnan(pair[1]).any():
            raise InputError("a system has no score on a topic: bias needs missing='empty' and undefined='declared'")
        tables.append(pd.DataFrame({"judge": name, "system": systems, **_bias_of(pair[0], pair[1], level)}))
    return pd.concat(tables, ignore_index=True)


def _bias_of(ours: Floats, theirs: Floats, level: float) -> dict[str, Floats]:
    centred = [table - table.mean(axis=1, keepdims=True) for table in (ours, theirs)]
    gap = centred[1] - centred[0]
    slack = np.maximum(noise(ours), noise(theirs))
    of = moments(gap, slack)
    low, high = t_interval(of.mean, of.deviation / np.sqrt(len(gap)), len(gap) - 1.0, level)
    means = ours.mean(axis=0), theirs.mean(axis=0)
    return {
        "mean_reference": means[0],
        "mean": means[1],
        "bias": of.mean,
        "low": low,
        "high": high,
        "p_adjusted": adjust(paired_t(gap, slack).p, "holm"),
        "residual": _residual(means[0], means[1]),
    }


def _residual(x: Floats, y: Floats) -> Floats:
    """y less the least-squares line on x; less its mean where x does not vary."""
    x, y = x - x.mean(), y - y.mean()
    squares = float((x**2).sum())
    slope = float((x * y).sum()) / squares if squares > 0 else 0.0
    residual: Floats = y - slope * x
    return residual
