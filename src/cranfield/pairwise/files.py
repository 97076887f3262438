"""``read_verdicts``: files of pairwise verdicts, by their columns: own, arena battles, MT-bench, and others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cranfield._message import setting
from cranfield._text import counted, cut, quoted, warn
from cranfield._typing import PathLike
from cranfield._validation import first_repeated
from cranfield.errors import FormatError, InputError, UsageError, refusal
from cranfield.findings.location import Location
from cranfield.io.delimited import delimited_lines, split_at_blanks
from cranfield.io.source import as_text, decode_lines, read_numbered, read_whole
from cranfield.io.strict_json import parse_json
from cranfield.pairwise.records import (
    GAMES,
    NUMBERED,
    OUTCOMES,
    Record,
    VerdictLine,
    check_columns,
    count_rows,
    find_roles,
    read_games,
    read_judge,
    read_name,
    read_row,
    refuse_criterion,
    unknown_columns,
    unknown_verdict,
)
from cranfield.pairwise.verdicts import PairVerdicts, assemble

OWN = ("topic", "left", "right", "verdict", "judge")
CRITERION_WORDS = {"a": 1, "b": -1, "n": 0, "A": 1, "B": -1, "N": 0}
PASSAGES = {"1": 1, "2": -1, "0": 0}
VerdictReader = Callable[[Location, Record], Iterator[VerdictLine]]


def read_verdicts(
    path: PathLike,
    *,
    criterion: str | None = None,
    systems: PathLike | None = None,
    columns: Mapping[str, str] | None = None,
) -> PairVerdicts:
    """Read pairwise verdicts; the columns of the file say which format it is.

    - By columns: TSV, CSV (with commas or semicolons) or JSON with ``left``, ``right`` and ``verdict`` or ``winner``,
      and perhaps ``topic`` and ``judge``; ``model_a`` and ``model_b``, ``question_id`` and ``worker`` mean the same.
      The verdict is left, right or tie, model_a or model_b, the name of the winner, one of five steps, ``A>>B`` to
      ``B>>A``, or a number, which a warning explains: 1 and 2 (0 or 1.5: a tie), or a sign. TSV without a header has
      the first names in this order: topic, left, right, verdict and judge.
    - Arena battles: also with ``winner_model_a``, ``winner_model_b`` and ``winner_tie``.
    - arena-hard: JSON lines with ``model`` and ``games``; the first game has the baseline as A, the second the model.
    - MT-bench: JSON lines with ``model_1``, ``model_2`` and two games in changed order, ``g1_winner``, ``g2_winner``.
    - CrowdRAG-25: JSON lines with ``query_id``, ``response_a``, ``response_b`` and a column a, n or b of a criterion.
    - AutoJudge: JSON lines with ``query_id``, ``run_id``, ``run_id2`` and ``better_passage``.

    Rows without a verdict are left out and counted (``omitted``).

    Args:
        path: the file; ``-`` is standard input, and it may be compressed.
        criterion: the column that holds the verdict, where several do.
        systems: a file of lines ``answer system``, where left and right are answers.
        columns: role -> column, where they are called otherwise: of ``topic``, ``left``, ``right``, ``verdict`` and
            ``judge``.

    Raises:
        FormatError: an unknown verdict, a line without its fields, a column or a key that occurs twice; names file,
            line and value.
        InputError: a file without verdicts, of another kind, or an answer without a system.
        UsageError: a criterion is needed, or the file has no column of a name that is given.
    """
    named = check_columns(columns)
    if criterion is not None and "verdict" in named:
        text = f"{setting('criterion', criterion)} and the verdict of columns both name the column of the verdict"
        raise UsageError(f"{text}: leave one out")
    name = as_text(path)
    place = Location(name)
    data, _ = read_whole(name, "run")
    text = decode_lines(data, place)
    if text.lstrip().startswith(("{", "[")):
        records = _json_records(place, text)
    else:
        records = _table_records(place, text, criterion is not None or bool(named))
    verdicts = assemble(_read_records(place, records, criterion, named), place.file)
    if len(verdicts) > 1 and len(verdicts.topics) == len(verdicts):
        warn(f"{place}: each verdict has a topic of its own: intervals are over verdicts")
    if verdicts.omitted:
        warn(f"{place}: {count_rows(verdicts.omitted)}")
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
    if text.lstrip().startswith("["):
        for number, record in enumerate(parse_json(place, text), 1):
            where = place.within(f"object {number:,}")
            if not isinstance(record, dict):
                raise InputError(f"{quoted(cut(str(record)))} is not an object of JSON", where, code="json")
            yield where, record
        return
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        record = parse_json(place, line, line=number)
        if not isinstance(record, dict):
            raise FormatError(f"{quoted(cut(line))} is not an object of JSON", place.at(number), code="json")
        yield place.at(number), record


def _table_records(place: Location, text: str, has_header: bool) -> Iterator[tuple[Location, Record]]:
    lines = delimited_lines(place, text, semicolons=True)
    first = next(lines, None)
    if first is None:
        raise InputError("the file is empty; expected verdicts", place, code="empty")
    names = [field.strip() for field in first[1]]
    if len(names) in (4, 5) and names[3] in OUTCOMES and "topic" not in names and not has_header:
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


def _read_records(
    place: Location, records: Iterator[tuple[Location, Record]], criterion: str | None, columns: Mapping[str, str]
) -> Iterator[VerdictLine]:
    rows = [*records]
    if not rows:
        raise InputError("there is no verdict", place, code="empty")
    read = _choose_format(place, [record for _, record in rows], criterion, columns)
    for where, record in rows:
        yield from read(where, record)


def _choose_format(
    place: Location, records: Sequence[Record], criterion: str | None, columns: Mapping[str, str]
) -> VerdictReader:
    """Choose what reads a row, by the columns of the first and the numbers of all.

    Raises:
        InputError: the columns are those of no format.
        UsageError: a column that is named is not there, or is not one of this format.
    """
    record = records[0]
    names = [*record]
    for needed, read in FORMATS if not columns else ():
        if all(name in record for name in needed):
            return lambda where, row: read(where, row, criterion)
    if not columns and all(name in record for name in GAMES):
        if criterion is not None:
            raise UsageError(f"{setting('criterion', criterion)}: games of arena-hard have one verdict, their score")
        return read_games
    roles = find_roles(names, columns, criterion, place)
    if roles is None:
        raise unknown_columns(place, names)
    sides = (roles.left, roles.right)
    given = [(row.get(roles.verdict or ""), [row.get(side) for side in sides]) for row in records]
    told = roles.with_numbers((value for value, names in given if value not in names), place)
    if not told.numbers:
        roles.warn_of_names((value for value, names in given if value in names), place)
    return lambda where, row: iter([read_row(where, row, told)])


def _read_crowdrag(where: Location, record: Record, criterion: str | None) -> Iterator[VerdictLine]:
    names = ("query_id", "response_a", "response_b")
    votes = next((name for name in (criterion, f"{criterion}_vote") if criterion and name in record), None)
    if votes is None:
        refuse_criterion(where, [*record], criterion, (*names, "inference", "worker"))
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


def _read_autojudge(where: Location, record: Record, criterion: str | None) -> Iterator[VerdictLine]:
    if criterion is not None:
        raise UsageError(f"{setting('criterion', criterion)}: files of AutoJudge have one verdict, better_passage")
    if "better_passage" not in record:
        raise refusal("the row has no 'better_passage'", where, code="fields")
    value = record["better_passage"]
    outcome = 0 if value is None or value == "" else _look_up(where, value, PASSAGES, "1, 2, 0 or null")
    yield _line(where, record, ("query_id", "run_id", "run_id2"), outcome, "judge")


def _read_mtbench(where: Location, record: Record, criterion: str | None) -> Iterator[VerdictLine]:
    """Both games of MT-bench, the second of which shows the second model first; a row with an error has none there."""
    first, second = (read_name(where, record, column) for column in ("model_1", "model_2"))
    topic = read_name(where, record, "question_id")
    for column, sign in (("g1_winner", 1), ("g2_winner", -1)):
        if criterion not in (None, column):
            continue
        outcome = _look_up(where, record[column], NUMBERED | {"tie": 0, "error": None}, "model_1, model_2 or tie")
        left, right = (first, second) if sign > 0 else (second, first)
        judge = record.get("judge")
        name = str(judge[0]) if isinstance(judge, (list, tuple)) and judge else read_judge(where, record, "judge")
        yield where, topic, left, right, None if outcome is None else sign * outcome, name


FORMATS: Sequence[tuple[tuple[str, ...], Callable[[Location, Record, str | None], Iterator[VerdictLine]]]] = (
    (("query_id", "response_a", "response_b"), _read_crowdrag),
    (("query_id", "run_id", "run_id2"), _read_autojudge),
    (("question_id", "model_1", "model_2", "g1_winner", "g2_winner"), _read_mtbench),
)
"""Columns that a format needs whose words are its own, and what reads a row of it."""


def _look_up(where: Location, value: Any, outcomes: Mapping[str, int | None], expected: str) -> int | None:
    """The outcome of a word; None where it is empty.

    Raises:
        FormatError: it is another word.
    """
    if value is None or value == "":
        return None
    if str(value) not in outcomes:
        raise unknown_verdict(where, str(value), expected)
    return outcomes[str(value)]


def _line(
    where: Location, record: Record, columns: tuple[str, str, str], outcome: int | None, judge: str
) -> VerdictLine:
    """A verdict, from the columns of its topic, left and right, and of its judge."""
    topic, left, right = (read_name(where, record, column) for column in columns)
    return where, topic, left, right, outcome, read_judge(where, record, judge)
