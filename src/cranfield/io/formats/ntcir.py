"""NTCIREVAL's judgments, whose labels are L0 to L9."""

from cranfield.io.formats._format import File, Format, LoadedQrels
from cranfield.io.ntcir import has_levels, load_ntcir_qrels


def _qrels(file: File) -> LoadedQrels:
    return load_ntcir_qrels(file.location, file.name, file.text, file.sha256)


FORMAT = Format(
    holds="NTCIREVAL's judgments: `topic intent document L2`, with labels L0 to L9. Runs are TREC's",
    told="the first label is one of L0 to L9",
    example="evaluate ntcir.qrels mine.run",
    is_here=lambda file: file.kind == "qrels" and has_levels(file.text),
    qrels=_qrels,
    layout={"run": "trec"},
)
