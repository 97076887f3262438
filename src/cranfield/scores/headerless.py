"""Rows of scores without a header, as trec_eval, ir_measures and TREC's AutoJudge write them, told by their fields.

Nuggetizer's answers are scored where they are read. Rows of the topic ``all`` are means, never a topic.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import Any

from cranfield._text import counted, cut, quoted
from cranfield._validation import is_decimal
from cranfield.errors import FormatError, InputError
from cranfield.findings.location import Location
from cranfield.io.delimited import BLANKS, delimited_lines, split_at_blanks
from cranfield.io.formats.nuggets import LABELS
from cranfield.io.strict_json import parse_json
from cranfield.io.system_names import stem
from cranfield.scores.labels import named
from cranfield.scores.layout import TOPIC_COLUMN, is_measure, is_nested, read_nested
from cranfield.scores.lm_eval import is_sample, read_samples
from cranfield.scores.rows import ALL, HEADER, MISSING, ReadRow, find_column, number

ColumnOrder = Mapping[str, int]
"""system, topic, measure, value -> the field that holds it."""
TREC_EVAL: ColumnOrder = {"measure": 0, "topic": 1, "value": 2}
RANKING: ColumnOrder = {"topic": 0, "system": 2, "value": 4, "measure": 5}
TOT: ColumnOrder = {"system": 0, "measure": 1, "topic": 2, "value": 3}
IR_MEASURES: ColumnOrder = {"system": 0, "topic": 1, "measure": 2, "value": 3}
BY_QUERY: ColumnOrder = {"topic": 0, "measure": 1, "value": 2}
BY_ENDING = {".tot": TOT, ".ir_measures": IR_MEASURES}
KEYS = {"system": ("run_id",), "topic": ("topic_id", "query_id"), "measure": ("measure",), "value": ("value",)}
"""Columns -> their keys in a row of JSON, as AutoJudge and ir_measures call them."""
NUMBERS_OF_FIELDS = (3, 4, 6)
TEXTS = ("runid", "relstring")
"""The names of trec_eval's rows that hold text, the second with a number of ranks behind it."""


def rows_without_header(file: Location, system: str, text: str) -> list[ReadRow] | None:
    """Scores of a file, one a row; None where it is another format.

    Args:
        file: that is read.
        system: what is scored where the rows do not say, as trec_eval's do not.
        text: of the file.

    Raises:
        FormatError: a row is not in its format.
        InputError: measures and topics could be exchanged, or the file is a run.
    """
    if text.lstrip().startswith("{"):
        return _read_json(file, system, text)
    lines = [(number, split_at_blanks(line)) for number, line in enumerate(text.split("\n"), 1) if line.strip(BLANKS)]
    if lines and len(lines[0][1]) == 1:
        lines = list(delimited_lines(file, text)) if _named_order(lines[0][1][0].split(",")) else []
    named = _named_order(lines[0][1]) if lines else None
    if named:
        del lines[0]
    if not lines or not (named or _is_row(lines[0][1])):
        return None
    fields = len(lines[0][1])
    for line, row in lines:
        if len(row) != fields:
            message = f"{counted(len(row), 'field')}, expected {fields} as in the first row"
            raise FormatError(message, file.at(line), code="fields", value=cut(" ".join(row)))
    lines = [(line, row) for line, row in lines if not _is_text(row)]
    order = named or _find_order(file, fields, [row for _, row in lines])
    rows = [row for line, fields_ in lines for row in _row(file.at(line), fields_, order, system)]
    if order is RANKING:
        _refuse_run(file, rows)
    return rows


def _named_order(fields: Sequence[str]) -> ColumnOrder | None:
    """Read the order of the columns from a header of three that names no system; None where it is another line."""
    names = [find_column(name) for name in fields]
    return {name: at for at, name in enumerate(names)} if sorted(names) == sorted(HEADER[1:]) else None


def _is_row(fields: Sequence[str]) -> bool:
    """Tell whether a first line is a row and not a header."""
    if _is_text(fields):
        return True
    if (
        len(fields) not in NUMBERS_OF_FIELDS
        or fields[0].lower() in TOPIC_COLUMN
        or any("," in field for field in fields)
    ):
        return False
    if len(fields) == 6:
        return fields[1] == "Q0" and _is_number(fields[4]) and not _is_number(fields[5])
    return _is_number(fields[-1]) and (not _is_number(fields[0]) or (len(fields) == 3 and not _is_number(fields[1])))


def _is_text(fields: Sequence[str]) -> bool:
    """Tell whether a row of trec_eval, or of one with the system in front, holds text that is not a score."""
    if len(fields) not in (3, 4) or _is_number(fields[-1]):
        return False
    name, _, ranks = fields[len(fields) - 3].partition("_")
    return name in TEXTS and (not ranks or ranks.isdecimal())


def _is_number(text: str) -> bool:
    return is_decimal(text) or text.lower() in ("nan", "inf", "-inf")


def _find_order(file: Location, fields: int, rows: Sequence[Sequence[str]]) -> ColumnOrder:
    """Infer the order of the columns from the number of fields and from the rows.

    The topic of the mean shows it, or the names of measures do, or with four fields the ending of the file's name.

    Raises:
        InputError: topics and measures could be exchanged.
    """
    if fields == 6:
        return RANKING
    if not rows:
        return TREC_EVAL
    orders, columns = ((TREC_EVAL, BY_QUERY), (0, 1)) if fields == 3 else ((TOT, IR_MEASURES), (1, 2))
    first, second = ({row[column] for row in rows} for column in columns)
    if (ALL in first) != (ALL in second):
        return orders[ALL in first]
    for holds in (all, any):
        measures = [holds(map(is_measure, names)) for names in (first, second)]
        if measures[0] != measures[1]:
            return orders[measures[1]]
    numbers = [all(map(_is_number, names)) for names in (first, second)]
    if fields == 3 and numbers[0] != numbers[1]:
        return orders[numbers[0]]  # a measure is not called by a number
    ending = PurePath(stem(file.path, ())).suffix if file.path else ""
    if fields == 4 and ending in BY_ENDING:
        return BY_ENDING[ending]
    lead, kinds = ("", "three") if fields == 3 else ("system ", "four")
    ends = "" if fields == 3 else ", or end the name of the file in .ir_measures or .tot"
    text = (
        f"{kinds} fields a row, and nothing says which is the topic and which the measure: write the line "
        f"`{lead}topic measure value` or `{lead}measure topic value` above them{ends}; or is this a qrels file? "
        "Give that as QRELS RUN..."
    )
    raise InputError(text, file, code="layout", value=cut(" ".join(rows[0])))


def _row(where: Location, fields: Sequence[str], order: ColumnOrder, system: str) -> Iterator[ReadRow]:
    topic, measure, value = (fields[order[role]] for role in ("topic", "measure", "value"))
    if topic == ALL and not _is_number(value):
        return  # a text about the whole run, such as its name
    called = fields[order["system"]] if "system" in order else system
    yield where, named(called, "system", where), named(topic, "topic", where), measure, _score(value, where)


def _score(text: str, where: Location) -> float:
    value = number(text, where) if text not in MISSING else math.nan
    if math.isnan(value):
        raise FormatError(f"the score {quoted(text)} is not a finite number", where, code="score", value=cut(text))
    return value


def _read_json(file: Location, system: str, text: str) -> list[ReadRow] | None:
    """Objects of JSON, one a line."""
    lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    first = next(islice(lines, 1))
    try:
        first_object = parse_json(file, first[1], line=first[0])
    except InputError:
        return _read_nested_json(file, system, text)
    if is_nested(first_object):
        return _read_nested_json(file, system, text)
    for known, rows_of in ((has_nuggets, read_nuggets), (has_nugget_scores, read_nugget_scores)):
        if known(first_object):
            answers = ((file.at(line), parse_json(file, line_text, line=line)) for line, line_text in (first, *lines))
            return [row for where, answer in answers for row in rows_of(where, system, answer)]
    if is_sample(first_object):
        return read_samples(file, system, ((line, parse_json(file, own, line=line)) for line, own in (first, *lines)))
    if not isinstance(first_object, Mapping) or not (
        "run_id" in first_object or {"query_id", "measure"} <= first_object.keys()
    ):
        return None
    return [
        _json_row(file.at(line), system, parse_json(file, line_text, line=line)) for line, line_text in (first, *lines)
    ]


def _read_nested_json(file: Location, system: str, text: str) -> list[ReadRow] | None:
    """Read one object of JSON, of topics or of systems; None where it is another, or not JSON."""
    try:
        content = parse_json(file, text)
    except InputError:
        return None
    return list(read_nested(file, system, content)) if is_nested(content) else None


def _json_row(where: Location, system: str, content: Any) -> ReadRow:
    """A row of AutoJudge, or of ir_measures, which does not name the system."""
    fields = content if isinstance(content, Mapping) else {}
    cells = {role: fields[key] for role, keys in KEYS.items() for key in keys if key in fields}
    if "query_id" in fields:
        cells.setdefault("system", system)
    if cells.keys() != KEYS.keys():
        text = "expected an object with run_id, topic_id, measure, value; or with query_id, measure, value"
        raise FormatError(text, where, code="fields", value=cut(str(content)))
    for role in ("system", "topic", "measure"):
        if not isinstance(cells[role], str) and not (role == "topic" and type(cells[role]) is int):
            text = f"the {role} {quoted(str(cells[role]))} is not text"
            raise FormatError(text, where, code="id", value=cut(str(cells[role])))
    value = cells["value"]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise FormatError(f"the value {quoted(str(value))} is not a number", where, code="score", value=cut(str(value)))
    system, topic = named(cells["system"], "system", where), named(str(cells["topic"]), "topic", where)
    return where, system, topic, cells["measure"], _score(repr(value), where)


def _refuse_run(file: Location, rows: Sequence[ReadRow]) -> None:
    """Raises: InputError: not every system has every topic by every measure, which leaderboards have and runs lack."""
    cells = {(system, topic, measure) for _, system, topic, measure, _ in rows if topic != ALL}
    axes = [{cell[axis] for cell in cells} for axis in range(3)]
    if len(cells) != math.prod(map(len, axes)) or len(axes[1]) < 2:
        text = (
            "six fields a row are read as `topic Q0 run rank value measure`, where every run has every topic; this "
            "looks like a run: give it as QRELS RUN..."
        )
        raise InputError(text, file, code="layout")


IMPORTANCE = ("vital", "okay")
CREDIT = {word: label / max(LABELS.values()) for word, label in LABELS.items()}
"""The credit of an answer for a nugget; strict scores give none for half a nugget."""
SCORES = ("strict_vital_score", "strict_all_score", "vital_score", "all_score")
"""As nuggetizer calls them; the track's V_strict, A_strict, V and A."""


def has_nuggets(content: object) -> bool:
    """Tell whether an object of JSON is an answer with the nuggets that were assigned to it."""
    return isinstance(content, Mapping) and {"qid", "nuggets"} <= content.keys()


def has_nugget_scores(content: object) -> bool:
    """Tell whether an object of JSON holds the four scores of an answer, as nuggetizer's script writes them."""
    return isinstance(content, Mapping) and {"qid", *SCORES} <= content.keys()


def read_nugget_scores(where: Location, system: str, content: Any) -> Iterator[ReadRow]:
    """The four scores of an answer, as they were computed; those of the topic ``all`` are means.

    Args:
        where: the line.
        system: that is scored where the line does not say (``run_id``).
        content: the object of JSON.

    Raises:
        FormatError: the line has no such scores, or one is not a number between 0 and 1.
    """
    if not has_nugget_scores(content):
        text = f"expected an object with qid, {', '.join(SCORES)}, as nuggetizer writes it"
        raise FormatError(text, where, code="fields", value=cut(str(content)))
    run, topic = _ids(where, system, content)
    for name in SCORES:
        value = content[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            text = f"the {name} {quoted(str(value))} is not a number between 0 and 1"
            raise FormatError(text, where, code="score", value=cut(str(value)))
        yield where, run, topic, name, float(value)


def _ids(where: Location, system: str, content: Mapping[str, Any]) -> tuple[str, str]:
    """Run and topic of an answer."""
    run, topic = content.get("run_id", system), content["qid"]
    for key, name in (("run_id", run), ("qid", topic)):
        if not isinstance(name, str) and not (key == "qid" and type(name) is int):
            raise FormatError(f"the {key} {quoted(str(name))} is not text", where, code="id", value=cut(str(name)))
    return named(run, "system", where), named(str(topic), "topic", where)


def read_nuggets(where: Location, system: str, content: Any) -> Iterator[ReadRow]:
    """The four scores of an answer.

    A topic without vital nuggets, or without any, has the score 0 there, as nuggetizer gives it.

    Args:
        where: the line of the answer.
        system: that gave it where the line does not say (``run_id``).
        content: the object of JSON.

    Raises:
        FormatError: the line is not such an answer, or a nugget's importance or assignment is none of the known ones.
    """
    if not has_nuggets(content) or not isinstance(content["nuggets"], Sequence) or isinstance(content["nuggets"], str):
        text = "expected an answer with qid and a list of nuggets, as nuggetizer writes it"
        raise FormatError(text, where, code="fields", value=cut(str(content)))
    run, topic = _ids(where, system, content)
    judged = [_judged(where, number, nugget) for number, nugget in enumerate(content["nuggets"], 1)]
    vital = [credit for importance, credit in judged if importance == "vital"]
    every = [credit for _, credit in judged]
    values = (_strict(vital), _strict(every), _mean(vital), _mean(every))
    for name, value in zip(SCORES, values, strict=True):
        yield where, run, topic, name, value


def _judged(where: Location, number: int, nugget: Any) -> tuple[str, float]:
    """Importance of a nugget, and what the answer gets for it."""
    content = nugget if isinstance(nugget, Mapping) else {}
    for key, known in (("importance", IMPORTANCE), ("assignment", tuple(CREDIT))):
        value = content.get(key)
        if value not in known:
            problem = f"has no {key}" if value is None else f"has the {key} {quoted(str(value))}"
            text = f"nugget {number} {problem}: it should be one of {', '.join(known)}"
            raise FormatError(text, where, code="label", value=cut(str(value)))
    return content["importance"], CREDIT[content["assignment"]]


def _mean(credits: Sequence[float]) -> float:
    return sum(credits) / len(credits) if credits else 0.0


def _strict(credits: Sequence[float]) -> float:
    return _mean([float(credit == 1.0) for credit in credits])
