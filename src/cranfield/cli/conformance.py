"""``cranfield conformance``: which cases of a public suite a tool passes, and what explains the others."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from cranfield._text import counted, shown
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._help import FoldedHelp
from cranfield.cli._options import format_option, output_option
from cranfield.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.conformance import Conformance

MOST = 6
"""The most explanations below a table."""
FAILED = 4
"""The exit status where a group is failed, or nothing is answered."""


@click.command(
    cls=FoldedHelp,
    short_help="Run a public suite of exact values on a tool that evaluates runs.",
    epilog=f"{FAILED} a group failed, or no number was right",
    examples=("conformance/all.jsonl", "all.jsonl --command './tool --json' --show failed"),
)
@click.argument("cases", metavar="CASE_FILE")
@click.option(
    "--command",
    "program",
    metavar="COMMAND",
    help="A program that reads one case per line and writes one answer per line.  [default: cranfield itself]",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(0, 1, max_open=True),
    default=1e-9,
    show_default=True,
    help="Relative difference up to which a number is right; 1e-6 for programs in single precision.",
)
@click.option(
    "--show",
    type=click.Choice(["measures", "failed", "groups", "cases", "classes"]),
    default="measures",
    show_default=True,
    metavar="TABLE",
    help="measures: outcomes by measure. failed: what is wrong, and why. groups, cases: every one. classes: the "
    "mistakes that have a name.",
)
@format_option("markdown")
@output_option
def conformance(cases: str, program: str | None, tolerance: float, show: str, format_: str, output: str | None) -> None:
    """Run the conformance suite on a tool: compare its numbers with exact ones.

    CASE_FILE is the suite's all.jsonl, its folder, or one case's file. Cases of one group have the same input and
    differ in a choice on which reputable sources differ: a tool passes a group with one of them.
    """
    import pandas as pd

    from cranfield.cli._output import check_output_path, emit, warnings_to_stderr
    from cranfield.conformance import list_mistakes, run
    from cranfield.results.sheet import Sheet

    check_output_path(output)
    if show == "classes":
        refuse_without_effect(click.get_current_context(), ["program", "tolerance"], "with --show classes")
        rows = pd.DataFrame(list_mistakes().items(), columns=["class", "meaning"])
        emit(Sheet.from_frame(rows, "", {}).text(format_, plain=output is not None), output)
        return
    with warnings_to_stderr():
        result = run(cases, "cranfield" if program is None else _split(program), tolerance=tolerance, name=program)
    sheet = Sheet.from_frame(_choose_rows(result, show), _caption(result), result.signature)
    emit(sheet.text(format_, plain=output is not None), output)
    if result.failed or not _has_number(result):
        raise SystemExit(FAILED)


def _has_number(result: Conformance) -> bool:
    """Return whether a case with a number passes, where any has one: refusing everything is not conformance."""
    numbers = result.cases["expected"].notna()
    return bool((numbers & (result.cases["outcome"] == "pass")).any() or not numbers.any())


def _split(program: str) -> list[str]:
    try:
        words = shlex.split(program)
    except ValueError as error:
        raise UsageError(f"--command {program!r} cannot be read as a command line: {error}") from None
    if not words:
        raise UsageError("--command is empty: name the program")
    return words


def _choose_rows(result: Conformance, show: str) -> pd.DataFrame:
    import pandas as pd

    from cranfield.conformance.runner import OUTCOMES

    if show in ("cases", "groups"):
        return pd.DataFrame(result.to_frame(show))
    if show == "failed":
        columns = ["id", "got", "expected", "topic", "explained_by", "message"]
        return pd.DataFrame(_wrong_cases(result)[columns]).reset_index(drop=True)
    measures = result.cases.drop_duplicates("group").set_index("group")["measure"]
    outcomes = result.groups.assign(measure=result.groups["group"].map(measures))
    counts = pd.DataFrame(pd.crosstab(outcomes["measure"], outcomes["outcome"]))
    return pd.DataFrame(counts.reindex(columns=list(OUTCOMES), fill_value=0).rename_axis(columns=None).reset_index())


def _wrong_cases(result: Conformance) -> pd.DataFrame:
    """The cases that are failed in groups of which none is passed."""
    import pandas as pd

    failed = set(result.groups.query("outcome == 'fail'")["group"])
    rows = result.cases.query("outcome == 'fail'")
    return pd.DataFrame(rows[rows["group"].isin(failed)])


def _caption(result: Conformance) -> str:

    answered = result.passed + result.failed
    lines = [
        f"{shown(result.settings['tool'], 60)} passes {result.passed:,} of the {counted(answered, 'group')} that it "
        f"answers; it refuses {result.refused:,} and does not offer {result.not_offered:,}"
    ]
    wrong = _wrong_cases(result)
    told = (wrong["message"] != "") & (wrong["explained_by"] == "unexplained")
    classes = wrong["explained_by"].mask(told, wrong["message"]).value_counts()
    if len(classes):
        named = [f"{name} ({count:,})" for name, count in classes.head(MOST).items()]
        lines.append(f"what explains its wrong answers: {'; '.join(named)}{'; ...' if len(classes) > MOST else ''}")
    return "\n".join(lines)
