"""Future work of Urbano, Lima & Hanjalic 2019: from how many reference systems can factors be learnt?

    python reproductions/urbano_2019/reference_systems.py

The study of the paper, within and between collections, with factors learnt from k of the systems, drawn at random, and
applied to all: tau_b between the halves, power and Type I errors at .05. Beside the paper's schemes stand two smoothed
forms of E: K, which has a kernel about each score, and straight lines between the steps. Then the intervals of
``standardize means`` over reference systems: how many hold the means by factors from all systems. Writes
``reference_systems_tables.md``, ``reference_systems.csv`` and ``reference_systems.svg``.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import altair as alt
import numpy as np
import pandas as pd
import xarray as xr

from cranfield import CranfieldWarning, plot, read_scores
from cranfield._typing import Floats
from cranfield.standardization import estimate_standardized_means
from cranfield.standardization.reference import Reference, learn
from cranfield.standardization.schemes import Scheme, parse_scheme
from cranfield.standardization.trials import between, draw, run, within
from cranfield.statistics.rank_correlation import tau_b

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

SCORES = "urbano/sigir2019-standardization/data"
MATRICES = ("robust2004_ap", "robust2004_ndcg", "terabyte2006_ap", "terabyte2006_ndcg")
COVERED = MATRICES[:2]
"""Where intervals are tried, which takes most of the time."""
SIZES = (2, 3, 4, 5, 6, 8, 10, 15, 20, 40)
OF_E = ("E", "K", "lines")
"""Schemes that mean what E learns from all systems, and are compared with that."""
DRAWS, TRIALS, SEED, LEVEL = 10, 200, 2019, 0.05
MOST_TOPICS = 50
LOST_POWER, LOST_TAU, SAME_ORDER = 0.05, 0.01, 0.95
"""What matters: a share of the power of factors from all systems, tau_b between halves, and the order of means."""
INTERVALS, RESAMPLES = 12, 200
STATISTICS = {
    "order": "tau_b of means with those of all systems (of E, for its smoothed forms)",
    "tau_b": "tau_b between halves",
    "power_within": "Power within",
    "power_between": "Power between",
    "type_1": "Type I errors between",
}


def line(reference: Floats) -> Callable[[Floats], Floats]:
    """E without steps: straight lines from 0 at the least score there is to i / (n + 1) at the i-th, and on to 1."""
    values, counts = np.unique(reference, return_counts=True)
    after = np.cumsum(counts)
    middle = (after - (counts - 1) / 2) / (len(reference) + 1)
    low, high = min(0.0, values[0]), max(1.0, values[-1])
    return lambda x: np.interp(x, [low - 1e-9, *values, high + 1e-9], [0.0, *middle, 1.0])


SCHEMES: dict[str, Scheme] = {
    **{name: parse_scheme(name) for name in ("z", "N", "U", "E", "K")},
    "lines": parse_scheme(line),
}


def main() -> None:
    """Write the tables, their numbers and the figure."""
    warnings.simplefilter("ignore", CranfieldWarning)
    found = pd.concat([study(name, read(name)) for name in MATRICES])
    held = pd.concat([coverage(name, read(name)) for name in COVERED])
    found.to_csv(HERE / "reference_systems.csv", index=False, float_format="%.6g", lineterminator="\n")
    (HERE / "reference_systems_tables.md").write_text(tables(found, held))
    plot.save(draw_power(found), HERE / "reference_systems.svg")


def read(name: str) -> Floats:
    """Scores, [topics, systems]."""
    scores: Floats = read_scores(DATA / SCORES / f"{name}.csv")[name].to_numpy()
    return scores


def study(name: str, scores: Floats, sizes: Sequence[int] = SIZES, draws: int = DRAWS) -> pd.DataFrame:
    """A row for each scheme and number of reference systems, means over draws of them."""
    topics, systems = scores.shape
    size = min(MOST_TOPICS, topics // 2)
    drawn = draw(np.random.default_rng(SEED), topics, 2 * size, TRIALS)
    rows = [{"scheme": "raw", "reference": systems, **effects(scores, scores, scores, drawn)}]
    for label, scheme in SCHEMES.items():
        whole = apply(SCHEMES["E"] if label in OF_E else scheme, scores, scores)
        rows.append(
            {"scheme": label, "reference": systems, **effects(apply(scheme, scores, scores), scores, whole, drawn)}
        )
        for count in sizes:
            found = [
                effects(apply(scheme, scores, reference), scores, whole, drawn)
                for reference in references(scores, count, draws)
            ]
            rows.append({"scheme": label, "reference": count, **pd.DataFrame(found).mean().to_dict()})
    return pd.DataFrame(rows).assign(scores=name, systems=systems)


def references(scores: Floats, count: int, draws: int) -> Iterator[Floats]:
    """Scores of systems that are drawn at random; the same ones for every scheme."""
    rng = np.random.default_rng([SEED, count])
    for _ in range(draws):
        yield scores[:, rng.choice(scores.shape[1], count, replace=False)]


def apply(scheme: Scheme, scores: Floats, reference: Floats) -> Floats:
    """All systems on the scale of the reference systems."""
    learnt: Reference = learn(tuple(map(str, range(len(scores)))), reference)
    return scheme.apply(scores, learnt)


def effects(scaled: Floats, raw: Floats, whole: Floats, drawn: np.ndarray) -> dict[str, float]:
    """The study's statistics of standardized scores, and tau_b with the means of factors from all systems."""
    levels = np.array([LEVEL])
    inside = run(within, [raw, scaled], drawn[:, : drawn.shape[1] // 2], levels)
    across = run(between, [raw, scaled], drawn, levels)
    assert across.type_1 is not None
    return {
        "order": float(tau_b(scaled.mean(axis=0).round(12), whole.mean(axis=0).round(12))),
        "tau_b": float(np.nanmean(across.tau_b)),
        "power_within": float(np.nanmean(inside.power)),
        "power_between": float(np.nanmean(across.power)),
        "type_1": float(np.nanmean(across.type_1)),
    }


def enough(found: pd.DataFrame) -> pd.DataFrame:
    """The least number of reference systems from which on nothing is lost that matters, on each collection."""
    rows = []
    for (scheme, name), each in found[found["scheme"] != "raw"].groupby(["scheme", "scores"]):
        few = each[each["reference"] < each["systems"]].sort_values("reference")
        whole = each[each["reference"] == each["systems"]].iloc[0]
        kept = {
            "power within": few["power_within"] >= (1 - LOST_POWER) * whole["power_within"],
            "power between": few["power_between"] >= (1 - LOST_POWER) * whole["power_between"],
            "tau_b between": few["tau_b"] >= whole["tau_b"] - LOST_TAU,
            "order": few["order"] >= SAME_ORDER,
        }
        rows.append(
            {"scheme": scheme, "scores": name, **{key: _from(few["reference"], ok) for key, ok in kept.items()}}
        )
    return pd.DataFrame(rows)


def _from(sizes: pd.Series, holds: pd.Series) -> float:
    """The least size from which on it holds at all."""
    failed = sizes[~holds]
    later = sizes[sizes > failed.max()] if len(failed) else sizes
    return float(later.min()) if len(later) else np.inf


def coverage(name: str, scores: Floats, sizes: Sequence[int] = (5, 10, 20, 40)) -> pd.DataFrame:
    """How many intervals over reference systems hold the means by factors from all systems, and how long they are."""
    labels = {"topic": list(map(str, range(len(scores)))), "system": list(map(str, range(scores.shape[1])))}
    table = xr.DataArray(scores, labels, ("topic", "system"), name=name)
    rows = []
    for label in ("E", "K", "N"):
        whole = apply(SCHEMES[label], scores, scores).mean(axis=0)
        for count in sizes:
            rng, inside, length = np.random.default_rng([SEED, count]), [], []
            for _ in range(INTERVALS):
                chosen = rng.choice(scores.shape[1], count, replace=False).astype(str).tolist()
                result = estimate_standardized_means(
                    table, label, reference_systems=chosen, interval_over="systems", resamples=RESAMPLES
                )
                found = result.means.set_index("system").loc[labels["system"]]
                inside.append(((found["low"] <= whole) & (whole <= found["high"])).mean())
                length.append((found["high"] - found["low"]).mean())
            row = {"scores": name, "scheme": label, "reference": count}
            rows.append(row | {"coverage": float(np.mean(inside)), "length": float(np.mean(length))})
    return pd.DataFrame(rows)


def tables(found: pd.DataFrame, held: pd.DataFrame) -> str:
    """What the study says, by number of reference systems; and the intervals."""
    parts = ["Generated by reference_systems.py. reference_systems.md says what follows from it.\n"]
    least = enough(found).set_index(["scheme", "scores"])
    rows = [[scheme, *(_most(least.loc[scheme, column]) for column in least)] for scheme in SCHEMES]
    parts += ["## Reference systems from which on little is lost, on the worst of four collections\n"]
    parts += [markdown(["scheme", *least.columns], rows)]
    for column, title in STATISTICS.items():
        parts.append(f"## {title}\n")
        for name in MATRICES:
            each = found[found["scores"] == name]
            sizes = [*SIZES, int(each["systems"].iloc[0])]
            values = each.set_index(["scheme", "reference"])[column]
            rows = [[scheme, *(f"{values[scheme, size]:.3f}" for size in sizes)] for scheme in SCHEMES]
            parts += [f"### {title}, {name}\n", markdown(["scheme", *map(str, sizes)], rows)]
    parts += ["## 95% intervals over reference systems: share that hold, and mean length\n"]
    sizes = sorted(held["reference"].unique())
    cells = held.set_index(["scores", "scheme", "reference"])
    rows = [
        [
            name,
            scheme,
            *(
                f"{cells.loc[(name, scheme, size), 'coverage']:.2f}, {cells.loc[(name, scheme, size), 'length']:.3f}"
                for size in sizes
            ),
        ]
        for name in COVERED
        for scheme in ("E", "K", "N")
    ]
    return "\n".join([*parts, markdown(["scores", "scheme", *map(str, sizes)], rows)])


def _most(values: pd.Series) -> str:
    most = float(values.max())
    return f"{most:.0f}" if np.isfinite(most) else f"above {SIZES[-1]}"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, ["---"] * len(head), *rows])


def draw_power(found: pd.DataFrame) -> alt.FacetChart:
    """Order and power by number of reference systems, a line for each scheme, a panel for each collection."""
    shown = found[(found["scheme"] != "raw") & (found["scheme"] != "lines") & (found["reference"] < found["systems"])]
    both = shown.melt(["scores", "scheme", "reference"], ["order", "power_between"], "statistic", "value")
    both["statistic"] = both["statistic"].map(
        {"order": "tau_b of means with those of all systems", "power_between": "power between, at .05"}
    )
    lines = (
        alt.Chart(both)
        .mark_line(point=True)
        .encode(
            x=alt.X("reference:Q", title="reference systems", scale=alt.Scale(type="log", nice=False)),
            y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False)),
            color=alt.Color("scheme:N", sort=list(SCHEMES)),
        )
        .properties(width=165, height=150)
    )
    return lines.facet(
        column=alt.Column("scores:N", title=None, sort=list(MATRICES)),
        row=alt.Row("statistic:N", title=None),
        title="Standardization by few reference systems",
    ).resolve_scale(y="independent")


if __name__ == "__main__":
    main()
