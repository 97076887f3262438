"""Reference scores as tidy rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.standardization.reference import Reference

if TYPE_CHECKING:
    import pandas as pd


def factors_of(reference: Reference) -> pd.DataFrame:
    """A row a topic."""
    import pandas as pd

    columns = {"mean": reference.mean, "sd": reference.sd, "systems": reference.count}
    return pd.DataFrame({"topic": reference.topics, **columns})


def scores_of(reference: Reference) -> pd.DataFrame:
    """A row a reference score, in ascending order within each topic."""
    import pandas as pd

    topic, column = np.nonzero(~np.isnan(reference.ordered))
    names = np.array(reference.topics, dtype=object)
    return pd.DataFrame({"topic": names[topic], "score": reference.ordered[topic, column]})
