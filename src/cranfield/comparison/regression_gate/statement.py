"""The in-toto statement of a gate: which runs it judged, and how each test ended, as a test result of in-toto."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from cranfield._validation import word
from cranfield.comparison.regression_gate.verdicts import FAILED, PASSED
from cranfield.results.statement import (
    BASELINE,
    CONTRIBUTOR,
    NamedFile,
    describe_evaluation,
    join_files,
    list_files,
    make_statement,
)
from cranfield.scores.measure_scores import Scores

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.measure_scores import Scores

TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"
EVALUATION = "cranfield_evaluation"
"""The field of ours among those of in-toto."""
CannotTell = Literal["fail", "pass"]
JUnitOutcome = Literal["passed", "failed", "skipped", "error"]


def choose_outcome(row: Mapping[Any, Any], cannot_tell: str | None) -> JUnitOutcome:
    """Return how a test of a gate ended; where topics are too few, that is an error, or as ``cannot_tell`` says.

    Args:
        row: of a system and measure.
        cannot_tell: ``fail``; ``pass``, which skips the test unless some topics have a score of one side only; or None.
    """
    if row["verdict"] == PASSED:
        return "passed"
    if row["verdict"] == FAILED or cannot_tell == "fail":
        return "failed"
    return "skipped" if cannot_tell == "pass" and not (row["missing"] or row["missing_baseline"]) else "error"


def list_judged(scores: Scores) -> tuple[str, ...]:
    """List the names of the runs that are judged: those of every system but the baseline.

    Args:
        scores: by any measure, with the baseline in the first column.
    """
    if scores.units.replicates is not None:
        return tuple(itertools.chain.from_iterable(scores.units.replicates.names[1:]))
    return tuple(scores.systems[1:])


def make_gate_statement(
    rows: Mapping[str, pd.DataFrame],
    judged: Sequence[str],
    settings: Mapping[str, Any],
    signature: Mapping[str, Any],
    *,
    cannot_tell: str | None = None,
    left_out: Sequence[str] = (),
    files: Sequence[NamedFile] = (),
    policies: Mapping[str, str] | None = None,
) -> str:
    """Make the statement of the gates of groups of topics, or of one gate of all.

    Args:
        rows: group -> the rows of its gate; a gate of all topics has the empty name.
        judged: names of the runs that were judged.
        settings: of the gate, or of the first of several, which share them.
        signature: of all gates.
        cannot_tell: ``fail`` or ``pass`` where topics are too few; an error where None.
        left_out: names of runs that were refused, each of which is a test that failed.
        files: inputs besides those that the signature names.
        policies: option -> word; those that the signature names where None.

    Raises:
        UsageError: the scores come from memory, so that there is no file to name.
    """
    word("cannot_tell", cannot_tell, (None, "fail", "pass"))
    baseline = settings["baseline"] if "holes" in settings else None
    inputs = join_files(list(_name_others(list_files(signature), judged, baseline)), files)
    subjects = [file for file in inputs if file.role == "run" and file.name in judged]
    subjects = subjects or [file for file in inputs if file.role == "scores"]
    tests: dict[str, list[str]] = {"passed": [], "skipped": [], "failed": [], "error": list(left_out)}
    for group, frame in rows.items():
        for row in frame.to_dict("records"):
            name = f"{row['measure']} of {row['system']}" + (f" in {group}" if group else "")
            tests[choose_outcome(row, cannot_tell)].append(name)
    failed = tests["failed"] + tests["error"]
    predicate = {
        "result": "FAILED" if failed else "WARNED" if tests["skipped"] else "PASSED",
        "configuration": [file.descriptor for file in inputs if file not in subjects],
        "passedTests": tests["passed"],
        "warnedTests": tests["skipped"],
        "failedTests": failed,
        EVALUATION: describe_evaluation(
            signature, inputs, {**settings, "cannot_tell": cannot_tell or "error"}, policies
        ),
    }
    return make_statement(subjects, TEST_RESULT, predicate)


def _name_others(files: Sequence[NamedFile], judged: Sequence[str], baseline: str | None) -> Iterator[NamedFile]:
    """Tell runs of the baseline, and those that only made the pool, from those that were judged.

    Args:
        files: that the signature names.
        judged: names of the runs that were judged.
        baseline: name of the run of the baseline where others contributed to the pool; where None, none did.
    """
    for file in files:
        if file.role != "run" or file.name in judged:
            yield file
        else:
            role = BASELINE if baseline in (None, file.name) else CONTRIBUTOR
            yield NamedFile(role, file.name, file.sha256)
