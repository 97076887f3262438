"""Rows of pairwise verdicts: which columns they have, and what the words in them say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield._message import name_value, setting
from cranfield._text import counted, cut, listed, quoted, warn
from cranfield.errors import InputError, UsageError, refusal
from cranfield.findings.location import Location

SIDE_NAMES = {1: "left", -1: "right", 0: "a tie"}
SINGLE = "judge"
"""The judge of verdicts that name none."""
STRONG = 2
"""The outcome of a row whose verdict is strong, such as ``A>>B``; that of others is 1, 0 or -1."""
STEPS = {"A>>B": STRONG, "A>B": 1, "A=B": 0, "B=A": 0, "B>A": -1, "B>>A": -STRONG}
STEPS |= {"B<<A": STRONG, "B<A": 1, "A<B": -1, "A<<B": -STRONG}
"""Five steps, A being what is left."""
SIDES = {"left": 1, "right": -1, "tie": 0}
MODELS = {"model_a": 1, "model_b": -1, "tie": 0, "tie (bothbad)": 0, "both_bad": 0}
NUMBERED = {"model_1": 1, "model_2": -1}
WORDS = {**SIDES, **MODELS, **STEPS, "A": 1, "B": -1}
"""Every word of a verdict -> its outcome."""
TIES = ("c", "draw", "equal", "neither", "both", "bothbad", "both bad", "tie (both bad)")
OTHER_WORDS = {word.lower(): own for word, own in {**WORDS, **NUMBERED}.items()} | dict.fromkeys(TIES, 0)
"""Other words of verdicts, in small letters, where these are not the name of a system."""
NUMBERS: Sequence[Mapping[float, int]] = ({1: 1, 2: -1, 0: 0, 1.5: 0}, {1: 1, -1: -1, 0: 0})
"""Numbers that say a side: 1 and 2, 0 or 1.5 being a tie; or the sign."""
OUTCOMES = {**SIDES, **STEPS}
"""Words of verdicts in memory, and of files without a header."""
NAMES: Mapping[str, tuple[str, ...]] = {
    "topic": ("topic", "question_id", "prompt_id", "query_id", "uid", "qid", "id", "instruction"),
    "left": ("left", "model_a", "system_a", "model_1", "system_1", "generator_1"),
    "right": ("right", "model_b", "system_b", "model_2", "system_2", "generator_2"),
    "verdict": ("verdict", "winner", "preference"),
    "judge": ("judge", "worker", "annotator", "rater"),
}
"""Role -> the columns that may have it, the first that is there."""
MODEL_COLUMNS = ("model_a", "model_b")
FLAGS = {"winner_model_a": 1, "winner_model_b": -1, "winner_tie": 0}
GAMES = ("model", "games")
Record = Mapping[str, Any]
VerdictLine = tuple[Location, str, str, str, "int | None", str]
"""Location, topic, left, right, outcome (None: there is none) and judge."""


def check_columns(columns: Mapping[str, str] | None) -> dict[str, str]:
    """Role -> column, as a caller names them.

    Raises:
        UsageError: not a mapping of roles of verdicts to names of columns.
    """
    if columns is None:
        return {}
    if not isinstance(columns, Mapping):
        raise UsageError(f"columns={name_value(columns)} should be a dict such as {{'verdict': 'winner'}}")
    for role, name in columns.items():
        if role not in NAMES:
            raise UsageError(
                f"{setting('columns')} has no {name_value(role)}; what can be named of verdicts is {', '.join(NAMES)}"
            )
        if not isinstance(name, str) or not name:
            raise UsageError(f"columns[{name_value(role)}]={name_value(name)} should be the name of a column")
    return dict(columns)


@dataclass(frozen=True)
class Roles:
    """The columns of a table of verdicts.

    Args:
        left: of the system that is shown first.
        right: of the other.
        verdict: None where three columns of 0 and 1 hold it.
        topics: those of topics, of which a row has the first that is not empty; none where each row is a topic.
        judge: None where there is one judge.
        numbers: what numbers in the column of verdicts say; none where that cannot be told.
    """

    left: str
    right: str
    verdict: str | None
    topics: Sequence[str] = field(default=())
    judge: str | None = None
    numbers: Mapping[float, int] = field(default_factory=dict)

    def with_numbers(self, values: Iterable[Any], where: Location) -> Roles:
        """The same, knowing what numbers among the values of the column of verdicts say; a warning tells it."""
        found = {number for value in values if value is not None and (number := _to_number(value)) is not None}
        told = (own for own in NUMBERS if found <= own.keys() and (found == {1.0} or -1 in map(own.get, found)))
        known = next(told, None)
        if self.verdict is None or known is None:
            return self
        sides = ((number, SIDE_NAMES[side]) for number, side in known.items() if side or number in found)
        said = ", ".join(f"{number:g} is {side}" for number, side in sides)
        warn(f"{where}: in {quoted(self.verdict)} {said}; if not, write left, right or tie")
        return replace(self, numbers=known)

    def warn_of_names(self, names: Iterable[Any], where: Location) -> None:
        """Warn where winners are systems whose names, 1 and 2, could say a side."""
        found = {_to_number(name) for name in names if name is not None}
        if found and any(found <= own.keys() for own in NUMBERS):
            warn(
                f"{where}: numbers in {quoted(self.verdict or '')} are read as names of systems; if they say sides, "
                "write left, right or tie"
            )


def _to_number(value: Any) -> float | None:
    """The number that a verdict is; None for a word."""
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


def find_roles(
    names: Sequence[str], columns: Mapping[str, str], criterion: str | None, where: Location
) -> Roles | None:
    """Find which column is what; None where none is known as left, or as right.

    Args:
        names: of all columns.
        columns: role -> column, where a caller names it.
        criterion: the column of the verdict, where a caller names it.
        where: the table is.

    Raises:
        UsageError: a column that is named is not there, or none has the verdict.
    """
    for role, name in columns.items():
        if name not in names:
            text = f"{setting(f'columns={role}={name}')}: {where} has no such column, only {_list_names(names)}"
            raise UsageError(text)
    found = {role: columns.get(role) or _first(names, role, columns) for role in NAMES}
    left, right = found["left"], found["right"]
    if left is None or right is None:
        return None
    topics = [columns["topic"]] if "topic" in columns else [name for name in NAMES["topic"] if name in names]
    verdict = criterion or found["verdict"]
    if (verdict is None and not set(names) >= FLAGS.keys()) or (verdict is not None and verdict not in names):
        refuse_criterion(where, names, criterion, (*topics, left, right, found["judge"] or ""))
    return Roles(left, right, verdict, topics, found["judge"])


def _first(names: Sequence[str], role: str, columns: Mapping[str, str]) -> str | None:
    taken = set(columns.values())
    return next((name for name in NAMES[role] if name in names and name not in taken), None)


def read_row(where: Location, record: Record, roles: Roles) -> VerdictLine:
    """Read the verdict of a row.

    Raises:
        InputError: a field is missing, or the word is not a verdict.
    """
    topics = [record.get(name) for name in roles.topics]
    column = next((name for name, own in zip(roles.topics, topics, strict=True) if own not in (None, "")), None)
    if column is not None:
        topic = read_name(where, record, column)
    else:  # an own file has a topic in every row
        topic = "" if "topic" in roles.topics else f"row {where.line or where.part.rpartition(' ')[2]}"
    left, right = read_name(where, record, roles.left), read_name(where, record, roles.right)
    if roles.verdict is None:
        outcome = _read_flags(where, record)
    else:
        expected = "model_a, model_b, tie, 'tie (bothbad)' or both_bad" if roles.left == "model_a" else ""
        outcome = look_up(
            where, record.get(roles.verdict), left, right, expected or "left, right or tie", roles.numbers
        )
    return where, topic, left, right, outcome, read_judge(where, record, roles.judge)


def look_up(
    where: Location, value: Any, left: str, right: str, expected: str, numbers: Mapping[float, int] | None = None
) -> int | None:
    """The outcome of a word, or of the name of the winner; None where it is empty.

    Raises:
        InputError: it is another word, or its word and its name say different things.
    """
    if value is None or value == "":
        return None
    text = str(value)
    named = 1 if text == left else -1 if text == right else None
    number = _to_number(value)
    outcome = WORDS.get(text, named if number is None else (numbers or {}).get(number, named))
    if outcome is None and number is not None:
        expected += " (numbers say a side where they are 1 and 2, or 1 and -1)"
    elif outcome is None:
        outcome = OTHER_WORDS.get(text.strip().lower())
    if outcome is None:
        raise unknown_verdict(where, text, f"{expected}, one of A>>B, A>B, A=B, B>A and B>>A, or the winner's name")
    if named is not None and named != outcome:
        side = "left" if named == 1 else "right"
        text = f"{quoted(cut(text))} is the system on the {side}, and says something else too: write left, right "
        raise refusal(text + "or tie", where, code="verdict", value=cut(str(value)))
    return outcome


def unknown_verdict(where: Location, text: str, expected: str) -> InputError:
    """The error about a word that is not a verdict."""
    message = f"{quoted(cut(text))} is not a verdict: expected {expected}"
    return refusal(message, where, code="verdict", value=cut(text))


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


def read_games(where: Location, record: Record) -> Iterator[VerdictLine]:
    """The games of a row of arena-hard: in the first A is the baseline, in the second A is the model.

    Raises:
        InputError: a field is missing, there are more than two games, or a score is none of the five steps.
    """
    column = next((name for name in NAMES["topic"] if record.get(name) not in (None, "")), "question_id")
    topic, model = read_name(where, record, column), read_name(where, record, "model")
    baseline = read_name(where, record, "baseline") if "baseline" in record else "baseline"
    games = record["games"]
    if not isinstance(games, list) or not 1 <= len(games) <= 2:
        text = "'games' should be a list of one or two: the baseline as A, and then the model as A"
        raise refusal(text, where, code="fields")
    for number, game in enumerate(games, 1):
        here = where.within(f"game {number}")
        if game is not None and (not isinstance(game, dict) or "score" not in game):
            raise refusal("the game has no 'score'", here, code="fields")
        score = None if game is None else game["score"]
        if score is not None and (not isinstance(score, str) or score not in STEPS):
            raise unknown_verdict(here, str(score), "A>>B, A>B, A=B, B>A or B>>A")
        left, right = (baseline, model) if number == 1 else (model, baseline)
        outcome = None if score is None else STEPS[score]
        yield here, topic, left, right, outcome, read_judge(where, record, "judge")


def read_name(where: Location, record: Record, column: str) -> str:
    """The name in a column.

    Raises:
        InputError: there is none.
    """
    value = record.get(column)
    if value is None or isinstance(value, (dict, list)):
        raise refusal(f"the row has no name in {quoted(column)}", where, code="fields")
    return str(value)


def read_judge(where: Location, record: Record, column: str | None) -> str:
    """The judge of a row, where it names one."""
    return SINGLE if column is None or record.get(column) in (None, "") else read_name(where, record, column)


def refuse_criterion(where: Location, names: Sequence[str], criterion: str | None, known: Sequence[str]) -> None:
    """Raises: UsageError: no column holds the verdict; names those that may."""
    columns = [name for name in names if name not in known]
    others = f"choose one of {listed(columns, 'column')}" if len(columns) > 1 else f"choose {', '.join(columns)}"
    others = f": {others}" if columns else ""
    if criterion is None:
        raise UsageError(f"{where} has no column 'verdict'; name one by {setting('criterion')}{others}")
    raise UsageError(f"{setting('criterion', criterion)}: {where} has no such column{others}")


def _list_names(names: Sequence[str], largest: int = 10) -> str:
    return ", ".join([*map(quoted, list(names)[:largest]), *["..."] * (len(names) > largest)])


def unknown_columns(place: Location | str, names: Sequence[str]) -> InputError:
    """The error about columns that are those of no format."""
    separated = ", separated by tabs, commas or semicolons" * (len(names) == 1)
    text = (
        f"its columns are {_list_names(names)}; expected topic, left, right and verdict, or those of arena "
        "battles (model_a, model_b, winner), arena-hard (model, games), CrowdRAG-25 (query_id, response_a, "
        f"response_b) or AutoJudge (query_id, run_id, run_id2, better_passage){separated}; "
        f"others are named, {setting('columns=left=NAME,right=NAME,verdict=NAME')}"
    )
    return InputError(text, place, code="layout")


def count_rows(omitted: int) -> str:
    """Describe the number of rows without a verdict."""
    return f"{counted(omitted, 'row')} without a verdict left out"
