"""Every chart of a small collection whose names are strangers', with the result that it shows."""

from __future__ import annotations

import functools
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cranfield
from cranfield import CranfieldWarning, plot

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"onmouseover="alert(1)',
    "=HYPERLINK(1)",
    "../../x",
    "abc\u202edcb",
    "x" * 10_000,
    "datum.value; 'quoted' \\u0022 &amp; <b>",
    "plain",
)
MEASURES = ("nDCG@10", "AP", "P@5")


@functools.cache
def collection() -> tuple[dict[str, Any], dict[str, Any]]:
    """Runs by hostile names, and judgments of topics with such names."""
    made = cranfield.simulation.simulate_runs(n_systems=len(HOSTILE), n_topics=len(HOSTILE), depth=30, seed=3)
    topics = dict(zip(made.qrels.topics, (name[:4000] for name in HOSTILE), strict=True))
    runs = {
        name: {topics[topic]: dict(ranking) for topic, ranking in run.to_dict().items()}
        for name, run in zip(HOSTILE, made.runs, strict=True)
    }
    return runs, {topics[topic]: dict(pool) for topic, pool in made.qrels.to_dict().items()}


class Figures:
    """Results and charts of one collection, each made once.

    Args:
        runs: by name.
        qrels: of their topics.
        twisted: what is done to each result before it is drawn.
    """

    def __init__(self, runs: Any, qrels: Any, twisted: Callable[[Any], Any] = lambda found: found) -> None:
        self.runs, self.qrels, self.twisted = runs, qrels, twisted
        self.names = tuple(runs)
        self.result = functools.cache(self._result)
        self.chart = functools.cache(lambda name: CHARTS[name](self.shown))

    def _result(self, name: str) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CranfieldWarning)
            return RESULTS[name](self)

    def shown(self, name: str) -> Any:
        """A result as charts are given it."""
        return self.twisted(self.result(name))


@functools.cache
def figures() -> Figures:
    """Those of the collection with hostile names."""
    return Figures(*collection())


def result(name: str) -> Any:
    """A result by the name of the function that makes it."""
    return figures().result(name)


def _intents(qrels: dict[str, dict[str, int]]) -> dict[str, dict[str, dict[str, int]]]:
    """The relevant documents of each topic dealt to three intents, the last with one that no run retrieves."""
    made = {}
    for topic, pool in qrels.items():
        relevant = [document for document, label in pool.items() if label > 0]
        made[topic] = {"1": dict.fromkeys(relevant[::2], 1), "2": dict.fromkeys(relevant[1::2], 1), "3": {"unseen": 1}}
    return made


def _judges(qrels: dict[str, dict[str, int]]) -> dict[str, Any]:
    flipped = {topic: {doc: int(label > 1) for doc, label in pool.items()} for topic, pool in qrels.items()}
    return {"human": qrels, HOSTILE[0]: flipped}


def _panel(qrels: dict[str, dict[str, int]]) -> dict[str, Any]:
    """Judgments, and those of two judges who lower every second and every third label."""
    judges = {
        name: {
            topic: {document: max(0, label - (at % step == 0)) for at, (document, label) in enumerate(pool.items())}
            for topic, pool in qrels.items()
        }
        for name, step in ((HOSTILE[0], 2), (HOSTILE[2], 3))
    }
    return {"human": qrels, **judges}


def _tau(of: Figures, *given: str) -> Any:
    scores = of.result("scores")
    return cranfield.information.compute_information_tau(
        scores["nDCG@10"], scores["AP"], [scores[name] for name in given], resamples=50
    )


def _ends(difference: Any) -> tuple[str, str]:
    """The first of the systems and the last but two, or the last."""
    names = difference.ric["system"].to_numpy().tolist()
    return names[0], names[-3:][0]


def _with_holes(qrels: Any) -> Any:
    """Two of three judgments."""
    return {
        topic: {document: label for at, (document, label) in enumerate(labels.items()) if at % 3}
        for topic, labels in qrels.items()
    }


RESULTS: dict[str, Callable[[Figures], Any]] = {
    "scores": lambda of: cranfield.evaluate(of.runs, of.qrels, MEASURES),
    "difficulty": lambda of: cranfield.estimate_difficulty(of.runs, of.qrels, 10),
    "reliability": lambda of: [cranfield.trust.estimate_reliability(of.result("scores")[name]) for name in MEASURES],
    "stability": lambda of: [
        cranfield.trust.estimate_stability(of.result("scores")[name], subsets=20) for name in MEASURES
    ],
    "sensitivity": lambda of: cranfield.trust.estimate_sensitivity(of.result("scores"), resamples=100),
    "agreement": lambda of: cranfield.compare_rankings(of.result("scores")),
    "ranks": lambda of: cranfield.comparison.estimate_ranks(of.result("scores")["AP"], resamples=500),
    "teams": lambda of: cranfield.comparison.estimate_team_ranks(
        of.result("scores")["AP"], teams={name: f"team of {name}" for name in of.names}, resamples=500
    ),
    "mean ranks": lambda of: cranfield.comparison.compare_mean_ranks(of.result("scores")["AP"]),
    "nemenyi": lambda of: cranfield.compare(of.result("scores")["AP"], test="nemenyi"),
    "board, mean ranks": lambda of: cranfield.board(of.result("scores")["AP"], resamples=500, aggregate="mean-rank"),
    "board": lambda of: cranfield.board(of.result("scores")["AP"], resamples=500, marginal=True),
    "board, together": lambda of: cranfield.board(of.result("scores")["AP"], resamples=500, aggregate="borda"),
    "taus": lambda of: cranfield.information.compute_information_taus(of.result("scores"), resamples=50),
    "diff": lambda of: cranfield.diff(
        *[*of.runs.values()][:2], of.qrels, "nDCG@10", topics={topic: topic for topic in of.qrels}
    ),
    "difference": lambda of: cranfield.information.compute_information_difference(of.runs, of.qrels),
    "headroom": lambda of: cranfield.estimate_headroom(of.runs, of.qrels, permutations=2, candidates=4),
    "penalty": lambda of: cranfield.trust.find_penalty_changes(of.runs, of.qrels, harmful=1),
    "budget": lambda of: cranfield.pooling.estimate_budget(of.runs, of.qrels, MEASURES, budgets=[2, 5, 9], trials=1),
    "holes": lambda of: cranfield.estimate_holes(of.runs, _with_holes(of.qrels), depth=10).evaluate(
        ["nDCG@10", "P@5"], draws=200
    ),
    "reusability": lambda of: cranfield.pooling.estimate_reusability(of.runs, of.qrels, MEASURES, depth=5),
    "comparison": lambda of: cranfield.compare(of.result("scores")["AP"], baseline=of.names[0]),
    "plane": lambda of: cranfield.comparison.map_diversity(
        of.runs, _intents(of.qrels), pair=(of.names[0], of.names[-4:][0])
    ),
    "judges": lambda of: cranfield.agreement.compare_judges(of.runs, _judges(of.qrels)),
    "dominance": lambda of: cranfield.comparison.compute_dominance_shares(of.runs, of.qrels, MEASURES, alpha=0.3),
    "panel": lambda of: cranfield.agreement.estimate_panel(_panel(of.qrels), resamples=20),
    "strengths": lambda of: cranfield.pairwise.estimate_strengths(
        cranfield.pairwise.convert_scores(of.result("scores")["AP"]), prior=1, resamples=50
    ),
    "risk": lambda of: cranfield.comparison.estimate_risk(of.result("scores")["AP"], of.names[0], loss_weight=2),
    "posterior": lambda of: cranfield.comparison.estimate_posterior(
        of.result("scores")["AP"], baseline=of.names[0], margin=0.05
    ),
    "reproduction": lambda of: cranfield.comparison.compare_reproduction(
        *[[{name: of.runs[name]} for name in of.names[first : first + 2]] for first in (0, 2)], of.qrels, MEASURES
    ),
    "scales": lambda of: cranfield.trust.compare_scales(of.runs, of.qrels, ["RR@5", "nDCG@3"]),
    "alone": _tau,
    "conditional": lambda of: _tau(of, "P@5"),
    "within": lambda of: cranfield.standardization.study_standardization(
        of.result("scores")["AP"], trials=20, n_topics=4
    ),
    "between": lambda of: cranfield.standardization.study_standardization(
        of.result("scores")["AP"], design="between", trials=20, n_topics=4
    ),
}


CHARTS: dict[str, Callable[[Callable[[str], Any]], Any]] = {
    "topic_difficulty": lambda of: plot.topic_difficulty(of("difficulty")),
    "topic_difficulty, horizontal": lambda of: plot.topic_difficulty(of("difficulty"), horizontal=True),
    "heat_map": lambda of: plot.heat_map(of("scores")["AP"]),
    "d_study": lambda of: plot.d_study(of("reliability")),
    "d_study, one": lambda of: plot.d_study(of("reliability")[0]),
    "error_rates": lambda of: plot.error_rates(of("stability")),
    "asl_curves": lambda of: plot.asl_curves(of("sensitivity")),
    "agreement_matrix": lambda of: plot.agreement_matrix(of("agreement")),
    "rank_intervals": lambda of: plot.rank_intervals(of("ranks")),
    "rank_intervals, teams": lambda of: plot.rank_intervals(of("teams")),
    "rank_intervals, board": lambda of: plot.rank_intervals(of("board")),
    "rank_intervals, board together": lambda of: plot.rank_intervals(of("board, together")),
    "critical_difference": lambda of: plot.critical_difference(of("mean ranks")),
    "critical_difference, comparison": lambda of: plot.critical_difference(of("nemenyi")),
    "critical_difference, board": lambda of: plot.critical_difference(of("board, mean ranks")),
    "rank_scatter": lambda of: plot.rank_scatter(of("agreement"), "AP"),
    "conditional_tau": lambda of: plot.conditional_tau(of("taus")),
    "topic_tau": lambda of: plot.topic_tau(of("alone"), of("conditional")),
    "system_map": lambda of: plot.system_map(of("difference")),
    "dendrogram": lambda of: plot.dendrogram(of("difference")),
    "information_shares": lambda of: plot.information_shares(of("difference"), *_ends(of("difference"))),
    "difference_scatter": lambda of: plot.difference_scatter(of("difference"), of("scores")["AP"]),
    "headroom": lambda of: plot.headroom(of("headroom")),
    "fused_pairs": lambda of: plot.fused_pairs(of("headroom")),
    "budget": lambda of: plot.budget(of("budget"), "AP"),
    "penalty_curves": lambda of: plot.penalty_curves(of("penalty")),
    "reusability": lambda of: plot.reusability(of("reusability"), "AP"),
    "diversity_plane": lambda of: plot.diversity_plane(of("plane")),
    "intent_coverage": lambda of: plot.intent_coverage(of("plane")),
    "topic_differences": lambda of: plot.topic_differences(of("plane")),
    "wins_and_losses": lambda of: plot.wins_and_losses(of("risk")),
    "hole_intervals": lambda of: plot.hole_intervals(of("holes")),
    "hole_intervals, second": lambda of: plot.hole_intervals(of("holes"), "P@5"),
    "credible_intervals": lambda of: plot.credible_intervals(of("posterior")),
    "reproduced_effects": lambda of: plot.reproduced_effects(of("reproduction")),
    "scale_scatter": lambda of: plot.scale_scatter(of("scales"), "nDCG@3"),
    "judge_agreement": lambda of: plot.judge_agreement(of("judges")),
    "dominance_shares": lambda of: plot.dominance_shares(of("dominance")),
    "error_correlations": lambda of: plot.error_correlations(of("panel")),
    "strength_intervals": lambda of: plot.strength_intervals(of("strengths")),
    "measure_scatter": lambda of: plot.measure_scatter(of("scores"), "AP", "nDCG@10"),
    "mean_intervals": lambda of: plot.mean_intervals(of("scores")),
    "mean_intervals, one": lambda of: plot.mean_intervals(of("scores")["AP"]),
    "difference_intervals": lambda of: plot.difference_intervals(of("comparison")),
    "system_ranges": lambda of: plot.system_ranges(of("scores")["AP"], str(of("scores")["system"].to_numpy()[-1])),
    "topic_systems": lambda of: plot.topic_systems(of("scores")["AP"], str(of("scores")["topic"].to_numpy()[0])),
    "pair_bars": lambda of: plot.pair_bars(of("scores")["AP"], *of("scores")["system"].to_numpy()[[0, -1]]),
    "topic_scatter": lambda of: plot.topic_scatter(of("scores")["AP"], *of("scores")["system"].to_numpy()[[0, -1]]),
    "system_boxes": lambda of: plot.system_boxes(of("scores")["AP"]),
    "score_history": lambda of: plot.score_history(
        {"2026-01-05": of("scores"), "2026-02-05": of("scores")[["AP"]]}, "AP"
    ),
    "score_history, labels": lambda of: plot.score_history(dict.fromkeys(HOSTILE, of("scores"))),
    "rank_slopes": lambda of: plot.rank_slopes(of("diff")),
    "measures_by_system": lambda of: plot.measures_by_system(of("scores")),
    "score_boxes": lambda of: plot.score_boxes(
        {"raw": of("scores")["AP"], "E": cranfield.standardize(of("scores")["AP"])}
    ),
    "standardization_study": lambda of: plot.standardization_study(of("within")),
    "standardization_study, between": lambda of: plot.standardization_study(of("between")),
}


def chart(name: str) -> Any:
    """One chart of ``CHARTS``, with warnings as errors."""
    return figures().chart(name)


@functools.cache
def spec(name: str) -> dict[str, Any]:
    """One chart of ``CHARTS`` in Vega-Lite, held to its schema; no test changes it."""
    made: dict[str, Any] = chart(name).to_dict()
    return made


def render(drawn: Any, ending: str, **options: Any) -> bytes:
    """The file that a chart is written to, by the ending of its name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"chart{ending}")
        plot.save(drawn, path, **options)
        return path.read_bytes()


@functools.cache
def svg(name: str) -> str:
    """One chart of ``CHARTS`` as a picture."""
    return render(chart(name), ".svg").decode()


def rows(drawn: Any, *fields: str) -> list[dict[str, Any]]:
    """The data of a chart that have these fields."""
    datasets = drawn.to_dict()["datasets"].values()
    found = [row for data in datasets for row in data if set(fields) <= set(row)]
    assert found, fields
    return found
