"""Tables of a result as tidy rows: every label is in a column of a fixed name, and the index only counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


def tidy(table: Any) -> pd.DataFrame:
    """A frame or a series with its index, unless that only counts, as columns."""
    frame: pd.DataFrame = table if hasattr(table, "columns") else table.to_frame()
    counts = type(frame.index).__name__ == "RangeIndex" and frame.index.name is None
    return frame.reset_index(drop=counts).rename_axis(columns=None)


def sort_by_size(table: pd.DataFrame, column: str = "difference") -> pd.DataFrame:
    """Sort rows by the absolute value in a column, largest first; ties stay in their order."""
    return table.sort_values(column, key=lambda values: -values.abs(), kind="stable", ignore_index=True)


def melted(table: pd.DataFrame, label: str, value: str, keep: Sequence[str] = ()) -> pd.DataFrame:
    """A frame whose columns are labels, such as measures or systems, as one row a cell.

    Args:
        table: its index and the columns to ``keep`` stay columns.
        label: what the other columns are.
        value: what their cells hold.
    """
    import numpy as np
    import pandas as pd

    # By place: an untrusted label may be any word, that of one of our columns too.
    names = list(table.columns)
    fixed = [names.index(name) for name in keep]
    labels = [column for column in range(len(names)) if column not in fixed]
    index = table.index.to_frame(index=False) if table.index.names[0] is not None else pd.DataFrame(index=table.index)
    same = {str(name): index[name].to_numpy() for name in index}
    same |= {name: table.iloc[:, column].to_numpy() for name, column in zip(keep, fixed, strict=True)}
    rows: dict[str, Any] = {name: np.tile(values, len(labels)) for name, values in same.items()}
    rows[label] = np.repeat(np.array([names[column] for column in labels]), len(table)).tolist()
    rows[value] = np.concatenate([table.iloc[:, column].to_numpy() for column in labels]) if labels else []
    return pd.DataFrame(rows)


def unrolled(values: xr.DataArray | xr.Dataset, name: str | None = None) -> pd.DataFrame:
    """A labelled array, or the variables of a Dataset, as one row a cell, in order of their dims.

    Args:
        values: of a Dataset all variables have the same dims.
        name: what the cells of an array hold; its own name where None.

    ``to_dataframe`` of xarray numbers labels by a table of pandas whose hash is public: 65,536 ids that were made to
    collide take it 16 s.
    """
    import numpy as np
    import pandas as pd

    plain = values.reset_coords(drop=True)
    dataset = plain if hasattr(plain, "data_vars") else plain.to_dataset(name=name or str(plain.name))
    dims = list(dataset.sizes)
    rows: dict[str, Any] = {}
    above, below = 1, int(np.prod(list(dataset.sizes.values())))
    for dim, size in dataset.sizes.items():
        below //= max(1, size)
        labels = pd.Index(dataset.get_index(dim).tolist())
        rows[str(dim)] = labels.take(np.tile(np.repeat(np.arange(size), below), above))
        above *= size
    cells = {str(column): array.transpose(*dims).to_numpy().ravel() for column, array in dataset.data_vars.items()}
    return pd.DataFrame(rows | cells)


def stacked(tables: Mapping[str, pd.DataFrame], label: str) -> pd.DataFrame:
    """Tidy tables of the same columns below each other; their names are the first column, ``label``."""
    import pandas as pd

    out: pd.DataFrame = pd.concat(tables, names=[label, None]).reset_index(level=0).reset_index(drop=True)
    return out
