"""Runs, judgments and weights of intents in every form that a user may give: paths, globs, dicts, frames, our objects.

Objects of other tools in memory become the dicts, lists and tables that they hold. Runs in the place of judgments and
judgments in the place of runs are refused wherever that can be seen.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cranfield._text import decode_name, quoted
from cranfield._typing import PathLike
from cranfield._validation import first_repeated, is_number, is_series
from cranfield.collection.column_names import ColumnNames, find, select_columns
from cranfield.collection.frames import (
    FrameTable,
    by_system,
    has_value,
    is_frame,
    read_table,
    rows_of_lists,
    with_scores,
)
from cranfield.collection.input_formats import AUTO, InputFormat
from cranfield.collection.intent_weights import RULES, IntentWeights, IntentWeightsLike, load_weights
from cranfield.collection.nested_rows import is_ranked, is_records, is_rows, read_named_tuples, read_records
from cranfield.collection.policy import WeightSum
from cranfield.collection.qrels import NestedLabels, Qrels
from cranfield.collection.run import Run
from cranfield.collection.word_labels import WordLabels
from cranfield.errors import InputError, UsageError
from cranfield.findings.finding import warn_of
from cranfield.findings.location import STDIN, Location
from cranfield.io import ir_datasets
from cranfield.io.error_messages import ORDER
from cranfield.io.source import as_text
from cranfield.io.system_names import expanded, split_part, system_names, warn_of_lookalikes
from cranfield.io.topic_filter import select_topics
from cranfield.io.trec import load_dataset, load_qrels, load_systems

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

DocumentScores: TypeAlias = Mapping[str, Mapping[str, float]]
RunLike: TypeAlias = "PathLike | Run | DocumentScores | IntoFrame"
RunsLike: TypeAlias = "RunLike | Iterable[RunLike] | Mapping[str, RunLike]"
QrelsLike: TypeAlias = (
    "PathLike | Qrels | NestedLabels | IntoFrame | ir_datasets.IrDataset | Iterable[ir_datasets.Judgment]"
)


@dataclass(frozen=True, slots=True)
class NamedRun:
    """One system: its name, and where its run is, in a file or in memory."""

    name: str
    data: str | Run


def named_runs(
    runs: RunsLike, names: Literal["file", "tag"] = "file", columns: ColumnNames = None, *, default: str | None = None
) -> list[NamedRun]:
    """All runs with their names, in their order; globs are expanded in name order.

    A mapping of topics to documents to scores is one run; a mapping of names to anything else that is a run is
    several. With ``names="tag"`` names are set later, from the files. With a ``default``, this is an entry of a list of
    runs, and is called so where nothing names it.

    Raises:
        InputError: no run, a glob without files, or two runs of one name.
        UsageError: not a run.
    """
    flat = list(_flatten(runs, columns) if default is None else _flatten_entry(runs, columns, default))
    if not flat:
        raise InputError("no run was given", code="empty")
    paths = [data for name, data in flat if name is None and isinstance(data, str)]
    path_names = iter(system_names(paths) if paths and names == "file" else paths)
    named = []
    for name, data in flat:
        if isinstance(data, str):
            named.append(NamedRun(next(path_names) if name is None else name, data))
        else:
            named.append(NamedRun(name or data.name, data))
    repeated = first_repeated(run.name for run in named)
    if repeated is not None:
        text = f"two runs are called {quoted(repeated)}; give them names: {{name: run, ...}}"
        raise InputError(text, code="equal-names", value=repeated)
    if names == "file":
        warn_of_lookalikes([run.name for run in named], "system", "the runs")
    return named


def _flatten(runs: Any, columns: ColumnNames, name: str = "run") -> Iterable[tuple[str | None, str | Run]]:
    """Each run as a path or a ``Run``, with its name where the caller gives one."""
    if type(runs) is not dict:  # into which other objects are converted
        name = _find_name(runs) or name
        runs = _convert(runs, "run", name)
        if is_rows(runs):
            runs = read_named_tuples(runs, columns) or runs
        refuse_qrels(runs, columns)
    runs = _read_retrieved(runs, "run", name)
    if isinstance(runs, Mapping):
        if _is_one_run(runs):
            yield None, Run.from_dict(runs, name=name)
        elif any(isinstance(inner, (set, frozenset)) for inner in runs.values()):
            raise UsageError("a topic of the run holds a set of documents, which has no order: give lists, best first")
        elif any(isinstance(inner, (list, tuple)) and is_ranked(inner) for inner in runs.values()):
            yield None, Run.from_lists(runs, name=name)
        else:
            for key, run in runs.items():
                system = decode_name(str(key))
                for _, data in _flatten(run, columns, system):
                    yield system, data
    elif isinstance(runs, Run):
        yield None, runs
    elif isinstance(runs, (str, os.PathLike)):
        separated = "system" in select_columns(columns, "score")
        for path in expanded(as_text(runs)):
            yield from _separate(path, columns or {}) if separated and path != STDIN else [(None, path)]
    elif isinstance(runs, FrameTable):
        yield from _split_by_system(runs, columns, name)
    elif is_rows(runs):
        yield None, Run.from_rows(runs, name=name)
    elif is_series(runs) and not isinstance(runs, bytes):
        for number, run in enumerate(runs, 1):
            yield from _flatten_entry(run, columns, f"run{number}")
    else:
        forms = "a path, a Run, a dict, a data frame or rows (topic, document, score)"
        from cranfield.collection.retrieved import ROW

        raise UsageError(f"{type(runs).__name__} is not a run: give {forms}; of results by topic, {ROW}")


def _separate(path: str, columns: Mapping[str, str]) -> list[tuple[str | None, str | Run]]:
    """Each system of a file whose rows are of several, or the one that ``FILE#SYSTEM`` names; else the file itself.

    Raises:
        InputError: the file has no such system.
    """
    file, part = split_part(path)
    systems = load_systems(file, columns)
    if part and systems:
        if part not in systems:
            text = f"has no system {quoted(part)}: its systems are {', '.join(map(quoted, list(systems)[:20]))}"
            raise InputError(text, Location(file), code="part", value=part)
        return [(part, systems[part])]
    return [*systems.items()] or [(None, path)]


def _flatten_entry(run: Any, columns: ColumnNames, default: str) -> Iterable[tuple[str | None, str | Run]]:
    """An entry of a list of runs, which has the default name where nothing names it."""
    unnamed = (is_frame(run) and _find_name(run) is None) or isinstance(run, Mapping) or is_rows(run) or is_records(run)
    for own_name, data in _flatten(run, columns, default):
        yield (default if unnamed and own_name is None else own_name), data


def _split_by_system(frame: FrameTable, columns: ColumnNames, name: str) -> Iterable[tuple[str | None, Run]]:
    frame = with_scores(frame, columns, name)
    systems = by_system(frame, columns)
    if systems is None:
        yield None, Run.from_frame(frame, name=name, columns=columns)
        return
    other_columns = {role: column for role, column in (columns or {}).items() if role.rpartition(".")[2] != "system"}
    for system, rows in systems:
        yield system, Run.from_frame(rows, name=system, columns=other_columns)


def _is_one_run(runs: Mapping[Any, Any]) -> bool:
    """topic -> document -> number, as opposed to name -> run."""
    for inner in runs.values():
        if not isinstance(inner, Mapping):
            return False
        for value in inner.values():
            if isinstance(value, (int, float)):
                return True
            response = hasattr(value, "body") or hasattr(value, "to_dict")
            inner_run = isinstance(value, (Mapping, os.PathLike, Run, list, tuple)) or response
            return not inner_run and not is_frame(value)
    return True


def convert_qrels(
    qrels: QrelsLike,
    input_format: InputFormat = AUTO,
    columns: ColumnNames = None,
    *,
    labels: WordLabels = None,
    by_intent: bool = False,
    only_topics: Sequence[str] | None = None,
    exclude: PathLike | Qrels | None = None,
) -> Qrels:
    """Judgments in any of their forms as ``Qrels``.

    Args:
        qrels: in any form.
        input_format: of a file.
        columns: of a file or a frame.
        labels: the numbers of labels in words.
        by_intent: whether they are looked at by intent alone, so that a document which is judged several times needs no
            warning.
        only_topics: the topics that are looked at; all where None.
        exclude: judgments whose documents are left out, topic by topic.

    Raises:
        InputError: they cannot be read, or nothing is left of them.
        UsageError: not judgments, but a run, for instance.
    """
    read = partial(_read_judgments, input_format=input_format, columns=columns, labels=labels)
    judgments = select_topics(read(qrels, by_intent=by_intent), only_topics)
    if exclude is None or _excludes(judgments, exclude):
        return judgments
    return judgments.excluding(read(exclude))


def _excludes(qrels: Qrels, exclude: PathLike | Qrels) -> bool:
    """Return whether judgments were made by excluding these, as where they are passed on with how they were read."""
    if qrels.excluded is None or isinstance(exclude, Qrels):
        return qrels.excluded is not None and qrels.excluded is exclude
    return qrels.excluded.path == as_text(exclude)


def _read_judgments(
    qrels: QrelsLike, *, input_format: InputFormat, columns: ColumnNames, labels: WordLabels, by_intent: bool = False
) -> Qrels:
    """Read all judgments."""
    if isinstance(qrels, Qrels):
        return qrels
    if isinstance(qrels, (str, os.PathLike)):
        options: dict[str, Any] = {"input_format": input_format, "columns": columns, "labels": labels}
        judgments, facts = load_qrels(qrels, **options, by_intent=by_intent)
        warn_of(facts, Location(as_text(qrels)), unless=("several-labels",) if by_intent else ())
        return judgments
    value: Any = qrels if type(qrels) is dict else _convert(qrels, "qrels", "qrels")
    value = _read_retrieved(value, "qrels", "qrels")
    refuse_run(value, columns)
    if isinstance(value, Mapping):
        return Qrels.from_dict(value, by_intent=by_intent, labels=labels)
    if isinstance(value, FrameTable):
        return Qrels.from_frame(value, by_intent=by_intent, columns=columns, labels=labels)
    if ir_datasets.is_dataset(value):
        dataset_id = getattr(value, "dataset_id", None)
        name = ir_datasets.PREFIX + dataset_id() if callable(dataset_id) else "data set"
        return load_dataset(name, value, by_intent=by_intent, labels=labels)
    if is_rows(value, words=True):
        return Qrels.from_rows(value, by_intent=by_intent, labels=labels)
    if isinstance(getattr(value, "qrels", None), Qrels):
        raise UsageError(f"{type(qrels).__name__} is not qrels, but holds them: give its attribute qrels")
    if callable(getattr(value, "to_qrels", None)):
        raise UsageError(f"{type(qrels).__name__} is not qrels, but makes them: give what its to_qrels() returns")
    raise UsageError(
        f"{type(qrels).__name__} is not qrels: give a path, Qrels, a dict, a data frame or rows "
        "(topic, document, label); of relevant documents by topic, {topic: {id: 1 for id in ids} for topic, ids in "
        "relevant.items()}"
    )


def with_intents(
    qrels: Qrels, weights: IntentWeightsLike, weight_sum: WeightSum = "renormalise", keep_empty: bool = False
) -> Qrels:
    """The judgments with P(i|q); the same object where all options are at their defaults.

    Raises:
        InputError: the weights cannot be read or do not fit, or the judgments name no intents.
        UsageError: an unknown option.
    """
    if weights is None and weight_sum == "renormalise" and not keep_empty:
        return qrels
    loaded = read_weights(weights) or qrels.weights
    return qrels.with_intents(loaded, weight_sum=weight_sum, keep_empty_intents=keep_empty)


def read_weights(weights: IntentWeightsLike) -> IntentWeights | None:
    """P(i|q) in any of its forms as ``IntentWeights``: a path, a rule, a dict or a frame.

    Raises:
        InputError: they cannot be read.
        UsageError: not weights.
    """
    loaded = load_weights(weights)
    if not isinstance(loaded, str):
        return loaded
    if loaded in RULES:
        return IntentWeights.by_rule(loaded)
    from cranfield.io.ntcir import read_intent_weights

    return read_intent_weights(loaded)


def _convert(value: Any, kind: Literal["run", "qrels"], name: str) -> Any:
    """Frames and lists of dicts as tables, ``Run`` and ``Qrels`` of ranx as dicts, and iterators as lists.

    Any other object stays as it is. Messages about a list of dicts call it by ``name``.

    Raises:
        UsageError: an open file, whose lines would be taken for paths; the qrels of ranx where a run is wanted, or the
            reverse; or an iterator that is used up.
    """
    if isinstance(value, io.IOBase):
        file_name = getattr(value, "name", None)
        path = f", {quoted(file_name)}" if isinstance(file_name, str) else ""
        raise UsageError(f"a file object is not {'a run' if kind == 'run' else kind}: give its path{path}")
    if is_frame(value):
        lists = None if isinstance(value, FrameTable) else rows_of_lists(value, kind)
        return read_table(value) if lists is None else lists
    if type(value).__module__.partition(".")[0] == "ranx" and hasattr(value, "to_dict"):
        return _convert_ranx(value, kind)
    if isinstance(value, Iterator):
        value = _drain(value, kind)
    return read_records(value, name) if is_records(value) else value


def _read_retrieved(value: Any, kind: Literal["run", "qrels"], name: str) -> Any:
    """Convert dicts of lists, as retrievers return them; any other value stays as it is."""
    plain = isinstance(value, (str, os.PathLike, Run, Qrels, FrameTable))
    if plain or (isinstance(value, Mapping) and _holds_numbers(value)):
        return value
    from cranfield.collection.retrieved import read_retrieved

    read = read_retrieved(value, kind, name)
    return value if read is None else read


def _holds_numbers(value: Mapping[Any, Any]) -> bool:
    """Return whether it is topic -> document -> number, by its first topic with a document."""
    first = next(iter(value.values()), None)
    return isinstance(first, Mapping) and bool(first) and all(map(is_number, first.values()))


def _convert_ranx(value: Any, kind: Literal["run", "qrels"]) -> Any:
    class_name = type(value).__name__
    if class_name.lower() != kind:
        text = f"a {class_name} of ranx is given as {'a run' if kind == 'run' else 'qrels'}"
        raise UsageError(f"{text}: are runs and qrels exchanged? {ORDER}")
    return value.to_dict()


def _drain(values: Iterator[Any], kind: Literal["run", "qrels"]) -> list[Any]:
    listed = list(values)
    if not listed:
        noun = "a run" if kind == "run" else kind
        text = f"the {type(values).__name__} given as {noun} holds nothing: it can be read once, and may have been read"
        raise UsageError(f"{text} before; keep what it gives in a list: list(...)")
    return listed


def _find_name(value: Any) -> str | None:
    """The name of a run of ranx, or of a data set of ours."""
    name = getattr(value, "name", None)
    library, _, room = type(value).__module__.partition(".")
    known = library == "ranx" or (library == "cranfield" and room.startswith("streaming.partitions."))
    return name if known and isinstance(name, str) and name else None


LARGEST = 10
"""Labels are rarely larger, and the scores of a run seldom all as small."""
SEVERAL = 3
"""Number of different labels of one topic, none a whole number, from which on they are scores; one less if the scores
look like labels."""

Numbers = list[Any]


def refuse_qrels(runs: Any, columns: ColumnNames = None) -> None:
    """Raises: UsageError: judgments in the place of a run."""
    if isinstance(runs, Qrels):
        raise UsageError(f"Qrels are given as a run: are runs and qrels exchanged? {ORDER}")
    if isinstance(runs, FrameTable) and has_value(runs, "label", columns) and not has_value(runs, "score", columns):
        raise UsageError(f"a frame with labels and no scores is given as a run: is this a qrels? {ORDER}")


def refuse_run(qrels: Any, columns: ColumnNames = None) -> None:
    """Raises: UsageError: a run in the place of judgments."""
    if isinstance(qrels, Run):
        raise UsageError(f"a Run is given as qrels: are runs and qrels exchanged? {ORDER}")
    if isinstance(qrels, Mapping) and any(
        type(value) is not dict and (isinstance(value, Run) or is_frame(value)) for value in qrels.values()
    ):
        raise UsageError(f"several runs are given as qrels: are runs and qrels exchanged? {ORDER}")
    if isinstance(qrels, (list, tuple)) and any(isinstance(item, (Run, Mapping)) or is_frame(item) for item in qrels):
        raise UsageError(f"a {type(qrels).__name__} is not qrels: are these the runs? {ORDER}")
    if isinstance(qrels, FrameTable) and has_value(qrels, "score", columns) and not has_value(qrels, "label", columns):
        column = find(list(qrels.names), "score", select_columns(columns, "label"))
        text = f"a frame without labels is given as qrels: if {quoted(str(column))} holds labels, say so, columns="
        raise UsageError(f"{text}{{'label': {column!r}}}; or is this a run? {ORDER}")


def refuse_exchanged(runs: Any, qrels: Any) -> None:
    """Refuse two dicts whose numbers say that each is in the place of the other.

    That is so where no two labels of a topic are equal and some topic has two that are not whole numbers, as is usual
    of scores, while all scores are whole numbers of at most ``LARGEST`` in size, as is usual of labels; and where
    beside this the scores hold a zero, a number below it or equal ones in a topic, or a topic has ``SEVERAL`` labels
    that are not whole numbers and some label is not a probability. Scores that count ranks up or down are never taken
    for labels, and ``Run`` and ``Qrels`` are taken at their word.

    Raises:
        UsageError: they are exchanged.
    """
    if not isinstance(qrels, Mapping) or _has_integer_labels(qrels):
        return
    labels = _pools(qrels)
    if labels is None or all(_is_integer(label) for pool in labels for label in pool):
        return
    candidates = [runs] if isinstance(runs, Mapping) else runs if isinstance(runs, (list, tuple)) else []
    if any(_names_intents(qrels, candidate) for candidate in candidates):
        return
    scores: list[Numbers] = []
    for candidate in candidates:
        pools = _pools(candidate)
        if pools is None:
            return
        scores += pools
    if not scores or any(len(set(pool)) < len(pool) for pool in labels):
        return
    if not all(_is_integer(score) and abs(score) <= LARGEST for pool in scores for score in pool) or _follows_ranks(
        scores
    ):
        return
    most = max(sum(not _is_integer(label) for label in pool) for pool in labels)
    like_labels = any(min(pool) <= 0 or len(set(pool)) < len(pool) for pool in scores)
    like_scores = any(not 0 <= label <= 1 for pool in labels for label in pool)
    if most >= SEVERAL - like_labels and (like_labels or like_scores):
        odd = next(label for pool in labels for label in pool if not _is_integer(label))
        raise UsageError(
            f"labels such as {float(odd):g} are not whole numbers, and all scores are: are runs and qrels exchanged? "
            f"{ORDER}. If they are not, give Run.from_dict(...) and Qrels.from_dict(...)"
        )


def _has_integer_labels(qrels: Mapping[Any, Any]) -> bool:
    """Tell if all labels are whole, where that is quickly seen: ints, or floats without a fraction, in two levels."""
    for pool in qrels.values():
        if not isinstance(pool, Mapping):
            return False
        kinds = set(map(type, pool.values()))
        if not (kinds <= {int} or (kinds == {float} and all(map(float.is_integer, pool.values())))):
            return False
    return True


def _names_intents(qrels: Mapping[Any, Any], run: Any) -> bool:
    """Tell if judgments have a level between topics and documents, and topics of a run: no run has such a level."""
    inner = [value for pool in qrels.values() if isinstance(pool, Mapping) for value in pool.values()]
    if not isinstance(run, Mapping) or not any(isinstance(value, Mapping) for value in inner):
        return False
    topics = {*run, *(topic for value in run.values() if isinstance(value, Mapping) for topic in value)}
    return not topics.isdisjoint(qrels)


def _pools(nested: Any) -> list[Numbers] | None:
    """The numbers of each innermost mapping; None where anything else than mappings of numbers is found."""
    try:
        return [pool for pool in _innermost(nested, 3) if pool]
    except TypeError:
        return None


def _innermost(nested: Any, levels: int) -> Iterator[Numbers]:
    """Raises: TypeError: something that is not a number, or too many levels."""
    if not isinstance(nested, Mapping) or not levels:
        raise TypeError
    values: Iterable[Any] = nested.values()
    inner = [value for value in values if isinstance(value, Mapping)]
    if len(inner) == len(nested):
        for value in inner:
            yield from _innermost(value, levels - 1)
    elif inner or not all(is_number(value) for value in nested.values()):
        raise TypeError
    else:
        yield list(nested.values())


def _follows_ranks(scores: list[Numbers]) -> bool:
    """Tell if scores follow from ranks: each list holds consecutive numbers, and all begin or end with the same."""
    if any(len(set(pool)) < len(pool) or max(pool) - min(pool) >= len(pool) for pool in scores):
        return False
    return len({min(pool) for pool in scores}) == 1 or len({max(pool) for pool in scores}) == 1


def _is_integer(value: Any) -> bool:
    return bool(value == int(value))
