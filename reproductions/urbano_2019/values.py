"""Numbers and verdicts in the prose of this folder, from the tables of its scripts."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from few_systems_values import of_few_systems  # noqa: E402
from urbano_values import compute_cells, compute_words  # noqa: E402

from prose import listed, read_tables, short  # noqa: E402

__all__ = ["compute_cells", "compute_values"]


def compute_values() -> dict[str, str]:
    """Compute every value: name -> text."""
    studies = read_tables(HERE / "results.md")
    power = (
        next(table for name, table in studies.items() if "between, ours" in name)
        .reset_index()
        .set_index(["scores", "scheme"])
    )
    ours = power["power"].map(lambda cell: float(cell.split(" / ")[0]))
    matrices = list(dict.fromkeys(ours.index.get_level_values(0)))
    ahead = {name: ours[name, "E"] - max(ours[name, scheme] for scheme in "NUz") for name in matrices}
    spread = {
        name: max(ours[name, scheme] for scheme in "NUzE") - min(ours[name, scheme] for scheme in "NUzE")
        for name in matrices
    }
    tables = read_tables(HERE / "simulated.md")
    ties = next(table for name, table in tables.items() if name.startswith("tau_ap,b between")).reset_index()
    simulated = ties[ties["what"].str.startswith("simulated")]
    lower = simulated["E - raw"].astype(float) < 0
    return {
        **of_few_systems(),
        **compute_words(),
        "power_alike": short(max(spread[name] for name in matrices if name.startswith("robust"))),
        "power_ahead": listed(short(ahead[name]) for name in matrices if name.startswith("terabyte")),
        "simulated_lower": f"{lower.sum()} of {len(simulated)}",
    }


if __name__ == "__main__":
    for name, value in compute_values().items():
        print(name, "=", value)
