"""Measure names: the grammar of ir_measures, and trec_eval's spellings.

name [ "(" parameter "=" value { "," parameter "=" value } ")" ] [ "@" value ]

trec_eval's names for lists of measures, and names of others that are no measures here.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from cranfield._text import shown, warn
from cranfield._validation import is_decimal
from cranfield.errors import MeasureError
from cranfield.measures._declaration import aliases, registry, spelled, without_cut
from cranfield.measures._ir_measures import MeasureLike, from_ir_measures, is_of_ir_measures
from cranfield.measures._measure import Measure, named
from cranfield.measures._parameter import Parameter

_FORM = re.compile(r"\s*(?P<name>[^\s(@]+)\s*(?:\((?P<parameters>.*)\))?\s*(?:@\s*(?P<at>[^\s@()]+))?\s*", re.DOTALL)


_COMMA = re.compile(r",(?=\s*[^\s\d.,])(?![^(]*\))")
"""Between measures: outside of brackets, and not between the cutoffs of trec_eval's ``P.5,10``."""
_SEVERAL = re.compile(r"\s+(?![^(]*\))")
"""What may have been meant to stand between measures."""
_TREC = re.compile(r"[^\s()@=]+")
_CUTOFF = re.compile(r"(?P<name>\D+?)[_-]?(?P<at>\d+)")
"""A name with a cutoff that is written without @."""


LONGEST = 300
"""A whole number with more digits is no double either."""


def _number(text: str) -> float:
    return int(text) if text.lstrip("+-").isdigit() and len(text) < LONGEST else float(text)


def _at(text: str, whole: str, parameter: Parameter | None) -> Any:
    words: dict[str, Any] = {"None": None, "True": True, "False": False}
    words |= {word: word for word in parameter.choices} if parameter is not None else {}
    if text not in words and not is_decimal(text):
        raise MeasureError(f"{whole!r}: @{shown(text)} is not a number")
    return words[text] if text in words else _number(text)


def parse_measure(text: MeasureLike) -> Measure:
    """One measure from its name, for example ``nDCG(dcg="exp-log2")@10`` or ``ndcg_cut_10``.

    A measure is itself, and one of ir_measures its like here.

    Raises:
        MeasureError: an unknown name or parameter, a value outside its range, or a name for several measures.
    """
    measures = parse_measures(text)
    if len(measures) != 1:
        raise MeasureError(f"{text!r} stands for {len(measures)} measures: {', '.join(map(str, measures))}")
    return measures[0]


def parse_measures(text: MeasureLike) -> list[Measure]:
    """All measures that a text stands for: trec_eval's bare names (``P``, ``ndcg_cut``), and names with commas between.

    A measure is itself, and one of ir_measures its like here.

    Raises:
        MeasureError: an unknown name or parameter, or a value outside its range.
    """
    if isinstance(text, Measure) or is_of_ir_measures(text):
        return [(text if isinstance(text, Measure) else from_ir_measures(text)).complete()]
    if not isinstance(text, str):
        raise MeasureError(f"{text!r} is no name of a measure")
    listed = names_in(text)
    if len(listed) > 1:
        return [measure for part in listed for measure in parse_measures(part)]
    nickname = NICKNAMES.get(text.strip())
    if nickname is not None:
        return _of_nickname(text.strip(), nickname)
    try:
        return list(_again(text))
    except MeasureError:
        parts = [part for part in _SEVERAL.split(text) if part]
        if len(parts) > 1 and all(map(_is_measure, parts)):
            each = " and ".join(map(repr, parts))
            raise MeasureError(f"{text!r} is not a measure: give each by itself: {each}") from None
        raise


def names_in(text: str) -> list[str]:
    """The names of a text that has commas between names."""
    return _COMMA.split(text)


_kept: dict[str, tuple[Measure, ...]] = {}
"""What names were parsed to, for loops that score again and again."""
MOST_KEPT = 1024


def _again(text: str) -> tuple[Measure, ...]:
    """What a name was parsed to before, unless a measure has been declared anew since."""
    kept = _kept.get(text)
    if kept is None or any(registry.stock.get(one.declaration.name) is not one.declaration for one in kept):
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        kept = _kept[text] = tuple(_parsed(text))
    return kept


def _parsed(text: str) -> list[Measure]:
    check_number(without_cut(text.strip()))
    several = _trec(text.strip())
    if several:
        return several
    form = _FORM.fullmatch(text)
    if form is None:
        raise MeasureError(f"{text!r} is not a measure: write a name, or name(parameter=value)@cutoff")
    measure = _named(form["name"], form["at"])
    if form["parameters"]:
        measure = measure(**_arguments(form["parameters"], text))
    if form["at"]:
        if measure.declaration.at in measure.given:
            raise MeasureError(f"{text!r}: {measure.declaration.at} is given twice")
        measure = measure @ _at(form["at"], text, measure.declaration.parameters.get(measure.declaration.at))
    return [measure.complete()]


def _of_nickname(nickname: str, names: tuple[str, ...]) -> list[Measure]:
    """What we have of the measures that trec_eval prints for a nickname; a warning names the others."""
    by_name = {name: _trec(name) for name in names}
    without = [name for name, measures in by_name.items() if not measures]
    if without:
        warn(f"{nickname}: left out, as there is no such measure here: {', '.join(without)}")
    return [measure for measures in by_name.values() for measure in measures]


def _is_measure(text: str) -> bool:
    try:
        return text in NICKNAMES or bool(_parsed(text))
    except MeasureError:
        return False


def _named(name: str, suffix: str | None) -> Measure:
    measure = named(name)
    if measure is not None:
        return measure
    check_judged(name)
    if suffix is not None and name in spelled:
        ours, theirs = f"{spelled[name][1]}@{suffix}", (f"{name}_{suffix}", f"{name}_cut_{suffix}")
        same = [text for text in (ours, *theirs) if _is_measure(text)]
        written = f"{name}@{suffix}"
        hint = f"write {' or '.join(same)}" if same else f"{spelled[name][1]} takes none"
        raise MeasureError(f"{written!r} mixes trec_eval's name with @: {hint}")
    raise MeasureError(f"there is no measure {name!r}{_meant(name, suffix)} (`cranfield measures` lists them)")


def _meant(name: str, suffix: str | None) -> str:
    """What may have been meant: the name in other letters, a cutoff without @ (``nDCG10``), or a name much like it."""
    import difflib

    lowered: dict[str, str] = {}
    for candidate in (*registry, *aliases, *spelled):
        lowered.setdefault(candidate.lower(), candidate)
    ends = _CUTOFF.fullmatch(name) if suffix is None else None
    for written, at in [(name, suffix), *([(ends["name"], ends["at"])] if ends else [])]:
        same = lowered.get(written.lower(), "")
        text = same if at is None else f"{same}@{at}"
        if (same in registry or same in aliases) and _is_measure(text):
            return f"; did you mean {text}?"
    close = difflib.get_close_matches(name.lower(), lowered, 2, 0.6)
    return f"; did you mean {' or '.join(lowered[word] for word in close)}?" if close else ""


def _arguments(text: str, whole: str) -> dict[str, object]:
    source = f"f({text})"
    try:
        call = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise MeasureError(f"{whole!r}: ({shown(text)}) is not a list of parameter=value") from None
    if not isinstance(call, ast.Call) or call.args or any(keyword.arg is None for keyword in call.keywords):
        raise MeasureError(f"{whole!r}: ({shown(text)}) is not a list of parameter=value")
    values: dict[str, object] = {}
    for keyword in call.keywords:
        if keyword.arg in values:
            raise MeasureError(f"{whole!r}: {keyword.arg} is given twice")
        try:
            values[str(keyword.arg)] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, MemoryError, RecursionError):
            written = shown(ast.get_source_segment(source, keyword.value) or "")
            raise MeasureError(f"{whole!r}: {keyword.arg}={written} is neither a number nor a quoted word") from None
    return values


def _trec(text: str) -> list[Measure]:
    if not _TREC.fullmatch(text):
        return []
    for name in dict.fromkeys((without_cut(text), text)):
        trec, owner = spelled.get(name, (None, ""))
        if trec is None:
            continue
        measure = Measure(registry[owner])(**trec.fixed)
        rest = text[len(name) :]
        if not rest:
            return [measure] if trec.at is None else [measure(**{trec.at: value}) for value in trec.values]
        numbers = re.fullmatch(r"[._]([0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*)", rest)
        if numbers and trec.at is not None:
            return [measure(**{trec.at: _number(value)}) for value in numbers[1].split(",")]
    return []


def trec_name(measure: Measure) -> str | None:
    """trec_eval's spelling of a measure, where it has one: ``ndcg_cut_10`` for nDCG@10.

    The relevance level is left aside: trec_eval sets it for all measures at once and does not print it.
    """
    declared = measure.declaration.parameters
    changed = {name: value for name, value in measure.parameters.items() if value != declared[name].default}
    changed.pop("rel", None)
    for trec in measure.declaration.trec:
        if {name: value for name, value in changed.items() if name != trec.at} != dict(trec.fixed):
            continue
        if trec.at is None:
            return trec.name
        if measure.parameters[trec.at] is not None:
            return f"{trec.name}_{trec.form.format(measure.parameters[trec.at])}"
    return None


_COUNTS = ("num_q", "num_ret", "num_rel", "num_rel_ret")
_FIRST = (*_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P")
_SETS = ("set_P", "set_relative_P", "set_recall", "set_map", "set_F")

NICKNAMES = {
    "official": ("runid", *_FIRST),
    "set": ("runid", *_COUNTS, "utility", *_SETS),
    "all_trec": (
        *("runid", *_FIRST, "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG"),
        *("G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success"),
        *(*_SETS, "num_nonrel_judged_ret", "rbp", "rbp_resid", "unj"),
    ),
}
"""Nickname -> what trec_eval 10 prints for it, in its order."""

TEXTS = {
    "runid": "it is the run's tag, which every table names",
    "relstring": "it is a text of the labels of the first documents of a topic, which `cranfield evaluate` prints with "
    "-m relstring -f trec -q",
}
"""Name -> why it is no number."""
WITHOUT_JUDGMENTS = ("coverage", "catalogcoverage", "novelty")
"""Names of recommenders, in small letters, of what looks at no judgment of relevance."""


def check_judged(name: str) -> None:
    """Refuse what recommenders compute without judgments of relevance.

    Args:
        name: of the measure that was asked for, without parameters.

    Raises:
        MeasureError: it is one of these.
    """
    if name.lower() in WITHOUT_JUDGMENTS:
        raise MeasureError(
            f"{name!r} looks at what is shown and not at judgments of relevance, so that it is no measure here; two "
            "lines of docs/recommenders.md compute it (of intents, coverage is I-rec)"
        )


def check_number(name: str) -> None:
    """Refuse what trec_eval prints among its measures and is no number.

    Args:
        name: without what sets its parameter: ``relstring`` of ``relstring_10``.

    Raises:
        MeasureError: it is such a text.
    """
    if name in TEXTS:
        raise MeasureError(f"{name} of trec_eval is no number, so that it has no mean and no table here: {TEXTS[name]}")
