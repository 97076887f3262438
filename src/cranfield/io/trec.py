"""Reading runs and judgments from files of any format, and writing them as TREC text."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import engine
from cranfield._text import cut, quoted, shown, warn
from cranfield._typing import PathLike
from cranfield.collection.ids import TextColumn
from cranfield.collection.input_formats import AUTO, InputFormat
from cranfield.collection.policy import OnDuplicate, Policy
from cranfield.collection.preferences import Preferences
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.collection.sampled_qrels import SampledQrels
from cranfield.collection.word_labels import WordLabels, check_word_labels, with_numbers
from cranfield.engine.fast_paths import run_lines
from cranfield.errors import InputError, UsageError
from cranfield.findings.finding import warn_of
from cranfield.findings.location import Location
from cranfield.io import ir_datasets
from cranfield.io.formats._detection import load
from cranfield.io.source import as_text, check_format, max_unpacked, whole_text
from cranfield.io.system_names import stem

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts, InputSource, QrelsColumns


def read_run(
    path: PathLike,
    *,
    input_format: InputFormat = AUTO,
    columns: Mapping[str, str] | None = None,
    on_duplicate: OnDuplicate = "error",
    name: str | None = None,
) -> Run:
    """Read a run from a file: plain, gzip, bzip2, xz or zstd, recognised by content; ``"-"`` is standard input.

    Args:
        path: of the file; of MTEB's predictions with the split, as in ``FILE#subset/split``.
        input_format: ``auto`` tells it by content: TREC text (``topic Q0 document rank score tag``), JSON, Parquet, CSV
            and others, see the documentation of formats. ``msmarco`` (``topic document rank``; the score is then minus
            the rank) must be asked for.
        columns: role -> column, such as ``{"topic": "user_id"}``, of tables whose columns are called otherwise than
            usual.
        on_duplicate: a document twice in a topic is an ``error``, or its line of largest score is kept (``first``).
        name: of the system; the file's name without its endings where None.

    Raises:
        FormatError: a line is not in its format; the message names file, line and value.
        InputError: the file is not there, empty, damaged or not text.

    >>> import cranfield
    >>> with open("first.run", "w") as file:
    ...     _ = file.write("q1 Q0 d1 1 2.5 mine\\nq1 Q0 d2 2 1.5 mine\\n")
    >>> run = cranfield.read_run("first.run")
    >>> run.name, run.tag, run.to_dict()
    ('first', 'mine', {'q1': {'d1': 2.5, 'd2': 1.5}})
    """
    run, facts = load_run(path, input_format=input_format, columns=columns, on_duplicate=on_duplicate, name=name)
    warn_of(facts, Location(as_text(path)))
    return run


def load_run(
    path: PathLike,
    *,
    input_format: InputFormat = AUTO,
    columns: Mapping[str, str] | None = None,
    on_duplicate: OnDuplicate = "error",
    name: str | None = None,
) -> tuple[Run, Facts]:
    """The result of ``read_run``, and the notices in place of warnings."""
    Policy(on_duplicate=on_duplicate)
    check_format(input_format)
    source = as_text(path)
    options: Any = {"input_format": input_format, "columns": columns, "name": name, "on_duplicate": on_duplicate}
    columns_read = load(
        source,
        "run",
        lambda data, layout: engine.current().read_run(data, layout, max_unpacked(), on_duplicate),
        **options,
    )
    if isinstance(columns_read, tuple):
        return columns_read
    run = Run(
        name or stem(source),
        columns_read["topics"],
        columns_read["starts"],
        TextColumn(columns_read["data"], columns_read["offsets"]),
        columns_read["score"],
        columns_read["rank"],
        tag=columns_read["facts"]["tag"],
        path=source,
        sha256=columns_read["sha256"],
    )
    return run, columns_read["facts"]


def load_systems(path: PathLike, columns: Mapping[str, str]) -> dict[str, Run]:
    """The runs of a table whose rows are of several systems, by their names; empty of a file of one run.

    Args:
        path: of the file.
        columns: as in ``read_run``, that of systems among them.
    """
    source = as_text(path)
    try:
        read = load(
            source,
            "run",
            lambda data, layout: engine.current().read_run(data, layout, max_unpacked(), "first"),
            columns=columns,
            on_duplicate="first",
            several=True,
        )
    except InputError:
        return {}  # refused where the run itself is read
    if not isinstance(read, tuple) or not isinstance(read[0], dict):
        return {}
    warn_of(read[1], Location(source))
    return read[0]


def read_qrels(
    path: PathLike,
    *,
    input_format: InputFormat = AUTO,
    columns: Mapping[str, str] | None = None,
    labels: WordLabels = None,
) -> Qrels:
    """Read judgments from a file: plain, gzip, bzip2, xz or zstd, recognised by content; ``"-"`` is standard input.

    Args:
        path: of the file, or ``irds:ID`` for the judgments of a data set of ir_datasets.
        input_format: ``auto`` tells it by content: TREC text (``topic iteration document label``), BEIR's with a
            header, NTCIREVAL's, JSON, Parquet, CSV and others, see the documentation of formats. BEIR's without a
            header (``beir``: ``topic document label``) must be asked for.
        columns: as in ``read_run``.
        labels: words that stand for labels -> their numbers, such as ``{"relevant": 2, "partial": 1}``.

    Raises:
        FormatError: a line is not in its format, or contradicts an earlier one.
        InputError: the file is not there, empty, damaged or not text.

    >>> import cranfield
    >>> with open("qrels.txt", "w") as file:
    ...     _ = file.write("q1 0 d1 2\\nq1 0 d2 0\\n")
    >>> cranfield.read_qrels("qrels.txt").to_dict()
    {'q1': {'d1': 2.0, 'd2': 0.0}}
    """
    qrels, facts = load_qrels(path, input_format=input_format, columns=columns, labels=labels)
    warn_of(facts, Location(as_text(path)))
    return qrels


def load_qrels(
    path: PathLike,
    *,
    input_format: InputFormat = AUTO,
    columns: Mapping[str, str] | None = None,
    labels: WordLabels = None,
    by_intent: bool = False,
) -> tuple[Qrels, Facts]:
    """The result of ``read_qrels``, and the notices in place of warnings; of data sets of ir_datasets there are none.

    Args:
        path, input_format, columns, labels: as in ``read_qrels``.
        by_intent: as in ``Qrels.from_dict``.
    """
    check_format(input_format)
    words = None if labels is None else check_word_labels(labels) or None
    source = as_text(path)
    if ir_datasets.names_dataset(source):
        return load_dataset(source, by_intent=by_intent, labels=words), {}
    source = _within_beir(source)
    columns_read = load(
        source,
        "qrels",
        partial(_split_judgments, words),
        input_format=input_format,
        columns=columns,
        labels=words,
    )
    if isinstance(columns_read, tuple):
        return columns_read
    origin: dict[str, Any] = {"name": stem(source), "path": source, "sha256": columns_read["sha256"]}
    return Qrels.from_columns(columns_read, **origin, word_labels=words), columns_read["facts"]


def _split_judgments(labels: WordLabels, source: InputSource, layout: str) -> QrelsColumns:
    """The columns of judgments in lines; where labels are in words, of the text with their numbers."""
    if not labels:
        return engine.current().read_qrels(source, layout, max_unpacked())
    text, digest, _ = whole_text(source, Location())
    read = engine.current().read_qrels(with_numbers(text, layout, labels), layout, max_unpacked())
    return {**read, "sha256": digest}


def _within_beir(path: str) -> str:
    """The judgments in a folder of BEIR, those of its test where there are several; any other path as it is."""
    folder = os.path.join(path, "qrels")  # noqa: PTH118
    if not os.path.isdir(folder):  # noqa: PTH112  (unlike Path, it answers for any name)
        return path
    names = sorted(name for name in os.listdir(folder) if name.endswith(".tsv"))  # noqa: PTH208
    chosen = "test.tsv" if "test.tsv" in names else names[0] if len(names) == 1 else ""
    if not chosen:
        text = f"is a folder whose qrels/ holds {', '.join(map(quoted, names)) or 'no .tsv'}: name one of these files"
        raise InputError(text, Location(path), code="folder")
    if len(names) > 1:
        others = ", ".join(quoted(name) for name in names if name != chosen)
        warn(f"{shown(path, 200)}: the judgments are those of qrels/{chosen}, and not of {others}")
    return os.path.join(folder, chosen)  # noqa: PTH118


def load_dataset(name: str, dataset: Any = None, *, by_intent: bool = False, labels: WordLabels = None) -> Qrels:
    """The judgments of a data set of ir_datasets; see ``io.ir_datasets``."""
    judgments = ir_datasets.read_judgments(name, dataset, labels)
    return Qrels.from_dict(judgments, name=name, by_intent=by_intent, labels=labels)


def write(data: Run | Qrels, path: PathLike) -> None:
    """Write a run or judgments as TREC text; the file is written completely or not at all.

    A file whose name ends in ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` is packed so. A file that was there gives its mode.
    Scores and labels are written with the shortest digits that read back exactly. A run without ranks gets the ranks
    of trec_eval's order: score descending, then id descending.

    Raises:
        InputError: an id holds a blank or begins a comment, which TREC text cannot hold; a document occurs twice in a
            topic; or the file cannot be written.
        UsageError: ``data`` is neither a Run nor Qrels.

    >>> from pathlib import Path
    >>> import cranfield
    >>> cranfield.write(cranfield.Run.from_dict({"q1": {"d1": 2.5, "d2": 1.5}}, name="mine"), "mine.run")
    >>> print(Path("mine.run").read_text(), end="")
    q1 Q0 d1 1 2.5 mine
    q1 Q0 d2 2 1.5 mine
    """
    from pathlib import Path

    from cranfield.io.atomic_write import write_whole

    write_whole(Path(as_text(path)), trec_lines(data))


BLANKS = " \t\n\r\0"
"""The separators of fields and lines, and the byte that ends words elsewhere."""


def trec_lines(data: Run | Qrels) -> list[bytes]:
    """The text that ``write`` writes, in blocks of complete lines.

    Raises:
        InputError: an id holds a blank or begins a comment, which TREC text cannot hold; or a document occurs twice.
        UsageError: ``data`` is neither a Run nor Qrels.
    """
    if isinstance(data, Run):
        return _run_lines(data)
    if isinstance(data, Qrels):
        return ["".join(_format_qrels(data)).encode()]
    raise UsageError(f"write takes a Run or Qrels, not {type(data).__name__}")


def preference_lines(preferences: Preferences) -> str:
    """Preference judgments as lines ``topic better worse``, which ``read_preferences`` reads.

    Raises:
        InputError: an id holds a blank or begins a comment, which these lines cannot hold.
    """
    return "".join(
        f"{_word(topic, 'topic', first=True)} {_word(better, 'document')} {_word(worse, 'document')}\n"
        for topic, pairs in preferences.pairs.items()
        for better, worse in pairs
    )


def can_stand(run: Run) -> bool:
    """Return whether every topic and document of a run is a word that TREC text can hold."""
    try:
        for topic in run.topics:
            _word(topic, "topic", first=True)
    except InputError:
        return False
    blank = any((run.documents.data == ord(char)).any() for char in BLANKS)
    return not blank and bool(np.diff(run.documents.offsets).all())


def _run_lines(run: Run) -> list[bytes]:
    tag = _word(run.tag or run.name.replace(" ", "_"), "tag")
    columns = list(run.topics), run.starts, run.documents.data, run.documents.offsets, run.score, run.rank
    blocks = run_lines(*columns, tag)
    return ["".join(_format_run(run, tag)).encode()] if blocks is None else blocks


def _format_run(run: Run, tag: str) -> Iterator[str]:
    run.check_unrepeated()
    documents, scores, bounds = run.documents.tolist(), run.score.tolist(), run.starts.tolist()
    for number, name in enumerate(run.topics):
        topic = _word(name, "topic", first=True)
        rows = range(bounds[number], bounds[number + 1])
        by_id = sorted(rows, key=lambda row: documents[row].encode(), reverse=True)
        rank_of_row = {row: rank for rank, row in enumerate(sorted(by_id, key=lambda row: -scores[row]), 1)}
        for row in rows:
            rank = rank_of_row[row] if run.rank is None else run.rank[row]
            yield f"{topic} Q0 {_word(documents[row], 'document')} {rank} {_number(scores[row])} {tag}\n"


def _format_qrels(qrels: Qrels) -> Iterator[str]:
    if isinstance(qrels, SampledQrels):
        yield from _format_sample(qrels)
        return
    for topic, iteration, document, label in zip(*qrels.rows(), strict=True):
        fields = _word(topic, "topic", first=True), _word(iteration, "field 2"), _word(document, "document")
        yield f"{' '.join(fields)} {_number(float(label))}\n"


def _format_sample(qrels: SampledQrels) -> Iterator[str]:
    for topic, iteration, document, stratum, label in qrels.sampled_rows():
        fields = _word(topic, "topic", first=True), _word(iteration, "field 2"), _word(document, "document")
        yield f"{' '.join(fields)} {_word(stratum, 'stratum')} {_number(label)}\n"


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _word(text: str, what: str, *, first: bool = False) -> str:
    if not text or any(char in text for char in BLANKS) or (first and text.startswith(("#", "\ufeff"))):
        message = f"the {what} {quoted(text)} cannot stand in TREC text: blanks separate fields, # begins a comment"
        raise InputError(message, code="unfit-name", value=cut(text))
    return text
