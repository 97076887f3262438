"""Results that need the scores of topics of all runs: tests of their differences, and slices of the topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cranfield._message import setting
from cranfield._text import warn
from cranfield.errors import InputError
from cranfield.memory import size_in_words
from cranfield.scores.scale import Scale
from cranfield.scoring.paired_differences import PairedTest, differences_of, paired_tests
from cranfield.scoring.partial_sums import Totals
from cranfield.streaming.partitions.request import Request
from cranfield.streaming.partitions.slices import read_slices
from cranfield.streaming.partitions.topic_scores import Gathered, aligned

if TYPE_CHECKING:
    from cranfield.streaming.partitions.slices import SlicesLike

SHARE = 2
"""Scores of topics take up to the memory divided by this."""


class CrossRunResults:
    """Gathers the scores of topics where something needs them: several runs, or slices.

    Args:
        measures: the runs, their judgments and the memory.
        slices: that were asked for; see ``read_slices``.
    """

    def __init__(self, request: Request, slices: SlicesLike | None) -> None:
        runs, limits = request.sets, request.limits
        self._slices = read_slices(slices, request.judgments, runs, request.plans[0].kinds, limits.rows)
        self._memory = limits.memory
        requested = len(runs) > 1 or slices is not None
        room = limits.memory // (SHARE * len(runs))
        self._gathered = {run.name: Gathered(room) for run in runs} if requested else {}

    def of(self, run: str) -> Gathered | None:
        """The receiver of the scores of a run; None where nothing needs them."""
        return self._gathered.get(run)

    @property
    def facts(self) -> dict[str, Any]:
        """The signature of the slices."""
        return {} if self._slices is None else {"slices": self._slices.facts}

    def compute(
        self, scales: Sequence[Scale], totals: Mapping[str, Totals]
    ) -> tuple[tuple[PairedTest, ...], dict[str, dict[str, Totals]]]:
        """Tests of every two runs, and slice -> run -> totals of its topics.

        Raises:
            InputError: slices were requested, and there is no room for the scores of topics.
        """
        dropped = sum(gathered.dropped for gathered in self._gathered.values())
        if dropped:
            measures = (
                f"would need the scores of all topics in memory, {size_in_words(dropped)} and more, of "
                f"{size_in_words(self._memory / SHARE)} that are free for them"
            )
            instead = (
                f"allow more ({setting('memory')}, --memory), or write them ({setting('by_topic')}, -q -o scores/)"
            )
            if self._slices is not None:
                raise InputError(f"slices {measures}: {instead} and group those", code="memory")
            warn(f"tests of differences {measures}, and are left out: {instead} and compare those (cranfield compare)")
            return (), {}
        scores = {name: joined for name, run in self._gathered.items() if (joined := run.joined()) is not None}
        sliced: dict[str, dict[str, Totals]] = {}
        if self._slices is not None:
            of_run = {
                name: self._slices.scores(scales, run_scores, tell=number == 0)
                for number, (name, run_scores) in enumerate(scores.items())
            }
            sliced = {
                name: {run: totals[name] for run, totals in of_run.items() if name in totals}
                for name in self._slices.names
            }
        tests: tuple[PairedTest, ...] = ()
        if len(scores) > 1:
            means = {name: total.means for name, total in totals.items()}
            tests = paired_tests(scales, means, differences_of(aligned(scores)))
        return tests, sliced
