"""What a user may give as runs: paths, globs, Run objects, dicts and frames, one or many.

Objects of other tools in memory, as the dicts and lists that they hold.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cranfield._text import quoted
from cranfield.collection.column_names import Columns, check_roles
from cranfield.collection.frames import Table, by_system, is_frame, table_of, with_scores
from cranfield.collection.nested_rows import is_ranked, is_records, is_rows, table_of_named, table_of_records
from cranfield.collection.qrels import Labels, Qrels
from cranfield.collection.reading import AUTO, InputFormat
from cranfield.collection.run import Run
from cranfield.errors import InputError, UsageError
from cranfield.findings.finding import warn_of
from cranfield.findings.location import Place
from cranfield.io import ir_datasets
from cranfield.io.error_messages import ORDER
from cranfield.io.source import as_text
from cranfield.io.swapped_arguments import refuse_qrels, refuse_run
from cranfield.io.system_names import expanded, system_names, text_of_name
from cranfield.io.topic_filter import excluded_file, of_chosen_topics
from cranfield.io.trec import load_dataset, load_qrels

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame


PathLike: TypeAlias = str | os.PathLike[str]
Scores: TypeAlias = Mapping[str, Mapping[str, float]]
RunLike: TypeAlias = "PathLike | Run | Scores | IntoFrame"
RunsLike: TypeAlias = "RunLike | Iterable[RunLike] | Mapping[str, RunLike]"
QrelsLike: TypeAlias = "PathLike | Qrels | Labels | IntoFrame | ir_datasets.Dataset | Iterable[ir_datasets.Judgment]"


@dataclass(frozen=True, slots=True)
class NamedRun:
    """One system: its name, and where its run is, in a file or in memory."""

    name: str
    data: str | Run


def named_runs(runs: RunsLike, names: Literal["file", "tag"] = "file", columns: Columns = None) -> list[NamedRun]:
    """Every run that was given, with its name, in the order given; globs are expanded in name order.

    A mapping of topics to documents to scores is one run; a mapping of names to anything else that is a run is
    several. With ``names="tag"`` names are set later, from the files.

    Raises:
        InputError: no run, a glob without files, or two runs of one name.
        UsageError: something that is no run.
    """
    flat = list(_flatten(runs, check_roles(columns)))
    if not flat:
        raise InputError("no run was given", code="empty")
    paths = [data for name, data in flat if name is None and isinstance(data, str)]
    of_path = iter(system_names(paths) if names == "file" else paths)
    out = []
    for given, data in flat:
        own = next(of_path) if given is None and isinstance(data, str) else given or data.name  # type: ignore[union-attr]
        out.append(NamedRun(own, data))
    _unequal([run.name for run in out])
    return out


def _unequal(names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            text = f"two runs are called {quoted(name)}; give them names: {{name: run, ...}}"
            raise InputError(text, code="equal-names", value=name)
        seen.add(name)


def _refuse_file_object(given: Any, what: str) -> None:
    """Raises: UsageError: a file that is open, whose lines would be taken for paths."""
    if isinstance(given, io.IOBase):
        named = getattr(given, "name", None)
        path = f", {quoted(named)}" if isinstance(named, str) else ""
        raise UsageError(f"a file object is no {what}: give its path{path}")


def _flatten(runs: Any, columns: Columns, name: str = "run") -> Iterable[tuple[str | None, str | Run]]:
    _refuse_file_object(runs, "run")
    name, runs = name_of(runs) or name, table_of(runs) if is_frame(runs) else unwrapped(runs, "run")
    if is_records(runs):
        runs = table_of_records(runs, name)
    elif is_rows(runs):
        runs = table_of_named(runs, columns) or runs
    refuse_qrels(runs, columns)
    if isinstance(runs, Mapping):
        if _is_one_run(runs):
            yield None, Run.from_dict(runs, name=name)
        elif any(isinstance(inner, (set, frozenset)) for inner in runs.values()):
            raise UsageError("a topic of the run holds a set of documents, which has no order: give lists, best first")
        elif any(is_ranked(inner) for inner in runs.values()):
            yield None, Run.from_lists(runs, name=name)
        else:
            for own, run in runs.items():
                called = text_of_name(str(own))
                for _, data in _flatten(run, columns, called):
                    yield called, data
    elif isinstance(runs, Run):
        yield None, runs
    elif isinstance(runs, (str, os.PathLike)):
        for path in expanded(as_text(runs)):
            yield None, path
    elif isinstance(runs, Table):
        yield from _of_frame(runs, columns, name)
    elif is_rows(runs):
        yield None, Run.from_rows(runs, name=name)
    elif isinstance(runs, Iterable) and not isinstance(runs, bytes):
        for number, run in enumerate(runs, 1):
            unnamed = (
                (is_frame(run) and name_of(run) is None) or isinstance(run, Mapping) or is_rows(run) or is_records(run)
            )
            for own, data in _flatten(run, columns, f"run{number}"):
                yield (f"run{number}" if unnamed and own is None else own), data
    else:
        forms = "a path, a Run, a dict, a data frame or rows (topic, document, score)"
        raise UsageError(f"{type(runs).__name__} is no run: give {forms}")


def _of_frame(frame: Table, columns: Columns, name: str) -> Iterable[tuple[str | None, Run]]:
    frame = with_scores(frame, columns, name)
    systems = by_system(frame, columns)
    if systems is None:
        yield None, Run.from_frame(frame, name=name, columns=columns)
        return
    others = {role: column for role, column in (columns or {}).items() if role.rpartition(".")[2] != "system"}
    for system, rows in systems:
        yield system, Run.from_frame(rows, name=system, columns=others)


def _is_one_run(runs: Mapping[Any, Any]) -> bool:
    """topic -> document -> number, as opposed to name -> run."""
    for inner in runs.values():
        if not isinstance(inner, Mapping):
            return False
        for value in inner.values():
            return not isinstance(value, (Mapping, os.PathLike, Run, list, tuple)) and not is_frame(value)
    return True


def qrels_of(
    qrels: QrelsLike, input_format: InputFormat = AUTO, columns: Columns = None, *, by_intent: bool = False
) -> Qrels:
    """Judgments from whatever they were given as.

    Where they are looked at ``by_intent`` alone, that a document is judged several times needs no warning.

    Raises:
        InputError: they cannot be read.
        UsageError: something that is no qrels, such as a run.
    """
    if isinstance(qrels, Qrels):
        return qrels
    _refuse_file_object(qrels, "qrels")
    columns = check_roles(columns)
    given: Any = table_of(qrels) if is_frame(qrels) else unwrapped(qrels, "qrels")
    given = table_of_records(given, "qrels") if is_records(given) else given
    refuse_run(given, columns)
    if isinstance(qrels, (str, os.PathLike)):
        judgments, facts = load_qrels(qrels, input_format=input_format, columns=columns)
        warn_of(facts, Place(as_text(qrels)), unless=("several-labels",) if by_intent else ())
        return _without_excluded(of_chosen_topics(judgments), input_format, columns)
    if isinstance(given, Mapping):
        return Qrels.from_dict(given, by_intent=by_intent)
    if isinstance(given, Table):
        return Qrels.from_frame(given, by_intent=by_intent, columns=columns)
    if ir_datasets.is_dataset(given):
        called = getattr(given, "dataset_id", None)
        name = ir_datasets.PREFIX + called() if callable(called) else "data set"
        judgments, facts = load_dataset(name, given)
        warn_of(facts, judgments.place, unless=("several-labels",) if by_intent else ())
        return judgments
    if is_rows(given):
        return Qrels.from_rows(given, by_intent=by_intent)
    raise UsageError(
        f"{type(qrels).__name__} is no qrels: give a path, Qrels, a dict, a data frame or rows (topic, document, label)"
    )


def _without_excluded(qrels: Qrels, input_format: InputFormat, columns: Columns) -> Qrels:
    """The judgments without those of the file that is excluded, if one is."""
    path = excluded_file()
    if path is None:
        return qrels
    judged, facts = load_qrels(path, input_format=input_format, columns=columns)
    warn_of(facts, Place(path))
    return qrels.excluding(judged)


def unwrapped(value: Any, wanted: str) -> Any:
    """``Run`` and ``Qrels`` of ranx as dicts, and an iterator, which is read once, as a list; anything else as it is.

    Args:
        value: of any kind.
        wanted: ``run`` or ``qrels``.

    Raises:
        UsageError: the qrels of ranx where a run is wanted, or the other way round; or an iterator that is used up.
    """
    kind = type(value)
    if kind.__module__.partition(".")[0] == "ranx" and hasattr(value, "to_dict"):
        if kind.__name__.lower() != wanted:
            given = f"a {kind.__name__} of ranx is given as {'a run' if wanted == 'run' else 'qrels'}"
            raise UsageError(f"{given}: are runs and qrels exchanged? {ORDER}")
        return value.to_dict()
    if not isinstance(value, Iterator):
        return value
    held = list(value)
    if not held:
        what = "a run" if wanted == "run" else wanted
        text = f"the {kind.__name__} given as {what} holds nothing: it can be read once, and may have been read before"
        raise UsageError(f"{text}; keep what it gives in a list: list(...)")
    return held


def name_of(value: Any) -> str | None:
    """The name that a run of ranx has, or a data set of ours."""
    name = getattr(value, "name", None)
    library, _, room = type(value).__module__.partition(".")
    known = library == "ranx" or (library == "cranfield" and room.startswith("streaming.partitions."))
    return name if known and isinstance(name, str) and name else None
