"""Standardization in two steps: learn factors from reference systems, apply them to any scores on those topics.

Factors are stored as JSON that is readable without this package.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, cut, listed, quoted, shown, warn
from cranfield._typing import Floats, Ints, PathLike
from cranfield._validation import list_names
from cranfield._version import package_version
from cranfield.declarations.analysis import ByHand, analysis, with_options
from cranfield.declarations.option import Option
from cranfield.errors import InputError, MeasureError, UsageError
from cranfield.findings.location import Location
from cranfield.io.atomic_write import write_whole
from cranfield.io.source import as_text, read_whole
from cranfield.io.strict_json import parse_json
from cranfield.measures import parse_measures
from cranfield.results.frames import stacked
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.dataset import DIMS, UNNAMED, ScoresLike, as_dataset, make_table
from cranfield.scores.signature import carried
from cranfield.standardization.reference import Reference, learn
from cranfield.standardization.schemes import Empirical, Kernel, Scheme, SchemeLike, parse_scheme

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


ScoreFrame = TypeVar("ScoreFrame", "xr.Dataset", "xr.DataArray", "pd.DataFrame")


@dataclass(frozen=True, eq=False, repr=False)
class StandardizationFactors(Result):
    """The reference scores on each topic, and the scheme that turns them into a scale.

    Args:
        scheme: how a score is standardized by them.
        systems: the reference systems.
        measures: measure -> mean, standard deviation and ordered scores of each topic.
        source: signature of the scores that they were learnt from; None where those had none.
        sha256: of the file that they were read from; empty for factors in memory.
        settings: the scheme, and the systems.
        signature: all that changes these factors.

    In rows they are of each ``measure`` and ``topic`` the ``mean``, ``sd`` and number of reference ``systems``, and in
    the table ``scores`` each reference ``score``.
    """

    scheme: Scheme
    systems: tuple[str, ...]
    measures: Mapping[str, Reference]
    source: Any = None
    sha256: str = field(default="", compare=False)
    settings: dict[str, Any] = field(init=False)
    signature: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        settings = {"scheme": str(self.scheme), "systems": list(self.systems)}
        object.__setattr__(self, "settings", settings)
        object.__setattr__(self, "signature", signed("standardization factors", settings, scores=self.source))

    def _tables(self) -> Tables:
        return {
            "factors": lambda: stacked({name: factor_table(entry) for name, entry in self.measures.items()}, "measure"),
            "scores": lambda: stacked({name: score_table(entry) for name, entry in self.measures.items()}, "measure"),
        }

    def apply(self, scores: ScoreFrame) -> ScoreFrame:
        """Scores on the scale of the reference systems, of these systems or any others on the same topics.

        A NaN cell stays NaN. Topics keep their order; there may be fewer than the factors have. Where factors and
        scores are of one measure each, they may be called differently, with a warning, unless both names are of known
        measures. Bounds ("AP lower") are put on the scale of their measure.

        Args:
            scores: dims (topic, system); of one measure or a Dataset of several, or a data frame of one.

        Returns:
            The same labels, in the same form. Attributes: ``standardization`` names the scheme, ``signature`` all that
            made the scores; each measure's summary is its mean.

        Raises:
            InputError: a topic or a measure without factors, or an infinite score.
            UsageError: scores that are not labelled with topics and systems.
        """
        table = make_table(scores)
        signature = {
            "cranfield": package_version(),
            "standardization": str(self.scheme),
            "reference_systems": list(self.systems),
            "reference_scores": self.source,
            "scores": table.source,
        }
        scaled = {
            name: self._standardize(name, table.topics, cells)
            for name, cells in zip(table.names, table.values, strict=True)
        }
        return _relabelled(scores, scaled, {"standardization": str(self.scheme), **carried(signature)})

    def _standardize(self, name: str, topics: tuple[str, ...], values: Floats) -> Floats:
        reference = self._find_reference(name)
        index = {topic: row for row, topic in enumerate(reference.topics)}
        unknown = [topic for topic in topics if topic not in index]
        if unknown:
            verb = "has" if len(unknown) == 1 else "have"
            text = f"{listed(unknown)} {verb} no standardization factors, which were learnt on other topics"
            raise InputError(text, code="unknown", value=cut(unknown[0]))
        rows = np.array([index[topic] for topic in topics])
        same = len(rows) == len(reference.topics) and bool((rows == np.arange(len(rows))).all())
        return self.scheme.apply(values, reference if same else reference.take(topics, rows))

    def _find_reference(self, name: str) -> Reference:
        """Factors of a measure; a matrix file's name is not a measure, so that one may stand for another."""
        reference = self.measures.get(name) or self.measures.get(bounded_measure(name) or name)
        if reference is not None:
            return reference
        measures = ", ".join(map(shown, self.measures))
        if len(self.measures) > 1 or (_is_measure(name) and _is_measure(measures)):
            text = f"there are no standardization factors of {quoted(name)}, only of {measures}"
            raise InputError(text, code="unknown", value=cut(name))
        if UNNAMED not in (name, measures):
            warn(f"scores called {quoted(name)} are standardized with the factors of {quoted(measures)}")
        return next(iter(self.measures.values()))

    def write_factors(self, path: PathLike) -> None:
        """Write a JSON file that ``read_factors`` reads; it is written completely or not at all.

        Raises:
            InputError: the file cannot be written.
        """
        write_whole(Path(as_text(path)), as_json(str(self.scheme), self.systems, self.measures, self.source))


SchemeOption: TypeAlias = Annotated[
    SchemeLike,
    Option(
        "E (empirical distribution), K (the same, smoothed), N (normal), U or U(A=0.15,B=0.5) (clipped line), z, raw, "
        "or a distribution of scipy.stats such as t(5); from Python also a frozen distribution, or a function.",
        flags=("-s",),
        metavar="SCHEME",
    ),
]
ReferenceSystemsOption: TypeAlias = Annotated[
    str | Sequence[str] | None, Option("Learn factors from this system.", metavar="SYSTEM", default="all")
]


@analysis(
    "standardize",
    "Put scores on a scale that easy and hard topics share.",
    ByHand(),
    words=("z", "z_score", "standardization"),
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --scheme z --fit factors.json"),
)
def standardize(
    scores: ScoreFrame, scheme: SchemeOption = "E", *, reference_systems: ReferenceSystemsOption = None
) -> ScoreFrame:
    """Standardize scores by those of reference systems on the same topic, so that hard and easy topics count alike.

    y = F(x), with F the distribution of the reference systems' scores on the topic under the scheme:

    - ``"E"``: #{i : X_i <= x} / n, the empirical distribution, in [1/n, 1] for the reference systems themselves.
    - ``"K"``: mean of Phi((x - X_i) / h), h = 1.06 sd n^(-1/5), for few reference systems; E where all are equal.
    - ``"N"``: Phi(z), z = (x - mean) / sd with n - 1.
    - ``"U"`` or ``"U(A=0.15,B=0.5)"``: clip(A z + B, 0, 1).
    - ``"z"``: z itself, unbounded. ``"raw"``: x.
    - a frozen SciPy distribution, or its name such as ``"t(5)"``: its cdf of z, the same for all topics.
    - a function ``fit(reference scores) -> cdf``, fitted topic by topic.

    Where all reference scores of a topic are equal, its mean is taken as 0 and sd as 1. NaN cells are ignored in
    learning and stay NaN.

    Args:
        scores: dims (topic, system); of one measure or a Dataset of several, or a data frame of one.

    Returns:
        The same labels, in the same form.

    Warns:
        CranfieldWarning: topics with one reference score, by which ``E`` and ``K`` know 0 and 1 alone; topics on which
            all reference scores are equal, which keep their raw scores in z.

    Raises:
        InputError: a topic without a reference score (or with one, for schemes that need sd), an infinite score, or no
            such system.
        UsageError: an unknown scheme, or scores that are not labelled with topics and systems.

    References:
        Urbano, Lima & Hanjalic 2019, A new perspective on score standardization. doi:10.1145/3331184.3331315
        Webber, Moffat & Zobel 2008, Score standardization for inter-collection comparison of retrieval systems. SIGIR.
        Sakai 2016, A simple and effective approach to score standardization. ICTIR.

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=4, n_topics=3)
    >>> scores = cranfield.evaluate(made.runs, made.qrels, "AP")
    >>> cranfield.standardize(scores["AP"]).round(3).values.tolist()
    [[0.75, 0.5, 0.25, 1.0], [0.25, 0.5, 0.75, 1.0], [0.25, 0.75, 0.5, 1.0]]
    """
    return fit_standardization(scores, scheme, reference_systems=reference_systems).apply(scores)


@with_options()
def fit_standardization(
    scores: ScoresLike, scheme: SchemeOption = "E", *, reference_systems: ReferenceSystemsOption = None
) -> StandardizationFactors:
    """Learn the distribution of scores on each topic, to put later systems on the same scale.

    Args:
        scores: dims (topic, system); of one measure or a Dataset of several, or a data frame of one.

    Raises:
        InputError: a topic without a reference score (or with one, for schemes that need sd), an infinite score, or no
            such system.
        UsageError: an unknown scheme, or scores that are not labelled with topics and systems.
    """
    chosen = parse_scheme(scheme)
    table = make_table(scores)
    columns = find_columns(table.systems, reference_systems)
    every = columns == list(range(len(table.systems)))
    measures = {
        name: learn_reference(name, table.topics, values if every else values[:, columns], chosen)
        for name, values in zip(table.names, table.values, strict=True)
        if bounded_measure(name) not in table.names
    }
    for name, entry in measures.items():
        warn_of_references(name, entry, chosen)
    return StandardizationFactors(chosen, tuple(table.systems[column] for column in columns), measures, table.source)


def warn_of_references(name: str, reference: Reference, scheme: Scheme) -> None:
    """Warn of topics whose reference scores say too little for the scheme."""
    if isinstance(scheme, (Empirical, Kernel)):
        single = [topic for topic, count in zip(reference.topics, reference.count, strict=True) if count == 1]
        if single:
            warn(
                f"{shown(name)}: {counted(len(single), 'topic')} (first {quoted(single[0])}) with one reference score, "
                f"by which {scheme} gives 1 to every score that reaches it and 0 to all others: learn from more systems"
            )
    elif scheme.needs_spread:
        alike = [topic for topic, sd in zip(reference.topics, reference.sd, strict=True) if sd == 0]
        if alike:
            warn(
                f"{shown(name)}: all reference scores are equal on {counted(len(alike), 'topic')} (first "
                f"{quoted(alike[0])}), where the mean is taken as 0 and sd as 1, so that z is the raw score "
                "(N of .3 is .618): leave such topics out, or learn from systems that differ"
            )


def read_factors(path: PathLike, *, scheme: SchemeLike | None = None) -> StandardizationFactors:
    """Read the factors that ``StandardizationFactors.write_factors`` wrote.

    Args:
        path: of the file; ``"-"`` is standard input.
        scheme: another scheme on the same reference scores; that of the file where None.

    Raises:
        InputError: the file cannot be read, holds no factors, or none that the scheme can use.
        UsageError: the file's scheme is a function, which no file holds: give it again.
    """
    named, systems, measures, source, digest = from_json(as_text(path))
    where = Location(as_text(path))
    if scheme is None and named.startswith(("function ", "distribution ")):
        kind, _, name = named.partition(" ")
        raise UsageError(
            f"{where}: was learnt for the {kind} {shown(name)}, which no file holds: give it as scheme=..."
        )
    try:
        chosen = parse_scheme(named if scheme is None else scheme)
    except UsageError as error:
        raise error if scheme is not None else InputError(str(error), where, code="factors") from None
    for name, reference in measures.items():
        _refuse_few(where.within(shown(name)), reference.topics, reference.count, chosen)
    return StandardizationFactors(chosen, systems, measures, source, digest)


def bounded_measure(name: str) -> str | None:
    """The measure of which scores are the least or the greatest values, as ``evaluate`` calls those: "AP lower"."""
    measure, _, end = name.rpartition(" ")
    return measure if end in ("lower", "upper") else None


def _is_measure(name: str) -> bool:
    try:
        return bool(parse_measures(name))
    except MeasureError:
        return False


def learn_reference(name: str, topics: tuple[str, ...], scores: Floats, scheme: Scheme) -> Reference:
    """Learn from scores by a measure, [topics, systems].

    Raises:
        InputError: a topic has fewer reference scores than the scheme needs.
    """
    _refuse_few(shown(name), topics, (~np.isnan(scores)).sum(axis=1), scheme)
    return learn(topics, scores)


def _refuse_few(what: Location | str, topics: tuple[str, ...], count: Ints, scheme: Scheme) -> None:
    """Raises: InputError: a topic has fewer reference scores than the scheme needs."""
    least = 2 if scheme.needs_spread else 1
    few = [topic for topic, n in zip(topics, count.tolist(), strict=True) if n < least]
    if few:
        lack = "no reference score" if least == 1 else "fewer than two reference scores, so no standard deviation"
        verb = "has" if len(few) == 1 else "have"
        rescue = "leave it out" if len(few) == 1 else "leave them out"
        rescue += "" if least == 1 else ", or choose scheme E"
        text = f"{listed(few)} {verb} {lack}, which scheme {scheme} needs: {rescue}"
        raise InputError(text, what, code="too-few", value=cut(few[0]))


def find_columns(systems: tuple[str, ...], reference_systems: str | Sequence[str] | None) -> list[int]:
    """Find the columns of the reference systems, or raise ``InputError`` or ``UsageError``."""
    if reference_systems is None:
        return list(range(len(systems)))
    chosen = list_names(reference_systems=reference_systems)
    if not chosen:
        raise UsageError(f"{setting('reference_systems', reference_systems)} should be a list of at least one system")
    columns = {system: column for column, system in enumerate(systems)}
    for system in chosen:
        if system not in columns:
            text = f"the scores hold no system {quoted(str(system))} to learn from"
            raise InputError(text, code="unknown", value=cut(str(system)))
    return [columns[system] for system in dict.fromkeys(chosen)]


def _relabelled(scores: ScoreFrame, scaled: Mapping[str, Floats], marks: Mapping[str, str]) -> ScoreFrame:
    """Other values with the labels of these, in their form."""
    import xarray as xr

    dataset = as_dataset(scores)
    out = {}
    for name, variable in dataset.data_vars.items():
        attributes = {key: value for key, value in variable.attrs.items() if not key.startswith("peer_summary")}
        labelled = xr.DataArray(scaled[str(name)], variable.coords, DIMS, name)
        labelled.attrs = {**attributes, "summary": "mean", **marks}
        out[name] = labelled.transpose(*variable.dims)
    if hasattr(scores, "data_vars"):
        return dataset.assign_attrs(marks).assign(out)  # type: ignore[return-value]
    (array,) = out.values()
    if hasattr(scores, "iloc"):
        frame = array.to_pandas()
        frame.attrs = dict(scores.attrs) | dict(marks)
        return frame  # type: ignore[return-value]
    return array.rename(scores.name)  # type: ignore[arg-type,return-value]


def factor_table(reference: Reference) -> pd.DataFrame:
    """A row a topic."""
    import pandas as pd

    columns = {"mean": reference.mean, "sd": reference.sd, "systems": reference.count}
    return pd.DataFrame({"topic": reference.topics, **columns})


def score_table(reference: Reference) -> pd.DataFrame:
    """A row a reference score, in ascending order within each topic."""
    import pandas as pd

    topic, column = np.nonzero(~np.isnan(reference.ordered))
    names = np.array(reference.topics, dtype=object)
    return pd.DataFrame({"topic": names[topic], "score": reference.ordered[topic, column]})


FORMAT = "cranfield standardization factors 1"
TOLERANCE = 1e-6
"""Share of its mean or sd by which a topic may differ from what its scores give: others may have rounded."""


def as_json(scheme: str, systems: Sequence[str], measures: Mapping[str, Reference], source: Any) -> str:
    """One topic a line: ``{"mean": ..., "sd": ..., "scores": [ascending]}``; an sd that does not exist is null."""
    parts = []
    for measure, reference in measures.items():
        lines = [
            f"   {json.dumps(topic)}: "
            + json.dumps({"mean": mean, "sd": None if math.isnan(sd) else sd, "scores": ordered[:n]}, allow_nan=False)
            for topic, mean, sd, ordered, n in zip(
                reference.topics,
                reference.mean.tolist(),
                reference.sd.tolist(),
                reference.ordered.tolist(),
                reference.count.tolist(),
                strict=True,
            )
        ]
        parts.append(f"  {json.dumps(measure)}: {{\n" + ",\n".join(lines) + "\n  }")
    head = {"format": FORMAT, "scheme": scheme, "systems": list(systems), "source": source}
    top = ",\n".join(f" {json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in head.items())
    return "{\n" + top + ',\n "measures": {\n' + ",\n".join(parts) + "\n }\n}\n"


def from_json(path: str) -> tuple[str, tuple[str, ...], dict[str, Reference], Any, str]:
    """Scheme, systems, reference scores by measure, source, and the SHA-256 of the file.

    Raises:
        InputError: the file cannot be read, or holds no factors.
    """
    location = Location(path)
    content, digest = read_whole(path, "run")
    factors = parse_json(location, content)
    if not isinstance(factors, Mapping) or factors.get("format") != FORMAT:
        raise InputError(
            "holds no standardization factors; `cranfield standardize --fit FILE` writes them, and write_factors in "
            "Python",
            location,
            code="layout",
        )
    systems, measures = factors.get("systems"), factors.get("measures")
    if not isinstance(factors.get("scheme"), str) or not _is_list_of_texts(systems) or not _is_filled(measures):
        raise InputError("scheme, systems or measures are missing from these factors", location, code="factors")
    assert isinstance(measures, Mapping)
    assert isinstance(systems, list)
    references = {
        str(measure): _reference(location.within(shown(str(measure))), topics) for measure, topics in measures.items()
    }
    return factors["scheme"], tuple(systems), references, factors.get("source"), digest


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _is_filled(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value)


def _reference(where: Location, topics: Any) -> Reference:
    if not _is_filled(topics):
        raise InputError("no topic has factors", where, code="factors")
    rows: list[list[float]] = []
    for topic, factors in topics.items():
        rows.append(_checked(where.within(f"topic {shown(str(topic))}"), factors))
    width = max(len(row) - 2 for row in rows)
    table = np.full((len(rows), width + 2), np.nan)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    again = learn(tuple(topics), table[:, 2:])
    low = np.where(table[:, 0] == again.mean, again.low, 0.0)
    read_back = Reference(tuple(topics), table[:, 2:], table[:, 0], table[:, 1], low)
    spread = np.maximum(np.nan_to_num(again.sd), np.abs(again.mean))
    for name, values, reference in (("mean", read_back.mean, again.mean), ("sd", read_back.sd, again.sd)):
        wrong = ~np.isclose(values, reference, rtol=0, atol=TOLERANCE * spread, equal_nan=True)
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            what = f"its {name} is {values[first]:g}, that of its scores {reference[first]:g}"
            part = where.within(f"topic {shown(read_back.topics[first])}")
            raise InputError(what, part, code="factors", value=f"{values[first]:g}")
    return read_back


def _checked(where: Location, factors: Any) -> list[float]:
    """Mean, sd, and the scores in order."""
    try:
        mean, sd, scores = factors["mean"], factors["sd"], factors["scores"]
        row = [_finite(mean), math.nan if sd is None else _finite(sd), *map(_finite, scores)]
    except (TypeError, KeyError, ValueError, OverflowError):
        text = "expected a mean, an sd and a list of scores, all finite numbers"
        raise InputError(text, where, code="factors") from None
    if len(row) < 3 or row[2:] != sorted(row[2:]) or row[1] < 0:
        text = "expected at least one score, in ascending order, and no negative sd"
        raise InputError(text, where, code="factors")
    return row


def _finite(value: Any) -> float:
    if isinstance(value, (bool, str)) or not math.isfinite(value):
        raise ValueError
    return float(value)
