"""cranfield in PyTerrier, where it is ``pt.cranfield``.

    import pyterrier as pt

    with pt.cranfield.use():                                    # this engine computes the measures
        pt.Experiment([bm25, dense], topics, qrels, ["map"], baseline=0, test=pt.cranfield.tests.permutation)

    each = pt.Experiment([bm25, dense], topics, qrels, ["map"], perquery=True)
    cranfield.compare(pt.cranfield.read_experiment(each)["map"])        # corrected for all pairs, with intervals

PyTerrier imports this module when it is imported, so nothing heavy is imported here, and nothing is switched on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield._text import quoted
from cranfield.errors import UsageError
from cranfield.findings.location import Location
from cranfield.integrations import paired_tests as tests
from cranfield.integrations.ir_measures import stop, use

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["read_experiment", "stop", "tests", "use"]

COLUMNS = ("name", "qid", "measure", "value")


def read_experiment(experiment: Any) -> xr.Dataset:
    """The scores of topics that ``pt.Experiment(..., perquery=True)`` gives, as ``cranfield.compare`` takes them.

    PyTerrier corrects p-values by names of statsmodels ("holm", "fdr_bh"), which know one system's p at a time; what
    looks at all systems together ("max-t", Tukey, Dunnett) is ``cranfield.compare`` of these scores.

    Args:
        experiment: the frame, or the pair that ``perquery="both"`` gives.

    Returns:
        One variable a measure, dims (topic, system).

    Raises:
        UsageError: something else, such as the means.
        InputError: a system has two values of a measure on a topic.
    """
    from cranfield.scores.dataset import make_dataset
    from cranfield.scores.rows import sort_rows

    frame = getattr(experiment, "perquery", experiment)
    columns = list(map(str, getattr(frame, "columns", ())))
    if not set(COLUMNS) <= set(columns):
        problem = f"has the columns {', '.join(map(quoted, columns))}" if columns else f"is a {type(frame).__name__}"
        raise UsageError(
            f"read_experiment takes the frame of pt.Experiment(..., perquery=True), with the columns "
            f"{', '.join(COLUMNS)}, and this {problem}"
        )
    location = Location(name="the experiment")
    names = (map(str, frame[column]) for column in COLUMNS[:3])
    cells = zip(*names, map(float, frame["value"]), strict=True)
    return make_dataset(sort_rows(location, ((location, *cell) for cell in cells), None))
