"""``cranfield trec_eval``: trec_eval's arguments and output, from our engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from cranfield._text import warn
from cranfield.cli._options import Decorated
from cranfield.collection.policy import Policy
from cranfield.errors import UsageError

REFUSED = {
    "-D": "trec_eval's debugging output has no counterpart here",
    "-R": "only judgments in the format qrels are read here",
    "-T": "only runs in the format trec_results are read here",
    "-Z": "z-scores are what `cranfield standardize` computes",
    "-o": "trec_eval itself has not printed its old format since version 9",
    "-remap": "documents are not renamed here: write the run with the ids of the qrels",
}
"""Options of trec_eval and pyserini that we lack -> the reason."""
FORMATS = {"-R": "qrels", "-T": "trec_results"}
"""Option that names a format -> the value that is allowed."""


def _refuse(_: click.Context, option: click.Parameter, value: Any) -> None:
    """Raise UsageError for an option of trec_eval that we lack."""
    name = option.opts[0]
    if value is not None and value is not False and value != FORMATS.get(name, value is None):
        raise UsageError(f"{name}: {REFUSED[name]}")


def _make_refused_option(name: str, spelled: str, **more: Any) -> Callable[[Decorated], Decorated]:
    """Make an option that is refused with a reason; the help does not list it."""
    declared = [name, *([spelled] if spelled else []), "other" + name.replace("-", "_")]
    return click.option(
        *declared, expose_value=False, callback=_refuse, is_eager=True, hidden=True, help=REFUSED[name], **more
    )


@click.command("trec_eval", short_help="Print what trec_eval prints, by its own arguments.")
@click.argument("qrels", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option(
    "-q", "--query_eval_wanted", "--by-topic", "by_topic", is_flag=True, help="Print every topic, before the summary."
)
@click.option(
    "-c",
    "--complete_rel_info_wanted",
    "complete",
    is_flag=True,
    help="Count judged topics that the run lacks as empty lists; without it they are left out.",
)
@click.option("-n", "--nosummary", "no_summary", is_flag=True, help="Print no summary.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="A measure of trec_eval, with parameters after a point (ndcg_cut.10,20; P.5; ndcg.1=3,2=9; relstring.20), "
    "or official, set or all_trec. Repeat for more.  [default: official]",
)
@click.option(
    "-l",
    "--level_for_rel",
    "--rel",
    "level",
    metavar="N",
    type=int,
    default=1,
    show_default=True,
    help="Smallest relevant label.",
)
@click.option(
    "-M",
    "--Max_retrieved_per_topic",
    "most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Use the first N documents of each topic.",
)
@click.option("-J", "--Judged_docs_only", "judged", is_flag=True, help="Drop unjudged documents, after -M.")
@click.option(
    "-remove-unjudged",
    "remove_unjudged",
    is_flag=True,
    help="As in pyserini, first drop documents from the run that are not in the qrels.",
)
@click.option(
    "-N",
    "--Number_docs_in_coll",
    "documents",
    type=click.IntRange(min=0),
    metavar="N",
    help="Number of documents in the collection, needed by a fourth coefficient of utility only.",
)
@_make_refused_option("-R", "--Rel_info_format", metavar="NAME")
@_make_refused_option("-T", "--Results_format", metavar="NAME")
@_make_refused_option("-D", "--Debug_level", metavar="NAME")
@_make_refused_option("-Z", "--Zscore", metavar="NAME")
@_make_refused_option("-o", "", is_flag=True)
@_make_refused_option("-remap", "", metavar="NAME")
def trec_eval(
    qrels: str,
    run: str,
    by_topic: bool,
    complete: bool,
    no_summary: bool,
    measures: tuple[str, ...],
    level: int,
    most: int | None,
    judged: bool,
    remove_unjudged: bool,
    documents: int | None,
) -> None:
    """Score a run as trec_eval 10 does, with its arguments, and print what it prints.

    Ties are broken as there (score, then id descending), and labels below zero are unjudged. Where trec_eval is wrong,
    this command is not: without -c it averages over the topics in both files, where trec_eval 10 stops at a topic
    that the run lacks; rbp and rbp_resid are right; decimals of labels count; and several -m with parameters of one
    measure are all printed. A file that trec_eval would misread is refused, as everywhere in cranfield.
    """
    from cranfield.cli._output import add_remarks, emit, warnings_to_stderr
    from cranfield.cli._trec_lines import format_lines, parse_lines  # not above: --help does not wait for NumPy

    lines = parse_lines(measures or ("official",), level)
    if documents is None and any(len(line.factors) == 4 and line.factors[3] for line in lines):
        raise UsageError("a fourth coefficient of utility needs -N, the number of documents in the collection")
    with warnings_to_stderr():
        policy: dict[str, Any] = {
            "compat": "trec_eval",
            "missing": "empty" if complete else "skip",
            "unjudged": "condense" if judged else "zero",
        }
        table = _score_run(qrels, run, lines, policy, level, most, remove_unjudged)
        add_remarks(table.remarks)
        for line in lines:
            if line.why:
                warn(line.why)
    shape = {"complete": complete, "by_topic": by_topic, "summary": not no_summary}
    emit(format_lines(table, lines, **shape, documents=documents), None)


def _score_run(
    qrels: str, run: str, lines: Any, policies: dict[str, Any], level: int, most: int | None, remove_unjudged: bool
) -> Any:
    """Score the run, with its lists cut as the options say."""
    from dataclasses import replace

    from cranfield.collection.reading import InputOptions
    from cranfield.io.inputs import NamedRun, convert_qrels, refuse_exchanged
    from cranfield.io.judging import JudgedRun, build_index, judge_run
    from cranfield.scoring import score
    from cranfield.threads import cpus

    refuse_exchanged(run, qrels)
    judgments, policy = convert_qrels(qrels), Policy(**policies)
    index = build_index(judgments)

    def judge(named: NamedRun) -> JudgedRun:
        judged = judge_run(named, judgments, index, policy, threads=cpus())
        seen = judged.rankings.condensed if remove_unjudged else judged.rankings
        return replace(judged, rankings=seen.top(most))

    requested = [measure for line in lines for measure in line.measures] or ["num_q"]
    reading = InputOptions(**policies, rel=level)
    return score(
        run, judgments, requested, reading=reading, judge=judge, sign=False, share_unjudged=False, keep_rankings=True
    )
