"""What ``compare`` returns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cranfield._typing import Floats
from cranfield.comparison.groups import LETTERS, letters
from cranfield.comparison.verdicts import ERRORS
from cranfield.errors import UsageError
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Pairs of systems, tested.

    Args:
        pairs: one row a pair, the better system first, or each system and its baseline. ``system``, ``other``; ``mean``
            and ``mean_other`` over the topics of the test; ``difference`` = mean - mean_other with its interval ``low``
            to ``high``, of which ``settings["interval"]`` says what it is; the effect sizes ``d_pair``, in standard
            deviations of the pair's differences, and ``d_residual``, in those of the residual of topics and systems,
            with the intervals of the pair by itself, ``d_pair_low`` to ``d_pair_high`` and ``d_residual_low`` to
            ``d_residual_high``; ``statistic``; ``p`` and ``p_adjusted``
            for the number of pairs, and their Monte Carlo standard errors ``p_se`` and ``p_adjusted_se``, 0 where
            nothing was drawn; ``significant``: p_adjusted < alpha; on how many topics the system ``wins``, ``ties``
            and ``losses``; ``topics``, how many the test used. After ``add_preferences`` also ``preference`` and
            ``p_preference``.
        measure: what was compared.
        means: of every ``system`` over its topics, the ``mean``, best first.
        unsettled: how many pairs lie within two Monte Carlo standard errors of alpha, so that another seed may decide
            otherwise.
        margins: of the same pairs, whether they are non-inferior or equivalent by a margin; see
            ``comparison.margin.margin_table``. None where no margin was given.
        settings: of the test: among them ``interval``: ``simultaneous`` (all hold together, and are without 0 exactly
            where the pair is significant; under max-t-step-down, where the single step finds it), ``bonferroni`` (all
            hold together; without 0 only where the pair is significant by a t-test), or ``t``, ``percentile`` and
            ``bca`` of each pair by itself; ``resamples``, drawn for the test and for the interval (None where nothing
            was drawn), and under ``permutation`` ``exact_pairs``, of how many pairs p is from all sign flips.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("difference_intervals",)
    pairs: pd.DataFrame
    measure: str
    means: pd.Series[float]
    unsettled: int
    margins: pd.DataFrame | None
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        tables = {"pairs": lambda: tidy(self.pairs), "means": lambda: tidy(self.means.rename("mean"))}
        if self.margins is not None:
            margins = self.margins
            tables["margins"] = lambda: tidy(margins)
        return tables

    def corrected(self, adjusted: Floats, across: dict[str, int]) -> Comparison:
        """The same with p adjusted over more comparisons than these; see ``results.across``.

        Args:
            adjusted: p of each pair, [pairs].
            across: of how many ``groups`` and ``comparisons``.
        """
        table, alpha = self.pairs, float(self.settings["alpha"])
        p = table["p"].to_numpy(dtype=np.float64)
        error = table["p_se"].to_numpy() * np.divide(adjusted, p, out=np.ones(len(p)), where=p > 0)
        columns = {"p_adjusted": adjusted, "p_adjusted_se": error, "significant": adjusted < alpha}
        return replace(
            self,
            pairs=table.assign(**columns),
            unsettled=int(((error > 0) & (np.abs(adjusted - alpha) <= ERRORS * error)).sum()),
            settings=self.settings | {"across_groups": across},
            signature=self.signature | {"across_groups": across},
        )

    def groups(self) -> pd.DataFrame:
        """Systems from best to worst with letters: two systems share one exactly if they do not differ significantly.

        Raises:
            UsageError: not all pairs were compared, or more systems than letters can be read for.
        """
        import pandas as pd

        systems = list(self.means.index)
        if len(self.pairs) != len(systems) * (len(systems) - 1) // 2:
            raise UsageError("groups need all pairs of systems: compare without baselines")
        if len(systems) > LETTERS:
            raise UsageError(
                f"letters of {len(systems):,} systems cannot be read: compare {LETTERS} or fewer, or look at the pairs"
            )
        place = {system: at for at, system in enumerate(systems)}
        different = np.zeros((len(systems), len(systems)), dtype=bool)
        apart = self.pairs[self.pairs["significant"]]
        for one, other in zip(apart["system"], apart["other"], strict=True):
            different[place[one], place[other]] = different[place[other], place[one]] = True
        return pd.DataFrame({"mean": self.means, "groups": letters(different)}, index=self.means.index)
