"""topic -> document -> number as one object of JSON: ranx, pytrec_eval, earlier versions of MTEB."""

from __future__ import annotations

from cranfield.io.formats._format import File, Format, LoadedQrels, LoadedRun
from cranfield.io.formats._nested import object_in, rows_of_nested
from cranfield.io.formats._rows import qrels_of, run_of


def _run(file: File) -> LoadedRun:
    return run_of(file, rows_of_nested(file, object_in(file), file.place))


def _qrels(file: File) -> LoadedQrels:
    return qrels_of(file, rows_of_nested(file, object_in(file), file.place))


FORMAT = Format(
    holds="JSON `{topic: {document: number}}`, as ranx saves it and pytrec_eval takes it",
    told="begins with `{`, and is none of the other formats of JSON",
    example="evaluate ranx-qrels.json ranx-run.json",
    is_here=lambda file: file.first_line[:1] in (b"{", b"["),
    last=True,
    run=_run,
    qrels=_qrels,
)
