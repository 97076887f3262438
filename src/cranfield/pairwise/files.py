"""``read_verdicts``: files of pairwise verdicts, by their columns: own, arena battles, CrowdRAG-25, AutoJudge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cranfield._message import setting
from cranfield._text import counted, cut, listed, quoted, warn
from cranfield._validation import first_repeated
from cranfield.errors import FormatError, InputError, UsageError, refusal
from cranfield.findings.location import Location
from cranfield.io.delimited import delimited_lines, split_at_blanks
from cranfield.io.source import PathLike, as_text, decode_lines, read_numbered, read_whole
from cranfield.io.strict_json import parse_json
from cranfield.pairwise.verdicts import OUTCOMES, SINGLE, Line, PairVerdicts, assemble

COLUMNS_NAMED = 10
"""Columns that an error names."""
OWN = ("topic", "left", "right", "verdict", "judge")
TOPIC_COLUMNS = ("topic", "question_id", "prompt_id", "id")
WINNERS = {"model_a": 1, "model_b": -1, "tie": 0, "tie (bothbad)": 0, "both_bad": 0}
CRITERION_WORDS = {"a": 1, "b": -1, "n": 0, "A": 1, "B": -1, "N": 0}
PASSAGES = {"1": 1, "2": -1, "0": 0}
FLAGS = {"winner_model_a": 1, "winner_model_b": -1, "winner_tie": 0}
Record = Mapping[str, Any]


def read_verdicts(path: PathLike, *, criterion: str | None = None, systems: PathLike | None = None) -> PairVerdicts:
    """Read pairwise verdicts; the columns of the file say which format it is.

    - Own: TSV, CSV or JSON lines with ``topic``, ``left``, ``right``, ``verdict`` (left, right or tie) and perhaps
      ``judge``; or TSV without a header, in this order.
    - Arena battles: CSV or JSON lines with ``model_a``, ``model_b`` and ``winner``, or ``winner_model_a``,
      ``winner_model_b`` and ``winner_tie``.
    - CrowdRAG-25: JSON lines with ``query_id``, ``response_a``, ``response_b`` and a column a, n or b of a criterion.
    - AutoJudge: JSON lines with ``query_id``, ``run_id``, ``run_id2`` and ``better_passage``.

    Rows without a verdict are left out and counted (``omitted``).

    Args:
        path: the file; ``-`` is standard input, and it may be compressed.
        criterion: the column that holds the verdict, where several do.
        systems: a file of lines ``answer system``, where left and right are answers.

    Raises:
        FormatError: an unknown verdict, a line without its fields, a column or a key that occurs twice; names file,
            line and value.
        InputError: a file without verdicts, of another kind, or an answer without a system.
        UsageError: a criterion is needed, or the file has none of this name.
    """
    name = as_text(path)
    place = Location(name)
    data, _ = read_whole(name, "run")
    text = decode_lines(data, place)
    is_json = text.lstrip().startswith("{")
    records = _json_records(place, text) if is_json else _table_records(place, text, criterion)
    verdicts = assemble(_read_records(place, records, criterion), place.file)
    if len(verdicts) > 1 and len(verdicts.topics) == len(verdicts):
        warn(f"{place}: each verdict has a topic of its own: intervals are over verdicts")
    if verdicts.omitted:
        warn(f"{place}: {counted(verdicts.omitted, 'row')} without a verdict left out")
    return verdicts if systems is None else verdicts.name_systems(read_systems(systems))


def read_systems(path: PathLike) -> dict[str, str]:
    """The system of each answer, from lines ``answer system``.

    Raises:
        FormatError: a line has not two fields, or gives an answer another system.
    """
    name, result = as_text(path), dict[str, str]()
    for number, line in read_numbered(name, lambda comment: len(split_at_blanks(comment)) == 2):
        fields = split_at_blanks(line)
        if not fields:
            continue
        where = Location(name, number)
        if len(fields) != 2:
            raise FormatError(f"the line has {counted(len(fields), 'field')}; expected `answer system`", where)
        if result.setdefault(fields[0], fields[1]) != fields[1]:
            text = f"answer {quoted(fields[0])} has a system already, {quoted(result[fields[0]])}"
            raise FormatError(text, where, code="duplicate", value=cut(fields[0]))
    return result


def _json_records(place: Location, text: str) -> Iterator[tuple[Location, Record]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        record = parse_json(place, line, line=number)
        if not isinstance(record, dict):
            raise FormatError(f"{quoted(cut(line))} is not an object of JSON", place.at(number), code="json")
        yield place.at(number), record


def _table_records(place: Location, text: str, criterion: str | None) -> Iterator[tuple[Location, Record]]:
    lines = delimited_lines(place, text)
    first = next(lines, None)
    if first is None:
        raise InputError("the file is empty; expected verdicts", place, code="empty")
    names = [field.strip() for field in first[1]]
    if len(names) in (4, 5) and names[3] in OUTCOMES and "topic" not in names and criterion is None:
        yield place.at(first[0]), dict(zip(OWN, names, strict=False))
        names = list(OWN[: len(names)])
    twice = first_repeated(names)
    if twice is not None:
        text = f"the column {quoted(twice)} occurs twice: keep one of them"
        raise FormatError(text, place.at(first[0]), code="layout", value=cut(twice))
    for number, fields in lines:
        if len(fields) != len(names):
            text = f"the line has {counted(len(fields), 'field')}, the first line {len(names)}"
            raise FormatError(text, place.at(number), code="fields")
        yield place.at(number), dict(zip(names, (field.strip() for field in fields), strict=True))


def _read_records(place: Location, records: Iterator[tuple[Location, Record]], criterion: str | None) -> Iterator[Line]:
    read: Callable[[Location, Record, str | None], Iterator[Line]] | None = None
    for where, record in records:
        read = read or _choose_format(place, record)
        yield from read(where, record, criterion)
    if read is None:
        raise InputError("there is no verdict", place, code="empty")


def _choose_format(place: Location, record: Record) -> Callable[[Location, Record, str | None], Iterator[Line]]:
    """Raises: InputError: the columns are those of no format."""
    for needed, read in FORMATS:
        if all(name in record for name in needed):
            return read
    names = ", ".join([*map(quoted, [*record][:COLUMNS_NAMED]), *["..."] * (len(record) > COLUMNS_NAMED)])
    text = (
        f"its columns are {names}; expected topic, left, right and verdict, or those of arena "
        "battles (model_a, model_b, winner), CrowdRAG-25 (query_id, response_a, response_b) or AutoJudge (query_id, "
        "run_id, run_id2, better_passage)"
    )
    text += ", separated by tabs or commas" * (len(record) == 1)
    raise InputError(text, place, code="layout")


def _read_own(where: Location, record: Record, criterion: str | None) -> Iterator[Line]:
    column = criterion or "verdict"
    if column not in record:
        _refuse_criterion(where, record, criterion, ("topic", "left", "right", "judge"))
    outcome = _look_up(where, record[column], OUTCOMES, "left, right or tie")
    yield _line(where, record, ("topic", "left", "right"), outcome, "judge")


def _read_arena(where: Location, record: Record, criterion: str | None) -> Iterator[Line]:
    column = next((name for name in TOPIC_COLUMNS if record.get(name) not in (None, "")), None)
    topic = f"row {where.line}" if column is None else _name(where, record, column)
    models = _name(where, record, "model_a"), _name(where, record, "model_b")
    if criterion is None and "winner" not in record:
        outcome = _read_flags(where, record)
    else:
        name = criterion or "winner"
        if name not in record:
            _refuse_criterion(where, record, criterion, (*TOPIC_COLUMNS, "model_a", "model_b", "judge"))
        outcome = _look_up(where, record[name], WINNERS, "model_a, model_b, tie, 'tie (bothbad)' or both_bad")
    yield (where, topic, *models, outcome, _judge(where, record, "judge"))


def _read_flags(where: Location, record: Record) -> int | None:
    """The outcome that exactly one of three columns of 0 and 1 marks; None where all are empty."""
    values = [record.get(name) for name in FLAGS]
    if all(value in (None, "") for value in values):
        return None
    texts = [
        str(int(value)) if isinstance(value, (bool, float)) and value in (0, 1) else str(value) for value in values
    ]
    unknown = next((text for text in texts if text not in ("0", "1")), None)
    if unknown is not None or texts.count("1") != 1:
        text = f"{', '.join(FLAGS)} are {', '.join(texts)}: exactly one should be 1, the others 0"
        raise refusal(text, where, code="verdict", value=cut(unknown or ", ".join(texts)))
    return list(FLAGS.values())[texts.index("1")]


def _read_crowdrag(where: Location, record: Record, criterion: str | None) -> Iterator[Line]:
    names = ("query_id", "response_a", "response_b")
    votes = next((name for name in (criterion, f"{criterion}_vote") if criterion and name in record), None)
    if votes is None:
        _refuse_criterion(where, record, criterion, (*names, "inference", "worker"))
    values = record[votes or ""]
    if not isinstance(values, list):
        outcome = _look_up(where, values, CRITERION_WORDS, "a, n or b")
        yield _line(where, record, names, outcome, "inference")
        return
    workers = record.get("worker")
    if not isinstance(workers, list) or len(workers) != len(values):
        text = f"{quoted(str(votes))} is a list of {len(values)}; expected as many names in 'worker'"
        raise refusal(text, where, code="fields")
    for value, worker in zip(values, workers, strict=True):
        outcome = _look_up(where, value, CRITERION_WORDS, "A, N or B")
        yield (*_line(where, record, names, outcome, "inference")[:5], str(worker))


def _read_autojudge(where: Location, record: Record, criterion: str | None) -> Iterator[Line]:
    if criterion is not None:
        raise UsageError(f"{setting('criterion', criterion)}: files of AutoJudge have one verdict, better_passage")
    if "better_passage" not in record:
        raise refusal("the row has no 'better_passage'", where, code="fields")
    value = record["better_passage"]
    outcome = 0 if value is None or value == "" else _look_up(where, value, PASSAGES, "1, 2, 0 or null")
    yield _line(where, record, ("query_id", "run_id", "run_id2"), outcome, "judge")


FORMATS: Sequence[tuple[tuple[str, ...], Callable[[Location, Record, str | None], Iterator[Line]]]] = (
    (("topic", "left", "right"), _read_own),
    (("model_a", "model_b"), _read_arena),
    (("query_id", "response_a", "response_b"), _read_crowdrag),
    (("query_id", "run_id", "run_id2"), _read_autojudge),
)
"""Columns that a format needs, and what reads a row of it."""


def _refuse_criterion(where: Location, record: Record, criterion: str | None, known: Sequence[str]) -> None:
    """Raises: UsageError: no column holds the verdict; names those that may."""
    columns = [name for name in record if name not in known]
    others = f"choose one of {listed(columns, 'column')}" if len(columns) > 1 else f"choose {', '.join(columns)}"
    others = f": {others}" if columns else ""
    if criterion is None:
        raise UsageError(f"{where} has no column 'verdict'; name one by {setting('criterion')}{others}")
    raise UsageError(f"{setting('criterion', criterion)}: {where} has no such column{others}")


def _look_up(where: Location, value: Any, outcomes: Mapping[str, int], expected: str) -> int | None:
    """The outcome of a word; None where it is empty.

    Raises:
        FormatError: it is another word.
    """
    if value is None or value == "":
        return None
    text = str(value)
    if text not in outcomes:
        raise refusal(
            f"{quoted(cut(text))} is not a verdict: expected {expected}", where, code="verdict", value=cut(text)
        )
    return outcomes[text]


def _name(where: Location, record: Record, column: str) -> str:
    value = record.get(column)
    if value is None or isinstance(value, (dict, list)):
        raise refusal(f"the row has no name in {quoted(column)}", where, code="fields")
    return str(value)


def _judge(where: Location, record: Record, column: str) -> str:
    return SINGLE if record.get(column) in (None, "") else _name(where, record, column)


def _line(where: Location, record: Record, columns: tuple[str, str, str], outcome: int | None, judge: str) -> Line:
    """A verdict, from the columns of its topic, left and right, and of its judge."""
    topic, left, right = (_name(where, record, column) for column in columns)
    return where, topic, left, right, outcome, _judge(where, record, judge)
