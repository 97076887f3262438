"""Which columns of a board are tasks: not summaries, ids, ranks, counts, sizes, errors and intervals."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield._message import setting
from cranfield._text import join_first, quoted, suggest, warn
from cranfield._typing import Floats, Mask
from cranfield.boards.cells import BoardCell
from cranfield.errors import UsageError
from cranfield.findings.location import Location

SUMMING = {"all", "mean", "means", "amean", "gmean", "average", "averages", "avg", "overall", "macro", "micro", "total"}
BESIDE_SUMMING = {"score", "scores", "task", "tasks", "dataset", "datasets", "topics", "queries", "weighted", "main"}
BESIDE_SUMMING |= {"arithmetic", "geometric", "harmonic", "win", "rate", "of", "over", "the", "type", "types"}

NUMBERING = {"n", "num", "number", "of", "no", "#", "total", "model", "models", "max", "maximum"}
NUMBERING |= {"avg", "average", "mean"}
KINDS: dict[str, tuple[set[str], set[str]]] = {
    "an id": (
        {"id", "ids", "uuid", "index", "no", "nr", "#", "row", "unnamed"},
        {"model", "system", "run", "team", "submission", "0"},
    ),
    "a rank": (
        {"rank", "ranks", "ranking", "place", "position"},
        {"avg", "average", "mean", "borda", "overall", "model", "final", "ub", "style", "ctrl", "control"},
    ),
    "a count": (
        {"n", "num", "count", "counts", "votes", "battles", "games", "samples", "instances", "examples", "queries",
         "tasks", "datasets", "topics"},
        NUMBERING | {"eval", "test", "wins", "losses", "draws", "ties", "base"},
    ),
    "a date": (
        {"date", "dates", "updated", "released", "timestamp", "submitted", "cutoff"},
        {"release", "submission", "last", "model", "knowledge", "added", "evaluated"},
    ),
    "a size": (
        {"params", "param", "parameters", "parameter", "size", "dim", "dims", "dimension", "dimensions", "memory",
         "tokens", "length", "context", "layers", "flops", "bytes"},
        NUMBERING
        | {"embedding", "hidden", "active", "sequence", "seq", "input", "output", "usage", "vocab", "window", "b", "m",
           "k", "gb", "mb", "billion", "billions", "million", "millions", "in"},
    ),
}  # fmt: skip
"""Contents of a column -> the words of its name of which there is one, and those that may be beside."""
SPREAD = {"stderr", "se", "sd", "std", "stdev", "error", "errors", "ci", "variance", "var", "interval", "moe", "±"}
ENDS = {"lower", "upper", "low", "high"}
BESIDE_SPREAD = {"standard", "bootstrap", "score", "confidence", "conf", "bound", "95", "95%", "%", "deviation"} | ENDS
WHAT_IS_A_TASK = f"{setting('tasks')} names what is a task"
QUANTILE = re.compile(r"(^|[_\W])(q|quantile|percentile)[_ ]?\d{2,3}$", re.IGNORECASE)
"""An end of an interval, as ``rating_q025``."""
ERROR = re.compile(r"(^|[_\W])(standard[_ ]error|std[_ ]?err(or)?)$", re.IGNORECASE)
"""An error whose score need not be there under the same name, as ``lc_standard_error``."""
NORMAL = 1.959964
"""The 97.5% quantile of the normal distribution."""
LARGE = 100
"""Whole numbers above are not scores, not even in percent, beside fractions."""


@dataclass(frozen=True)
class TaskChoice:
    """The tasks that the caller names.

    Args:
        tasks: all that are tasks, whatever they look like; empty where the caller names none.
        not_tasks: such as are not.
        strict: whether a name that the board lacks is refused.
    """

    tasks: tuple[str, ...] = ()
    not_tasks: tuple[str, ...] = ()
    strict: bool = True

    def require_known(self, names: Iterable[str]) -> None:
        """Raises: UsageError: the board has nothing of a name."""
        known = set(names)
        for option, chosen in (("tasks", self.tasks), ("not_tasks", self.not_tasks)):
            unknown = next((name for name in chosen if name not in known), None)
            if unknown is not None and self.strict:
                meant = _suggest_tasks(option, unknown, known)
                raise UsageError(f"{setting(option)}: the board has no task {quoted(unknown)}; {meant}")

    def takes(self, name: str) -> bool:
        """True if a column of this name is read as a task: it is not excluded, and is among those named, if any are."""
        return name not in self.not_tasks and (not self.tasks or name in self.tasks)


def _suggest_tasks(option: str, unknown: str, known: Collection[str]) -> str:
    """Say what was meant by a name that no task has: several in one text, or the nearest of those there are."""
    first, _, rest = (part.strip() for part in unknown.partition(","))
    if first in known and rest:
        return f"a name may hold commas, so name each task by itself: {setting(option, first)}, then the next"
    return suggest(unknown, known)


def is_summary(name: str) -> bool:
    """True if a row or a column is a summary of others by its name: ``Average``, ``Mean (Task)``, ``macro avg``."""
    words = set(_words(name.partition("(")[0]))
    return bool(words & SUMMING) and words <= SUMMING | BESIDE_SUMMING


def _words(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.findall(r"[a-z]+|\d+%?|[#±%]", spaced.lower())


def describes_systems(names: Iterable[str]) -> bool:
    """True if two or more columns describe systems (counts, errors, ranks): the systems are then in rows."""
    return sum(bool(_recognise(name, None, ())) for name in names) > 1


def choose_columns(
    place: Location, names: Sequence[str], values: Mapping[int, Floats | None], choice: TaskChoice
) -> list[int]:
    """The columns of a matrix of systems that are tasks; a warning names those that are recognised as something else.

    Args:
        place: of the matrix.
        names: of all columns, the first of which names the systems.
        values: the number of each column -> its numbers without empty cells; None where it holds something else.
        choice: of the caller.
    """
    chosen = [at for at in values if choice.takes(names[at])]
    if choice.tasks:
        return chosen
    recognised = {at: what for at in chosen if (what := _recognise(names[at], values[at], names[1:]))}
    rest = {at: column for at in chosen if at not in recognised and (column := values[at]) is not None}
    whole = {at: column for at, column in rest.items() if len(column) and _are_whole(column)}
    if 2 * len(whole) < len(rest):
        recognised |= {at: what for at, column in whole.items() if (what := _recognise_numbers(column))}
    _say_left_out(place, {names[at]: what for at, what in recognised.items()}, WHAT_IS_A_TASK)
    return [at for at in chosen if at not in recognised]


def find_standard_errors(
    place: Location, names: Sequence[str], tasks: Sequence[int], numbers: Mapping[int, Floats | None]
) -> dict[int, Floats]:
    """The standard errors of tasks in a matrix of systems, by the number of their columns, which a warning names.

    A column of errors is of the task that its name has, or else of the one before it. The 2.5% and 97.5% quantiles of
    one task are taken as those of a normal distribution. There are none where a task has none.
    """
    found: dict[int, tuple[str, Floats]] = {}
    ends: dict[str, tuple[str, Floats]] = {}
    scores = [at for at in numbers if at in tasks or not _recognise(names[at], None, names[1:])]
    for at, column in numbers.items():
        if at in scores or column is None:
            continue
        words = _words(names[at])
        if ERROR.search(names[at]) or words == ["se"] or words[-1:] in (["stderr"], ["error"]):
            rest = [word for word in words if word not in SPREAD | BESIDE_SPREAD]
            named = [score for score in scores if rest and _words(names[score]) == rest]
            before = [score for score in scores if score < at]
            found.setdefault(next(iter([*named, *before[-1:], *scores])), (quoted(names[at]), column))
        elif (end := QUANTILE.search(names[at])) is not None:
            ends[end[0][-3:]] = quoted(names[at]), column
    if len(tasks) == 1 and not found and ends.keys() == {"025", "975"}:
        (low, lowest), (high, highest) = ends["025"], ends["975"]
        found[tasks[0]] = f"{low} and {high}", (highest - lowest) / (2 * NORMAL)
    if not found.keys() >= set(tasks):
        return {}
    each = ", ".join(f"of {quoted(names[task])} in {found[task][0]}" for task in tasks)
    warn(f"{place}: standard errors {each}: {setting('sampled', 'queries')} takes them")
    return {task: found[task][1] for task in tasks}


def choose_systems(place: Location, names: Sequence[str], values: Mapping[int, Floats | None]) -> list[int]:
    """The columns of a matrix of tasks that are systems; a warning names those that are something else."""
    reasons = {at: _recognise(names[at], column, names[1:]) for at, column in values.items()}
    left_out = {names[at]: what for at, what in reasons.items() if what}
    _say_left_out(place, left_out, "a system of that name needs another")
    return [at for at, what in reasons.items() if not what]


def choose_tasks(place: Location, cells: Sequence[BoardCell], choice: TaskChoice) -> list[BoardCell]:
    """The cells of tasks, and of queries that are queries; a warning names what is recognised as something else.

    Raises:
        UsageError: the caller names a task that is not there.
    """
    scores: dict[str, list[float]] = {}
    for cell in cells:
        scores.setdefault(cell.task, []).append(cell.score)
    choice.require_known(scores)
    left_out: dict[str, str] = {}
    if not choice.tasks:
        for task, values in scores.items():
            column = np.array(values)
            what = _recognise(task, column[~np.isnan(column)], scores) if choice.takes(task) else ""
            left_out |= {task: what} if what else {}
    _say_left_out(place, left_out, WHAT_IS_A_TASK)
    summing = dict.fromkeys(cell.query for cell in cells if cell.query and is_summary(cell.query))
    if summing:
        named = ", ".join(map(quoted, list(summing)[:5]))
        warn(f"{place}: {named} left out of the queries, which sums up the others: a query of that name needs another")
    return [
        cell for cell in cells if choice.takes(cell.task) and cell.task not in left_out and cell.query not in summing
    ]


def _say_left_out(place: Location, reasons: Mapping[str, str], remedy: str) -> None:
    for what in dict.fromkeys(reasons.values()):
        names = [quoted(name) for name, reason in reasons.items() if reason == what]
        warn(f"{place}: {join_first(names)} left out, which {what}; {remedy}")


def _recognise(name: str, values: Floats | None, others: Iterable[str]) -> str:
    """Return the end of a sentence on why a column of this name is not a task; empty if it may be one."""
    if is_summary(name):
        return "sums up others" if values is not None else ""
    words = _words(name)
    for what, (heads, beside) in KINDS.items():
        if heads & set(words) and set(words) <= heads | beside and _are_fit(what, values):
            return f"is {what} by its name"
    if _names_spread(words, others) or QUANTILE.search(name) or ERROR.search(name):
        return "is an error or an interval by its name"
    return ""


def _are_fit(what: str, values: Floats | None) -> bool:
    """True if the values of a column fit its name; text, such as ``7B``, always does."""
    if values is None:
        return True
    if what == "a size":
        return bool((values >= 0).all() and values.max(initial=0.0) > 1)
    if what == "a rank":
        return bool((values >= 1).all())
    return _are_whole(values) and (what == "an id" or values.max(initial=0.0) > 1)


def _names_spread(words: Sequence[str], others: Iterable[str]) -> bool:
    rest = [word for word in words if word not in SPREAD | BESIDE_SPREAD]
    spread = len(rest) < len(words)
    if not spread or (not set(words) & SPREAD and not rest):
        return False
    return not rest or any(_words(other) == rest for other in others)


def _recognise_numbers(values: Floats) -> str:
    """Return why whole numbers beside columns of fractions are not scores, by their values; empty if they may be."""
    if values.max() > LARGE:
        return f"holds whole numbers up to {values.max():,.0f}, as counts, sizes and ids do"
    ordered = np.sort(values)
    ranks: Mask = ordered - ordered[0] == np.arange(len(values))
    if len(values) >= 3 and ordered[0] in (0, 1) and ranks.all():
        return f"holds each whole number from {ordered[0]:.0f} to {ordered[-1]:.0f} once, as ranks and ids do"
    return ""


def _are_whole(values: Floats) -> bool:
    return bool((values == np.round(values)).all())
