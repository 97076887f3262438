"""The leaderboard of runs, and every score of it: ``cranfield evaluate``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from cranfield._text import warn_condensed
from cranfield.collection.reading import InputOptions
from cranfield.declarations.analysis import FromRuns, Groups, View, analysis
from cranfield.declarations.checks import Idle
from cranfield.declarations.executor import ExecutorOption
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.errors import UsageError
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.results.result import PAPER, Result, Tables, signed
from cranfield.results.sheet import Sheet
from cranfield.scores.named_direction import ENDS
from cranfield.scores.row_stream import row_blocks
from cranfield.scores.rows import HEADER, list_rows
from cranfield.scoring import DEFAULT, Evaluation, Progress, score
from cranfield.scoring.relstring import RelString, split_measures

if TYPE_CHECKING:
    import pandas as pd

WITHOUT_FLAT = ("tsv", "csv", "trec", "latex", "markdown", "parquet")
WITH_SUMMARY = ("table", "json", "trec", "latex", "markdown", "parquet")


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Result):
    """Summaries of systems over topics, and their scores on each.

    The table ``systems`` has a row for each ``system`` and ``measure`` with its ``value``, the word ``all`` being its
    ``topic``, and the ends of the value's interval, ``lower`` and ``upper``, where it has one; the table ``topics``
    also has a row for each topic.

    Args:
        scores: of the runs.
        texts: strings of each topic that were requested beside scores.
        requested: the measures beside them; none where strings alone were requested.
        settings: the policies, and whether there are ``bounds``.
        signature: all that changes these numbers; empty where none was made.
    """

    scores: Evaluation
    texts: tuple[RelString, ...] = ()
    requested: tuple[str, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    signature: dict[str, Any] = field(default_factory=dict)

    def _tables(self) -> Tables:
        return {name: partial(self._list_rows, by_topic=name == "topics") for name in ("systems", "topics")}

    def _list_rows(self, *, by_topic: bool) -> pd.DataFrame:
        import pandas as pd

        names = (*HEADER, *(ENDS if self.scores.lower is not None else ()))
        return pd.DataFrame(list(list_rows(self.scores, by_topic=by_topic)), columns=list(names))

    def own_text(
        self,
        format: str,
        table: str,
        *,
        plain: bool,
        flat: Annotated[
            bool,
            Option(
                "Print one flat JSON object of summaries, `ndcg_10: 0.51`, with names that MLflow, W&B and DVC accept; "
                "`bm25/ndcg_10` for several runs.",
                heading="Output",
            ),
        ] = False,
        summary: Annotated[
            bool,
            Option(
                "Add each system's summary after its topics in tsv and csv, as rows of the topic `all`.",
                heading="Output",
            ),
        ] = False,
    ) -> str | Iterable[bytes] | None:
        """Write all but tables of papers; rows for programs are made while they are written."""
        by_topic = table == "topics"
        if self.texts and not (format == "trec" and by_topic):
            raise UsageError(
                "relstring is a string for each topic and not a number: only --format trec with --by-topic prints it"
            )
        if flat:
            from cranfield.comparison.leaderboard_text import format_metrics

            return format_metrics(self.scores)
        if format in ("tsv", "csv", "json"):
            return row_blocks(self.scores, format, by_topic=by_topic, summary=summary)
        if format in PAPER:
            return None
        from cranfield.comparison.leaderboard_text import format_leaderboard, format_trec  # which rows do without

        if format == "trec":
            return format_trec(self.scores, self.texts, by_topic=by_topic, alone=not self.requested)
        return format_leaderboard(self.scores, by_topic=by_topic, plain=plain)

    def for_paper(self, table: str, rows: pd.DataFrame) -> Sheet:
        """With the best value of each column in bold."""
        from cranfield.comparison.leaderboard_text import tabulate_leaderboard

        return tabulate_leaderboard(self.scores, by_topic=table == "topics")

    def write_own(self, format: str, path: str) -> None:
        """Write the scores of topics as Parquet."""
        from cranfield.evaluation import to_dataset
        from cranfield.scores.files import write_scores

        write_scores(to_dataset(self.scores), path, format="parquet")


def check_runs(runs: int, options: Mapping[str, Any]) -> None:
    """Raise UsageError for several runs in the format of trec_eval, which names none."""
    if options.get("format") == "trec" and runs > 1:
        raise UsageError(f"--format trec holds one run, not {runs}: use tsv, csv or json")


@analysis(
    "evaluate",
    "Score runs against judgments and print a leaderboard.",
    FromRuns(
        DEFAULT,
        ties=("expected", "bounds"),
        holes=("estimate", "bootstrap"),
        further=("exclude", "intents"),
    ),
    public=False,  # Python has `evaluate`
    views=(
        View("systems", unused=("summary",)),
        View(
            "topics",
            "Print every topic, not only the summary.",
            ("--by-topic", "-q"),
            formats=("parquet",),
            unused=("flat",),
        ),
    ),
    idle=(
        Idle(("flat",), {"format": WITHOUT_FLAT}, "in that format: it is JSON of summaries"),
        Idle(("summary",), {"format": WITH_SUMMARY}, "in that format, which has summaries anyway or has room for none"),
    ),
    groups=Groups(refused="means of groups have no room for {topics}: leave one of them out"),
    formats=("trec", "latex", "markdown"),
    check_systems=check_runs,
    light=True,
    guide="Score runs against judgments and print a leaderboard.\n\nQRELS and each RUN are files, compressed or not; - "
    "is standard input, and irds:ID names the QRELS of ir_datasets. Scores go to standard output; warnings and "
    "progress to standard error. With --topic-groups, the means of each group are printed with their intervals; with "
    "--unjudged estimate, estimates of what runs would score if every document were judged, with intervals.",
    words=("eval", "leaderboard", "rank", "run", "score"),
    examples=("qrels.txt runs/*.run", "qrels.txt my.run -m nDCG@10 -m AP -q -o scores.csv"),
)
def make_leaderboard(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: str | Iterable[str] = DEFAULT,
    *,
    bounds: Annotated[
        bool,
        Option("Add two columns: the lowest and the highest score possible if the unjudged documents were judged."),
    ] = False,
    executor: ExecutorOption = None,
    sign: bool = True,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
) -> Leaderboard:
    """Score runs, and order them by the first measure; see ``evaluate``.

    Args:
        runs: as in ``evaluate``.
        qrels: as in ``evaluate``.
        measures: names, among which may be ``relstring``.
        sign: whether all inputs are hashed for the signature.
        reading: how files and runs are read.
        progress: called with the runs that are read, and their number.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: an unknown word, measure or parameter.
    """
    reading = reading or InputOptions()
    numbers, texts = split_measures([measures] if isinstance(measures, str) else list(measures))
    if texts:
        reading.policy.check_order("relstring")
    table = score(
        runs,
        qrels,
        numbers or ("num_q",),
        reading=reading,
        bounds=bounds,
        executor=executor,
        progress=progress,
        keep_rankings=bool(texts),
        sign=sign,
    )
    warn_condensed(table.remarks)
    settings = record_options(make_leaderboard, locals(), **table.policy.as_dict())
    signature = table.signature() | signed("evaluate", settings) if sign else {}
    return Leaderboard(table, tuple(texts), tuple(numbers), settings, signature)
