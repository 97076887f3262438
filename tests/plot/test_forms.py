"""One law of every form: the page and Altair draw it with the same title, sentence, axes and numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cranfield import charts, plot, reporting
from cranfield.charts import (
    Form,
    Intervals,
    chart_agreement,
    chart_difficulty,
    chart_diversity_plane,
    chart_error_correlations,
    chart_families,
    chart_headroom,
    chart_holes,
    chart_intents,
    chart_judge_agreement,
    chart_means,
    chart_pair_bars,
    chart_ranks,
    chart_reliability,
    chart_scores,
    chart_sensitivity,
    chart_stability,
    chart_system_map,
    chart_system_ranges,
    chart_taus,
    chart_topic_scatter,
    chart_topic_systems,
)
from cranfield.reporting import make_figure
from figures import HOSTILE, result

BRACKETS = str.maketrans("<>", "‹›")
"""As ``plot`` writes them, since other programs may not escape them."""
NUMBERS = {name[:length]: number for number, name in enumerate(HOSTILE) for length in (4000, 10_000)}


TOPIC = str(result("scores")["topic"].to_numpy()[0])
WEB = Path(reporting.__file__).parent / "web"


def quiet(text: str) -> str:
    return text.translate(BRACKETS)


def by_measure(name: str) -> dict[str, Any]:
    return {one.measure: one for one in result(name)}


FORMS: dict[str, tuple[Callable[[], Form], Callable[[], Any]]] = {
    "chart_agreement": (
        lambda: chart_agreement(result("agreement")),
        lambda: plot.agreement_matrix(result("agreement")),
    ),
    "chart_agreement, at the top": (
        lambda: chart_agreement(result("agreement"), "tau_ap_b"),
        lambda: plot.agreement_matrix(result("agreement"), "tau_ap_b"),
    ),
    "chart_reliability": (
        lambda: chart_reliability(by_measure("reliability")),
        lambda: plot.d_study(result("reliability")),
    ),
    "chart_reliability, one": (
        lambda: chart_reliability({"AP": result("reliability")[0]}),
        lambda: plot.d_study({"AP": result("reliability")[0]}),
    ),
    "chart_stability": (
        lambda: chart_stability(by_measure("stability")),
        lambda: plot.error_rates(result("stability")),
    ),
    "chart_sensitivity": (
        lambda: chart_sensitivity(result("sensitivity")),
        lambda: plot.asl_curves(result("sensitivity")),
    ),
    "chart_error_correlations": (
        lambda: chart_error_correlations(result("panel")),
        lambda: plot.error_correlations(result("panel")),
    ),
    "chart_taus": (lambda: chart_taus(result("taus")), lambda: plot.conditional_tau(result("taus"))),
    "chart_judge_agreement": (
        lambda: chart_judge_agreement(result("judges")),
        lambda: plot.judge_agreement(result("judges")),
    ),
    "chart_difficulty": (
        lambda: chart_difficulty(result("difficulty")),
        lambda: plot.topic_difficulty(result("difficulty")),
    ),
    "chart_means": (
        lambda: chart_means(result("scores")["AP"]),
        lambda: plot.mean_intervals(result("scores")["AP"]),
    ),
    "chart_holes": (lambda: chart_holes(result("holes"), "P@5"), lambda: plot.hole_intervals(result("holes"), "P@5")),
    "chart_ranks": (lambda: chart_ranks(result("ranks")), lambda: plot.rank_intervals(result("ranks"))),
    "chart_ranks, board": (lambda: chart_ranks(result("board")), lambda: plot.rank_intervals(result("board"))),
    "chart_ranks, together": (
        lambda: chart_ranks(result("board, together")),
        lambda: plot.rank_intervals(result("board, together")),
    ),
    "chart_scores": (
        lambda: chart_scores(result("scores")["AP"]),
        lambda: plot.heat_map(result("scores")["AP"]),
    ),
    "chart_intents": (lambda: chart_intents(result("plane")), lambda: plot.intent_coverage(result("plane"))),
    "chart_diversity_plane": (
        lambda: chart_diversity_plane(result("plane")),
        lambda: plot.diversity_plane(result("plane")),
    ),
    "chart_system_map": (
        lambda: chart_system_map(result("difference")),
        lambda: plot.system_map(result("difference")),
    ),
    "chart_families": (lambda: chart_families(result("difference")), lambda: plot.dendrogram(result("difference"))),
    "chart_pair_bars": (
        lambda: chart_pair_bars(result("scores")["AP"], HOSTILE[0], HOSTILE[7]),
        lambda: plot.pair_bars(result("scores")["AP"], HOSTILE[0], HOSTILE[7]),
    ),
    "chart_topic_scatter": (
        lambda: chart_topic_scatter(result("scores")["AP"], HOSTILE[0], HOSTILE[7]),
        lambda: plot.topic_scatter(result("scores")["AP"], HOSTILE[0], HOSTILE[7]),
    ),
    "chart_system_ranges": (
        lambda: chart_system_ranges(result("scores")["AP"], HOSTILE[1]),
        lambda: plot.system_ranges(result("scores")["AP"], HOSTILE[1]),
    ),
    "chart_topic_systems": (
        lambda: chart_topic_systems(result("scores")["AP"], TOPIC),
        lambda: plot.topic_systems(result("scores")["AP"], TOPIC),
    ),
    "chart_headroom": (lambda: chart_headroom(result("headroom")), lambda: plot.headroom(result("headroom"))),
}
"""Name -> the form, and the chart of ``plot``."""


def test_every_form_is_held() -> None:
    made = {name for name in charts.__all__ if name.startswith("chart_")}
    assert made == {name.partition(",")[0] for name in FORMS}


def test_every_kind_of_marks_has_both_drawings() -> None:
    """Those of the page's script and the classes of forms, by listing both."""
    script = "".join(path.read_text() for path in sorted(WEB.glob("*.js")))
    made = [make() for make, _ in FORMS.values()]
    assert {type(form) for form in made} == set(Form.__subclasses__())
    drawn = {make_figure("figure", form, NUMBERS, NUMBERS).form["form"] for form in made}
    assert drawn == set(re.findall(r"^charts\.(\w+) = ", script, re.MULTILINE))


def test_what_the_script_makes_figures_of_has_the_words_of_forms() -> None:
    made = re.findall(r"figureView\(\{ (.*?)\}\)", (WEB / "views.js").read_text(), re.DOTALL)
    assert len(made) == 4
    for figure in made:
        for key in ("title", "notes"):
            assert re.search(rf"\b{key}: (capital\()?say\(", figure), f"{key} of {figure}"
        assert re.search(r"\bseen(: say\(|,)", figure), figure


@pytest.mark.parametrize("name", FORMS)
def test_both_drawings_say_the_same(name: str) -> None:
    make, draw = FORMS[name]
    form = make()
    page, chart = make_figure("figure", form, NUMBERS, NUMBERS), draw().to_dict()
    assert (page.title, page.observation) == (form.title, form.sentence)
    assert chart["description"] == f"{quiet(form.title)}. {quiet(form.sentence)}"
    assert " ".join(chart["title"]["text"]) == quiet(form.title)
    for said in (form.counts, *form.notes):
        assert said in page.notes
        assert quiet(said) in " ".join(chart["title"]["subtitle"])
    assert all(note[0].isupper() or note[0].isdigit() for note in form.notes), "they are sentences of a paragraph"
    titles = set(titles_in(chart))
    for axis in ("x", "y"):
        named = page.form.get(axis, "")  # perhaps after a system
        assert {named, plot.label(named)} & {"", *titles}


@pytest.mark.parametrize("name", FORMS)
def test_both_drawings_have_the_same_numbers(name: str) -> None:
    make, draw = FORMS[name]
    form = make()
    page = set(fractions_in(make_figure("figure", form, NUMBERS, NUMBERS).form))
    # Ranks are whole, as are the numbers of systems: their law is below.
    assert bool(page) != (isinstance(form, Intervals) and form.x.whole)
    assert page == set(fractions_in(draw().to_dict()["datasets"]))


@pytest.mark.parametrize("name", [name for name in FORMS if name.startswith("chart_ranks")])
def test_both_drawings_have_the_same_ranks(name: str) -> None:
    make, draw = FORMS[name]
    rows = make_figure("figure", make(), NUMBERS).form["rows"]
    (drawn,) = draw().to_dict()["datasets"].values()
    fields = ("value", "low", "high", "outer_low", "outer_high", "tick", "note")
    assert [row[1:] for row in rows] == [[one[field] for field in fields] for one in drawn]
    assert [row[0] for row in rows] == [
        next(number for name, number in NUMBERS.items() if plot.label(name) == one["system"]) for one in drawn
    ]


def titles_in(spec: Any) -> Iterator[str]:
    if isinstance(spec, dict):
        for key, value in spec.items():
            if key == "title" and isinstance(value, str):
                yield value
            yield from titles_in(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from titles_in(value)


def fractions_in(value: Any) -> Iterator[float]:
    """Numbers that are not whole, as many digits as the page holds."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from fractions_in(item)
    elif isinstance(value, float) and math.isfinite(value) and value != int(value):
        yield float(f"{value:.5g}")
