"""Measures from their names, in the grammar of ir_measures or trec_eval's spelling, and from ir_measures' objects.

name [ "(" parameter "=" value { "," parameter "=" value } ")" ] [ "@" value ]
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeAlias

from cranfield._message import name_value
from cranfield._text import shown, warn
from cranfield._validation import is_decimal
from cranfield.errors import MeasureError
from cranfield.measures._declaration import aliases, registry, spelled, without_cut
from cranfield.measures._measure import Measure, named
from cranfield.measures._parameter import Parameter

_FORM = re.compile(r"\s*(?P<name>[^\s(@]+)\s*(?:\((?P<parameters>.*)\))?\s*(?:@\s*(?P<at>[^\s@()]+))?\s*", re.DOTALL)
_COMMA = re.compile(r",(?=\s*[^\s\d.,])(?![^(]*\))")
"""Between measures: outside of brackets, and not between the cutoffs of trec_eval's ``P.5,10``."""
_SEVERAL = re.compile(r"\s+(?![^(]*\))")
"""Between measures, if commas were forgotten."""
_TREC = re.compile(r"[^\s()@=]+")
_DECIMAL = r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_AT = re.compile(r"(?P<name>.+)_at_(?P<at>[0-9]+)")
"""A cutoff as evaluators of embeddings write it: ndcg_at_10."""
_CUTOFF = re.compile(r"(?P<name>\D+?)(?:[_@-]?at)?[_@-]?(?P<at>\d+)", re.IGNORECASE)
"""A name with a cutoff, however that is written: ndcg_at_10, nDCG10, hit_rate@5."""
P_MRR = (
    "p-MRR",
    "Whether systems follow a changed instruction: a measure of two runs, for the old and the new instructions, and "
    "two sets of judgments. Python computes it: `cranfield.comparison.compute_p_mrr(old, new, old_qrels, new_qrels)` "
    "(docs/moving.md has an example).",
    "FollowIR",
    "Weller et al. 2025, FollowIR, in: NAACL. arXiv:2403.15246",
)
"""The row of p-MRR in a list of measures: name, meaning, other names, reference."""
OF_TWO_RUNS = {"pmrr": ("compute_p_mrr", P_MRR), "followir": ("compute_p_mrr", P_MRR)}
"""Measures of two runs at once, by the letters of their names -> the function, and what a list says."""
OTHER_WORDS = {
    **dict.fromkeys(("precision", "prec"), "P"),
    **dict.fromkeys(("recall", "rec"), "R"),
    **dict.fromkeys(("accuracy", "acc", "hit", "hits", "hit_rate", "hit-rate", "hit_ratio", "hr", "top"), "Success"),
    **dict.fromkeys(("mrr", "rr", "reciprocal_rank", "mean_reciprocal_rank"), "RR"),
    **dict.fromkeys(("map", "ap", "average_precision", "mean_average_precision"), "AP"),
    **dict.fromkeys(("ndcg", "normalized_dcg", "normalised_dcg"), "nDCG"),
    **dict.fromkeys(("r-precision", "r_precision", "r-prec", "r_prec"), "Rprec"),
    "f1": "F1",
}
"""Usual names, in small letters -> the measure here; Accuracy@k of sentence-transformers is Success@k."""
LONGEST = 300
"""An integer with more digits is not a double either."""


class MeasureObject(Protocol):
    """A measure such as ``ir_measures.nDCG @ 10``, of which the name and the given parameters are read."""

    NAME: str | None
    params: dict[str, Any]


MeasureLike: TypeAlias = Measure | str | MeasureObject
MeasuresLike: TypeAlias = MeasureLike | Iterable[MeasureLike]


def parse_measure(text: MeasureLike) -> Measure:
    """One measure from its name, for example ``nDCG(dcg="exp-log2")@10`` or ``ndcg_cut_10``.

    A measure is returned itself, and one of ir_measures as the measure here.

    Raises:
        MeasureError: an unknown name or parameter, a value outside its range, or a name for several measures.

    >>> import cranfield
    >>> cranfield.parse_measure("ndcg_cut_10"), cranfield.parse_measure("RBP(p=0.9)")
    (nDCG@10, RBP(p=0.9))
    """
    measures = parse_measures(text)
    if len(measures) != 1:
        raise MeasureError(f"{text!r} stands for {len(measures)} measures: {', '.join(map(str, measures))}")
    return measures[0]


def parse_measures(text: MeasureLike) -> list[Measure]:
    """All measures that a text stands for: trec_eval's bare names (``P``, ``ndcg_cut``), and names with commas between.

    A measure is returned itself, and one of ir_measures as the measure here.

    Raises:
        MeasureError: an unknown name or parameter, or a value outside its range.

    >>> import cranfield
    >>> cranfield.parse_measures("nDCG@10, AP")
    [nDCG@10, AP]
    >>> cranfield.parse_measures("ndcg_cut")[:3]
    [nDCG@5, nDCG@10, nDCG@15]
    """
    if isinstance(text, Measure):
        return [text.complete()]
    if not isinstance(text, str):
        if is_of_ir_measures(text):
            return [from_ir_measures(text).complete()]
        raise MeasureError(f"{name_value(text)} is not the name of a measure")
    names = _COMMA.split(text)
    if len(names) > 1:
        return [measure for name in names for measure in parse_measures(name)]
    if text.strip() in NICKNAMES:
        return _parse_nickname(text.strip())
    cached = _cache.get(text)
    if cached is not None and all(
        registry.loaded.get(measure.declaration.name) is measure.declaration for measure in cached
    ):
        return list(cached)
    try:
        parsed = _parse(text)
    except MeasureError:
        parts = [part for part in _SEVERAL.split(text) if part]
        if len(parts) > 1 and all(map(_is_measure, parts)):
            each = " and ".join(map(repr, parts))
            raise MeasureError(f"{text!r} is not a measure: give each by itself: {each}") from None
        raise
    if len(_cache) >= CACHE_SIZE:
        _cache.clear()
    _cache[text] = tuple(parsed)
    return parsed


_cache: dict[str, tuple[Measure, ...]] = {}
"""The measures of names that were parsed, for loops that score again and again; stale once one is declared anew."""
CACHE_SIZE = 1024


def names_in(text: str) -> list[str]:
    """The names in a text, which commas separate."""
    return _COMMA.split(text)


def _parse(text: str) -> list[Measure]:
    check_number(without_cut(text.strip()))
    measures = _parse_trec(text.strip())
    if measures:
        return measures
    form = _FORM.fullmatch(text)
    if form is None:
        so = _suggest(text, None) if find_by_other_names(text) else ": write a name, or name(parameter=value)@cutoff"
        raise MeasureError(f"{text!r} is not a measure{so}")
    name, at = form["name"], form["at"]
    if at is None and named(name) is None and (split := _AT.fullmatch(name)):
        name, at = split["name"], split["at"]
    measure = _find_measure(name, at)
    if form["parameters"]:
        measure = measure(**_parse_arguments(form["parameters"], text, measure.declaration.parameters))
    if at:
        if measure.declaration.at in measure.given:
            raise MeasureError(f"{text!r}: {measure.declaration.at} is given twice")
        measure = measure @ _parse_at(at, text, measure.declaration.parameters.get(measure.declaration.at))
    return [measure.complete()]


def _parse_nickname(nickname: str) -> list[Measure]:
    """The measures here among those that trec_eval prints for a nickname; a warning names the others."""
    by_name = {name: _parse_trec(name) for name in NICKNAMES[nickname]}
    without = [name for name, measures in by_name.items() if not measures]
    if without:
        warn(f"{nickname}: left out, as there is no such measure here: {', '.join(without)}")
    return [measure for measures in by_name.values() for measure in measures]


def _is_measure(text: str) -> bool:
    try:
        return text in NICKNAMES or bool(_parse(text))
    except MeasureError:
        return False


def _find_measure(name: str, suffix: str | None) -> Measure:
    measure = named(name)
    if measure is not None:
        return measure
    check_judged(name)
    usual = _list_usual(name, suffix)
    if len(usual) == 1:
        return Measure(registry[usual[0]])
    if usual:
        each = " or ".join(one if suffix is None else f"{one}@{suffix}" for one in usual)
        raise MeasureError(f"{name!r} is the name of several measures: write {each}")
    if suffix is not None and name in spelled:
        ours, theirs = f"{spelled[name][1]}@{suffix}", (f"{name}_{suffix}", f"{name}_cut_{suffix}")
        same = [text for text in (ours, *theirs) if _is_measure(text)]
        written = f"{name}@{suffix}"
        hint = f"write {' or '.join(same)}" if same else f"{spelled[name][1]} takes none"
        raise MeasureError(f"{written!r} mixes trec_eval's name with @: {hint}")
    raise MeasureError(f"there is no measure {name!r}{_suggest(name, suffix)} (`cranfield measures` lists them)")


def _list_usual(name: str, suffix: str | None) -> list[str]:
    """List the measures of a usual name: ``mrr`` is RR, ``bpref`` is Bpref, and ``ndcg`` before @ is nDCG."""
    found = [OTHER_WORDS[name.lower()]] if name.lower() in OTHER_WORDS else []
    if name == name.lower():
        found += [ours for ours in registry if ours.lower() == name]
        found += [ours for alias, ours in aliases.items() if alias.lower() == name]
    if suffix is not None and name in spelled and not spelled[name][0].fixed:
        found.append(spelled[name][1])
    return [one for one in dict.fromkeys(found) if suffix is None or registry[one].at in registry[one].parameters]


def _letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def _suggest(name: str, suffix: str | None) -> str:
    """A likely intention: the name in other letters, a cutoff without @ (``nDCG10``), or a similar name."""
    import difflib

    lowered: dict[str, str] = {}
    for candidate in (*registry, *aliases, *spelled):
        lowered.setdefault(candidate.lower(), candidate)
    ends = _CUTOFF.fullmatch(name) if suffix is None else None
    if _letters(name) in OF_TWO_RUNS:
        return f": it is of two runs, `cranfield.comparison.{OF_TWO_RUNS[_letters(name)][0]}`"
    if others := find_by_other_names(name):
        each = " or ".join(str(other if suffix is None else f"{other}@{suffix}") for other in others)
        return f"; other tools call {each} so"
    likely = [(name, suffix), *([(ends["name"], ends["at"])] if ends else [])]
    for written, at in likely:
        known = OTHER_WORDS.get(written.lower())
        if known is not None and _is_measure(text := known if at is None else f"{known}@{at}"):
            return f"; did you mean {text}?"
    for written, at in likely:
        same = lowered.get(written.lower(), "")
        text = same if at is None else f"{same}@{at}"
        if (same in registry or same in aliases) and _is_measure(text):
            return f"; did you mean {text}?"
    close = difflib.get_close_matches(name.lower(), lowered, 2, 0.6)
    return f"; did you mean {' or '.join(lowered[word] for word in close)}?" if close else ""


def find_of_two_runs(name: str) -> tuple[str, str, str, str] | None:
    """Return the row of a measure of two runs; None where it is not one, or where somebody declared that name."""
    found = OF_TWO_RUNS.get(_letters(name))
    return None if found is None or named(name) is not None else found[1]


def find_by_other_names(name: str) -> list[Measure]:
    """The measures, with their parameters, that other tools call so: ``context precision`` of ragas.

    Cutoffs, blanks and hyphens do not matter.
    """
    return [
        Measure(declaration)(**{variant.parameter: variant.value})
        for declaration in registry.values()
        for variant in declaration.variants
        if variant.is_called(name)
    ]


def _number(text: str) -> float:
    return int(text) if text.lstrip("+-").isdigit() and len(text) < LONGEST else float(text)


def _parse_at(text: str, name: str, parameter: Parameter | None) -> Any:
    """The value behind the @ of a name."""
    constants: dict[str, Any] = {"None": None, "True": True, "False": False}
    constants |= {choice: choice for choice in parameter.choices} if parameter is not None else {}
    if text not in constants and not is_decimal(text):
        raise MeasureError(f"{name!r}: @{shown(text)} is not a number")
    return constants[text] if text in constants else _number(text)


def _parse_arguments(text: str, name: str, parameters: Mapping[str, Parameter]) -> dict[str, object]:
    """The parameters in the brackets of a name; a word of one that takes words needs no quotes, which shells drop."""
    source = f"f({text})"
    try:
        call = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise MeasureError(f"{name!r}: ({shown(text)}) is not a list of parameter=value") from None
    if not isinstance(call, ast.Call) or call.args or any(keyword.arg is None for keyword in call.keywords):
        raise MeasureError(f"{name!r}: ({shown(text)}) is not a list of parameter=value")
    values: dict[str, object] = {}
    for keyword in call.keywords:
        if keyword.arg in values:
            raise MeasureError(f"{name!r}: {keyword.arg} is given twice")
        try:
            values[str(keyword.arg)] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, MemoryError, RecursionError):
            written = ast.get_source_segment(source, keyword.value) or ""
            parameter = parameters.get(str(keyword.arg))
            takes_words = parameter is None or parameter.choices  # where it is None, its name is what is refused
            if not takes_words or not re.fullmatch(r"[A-Za-z][\w-]*", written):
                raise MeasureError(
                    f"{name!r}: {keyword.arg}={shown(written)} is neither a number nor a quoted word"
                ) from None
            values[str(keyword.arg)] = written
    return values


def _parse_trec(text: str) -> list[Measure]:
    """The measures of a name in trec_eval's spelling; none where it is not one."""
    if not _TREC.fullmatch(text):
        return []
    for name in dict.fromkeys((without_cut(text), text)):
        trec, owner = spelled.get(name, (None, ""))
        if trec is None:
            continue
        measure = Measure(registry[owner])(**trec.fixed)
        suffix = text[len(name) :]
        if not suffix:
            return [measure] if trec.at is None else [measure(**{trec.at: value}) for value in trec.values]
        numbers = re.fullmatch(rf"[._]({_DECIMAL}(?:,{_DECIMAL})*)", suffix)
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


def is_of_ir_measures(item: object) -> bool:
    """Tell if it is a measure of ir_measures, which is never imported here: whoever holds one has imported it."""
    theirs = sys.modules.get("ir_measures")
    return theirs is not None and isinstance(item, getattr(theirs, "Measure", ()))


def from_ir_measures(item: Any) -> Measure:
    """The measure here that a measure of ir_measures is; ``is_of_ir_measures`` says whether it is one.

    Raises:
        MeasureError: it was defined by somebody's own function or class, or a parameter that the measure here does not
            take.
    """
    measure = named(item.NAME) if item.NAME else None
    theirs = sys.modules["ir_measures"].measures.registry.values()
    if not any(type(item) is type(known) for known in theirs):
        origin = "ir_measures.define" if hasattr(item, "runtime_impl") else "a class of its own"
        raise MeasureError(
            f"{item.NAME or 'a measure'} of ir_measures was made by {origin}, which cannot be computed here: declare "
            "it with @cranfield.measure"
        )
    if measure is None:
        raise MeasureError(f"there is no measure {item.NAME!r} of ir_measures here (`cranfield measures` lists those)")
    return measure(**{name: _without_identities(value) for name, value in item.params.items()})


def _without_identities(value: Any) -> Any:
    """A map of gains without the labels that are their own gain, as ir_measures prints it."""
    return {label: gain for label, gain in value.items() if label != gain} if isinstance(value, Mapping) else value


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
"""Nickname -> the measures that trec_eval 10 prints for it, in its order."""

TEXTS = {
    "runid": "it is the run's tag, which every table names",
    "relstring": "it is a text of the labels of the first documents of a topic, which `cranfield evaluate` prints with "
    "-m relstring -f trec -q",
}
"""Name -> why it is not a number."""
WITHOUT_JUDGMENTS = ("coverage", "catalogcoverage", "novelty")
"""Names that recommender systems have, in lower case, for quantities that use no judgments of relevance."""


def check_judged(name: str) -> None:
    """Refuse quantities that recommender systems compute without judgments of relevance.

    Args:
        name: of a requested measure, without parameters.

    Raises:
        MeasureError: it is such a quantity.
    """
    if name.lower() in WITHOUT_JUDGMENTS:
        raise MeasureError(
            f"{name!r} looks at what is shown and not at judgments of relevance, so that it is not a measure here; two "
            "lines of docs/recommenders.md compute it (of intents, coverage is I-rec)"
        )


def check_number(name: str) -> None:
    """Refuse texts that trec_eval prints among its measures.

    Args:
        name: without its parameter: ``relstring`` of ``relstring_10``.

    Raises:
        MeasureError: it is such a text.
    """
    if name in TEXTS:
        raise MeasureError(
            f"{name} of trec_eval is not a number, so that it has no mean and no table here: {TEXTS[name]}"
        )
