"""MS MARCO's runs: topic, document and rank."""

from cranfield.io.formats._format import Format

FORMAT = Format(
    holds="MS MARCO's runs: `topic document rank`; the score is minus the rank. Judgments are TREC's",
    recognized_by="",
    example="evaluate --input-format msmarco qrels.txt msmarco.tsv",
    layout={"run": "msmarco", "qrels": "msmarco"},
)
