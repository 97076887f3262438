"""The sentences for refused files: one for each code that an engine raises."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cranfield import errors
from cranfield._message import setting
from cranfield._text import counted, cut, in_full, shown
from cranfield._validation import explain_number, is_decimal
from cranfield.collection.word_labels import advise
from cranfield.errors import EngineError, InputError
from cranfield.findings.location import Location
from cranfield.memory import SHOW_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RUN_LINE = "topic Q0 document rank score tag"
QRELS_LINE = "topic iteration document label"
EXPECTED = {
    ("run", "trec"): RUN_LINE,
    ("run", "beir"): RUN_LINE,
    ("run", "msmarco"): "topic document rank",
    ("qrels", "trec"): QRELS_LINE,
    ("qrels", "msmarco"): QRELS_LINE,
    ("qrels", "beir"): "topic document label",
}
WINDOWS = {
    "xz": "ask for a dictionary of 1 GiB or more, which is not given; pack the file again, `xz -9` takes 64 MiB",
    "zstd": "ask for a window of more than 128 MiB, which is not given; pack the file again without --long or --ultra",
}
"""Demands of an archive that a few bytes could make as well."""
JSON = f"is this JSON? It is read with {setting('input_format=auto')}, which tells the format by the content"
SCORES = "are these scores, as `evaluate` writes them? Score files follow --scores, a baseline of `gate` --against"
SCORE_COLUMNS = {"system", "topic", "measure", "value"}
ORDER = "On the command line the qrels come first (QRELS RUN...), in Python the runs"
GUESSES = {
    ("run", "trec", 3): f"an MS MARCO run (topic document rank) is read with {setting('input_format=msmarco')}",
    ("run", "trec", 4): f"is this a qrels file? {ORDER}",
    ("run", "beir", 3): f"is this an MS MARCO run ({setting('input_format=msmarco')}), or are these qrels? {ORDER}",
    ("run", "beir", 4): f"is this a qrels file? {ORDER}",
    ("run", "msmarco", 4): f"is this a qrels file? {ORDER}",
    ("run", "msmarco", 6): f"a TREC run is read with {setting('input_format=trec')}",
    ("qrels", "trec", 2): f"MS MARCO's reference (topic passage) is read with {setting('input_format=msmarco')}",
    ("qrels", "trec", 3): f"BEIR qrels (topic document label) are read with {setting('input_format=beir')}",
    ("qrels", "trec", 6): f"is this a run? {ORDER}",
    ("qrels", "beir", 4): f"TREC qrels are read with {setting('input_format=trec')}",
    ("qrels", "beir", 6): f"is this a run? {ORDER}",
    ("qrels", "msmarco", 3): f"are these BEIR qrels ({setting('input_format=beir')}), or is this a run? {ORDER}",
    ("qrels", "msmarco", 6): f"is this a run? {ORDER}",
}
"""(Kind, layout, number of fields in a line) -> what such a file may be instead."""
ABOUT_DOCUMENTS = ("duplicate", "conflict")
"""Codes of errors about a document, which stands behind its topic in what an engine says."""


def refusal(error: EngineError, location: Location, kind: str, layout: str) -> InputError:
    """The error that a user sees, for what an engine raised while reading a file as a ``kind`` (run, qrels)."""
    value = error.more if error.code in ABOUT_DOCUMENTS else error.value
    return errors.refusal(
        _sentence(error, kind, layout), location.at(error.line or None), code=error.code, value=cut(value)
    )


def _sentence(error: EngineError, kind: str, layout: str) -> str:
    text = _describe_line(error, kind, layout) or _describe_bytes(error, kind, layout)
    assert text is not None, f"no sentence for {error.code}"
    return text


def _describe_line(error: EngineError, kind: str, layout: str) -> str | None:
    """The sentence about the fields of a line; None where the error is another one."""
    value, more, number = shown(error.value), shown(error.more), error.number
    match error.code:
        case "fields":
            text = f"{counted(number, 'field')}, expected {more} ({EXPECTED[kind, layout]}): '{value}'"
            return text + _guess(error, kind, layout)
        case "score" | "label" if re.fullmatch(r"[+-]?(nan|inf|infinity)", value, re.IGNORECASE):
            return f"the {error.code} is '{value}'; every {error.code} must be a finite number"
        case "label" if re.fullmatch(r"L[0-9]", value):
            return (
                f"the label '{value}' is not a number; NTCIREVAL's judgments are read with "
                f"{setting('input_format=ntcir')}"
            )
        case "score" | "label":
            advice = advise(error.value) if error.code == "label" else ""
            return f"the {error.code} '{value}' is not a number such as 12.5 or 1e-3{_no_number(error)}{advice}"
        case "overflow":
            return f"the {more} '{value}' is too large for a double; every {more} must be finite"
        case "rank":
            return (
                f"the rank '{value}' is not a whole number of at most 18 digits, and the rank column decides the order"
            )
        case "equal-ranks":
            return (
                f"rank {value} occurs twice in its topic, and the rank column decides the order "
                f"({setting('ties=rank')})"
            )
        case "no-ranks":
            return f"the run has no whole-number ranks, which {setting('ties=rank')} needs"
        case "duplicate":
            return (
                f"document '{more}' occurs twice in topic '{value}': keep one of its lines; "
                f"{setting('on_duplicate=first')} would keep the better-ranked one"
            )
        case "conflict":
            return f"document '{more}' of topic '{value}' has another label on line {number}; keep one of them"
        case "long":
            return f"the {more} id has {number:,} bytes, at most 4,096 are allowed: '{value}'"
    return None


def _describe_bytes(error: EngineError, kind: str, layout: str) -> str | None:
    """The sentence about the bytes of a file, or about reading them; None where the error is another one."""
    more, number = shown(error.more), error.number
    match error.code:
        case "nul":
            return "the line holds a NUL byte; is this a text file?"
        case "utf8":
            return "the line is not valid UTF-8; convert the file, for example with `iconv -f latin1 -t utf-8`"
        case "utf16" | "utf32":
            bits = error.code.removeprefix("utf")
            return f"the file is UTF-{bits}, not UTF-8 text; convert it with `iconv -f utf-{bits} -t utf-8`"
        case "empty":
            subject = "a run has" if kind == "run" else "qrels have"
            return f"the file holds no rows; {subject} lines such as {EXPECTED[kind, layout]!r}"
        case "changed":
            return "the file changed while it was read: wait until it is complete, and read it again"
        case "truncated":
            return f"the {more} data end too early: the file is truncated; copy or download it again"
        case "damaged":
            return f"the {more} data are damaged; copy or download the file again"
        case "trailing":
            return (
                f"the {more} data end at byte {number:,}, and something else follows that is not {more}: "
                "cut it off if it does not belong there, or copy or download the file again"
            )
        case "window":
            return f"the {more} data {WINDOWS[error.more]}"
        case "memory":
            size = f" ({number:,} bytes)" if number else ""
            return (
                f"the system refuses the memory{size} that reading it takes; give the process more{SHOW_LIMIT}, "
                "or read fewer files at once"
            )
        case "bomb":
            return (
                f"the {more} data unpack to more than {number:,} bytes; "
                "set CRANFIELD_MAX_UNPACKED to a larger number of bytes if that is right"
            )
    return None


def _guess(error: EngineError, kind: str, layout: str) -> str:
    """A guess at what a file with this number of fields is instead."""
    if error.value.startswith(("{", "[")):
        return f"; {JSON}"
    if set(re.split(r"[\t, ]", error.value)) >= SCORE_COLUMNS:
        return f"; {SCORES}"
    words = error.value.split()[int(error.more) - 1 :]
    if kind == "qrels" and error.number > int(error.more) and words and all(map(str.isalpha, words)):
        return advise(" ".join(words))
    guess = GUESSES.get((kind, layout, error.number))
    if guess is not None:
        return f"; {guess}"
    if "\r" in error.value:
        return "; do lines end in carriage returns alone? `tr '\\r' '\\n'` mends that"
    if error.number == 2 * int(error.more) - 1:
        return "; are two lines glued together?"
    if error.value.startswith("<"):
        return "; is this a web page?"
    if error.number == 1 and ("," in error.value or ";" in error.value):
        return "; fields are separated by spaces or tabs"
    fields = error.value.split()
    if kind == "qrels" and len(fields) == error.number == 5 and all(map(is_decimal, fields[2:])):
        return "; are these prels (topic document label method probability)? Write them as topic 0 document label"
    if error.number > int(error.more):
        return f"; {'neither ids nor tags may' if kind == 'run' else 'ids may not'} hold blanks"
    if EXPECTED[kind, layout] == RUN_LINE and len(fields) == error.number == 5:
        return _missing(fields)
    return ""


def _missing(fields: list[str]) -> str:
    """Return which of the six fields of a run's line the other five leave out."""
    number = [is_decimal(field) for field in fields]
    if number[3:] == [True, True]:
        return "; is the tag, the last field, missing?"
    if fields[1].upper() != "Q0" and number[2:] == [True, True, False]:
        return "; is Q0, the second field, missing?"
    if number[3:] == [True, False]:
        return "; is the rank or the score missing?"
    return ""


def _no_number(error: EngineError) -> str:
    if instead := explain_number(error.value):
        return instead
    if error.line == 1 and error.value == "value":  # the last column of such a file stands where a label does
        return f"; {SCORES}"
    return "; if the line is a header, remove it" if error.line == 1 and error.value.isalpha() else ""


def no_lines(location: Location, what: str) -> InputError:
    """The error about a file that holds no lines: its kind, and what to do."""
    return InputError(f"is {what}", location, code="other-kind")


def folder_named(location: Location) -> InputError:
    """A folder in the place of one file; one that holds parts of a run, as Spark writes them, says so by its names."""
    from pathlib import Path

    try:
        names = [entry.name for entry in Path(location.path).iterdir()]
    except OSError:
        names = []
    if any(re.match(r"part-|_SUCCESS$|.*\.(parquet|pq|arrow|feather)$", name) for name in names):
        text = (
            "is a folder of files that may be parts of one: `cranfield evaluate --dataset` reads them so, in Python "
            "cranfield.partitions.Dataset; files of their own are named one by one, or as "
            f"{location.file.rstrip('/')}/*"
        )
        return InputError(text, location, code="folder")
    return InputError(
        f"is a folder; name its files, for example {location.file.rstrip('/')}/*", location, code="folder"
    )


def missing_file(location: Location) -> InputError:
    """No such file, with the names nearest to it."""

    def missing(text: str) -> InputError:
        return InputError(f"no such file{text}", location if location.path else "''", code="missing-file")

    if not location.path:
        return missing("; the name is empty")
    if "://" in location.path:
        return missing("; what an address names is not fetched, download it first")
    from pathlib import Path

    path = Path(location.path)
    folder = path.parent
    if folder.is_dir():
        return missing(_near(path, Path.is_file))
    return missing(f": there is no folder '{in_full(str(folder))}'{_near(folder, Path.is_dir)}")


def _near(path: Path, fits: Callable[[Path], bool]) -> str:
    """The name in the same folder that is nearest to this one; hidden ones are nobody's input."""
    import difflib

    try:
        names = [entry.name for entry in path.parent.iterdir() if fits(entry) and not entry.name.startswith(".")]
    except OSError:
        return ""
    close = difflib.get_close_matches(path.name, names, 1, 0.5)
    return f"; did you mean {in_full(str(path.with_name(close[0])))}?" if close else ""
