"""The lines that trec_eval prints: what the arguments of ``-m`` stand for, and their values in trec_eval's order."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from cranfield._text import quoted
from cranfield._typing import Floats
from cranfield._validation import is_decimal
from cranfield.errors import MeasureError
from cranfield.measures import Measure, parse_measure, parse_measures
from cranfield.measures.parse import NICKNAMES
from cranfield.scoring import Evaluation, read_measures
from cranfield.scoring.relstring import DEFAULT, RelString

Combined = Literal["alone", "mean", "utility"]
"""The way in which the value of a line on a topic is computed from those of its measures."""
UTILITY = ("num_rel_ret", "num_ret", "num_rel")
"""The measures that utility combines."""


@dataclass(frozen=True)
class MeasureLine:
    """A measure as trec_eval prints it.

    Args:
        name: the name that begins its lines.
        measures: the measures that it combines; none where it is a string.
        combined: how they are combined.
        factors: the four coefficients of utility.
        text: the string, where it is one; the run's tag needs nothing.
        why: the reason why trec_eval prints another number, where it does.
    """

    name: str
    measures: tuple[Measure, ...] = ()
    combined: Combined = "alone"
    factors: tuple[float, ...] = ()
    text: RelString | None = None
    why: str = ""


def parse_lines(requested: Sequence[str], level: float = 1) -> list[MeasureLine]:
    """Parse the arguments of ``-m`` into lines, each once, in trec_eval's order, cutoffs ascending.

    As in trec_eval, parameters replace the bare name: ``-m P -m P.7`` prints P_7 alone. Unlike trec_eval, we print
    every requested line, and not only the first of a measure with parameters.

    Args:
        requested: the argument of each ``-m``.
        level: the smallest label of relevant documents.

    Raises:
        MeasureError: a measure that trec_eval or we do not have, or parameters that it does not take.
    """
    by_name: dict[str, list[str]] = {}
    for text in requested:
        name, parameters = _split_name(text.strip())
        for each in NICKNAMES.get(name, (name,)):
            distinct = by_name.setdefault(each, [])
            if parameters and parameters not in distinct:
                distinct.append(parameters)
    lines: list[MeasureLine] = []
    for name, kind in _KINDS.items():
        if name in by_name:  # each line once; without parameters, those of the defaults
            lines += {line.name: line for line in kind(name, by_name[name])}.values()
    return [
        replace(line, measures=tuple(read_measures(measure, level)[0] for measure in line.measures)) for line in lines
    ]


def _split_name(text: str) -> tuple[str, str]:
    """Split a name from its parameters, also in the spelling ``P_5`` of pytrec_eval and ir_measures."""
    name, dot, parameters = text.partition(".")
    cut = re.fullmatch(r"(.+?)_([0-9][0-9.,]*)", text)
    if cut is not None and text not in _KINDS and cut[1] in _KINDS:
        name, dot, parameters = cut[1], "_", cut[2]
    known = "prefs" if name.startswith("prefs_") else name
    if known in _ELSEWHERE:
        raise MeasureError(f"{name} is {_ELSEWHERE[known]}")
    if name not in _KINDS and name not in NICKNAMES:
        raise MeasureError(_describe_unknown(text))
    if dot and not parameters:
        raise MeasureError(f"{text!r} ends where the parameters of {name} should follow")
    if parameters and (name in NICKNAMES or _KINDS[name] is _make_plain):
        raise MeasureError(f"{text!r}: {name} takes no parameters")
    return name, parameters


def _describe_unknown(text: str) -> str:
    import difflib

    close = difflib.get_close_matches(text.partition(".")[0], [*_KINDS, *NICKNAMES], 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"trec_eval has no measure {quoted(text)}{hint} (`cranfield evaluate` takes our own names)"


LinesOfMeasure = Callable[[str, Sequence[str]], Iterator[MeasureLine]]
"""The lines of a measure with all parameters it was given."""


def _make_plain(name: str, parameters: Sequence[str]) -> Iterator[MeasureLine]:
    yield MeasureLine(name, (parse_measure(name),))


def _make_runid(name: str, parameters: Sequence[str]) -> Iterator[MeasureLine]:
    yield MeasureLine(name)


def _make_cuts(name: str, parameters: Sequence[str]) -> Iterator[MeasureLine]:
    """Make lines by cutoff, an integer; trec_eval truncates others."""
    cutoffs = {_parse_integer(word, name) for text in parameters for word in text.split(",")}
    wanted = [f"{name}_{cutoff}" for cutoff in sorted(cutoffs)] or [name]
    for measure in (measure for each in wanted for measure in parse_measures(each)):
        yield MeasureLine(f"{name}_{measure.parameters['cutoff']}", (measure,))


def _make_levels(name: str, parameters: Sequence[str]) -> Iterator[MeasureLine]:
    """Make lines by cutoffs that are shares, printed with two decimals."""
    levels = sorted({_parse_number(word, name) for text in parameters for word in text.split(",")})
    usual, at = parse_measures(name), _LEVELS[name]
    for measure in [usual[0](**{at: level}) for level in levels] or usual:
        yield MeasureLine(f"{name}_{measure.parameters[at]:.2f}", (measure,))


_LEVELS = {"iprec_at_recall": "recall", "Rprec_mult": "mult"}
"""Name -> the parameter that the levels set."""


def _make_gains(name: str, parameters: Sequence[str]) -> Iterator[MeasureLine]:
    """Make lines by ``label=gain`` pairs; other labels keep their gains."""
    measure = parse_measure(name)
    if not parameters:
        yield MeasureLine(name, (measure,))
    for text in parameters:
        gains: dict[float, float] = {}
        for pair in text.split(","):
            label, equals, gain = pair.partition("=")
            if not equals:
                raise MeasureError(f"{name}.{text}: {quoted(pair)} should be label=gain")
            gains[_parse_number(label, name)] = _parse_number(gain, name)
        yield MeasureLine(f"{name}_{text}", (measure(gains=gains),))


def _make_set_f(name: str, parameters: Sequence[str]) -> Iterator[MeasureLine]:
    if not parameters:
        yield MeasureLine(name, (parse_measure(name),))
    for text in parameters:
        yield MeasureLine(f"{name}_{text}", (parse_measure("SetF")(beta=_parse_number(text, name)),))


def _make_eleven_points(name: str, parameters: Sequence[str]) -> Iterator[MeasureLine]:
    """Make lines by levels of recall, the eleven points by default."""
    if not parameters:
        yield MeasureLine(name, (parse_measure(name),))
    for text in parameters:
        levels = [_parse_number(word, name) for word in text.split(",")]
        yield MeasureLine(f"{name}_{text}", tuple(parse_measure("IPrec@0")(recall=level) for level in levels), "mean")


def _make_utility(name: str, parameters: Sequence[str]) -> Iterator[MeasureLine]:
    """Make lines by the worth of a document that is relevant and retrieved, retrieved, relevant, or neither."""
    if not parameters:
        yield MeasureLine(name, (parse_measure(name),))
    for text in parameters:
        factors = tuple(_parse_number(word, name) for word in text.split(","))
        if len(factors) != 4:
            raise MeasureError(f"{name}.{text}: utility takes four numbers, not {len(factors)}")
        yield MeasureLine(f"{name}_{text}", tuple(map(parse_measure, UTILITY)), "utility", factors)


def _make_relstring(name: str, parameters: Sequence[str]) -> Iterator[MeasureLine]:
    if not parameters:
        yield MeasureLine(name, text=RelString(name, DEFAULT))
    for text in parameters:
        yield MeasureLine(f"{name}_{text}", text=RelString(f"{name}_{text}", _parse_integer(text, name)))


def _make_rbp(name: str, parameters: Sequence[str]) -> Iterator[MeasureLine]:
    if parameters:
        raise MeasureError(f"{name}.{parameters[0]}: {name} is printed with p=0.9 alone; `cranfield evaluate` sets p")
    ours, why = _RBP[name]
    yield MeasureLine(name, (parse_measure(ours),), why=f"{name} is our {ours}: {why}")


_RBP = {
    "rbp": ("RBP(p=0.9)", "trec_eval 10 reads memory that it never wrote"),
    "rbp_resid": ("RBPResidual(p=0.9)", "trec_eval 10 leaves out the ranks below a list that is judged completely"),
}
"""Name -> our measure, and why trec_eval's number is another."""


def _parse_integer(text: str, name: str) -> int:
    if not re.fullmatch(r"\+?[0-9]{1,15}", text) or int(text) < 1:
        raise MeasureError(f"{name}: {quoted(text)} should be a whole number of at least 1")
    return int(text)


def _parse_number(text: str, name: str) -> float:
    if not is_decimal(text):
        raise MeasureError(f"{name}: {quoted(text)} is not a number")
    return float(text)


_KINDS: dict[str, LinesOfMeasure] = {
    "runid": _make_runid,
    **dict.fromkeys(("num_q", "num_ret", "num_rel", "num_rel_ret"), _make_plain),
    **dict.fromkeys(("map", "gm_map", "Rprec", "bpref", "recip_rank"), _make_plain),
    "iprec_at_recall": _make_levels,
    "P": _make_cuts,
    "relstring": _make_relstring,
    "recall": _make_cuts,
    **dict.fromkeys(("infAP", "gm_bpref"), _make_plain),
    "Rprec_mult": _make_levels,
    "utility": _make_utility,
    "11pt_avg": _make_eleven_points,
    "binG": _make_plain,
    **dict.fromkeys(("G", "dcg", "ndcg", "ndcg_rel", "Rndcg"), _make_gains),
    **dict.fromkeys(("ndcg_cut", "map_cut", "relative_P", "success"), _make_cuts),
    **dict.fromkeys(("set_P", "set_relative_P", "set_recall", "set_map"), _make_plain),
    "set_F": _make_set_f,
    "num_nonrel_judged_ret": _make_plain,
    **dict.fromkeys(("rbp", "rbp_resid"), _make_rbp),
    "unj": _make_cuts,
    "yaap": _make_plain,
}
"""trec_eval's measures in its order -> the function that makes their lines from parameters."""

_PREFERENCES = "a measure of trec_eval for other formats of judgments (-R), which `cranfield` does not read"
_ELSEWHERE = {
    "ideal_dcg": "the part of ndcg that depends on no run, which `cranfield` does not print",
    "judged": "pyserini's, over all lists together; `cranfield evaluate -m Judged@10` gives the mean over topics",
    **dict.fromkeys(("all_prefs", "prefs", "qrels_jg", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"), _PREFERENCES),
}
"""Measures that we do not print, and why."""

MIN_GEO_MEAN = 1e-5
"""The smallest score in a geometric mean; smaller ones are raised to it."""
ALL = "all"


def format_lines(
    table: Evaluation,
    lines: Sequence[MeasureLine],
    *,
    complete: bool,
    by_topic: bool,
    summary: bool,
    documents: int | None,
) -> str:
    """Format all lines: topics in the order of their bytes, then the summary.

    Args:
        table: scores of one run by the measures of the lines, with its rankings.
        lines: the lines to print.
        complete: whether judged topics that the run lacks count; they are left out otherwise.
        by_topic: whether topics are printed.
        summary: whether the summary is printed.
        documents: the number of documents of the collection, where a coefficient of utility needs it.
    """
    assert table.rankings is not None
    present = np.arange(len(table.topics)) if complete else np.flatnonzero(table.rankings.length)
    order = sorted(present.tolist(), key=lambda topic: table.topics[topic].encode())
    columns = [_compute_column(table, line, documents) for line in lines]
    texts = [None if line.text is None else list(line.text.format_topics(table.rankings)) for line in lines]
    out: list[str] = []
    for topic in order if by_topic else ():
        for line, column, text in zip(lines, columns, texts, strict=True):
            if text is not None:
                out.append(f"{line.name:<22}\t{table.topics[topic]}\t'{text[topic]}'\n")
            elif column is not None and not _is_summary_only(line):
                out.append(_format_line(line, table.topics[topic], float(column[topic])))
    for line, column in zip(lines, columns, strict=True) if summary else ():
        if column is not None:
            out.append(_format_line(line, ALL, _summarize(table, line, column[order], complete)))
        elif line.text is None:
            out.append(f"{line.name:<22}\t{ALL}\t{table.tags[0]}\n")
    return "".join(out)


def _compute_column(table: Evaluation, line: MeasureLine, documents: int | None) -> Floats | None:
    """Compute the value of a line on each topic, float64 [topics]; None where it is a string."""
    if not line.measures:
        return None
    cells = np.stack([table.values[table.measures.index(measure), :, 0] for measure in line.measures])
    match line.combined:
        case "mean":
            total: Floats = np.cumsum(cells, axis=0)[-1] / len(cells)
            return total
        case "utility":
            both, retrieved, relevant = cells
            elsewhere = (documents or 0) + both - retrieved - relevant
            parts = both, retrieved - both, relevant - both, elsewhere
            worth: Floats = np.cumsum([a * part for a, part in zip(line.factors, parts, strict=True)], axis=0)[-1]
            return worth
    alone: Floats = cells[0]
    return alone


def _is_summary_only(line: MeasureLine) -> bool:
    """Return whether trec_eval prints the measure in the summary alone."""
    return line.name == "num_q" or line.measures[0].declaration.summary == "geometric mean"


def _is_count(line: MeasureLine) -> bool:
    return line.combined == "alone" and line.measures[0].declaration.summary == "sum"


def _summarize(table: Evaluation, line: MeasureLine, cells: Floats, complete: bool) -> float:
    """Summarize a line, adding topic by topic as trec_eval does: the last printed digit may depend on the last bit."""
    if _is_count(line):
        quirk = float(table.summaries[table.measures.index(line.measures[0]), 0])
        return quirk if complete else float(cells.sum())
    if line.combined == "alone" and line.measures[0].declaration.summary == "geometric mean":
        return math.exp(_average(np.log(np.maximum(cells, MIN_GEO_MEAN))))
    return _average(cells)


def _average(cells: Floats) -> float:
    return float(np.cumsum(cells)[-1]) / len(cells)


def _format_line(line: MeasureLine, topic: str, value: float) -> str:
    if _is_count(line) and not math.isnan(value):
        return f"{line.name:<22}\t{topic}\t{value:.0f}\n"
    return f"{line.name:<22}\t{topic}\t{value:6.4f}\n"
