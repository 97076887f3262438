"""The charts of the charts page: each drawn when the site is built, of a collection that is made for it."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import cranfield
from cranfield import CranfieldWarning, plot

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "plots.md"
FOLDER = "charts"

sys.path.insert(0, str(ROOT / "tests" / "plot"))
import figures  # noqa: E402

NAMES = tuple(dict.fromkeys(name.partition(",")[0] for name in figures.CHARTS))
"""Functions of ``cranfield.plot``, each once."""


def pictures(page: Path) -> str:
    """What is added to the page of charts: a picture of each; nothing to other pages."""
    if page != PAGE:
        return ""
    shown = [f"### {name}\n\n{_words(name)}\n\n![{_words(name)}]({FOLDER}/{name}.svg)\n" for name in NAMES]
    said = "Of a simulated collection with 8 systems and 12 topics, drawn when this site was built.\n"
    return "\n".join(["", "## Pictures", "", said, *shown])


def draw(to: Path) -> None:
    """Draw every chart as SVG, into the folder that the page names."""
    made = cranfield.simulation.simulate_runs(n_systems=8, n_topics=12, depth=30)
    of = figures.Figures({run.name: run for run in made.runs}, made.qrels.to_dict())
    (to / FOLDER).mkdir(exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        for name in NAMES:
            plot.save(of.chart(name), to / FOLDER / f"{name}.svg")


def _words(name: str) -> str:
    """The first sentence of the function's documentation, as the text of its picture."""
    return " ".join((getattr(plot, name).__doc__ or "").partition("\n\n")[0].split()).translate(
        {91: "(", 93: ")", 96: None}
    )
