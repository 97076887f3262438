"""TREC's text: six fields a line of a run, four a line of judgments."""

from cranfield.io.formats._format import Format

FORMAT = Format(
    holds="TREC text: `topic Q0 document rank score tag`; judgments `topic iteration document label`",
    recognized_by="anything that is none of the others",
    example="evaluate qrels.txt mine.run",
    layout={"run": "trec", "qrels": "trec"},
)
