"""What the arguments of trec_eval's ``-m`` stand for: lines of its output, in its order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cranfield._text import quoted
from cranfield._validation import is_decimal
from cranfield.cli._relstring import DEFAULT, RelString
from cranfield.errors import MeasureError
from cranfield.measures import Measure, parse_measure, parse_measures
from cranfield.measures._parse import NICKNAMES
from cranfield.scoring import measures_of

Combined = Literal["alone", "mean", "utility"]
"""How a line's value of a topic comes from those of its measures."""
UTILITY = ("num_rel_ret", "num_ret", "num_rel")
"""What utility is made of."""


@dataclass(frozen=True)
class Line:
    """A measure as trec_eval prints it.

    Args:
        name: at the head of its lines.
        measures: that it is made of; none where it is a text.
        combined: how.
        factors: the four coefficients of utility.
        text: the text, where it is one; the run's tag needs nothing.
        why: what is to be said of the number, where trec_eval prints another.
    """

    name: str
    measures: tuple[Measure, ...] = ()
    combined: Combined = "alone"
    factors: tuple[float, ...] = ()
    text: RelString | None = None
    why: str = ""


def parse_lines(requested: Sequence[str], level: float = 1) -> list[Line]:
    """All lines of the measures asked for, each once, in trec_eval's order, cutoffs ascending.

    As in trec_eval, parameters replace the bare name's: ``-m P -m P.7`` prints P_7 alone. Unlike it, we print what
    every ``-m`` asks for, and not only the first of a measure with parameters.

    Args:
        requested: what was given with each ``-m``.
        level: smallest label of relevant documents.

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
    lines = [
        line for name, kind in _KINDS.items() if name in by_name for line in _make_lines(name, kind, by_name[name])
    ]
    return [
        replace(line, measures=tuple(measures_of(measure, level)[0] for measure in line.measures)) for line in lines
    ]


def _split_name(text: str) -> tuple[str, str]:
    """A name and its parameters; what pytrec_eval and ir_measures write as ``P_5`` is understood too."""
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
    if parameters and (name in NICKNAMES or _KINDS[name] is _plain):
        raise MeasureError(f"{text!r}: {name} takes no parameters")
    return name, parameters


def _describe_unknown(text: str) -> str:
    import difflib

    close = difflib.get_close_matches(text.partition(".")[0], [*_KINDS, *NICKNAMES], 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"trec_eval has no measure {quoted(text)}{hint} (`cranfield evaluate` takes our own names)"


def _make_lines(name: str, kind: Kind, parameters: Sequence[str]) -> list[Line]:
    """One measure's lines; its defaults where no parameters are given."""
    return list({line.name: line for line in kind(name, parameters)}.values())


Kind = Callable[[str, Sequence[str]], Iterator[Line]]
"""The lines of a measure with all parameters it was given."""


def _plain(name: str, parameters: Sequence[str]) -> Iterator[Line]:
    yield Line(name, (parse_measure(name),))


def _runid(name: str, parameters: Sequence[str]) -> Iterator[Line]:
    yield Line(name)


def _cuts(name: str, parameters: Sequence[str]) -> Iterator[Line]:
    """Whole cutoffs; trec_eval cuts the decimals of others off."""
    cutoffs = {_parse_integer(word, name) for text in parameters for word in text.split(",")}
    wanted = [f"{name}_{cutoff}" for cutoff in sorted(cutoffs)] or [name]
    for measure in (measure for each in wanted for measure in parse_measures(each)):
        yield Line(f"{name}_{measure.parameters['cutoff']}", (measure,))


def _levels(name: str, parameters: Sequence[str]) -> Iterator[Line]:
    """Cutoffs that are shares, printed with two decimals."""
    levels = sorted({_parse_number(word, name) for text in parameters for word in text.split(",")})
    usual, at = parse_measures(name), _LEVELS[name]
    for measure in [usual[0](**{at: level}) for level in levels] or usual:
        yield Line(f"{name}_{measure.parameters[at]:.2f}", (measure,))


_LEVELS = {"iprec_at_recall": "recall", "Rprec_mult": "mult"}
"""Name -> the parameter that the levels set."""


def _gains(name: str, parameters: Sequence[str]) -> Iterator[Line]:
    """``label=gain`` pairs; labels without one keep theirs."""
    measure = parse_measure(name)
    if not parameters:
        yield Line(name, (measure,))
    for text in parameters:
        gains: dict[float, float] = {}
        for pair in text.split(","):
            label, equals, gain = pair.partition("=")
            if not equals:
                raise MeasureError(f"{name}.{text}: {quoted(pair)} should be label=gain")
            gains[_parse_number(label, name)] = _parse_number(gain, name)
        yield Line(f"{name}_{text}", (measure(gains=gains),))


def _set_f(name: str, parameters: Sequence[str]) -> Iterator[Line]:
    if not parameters:
        yield Line(name, (parse_measure(name),))
    for text in parameters:
        yield Line(f"{name}_{text}", (parse_measure("SetF")(beta=_parse_number(text, name)),))


def _eleven_points(name: str, parameters: Sequence[str]) -> Iterator[Line]:
    """Parameters are other levels of recall than the eleven."""
    if not parameters:
        yield Line(name, (parse_measure(name),))
    for text in parameters:
        levels = [_parse_number(word, name) for word in text.split(",")]
        yield Line(f"{name}_{text}", tuple(parse_measure("IPrec@0")(recall=level) for level in levels), "mean")


def _utility(name: str, parameters: Sequence[str]) -> Iterator[Line]:
    """Worth of a document that is relevant and retrieved, retrieved, relevant, or neither."""
    if not parameters:
        yield Line(name, (parse_measure(name),))
    for text in parameters:
        factors = tuple(_parse_number(word, name) for word in text.split(","))
        if len(factors) != 4:
            raise MeasureError(f"{name}.{text}: utility takes four numbers, not {len(factors)}")
        yield Line(f"{name}_{text}", tuple(map(parse_measure, UTILITY)), "utility", factors)


def _relstring(name: str, parameters: Sequence[str]) -> Iterator[Line]:
    if not parameters:
        yield Line(name, text=RelString(name, DEFAULT))
    for text in parameters:
        yield Line(f"{name}_{text}", text=RelString(f"{name}_{text}", _parse_integer(text, name)))


def _rbp(name: str, parameters: Sequence[str]) -> Iterator[Line]:
    if parameters:
        raise MeasureError(f"{name}.{parameters[0]}: {name} is printed with p=0.9 alone; `cranfield evaluate` sets p")
    ours, why = _RBP[name]
    yield Line(name, (parse_measure(ours),), why=f"{name} is our {ours}: {why}")


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


_KINDS: dict[str, Kind] = {
    "runid": _runid,
    **dict.fromkeys(("num_q", "num_ret", "num_rel", "num_rel_ret"), _plain),
    **dict.fromkeys(("map", "gm_map", "Rprec", "bpref", "recip_rank"), _plain),
    "iprec_at_recall": _levels,
    "P": _cuts,
    "relstring": _relstring,
    "recall": _cuts,
    **dict.fromkeys(("infAP", "gm_bpref"), _plain),
    "Rprec_mult": _levels,
    "utility": _utility,
    "11pt_avg": _eleven_points,
    "binG": _plain,
    **dict.fromkeys(("G", "dcg", "ndcg", "ndcg_rel", "Rndcg"), _gains),
    **dict.fromkeys(("ndcg_cut", "map_cut", "relative_P", "success"), _cuts),
    **dict.fromkeys(("set_P", "set_relative_P", "set_recall", "set_map"), _plain),
    "set_F": _set_f,
    "num_nonrel_judged_ret": _plain,
    **dict.fromkeys(("rbp", "rbp_resid"), _rbp),
    "unj": _cuts,
    "yaap": _plain,
}
"""trec_eval's measures, in the order in which it prints them, and what their parameters are."""

_PREFERENCES = "a measure of trec_eval for other formats of judgments (-R), which `cranfield` does not read"
_ELSEWHERE = {
    "ideal_dcg": "the part of ndcg that depends on no run, which `cranfield` does not print",
    "judged": "pyserini's, over all lists together; `cranfield evaluate -m Judged@10` gives the mean over topics",
    **dict.fromkeys(("all_prefs", "prefs", "qrels_jg", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"), _PREFERENCES),
}
"""What we cannot print, and why."""
