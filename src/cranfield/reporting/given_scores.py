"""Scores that were given in place of runs, from files or from memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cranfield._text import counted, hearing, listed, quoted, shown, warn
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import STDIN
from cranfield.io.source import as_text
from cranfield.reporting.comparable import JUDGED
from cranfield.reporting.entries import Entries
from cranfield.reporting.origin import Origin
from cranfield.reporting.publishing import Published
from cranfield.reporting.question import ScoresQuestion
from cranfield.reporting.scored import Scored, check_baselines
from cranfield.scores.dataset import as_dataset, dataset_of, table_of
from cranfield.scores.matrix import names_of_effectiveness
from cranfield.scores.measure_selection import choose_measures
from cranfield.scores.missing_scores import fill_gaps
from cranfield.scores.scale import ENDS
from cranfield.scores.signature import package_version
from cranfield.scores.table import ScoreTable


def read_given(question: ScoresQuestion) -> Scored:
    """Read the scores, and choose the measures that compare systems.

    Raises:
        InputError: a file is refused, or there is no measure asked for, or none of which means can be compared.
        UsageError: no labelled scores, ranges of scores, or an unknown baseline.
    """
    with hearing() as said:
        chosen = choose_measures(question.held, question.measures)
        candidates = _compared(table_of(chosen))
        if question.missing_scores is not None:
            kept = as_dataset(fill_gaps(chosen[candidates], question.missing_scores))
            chosen = chosen.sel(topic=kept["topic"], system=kept["system"]).assign(kept.data_vars)
        table = table_of(chosen)
    for line in said:
        warn(line)
    values = dict(zip(table.names, table.values, strict=True))
    defined = tuple(name for name in candidates if not np.isnan(values[name]).all())
    if not defined:
        raise InputError(f"{listed(candidates, 'measure')}: no score on any topic, which leaves nothing to report")
    check_baselines(question, table.systems)
    return Scored(
        origin=Origin(_called(question), None, _signature(table), said=tuple(said)),
        table=table,
        scores=dataset_of(table),
        measures=defined,
        undefined=tuple(name for name in candidates if name not in defined),
        entries=Entries.of(question.entries, table.systems),
        public=Published(question.paths),
    )


def _compared(table: ScoreTable) -> list[str]:
    """Measures by whose means systems can be compared, with a warning that names the others.

    Raises:
        UsageError: there are ranges of scores.
    """
    ranges = [name for name in table.names if name.rpartition(" ")[2] in ENDS]
    if ranges:
        raise UsageError(
            f"{quoted(ranges[0])} is an end of a range of scores, and a report needs single scores: choose measures"
        )
    others = [name for name in table.names if name != JUDGED] or [JUDGED]
    effective = names_of_effectiveness(others)
    summed = [scale.name for scale in table.scales if scale.summary != "mean" and scale.name in effective]
    if not summed or len(summed) == len(effective):
        return effective
    said = "is no mean over topics" if len(summed) == 1 else "are no means over topics"
    warn(f"{', '.join(map(shown, summed))} {said} and left out")
    return [name for name in effective if name not in summed]


def _called(question: ScoresQuestion) -> str:
    """What scores are called in a sentence."""
    if not question.files:
        return "scores in memory"
    if len(question.files) > 1:
        return f"scores in {counted(len(question.files), 'file')}"
    return f"scores in {'standard input' if question.files[0] == STDIN else Path(as_text(question.files[0])).name}"


def _signature(table: ScoreTable) -> dict[str, Any]:
    """All that changes the scores, as far as it is known."""
    source = table.source
    held = source if isinstance(source, dict) else {} if source is None else {"source": source}
    return {"cranfield": package_version(), "measures": list(table.names), **held}
