"""Score files: from a matrix, rows, netCDF or Parquet to labelled scores, and back.

The format of a file that is read is recognised by its content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from cranfield import escaping
from cranfield._text import decode_name, in_full
from cranfield._typing import PathLike
from cranfield._validation import is_decimal, one_or_more, word
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import STDIN, Location
from cranfield.io.atomic_write import is_packed, write_bytes, write_whole
from cranfield.io.delimited import delimited_lines, has_commas
from cranfield.io.filesystem import check_found, is_address, listing
from cranfield.io.source import as_text as path_of
from cranfield.io.source import decode_lines, read_whole
from cranfield.io.system_names import ENDINGS, expanded, stem, system_names
from cranfield.scores.combining import FileScores, join_parts
from cranfield.scores.dataset import (
    ScoresLike,
    as_dataset,
    make_dataset,
    make_table,
    say_directions,
    warn_of_names,
    with_signature,
)
from cranfield.scores.headerless import rows_without_header
from cranfield.scores.layout import without_summary_rows
from cranfield.scores.locations import parquet_files
from cranfield.scores.matrix_text import as_matrix, read_matrix
from cranfield.scores.missing_scores import MissingScores, fill_gaps
from cranfield.scores.netcdf import as_netcdf, from_netcdf, is_netcdf
from cranfield.scores.parquet_write import check_address, check_parquet_path, names_folder, write_parquet
from cranfield.scores.rows import ReadRow, as_text, find_column, is_header, read_json, read_table, sort_rows
from cranfield.scores.table import ScoreTable

if TYPE_CHECKING:
    import xarray as xr

ScoreFormat = Literal["matrix", "tsv", "csv", "json", "netcdf", "parquet"]

SUFFIXES: dict[str, ScoreFormat] = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".nc": "netcdf",
    ".parquet": "parquet",
}


def read_scores(
    files: PathLike | Sequence[PathLike],
    *,
    missing_scores: MissingScores | None = None,
    larger_is_better: str | Sequence[str] = (),
    smaller_is_better: str | Sequence[str] = (),
) -> xr.Dataset:
    """Read scores from files that this package or others wrote; the format is recognised by content.

    - A matrix: CSV (or with tabs), a header with the names of systems, a row for each topic. A first column called
      ``topic`` (or ``query``, ``qid``, or nothing) holds the topics, else they are 1, 2, ... One measure a file,
      called by the file's name without its ending. Where the first column is called ``model``, ``system``, ``run`` or
      ``name``, systems are in rows and topics in columns, and a warning says so.
    - Rows ``system topic measure value`` under this header: tsv, csv or json, as ``cranfield evaluate -q`` writes
      them. Rows of the topic ``all`` are summaries and are left out.
    - The same rows without a header: of trec_eval (``measure topic value``) and ir_measures (``topic measure value``),
      where the system is called by the name of the file, and of TREC's AutoJudge (``system topic measure value``,
      ``run measure topic value``, ``topic Q0 run rank value measure`` and JSON lines). Where nothing says what is
      what, they are refused. A folder or a pattern stands for its files.
    - JSON ``{topic: {measure: value}}``, as pytrec_eval gives it, or ``{system: {topic: {measure: value}}}``.
    - Answers with the nuggets assigned to them, as nuggetizer writes them for TREC's RAG track: JSON lines with
      ``qid``, ``run_id`` and ``nuggets``. Each gives ``strict_vital_score``, ``strict_all_score``, ``vital_score`` and
      ``all_score``. So do the files of metrics that its script makes of them, one run each.
    - Samples of lm-evaluation-harness (``samples_*.jsonl``): the topic is ``doc_id``, measures are its ``metrics``, and
      the system is called by the folder.
    - netCDF with dims (topic, system).
    - Parquet, one file or a folder of them, here or at an address such as ``s3://lake/scores``: columns ``system``,
      ``topic`` and one for each measure, as ``cranfield evaluate -q -o scores/`` writes them. A measure is read when
      its values are asked for.

    A missing score is ``nan``, ``NA`` or an empty cell; it is NaN in the result. Files may be compressed; ``"-"`` is
    standard input.

    Args:
        files: one, or several on the same topics: of other measures, with the same systems; of the same measures, with
            further systems, where a name that several files have gets the file's in front, as ``main/bm25``.
        missing_scores: what to do where a system has no score on a topic that others have: ``drop-topics`` leaves out
            the topics that not all systems have, ``drop-systems`` the systems that have not all topics, each with a
            warning, and ``refuse`` refuses; None keeps them as NaN.
        larger_is_better, smaller_is_better: measures of which larger, or smaller, values are better, for all that
            compares systems. Names such as ``latency_ms`` say it themselves.

    Returns:
        One variable a measure, dims (topic, system), as ``evaluate`` gives.

    Raises:
        FormatError: a line is not in its format; the message names file, line and value.
        InputError: a file cannot be read or holds nothing, or several do not fit together.

    >>> import cranfield
    >>> with open("scores.csv", "w") as file:
    ...     _ = file.write("topic,a,b\\n1,0.5,0.25\\n2,1,0.75\\n")
    >>> cranfield.summarize(cranfield.read_scores("scores.csv"))
            scores
    system
    a         0.75
    b         0.50
    """
    requested = one_or_more(files)
    if not requested:
        raise UsageError("no score file was given")
    locations = [
        location
        for path in map(path_of, requested)
        for file in ([path] if is_address(path) else expanded(path))
        for location in _expanded(file)
    ]
    names = name_scores([path for path, _ in locations])
    signed: list[dict[str, Any]] = []
    parts: list[FileScores] = []
    rows: list[ReadRow] = []
    for (path, in_folder), name in zip(locations, names, strict=True):
        content, facts = _load(path, name, in_folder=in_folder)
        signed.append(facts)
        if isinstance(content, list):
            rows += content
        else:
            parts.append(content)
    if rows:
        # Rows of files that each hold a system, or a part of a folder: together they are one table.
        location = Location(path_of(requested[0]))
        together = without_summary_rows(make_dataset(sort_rows(location, rows), location=location), location)
        parts.insert(0, FileScores(rows[0][0].path, names[0], together, None))
    dataset = with_signature(join_parts(parts), {"scores": signed})
    warn_of_names(dataset, Location(path_of(requested[0])))
    return say_directions(fill_gaps(dataset, missing_scores), larger_is_better, smaller_is_better)


def write_scores(
    scores: ScoresLike, path: PathLike, *, format: ScoreFormat | None = None, summary: bool = False
) -> None:
    """Write scores so that ``read_scores`` gives them back exactly; the file is written completely or not at all.

    Args:
        scores: dims (topic, system), of one measure or several, or a data frame of one.
        path: of the file; of Parquet also an address that PyArrow or fsspec knows, as ``s3://lake/scores/``.
        format: ``matrix`` (CSV, one measure), ``tsv``, ``csv`` and ``json`` (rows ``system topic measure value``, in
            json a system's summary after its topics), ``netcdf`` (version 3), or ``parquet`` (one file if the name
            ends in ``.parquet``, else a folder with a file for each system); by the ending of the name where None.
            Text is packed where ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` follows, as in ``scores.csv.gz``.
        summary: write each system's summary after its topics, as rows of the topic ``all``, in tsv and csv too, which
            R and pandas read as one table.

    Raises:
        InputError: the format cannot hold a name, or the file cannot be written.
        UsageError: an unknown format, a packed netCDF or Parquet file, or several measures for a matrix.

    >>> from pathlib import Path
    >>> import cranfield
    >>> scores = cranfield.evaluate({"q1": {"d1": 1.0}}, {"q1": {"d1": 1}}, "AP")
    >>> cranfield.write_scores(scores, "scores.csv")
    >>> print(Path("scores.csv").read_text(), end="")
    system,topic,measure,value
    run,q1,AP,1.0
    """
    name = path_of(path)
    target = Path(name)
    inner = Path(target.stem) if is_packed(target.suffix) else target
    chosen = str(format or ("parquet" if names_folder(name) else SUFFIXES.get(inner.suffix) or ""))
    if not chosen:
        endings = ", ".join(SUFFIXES)
        raise UsageError(
            f"{in_full(name)}: scores are written to a file whose name ends in {endings}, or as format says"
        )
    if is_packed(target.suffix) and chosen in ("netcdf", "parquet"):
        raise UsageError(f"{in_full(name)}: {chosen} is not packed as a whole: leave {target.suffix} out")
    word(f"{in_full(name)}: format", chosen, get_args(ScoreFormat))
    if is_address(name) and chosen != "parquet":
        raise InputError(f"scores at an address are Parquet, not {chosen}", Location(name), code="unwritable")
    if chosen == "netcdf":
        write_bytes(target, as_netcdf(as_dataset(scores)))
    elif chosen == "parquet":
        write_parquet(make_table(scores), name)
    else:
        write_whole(target, scores_as_text(scores, chosen, summary=summary))


def check_scores_path(path: str) -> None:
    """Refuse a Parquet file or folder that ``write_scores`` would refuse, before the work is done.

    Raises:
        InputError: it cannot be written, or is there and holds something else.
    """
    if is_address(path):
        check_address(path)
    else:
        check_parquet_path(Path(path))


def scores_as_text(scores: ScoresLike, format: str, *, by_topic: bool = True, summary: bool = False) -> str:
    """Scores in one of the text formats; of tsv and csv, whether a summary stands beside topics.

    Raises:
        InputError: a name that the format cannot hold.
        UsageError: several measures for a matrix.
    """
    table = make_table(scores)
    return as_matrix(table) if format == "matrix" else as_text(table, format, by_topic=by_topic, summary=summary)


def score_file_name(path: str) -> str:
    """The name of the scores of a matrix file."""
    return _without_ending(stem(path, ENDINGS))


def _without_ending(name: str) -> str:
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix) and name != suffix), name)


def _expanded(path: str) -> list[tuple[str, bool]]:
    """A file, or those of a folder in the order of their names, but hidden ones; and whether it is of a folder.

    Raises:
        InputError: the folder holds none.
    """
    with listing(path):
        if path == STDIN or is_address(path) or not Path(path).is_dir() or parquet_files(path):
            return [(path, False)]
        files = sorted(str(file) for file in Path(path).iterdir() if not (file.is_dir() or file.name.startswith(".")))
    check_found(files, path)
    if not files:
        raise InputError("is a folder without files; expected score files", Location(path), code="empty")
    return [(file, True) for file in files]


def name_scores(paths: Sequence[str]) -> list[str]:
    """Names of files of scores, all different.

    Raises:
        InputError: a file is given twice.
    """
    names = system_names(paths, "scores")
    short = [_without_ending(name) for name in names]
    return short if len(set(short)) == len(short) else names


def _load(path: str, name: str, *, in_folder: bool) -> tuple[FileScores | list[ReadRow], dict[str, Any]]:
    """The content of a file or a Parquet folder, and its facts for the signature; rows if others may join them."""
    parquet = [] if path == STDIN else parquet_files(path)
    if parquet:
        from cranfield.scores.parquet_dataset import read_parquet  # it needs xarray

        part, facts = read_parquet(path, name, parquet)
    else:
        content, facts = _read(path, in_folder=in_folder)
        if isinstance(content, list):
            return content, facts
        part = FileScores(path, name, content, facts.get("signature"))
    # Of scores that were evaluated here, every topic is one of the judgments, whatever it is called.
    return part if part.source else replace(part, scores=without_summary_rows(part.scores, Location(path))), facts


def _read(path: str, *, in_folder: bool) -> tuple[xr.Dataset | list[ReadRow], dict[str, Any]]:
    """The content of one file, and its facts for the signature; rows if others may join them."""
    location = Location(path)
    data, digest = read_whole(path, "run")
    file = {"name": stem(path, ENDINGS), "sha256": digest}
    if is_netcdf(data):
        dataset = from_netcdf(location, data)
    else:
        text, system = decode_lines(data, location), "stdin" if path == STDIN else decode_name(Path(path).name)
        rows = rows_without_header(location, system, text)
        if rows is not None and (in_folder or {row[1] for row in rows} == {system}):
            return rows, file
        named = score_file_name(path)
        table = table_in(location, named, text) if rows is None else sort_rows(location, rows)
        dataset = make_dataset(table, location=location)
        file |= {"seal": table.seal} if table.seal else {}
    inner = make_table(dataset).source
    return dataset, file | ({} if inner is None else {"signature": inner})


def table_in(file: Location, measure: str, text: str) -> ScoreTable:
    """The scores in a text.

    Args:
        file: that it is read from.
        measure: name of the scores of a matrix.
        text: of the file.

    Raises:
        FormatError: a line is not in its format.
        InputError: there is no score.
    """
    if text.lstrip()[:1] == "{":
        return read_json(file, text)
    is_csv, lines = has_commas(text), delimited_lines(file, text)
    header = next(lines, None)
    if header is None:
        raise InputError("the file is empty; expected a header and scores", file, code="empty")
    if is_header(header[1]):
        return read_table(file, header[1], _unguard(header[1], lines, is_csv=is_csv))
    first = next(lines, None)
    lines = chain([] if first is None else [first], lines)
    if first is not None and (score := _score_column(header[1], first[1])):
        columns = ["value" if name == score else name for name in header[1]]
        rows = ((line, [*fields, measure]) for line, fields in lines)
        return read_table(file, [*columns, "measure"], _unguard(columns, rows, is_csv=is_csv))
    return read_matrix(file, measure, header[1], lines, is_csv=is_csv)


def _score_column(header: Sequence[str], first: Sequence[str]) -> str:
    """The column of scores beside systems and topics, in rows that name no measure; empty where it is a matrix.

    In a matrix a system may have the name of the column of systems, and has numbers there.
    """
    names = list(map(find_column, header))
    others = [name for name, column in zip(header, names, strict=True) if column not in ("system", "topic")]
    if sorted(names) not in (["score", "system", "topic"], ["system", "topic", "value"]) or len(first) != len(names):
        return ""
    return "" if is_decimal(first[names.index("system")].strip()) else others[0]


def _unguard(
    header: Sequence[str], lines: Iterable[tuple[int, list[str]]], *, is_csv: bool
) -> Iterator[tuple[int, list[str]]]:
    """Rows whose names are as they were before they were guarded from spreadsheets."""
    guarded = {number for number, column in enumerate(header) if is_csv and find_column(column) in ("system", "topic")}
    for line, fields in lines:
        yield line, [escaping.unguarded(text) if number in guarded else text for number, text in enumerate(fields)]
