"""Whether two tools computed the same values: a benchmark must never compare different work."""

import math
from collections.abc import Iterable

from harness.session import BenchmarkError

TOLERANCE = 1e-6
REQUIRED = ("nDCG@10", "AP")
# ERR is defined differently: the Perl script of ir_measures fixes the highest label at 4 and rounds to five digits.
COMPARED = (*REQUIRED, "RR@10", "P@10", "R@100")

Values = dict[tuple[str, str], float]


class DisagreementError(BenchmarkError):
    """Two tools printed different values, or one did not print what every tool has to."""


def printed_values(output: str) -> Values:
    """The values over all topics that a tool printed, by run and measure."""
    header, *lines = output.splitlines() or [""]
    if header.split("\t") != ["system", "topic", "measure", "value"]:
        raise DisagreementError(
            f"the output should begin with the header 'system topic measure value', not with {header!r}"
        )
    rows = [line.split("\t") for line in lines]
    return {(run, measure): float(value) for run, topic, measure, value in rows if topic == "all"}


def check_agreement(ours: Values, theirs: Values, runs: Iterable[str]) -> str:
    """Compare all values that both have, for every run, and say how many and how close they are.

    Raises DisagreementError where a required value is missing, or two differ by more than TOLERANCE.
    """
    differences = []
    for run in runs:
        for measure in COMPARED:
            key = run, measure
            if key in ours and key in theirs:
                difference = abs(ours[key] - theirs[key])
                if math.isnan(difference) or difference > TOLERANCE:
                    raise DisagreementError(f"{measure} of {run} is {ours[key]!r} here and {theirs[key]!r} there")
                differences.append(difference)
            elif measure in REQUIRED:
                raise DisagreementError(f"{measure} of {run} is missing {'here' if key not in ours else 'there'}")
    return f"{len(differences)} values within {max(differences):.0e}"
