"""MS MARCO's runs, topic, document and rank, and its references, topic and passage."""

from __future__ import annotations

from cranfield import engine
from cranfield._text import counted, cut
from cranfield.collection.qrels import Qrels
from cranfield.engine.protocol import Facts
from cranfield.errors import EngineError, FormatError
from cranfield.findings.location import Location
from cranfield.io.delimited import split_at_blanks
from cranfield.io.error_messages import refusal
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import read_text
from cranfield.io.formats._rows import JudgmentColumns, group_lines
from cranfield.io.source import max_unpacked

LINE = "topic passage"


def _qrels(file: File) -> Loaded:
    """Lines of TREC, or of two fields, whose passages have label 1.

    Raises:
        FormatError: a line has another number of fields.
    """
    if len(file.first_line.split()) != 2:
        try:
            read = engine.current().read_qrels(file.with_numbers("msmarco"), "msmarco", max_unpacked())
        except EngineError as error:
            raise refusal(error, file.location, "qrels", "msmarco") from None
        return Qrels.from_columns(
            read, name=file.name, path=file.location.path, sha256=file.sha256, word_labels=file.labels
        ), read["facts"]
    facts: Facts = {"noticed": {}}
    rows: list[tuple[bytes, bytes, bytes, float, int]] = []
    for number, line in enumerate(read_text(file).split("\n"), 1):
        fields = split_at_blanks(line)
        if not fields or fields[0].startswith("#"):
            continue
        where: Location = file.location.at(number)
        if len(fields) != 2:
            text = f"{counted(len(fields), 'field')}, expected 2 ({LINE}) as in the first line"
            raise FormatError(text, where, code="fields", value=cut(line))
        topic, document = fields
        rows.append((topic.encode(), b"0", document.encode(), 1.0, number))
    columns: JudgmentColumns = (
        [row[0] for row in rows],
        [row[1] for row in rows],
        [row[2] for row in rows],
        [row[3] for row in rows],
        [row[4] for row in rows],
    )
    grouped = group_lines(file, columns, facts, LINE)
    return Qrels.from_columns(grouped, name=file.name, path=file.location.path, sha256=file.sha256), facts


FORMAT = Format(
    holds="MS MARCO's runs: `topic document rank`; the score is minus the rank. Judgments are its references, `topic "
    "passage`, or TREC's",
    recognized_by="",
    example="evaluate --input-format msmarco qrels.txt msmarco.tsv",
    qrels=_qrels,
    layout={"run": "msmarco"},
)
