"""Prels: judgments of a stratified sample, as sample_eval reads them."""

from __future__ import annotations

import re

from cranfield._text import counted, cut, quoted
from cranfield.collection.ids import identifier
from cranfield.collection.sampled_qrels import SampledQrels
from cranfield.engine.protocol import Facts
from cranfield.errors import FormatError
from cranfield.findings.finding import notice
from cranfield.findings.location import Location
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import read_text
from cranfield.io.formats._rows import JudgmentColumns, group_lines

LINE = "topic iteration document stratum label"
INTEGER = re.compile(r"[+-]?[0-9]{1,15}")


def _is_here(file: File) -> bool:
    """Return whether the first line has five fields, of which the last two are whole numbers, as tracks number strata.

    Without the second number it may be judgments with a blank in an id.
    """
    fields = file.first_line.decode(errors="replace").split()
    return file.kind == "qrels" and _is_row(fields)


def _is_row(fields: list[str]) -> bool:
    return len(fields) == 5 and all(INTEGER.fullmatch(field) for field in fields[3:])


def _qrels(file: File) -> Loaded:
    """Judgments of a sample.

    Raises:
        FormatError: a line is not in this format, or contradicts an earlier one.
        InputError: there is no line.
    """
    columns: JudgmentColumns = ([], [], [], [], [])
    strata: dict[tuple[str, str], tuple[str, int]] = {}
    facts: Facts = {}
    for number, line in enumerate(read_text(file).split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            fields = line.split()
            if _is_row(fields) and len(fields[0]) > 1:
                notice(facts, "commented-rows", line=number, value=cut(fields[0]))
            continue
        location = file.location.at(number)
        topic, iteration, document, stratum, label = _checked(line, location)
        earlier = strata.setdefault((topic, document), (stratum, number))
        if earlier[0] != stratum:
            text = (
                f"document {quoted(document)} of topic {quoted(topic)} is in stratum {quoted(stratum)} here and in "
                f"{quoted(earlier[0])} in line {earlier[1]}; keep one of them"
            )
            raise FormatError(text, location, code="conflict", value=cut(document))
        ids = zip((topic, iteration, document), ("topic", "iteration", "document"), strict=True)
        for column, (word, what) in zip(columns[:3], ids, strict=True):
            column.append(identifier(word, what, location))
        columns[3].append(label)
        columns[4].append(number)
    read = group_lines(file, columns, facts, LINE)
    names = {key: stratum for key, (stratum, _) in strata.items()}
    return SampledQrels.sampled(read, names, name=file.name, path=file.location.path, sha256=file.sha256), facts


def _checked(line: str, location: Location) -> tuple[str, str, str, str, float]:
    """The fields of a line.

    Raises:
        FormatError: they are not five, or the label is not a whole number from -1 on.
    """
    fields = line.split()
    if len(fields) != 5:
        text = f"{counted(len(fields), 'field')}, expected 5 ({LINE}): {quoted(line.strip())}"
        raise FormatError(text, location, code="fields", value=cut(line.strip()))
    label = fields[4]
    if not INTEGER.fullmatch(label) or int(label) < -1:
        text = (
            f"the label {quoted(label)} is not a whole number from -1 on: -1 is a document that was pooled and not "
            "sampled (a probability here is that of statAP's prels, which are not read)"
        )
        raise FormatError(text, location, code="label", value=cut(label))
    return fields[0], fields[1], fields[2], fields[3], float(label)


FORMAT = Format(
    holds="sample_eval's prels, judgments of a stratified sample: `topic iteration document stratum label`, where the "
    "label -1 is a document that was pooled and not sampled; xinfAP and infNDCG score by them. Runs are TREC's",
    recognized_by="five fields, of which the last two are whole numbers",
    example="evaluate sampled.prels mine.run -m xinfAP",
    is_here=_is_here,
    qrels=_qrels,
    layout={"run": "trec"},
)
