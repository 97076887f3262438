"""Pairwise verdicts beside golden values, and the published numbers of CrowdRAG-25."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from sources import CRITERIA, CROWDRAG, PAIRWISE, crowd, needs_crowdrag, together, verdicts

from cranfield.pairwise import (
    PairVerdicts,
    Strengths,
    compare_verdicts,
    compare_with_scores,
    convert_scores,
    count_triads,
    count_wins,
    estimate_strengths,
    measure_order_effect,
    read_verdicts,
)
from cranfield.statistics import compute_normal_rank_sets, tau_b
from data_sets import Tally

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")


def each_source(generated: int, crowdrag: int) -> pytest.MarkDecorator:
    """Where verdicts are from, and how many values of each are compared."""
    return pytest.mark.parametrize(
        ("source", "count"),
        [pytest.param("generated", generated), pytest.param("crowdrag", crowdrag, marks=needs_crowdrag)],
    )


def read_expected(name: str, keys: Sequence[str]) -> pd.DataFrame:
    return pd.read_csv(PAIRWISE / f"expected.{name}.tsv", sep="\t", dtype=dict.fromkeys(keys, str))


def expected(name: str, source: str, *keys: str) -> Iterator[tuple[tuple[str, ...], pd.DataFrame]]:
    """The rows of a golden table about one source, by keys of which the first is the data's name."""
    table = read_expected(name, keys)
    for key, rows in table[(table["data"].str.startswith("crowdrag:")) == (source == "crowdrag")].groupby(list(keys)):
        yield tuple(map(str, key)), rows


@each_source(57, 241)
def test_order_effects(source: str, count: int) -> None:
    tally = Tally(1e-9)
    for (data, judge), rows in expected("order", source, "data", "judge"):
        ours = measure_order_effect(verdicts(data, judge)).table.set_index("statistic")
        for row in rows.to_dict("records"):
            for column in ("value", "se", "low", "high"):
                own, golden = ours.loc[row["statistic"], column], row[column]
                if column in ("low", "high") and not np.isnan(golden):
                    golden = bounded(column, row["value"], golden, own, row["statistic"] == "excess")
                elif row["se"] == 0 and column == "se":
                    # The formula gives an error of 0 where topics do not differ: that is not certainty.
                    assert np.isnan(own)
                if not np.isnan(row[column]):
                    tally.add((data, judge, row["statistic"], column), np.nan_to_num(own), np.nan_to_num(golden))
    assert tally.compared == count
    assert not tally.different


def bounded(end: str, value: float, golden: float, own: float, is_difference: bool = False) -> float:
    """The end of an interval within bounds that has the golden error and t, of which the golden end is made.

    A share's is where (value - end)^2 = t^2 error^2 end (1 - end) / (value (1 - value)).
    """
    half = abs(golden - value)
    if half <= 1e-12:
        # An interval of width 0 where topics do not differ: it is undefined, or that of as many topics that all agree.
        assert np.isnan(own) or (value in (0, 1) and not is_difference)
        return own
    if is_difference:
        return float(np.clip(golden, -1, 1))
    slope = half**2 / (value * (1 - value))
    ends = np.roots([1 + slope, -2 * value - slope, value**2])
    return float(ends.min() if end == "low" else ends.max())


@each_source(6, 30)
def test_first_and_last_verdicts(source: str, count: int) -> None:
    tally = Tally(1e-9)
    for (data, judge, repeats), rows in expected("repeats", source, "data", "judge", "repeats"):
        ours = measure_order_effect(verdicts(data, judge), repeats=repeats).table.set_index("statistic")["value"]  # type: ignore[arg-type]
        tally.add((data, judge, repeats), ours["changed"], rows["share"].item())
        tally.add((data, judge, repeats), ours["pairs"], rows["pairs"].item())
    assert tally.compared == count
    assert not tally.different


@each_source(10, 49)
def test_triads(source: str, count: int) -> None:
    tally = Tally(1e-9)
    for (data, judge), rows in expected("cycles", source, "data", "judge"):
        ours = count_triads(verdicts(data, judge)).table.iloc[0]
        for row in rows.to_dict("records"):
            own, golden = ours[row["statistic"]], row["value"]
            if row["statistic"] in ("low", "high"):
                golden = bounded(row["statistic"], ours["share"], golden, own)
            elif row["statistic"] == "se" and not golden:
                # The formula gives an error of 0 where topics do not differ: that is not certainty.
                assert np.isnan(own)
            tally.add((data, judge, row["statistic"]), np.nan_to_num(own), np.nan_to_num(golden))
    assert tally.compared == count
    assert not tally.different


@each_source(88, 416)
def test_wins(source: str, count: int) -> None:
    tally = Tally(1e-9)
    for (data, judge), rows in expected("wins", source, "data", "judge"):
        ours = count_wins(verdicts(data, judge)).table.set_index(["system", "other"])
        for row in rows.to_dict("records"):
            for column in ("wins", "losses", "topics", "share"):
                tally.add((data, judge, row["system"]), ours.loc[(row["system"], row["other"]), column], row[column])
    assert tally.compared == count
    assert not tally.different


@pytest.mark.slow
@each_source(333, 665)
def test_strengths(source: str, count: int) -> None:
    tally = Tally(1e-8)
    keys = ("data", "judge", "ties", "order", "weights")
    for (data, judge, ties, order, weights), rows in expected("strengths", source, *keys):
        fitted = estimate_strengths(
            verdicts(data, judge),
            pair_ties=ties,  # type: ignore[arg-type]
            order_effect=order == "yes",
            weights=weights,  # type: ignore[arg-type]
            resamples=1,
        )
        ours = fitted.table.set_index("system")
        for row in rows.to_dict("records"):
            where = (data, judge, ties, order, weights, row["system"])
            if row["system"].startswith("("):
                parameters = fitted.parameters.set_index("parameter")
                name = row["system"].strip("()")
                tally.add(where, parameters.loc[name, "value"], row["strength"])
                if name == "order":
                    tally.add(where, parameters.loc[name, "se"], row["se"])
                continue
            for theirs, own in {"strength": "strength", "se": "se", "se_if_votes_independent": "se_votes"}.items():
                tally.add((*where, own), ours.loc[row["system"], own], row[theirs])
            check_interval(ours.loc[row["system"]], row)
        check_influence(fitted, judge)
    assert tally.compared == count
    assert not tally.different


def check_interval(ours: pd.Series, golden: dict[str, float]) -> None:
    """Theirs take topics as equal: with other shares in what is known, intervals are wider, but seldom by a tenth."""
    assert ours["low"] <= golden["low"] + 1e-8
    assert ours["high"] >= golden["high"] - 1e-8
    assert ours["high"] - ours["low"] <= 1.1 * (golden["high"] - golden["low"])


def check_influence(fitted: Strengths, judge: str) -> None:
    table = fitted.influence[judge].to_pandas()
    ours = fitted.table.set_index("system").loc[table.columns]
    assert table.mean().to_numpy() == pytest.approx(ours["strength"].to_numpy(), abs=1e-9)
    assert (table.std() / len(table) ** 0.5).to_numpy() == pytest.approx(ours["se"].to_numpy(), abs=1e-12)


@each_source(44, 208)
def test_differences(source: str, count: int) -> None:
    tally = Tally(1e-8)
    for (data, judge), rows in expected("differences", source, "data", "judge"):
        ours = estimate_strengths(verdicts(data, judge), resamples=1).pairs.set_index(["system", "other"])
        for row in rows.to_dict("records"):
            own = ours.loc[(row["system"], row["other"])]
            for column in ("difference", "se"):
                tally.add((data, judge, column), own[column], row[column])
            check_interval(own, row)
            # No p is below that of a sign test of 18 or 65 topics that all agree, or of equal topics.
            assert own["p"] >= max(row["p"], 2.0 ** (1 - (18 if source == "generated" else 65))) - 1e-8
    assert tally.compared == count
    assert not tally.different


def test_priors() -> None:
    tally = Tally(1e-8)
    for (data, judge, prior), rows in expected("prior", "generated", "data", "judge", "prior"):
        ours = estimate_strengths(verdicts(data, judge), prior=float(prior), resamples=1).table.set_index("system")
        for row in rows.to_dict("records"):
            own = ours.loc[row["system"]]
            tally.add((data, judge, prior, "strength"), own["strength"], row["strength"])
            if np.isinf(own["low"]) or np.isinf(own["high"]):
                # The system has wins or losses alone: their error is the prior's.
                assert np.isnan(own["se"])
                continue
            tally.add((data, judge, prior, "se"), own["se"], row["se"])
    assert tally.compared == 42
    assert not tally.different


@pytest.mark.slow
@each_source(5, 70)
def test_normal_rank_sets(source: str, count: int) -> None:
    """The golden sets take errors as known, which ours are no narrower than."""
    compared = 0
    for (data, judge), rows in expected("ranks", source, "data", "judge"):
        found = estimate_strengths(verdicts(data, judge), resamples=10_000)
        influence = found.influence[judge].to_pandas()
        theta, covariance = influence.mean().to_numpy(), influence.cov().to_numpy() / len(influence)
        own = np.diag(covariance)
        p = 2 * ndtr(
            -np.abs((theta[:, None] - theta) / np.sqrt(own[:, None] + own - 2 * covariance + np.eye(len(own))))
        )
        rng = np.random.default_rng(1)
        sets = compute_normal_rank_sets(theta, covariance, 0.05, p=p, resamples=100_000, rng=rng).simultaneous
        ours = found.table.set_index("system")
        for row in rows.to_dict("records"):
            at = influence.columns.get_loc(row["system"])
            assert (sets.low[at], sets.high[at]) == (row["low"], row["high"]), (data, judge, row["system"])
            assert ours.loc[row["system"], "rank"] == row["rank"]
            assert ours.loc[row["system"], "rank_low"] <= row["low"]
            assert ours.loc[row["system"], "rank_high"] >= row["high"]
            compared += 1
    assert compared == count


@pytest.mark.slow
@each_source(6, 106)
def test_judges(source: str, count: int) -> None:
    tally = Tally(1e-9)
    for (data, reference, judge), rows in expected("judges", source, "data", "reference", "judge"):
        values = rows.set_index("statistic")["value"]
        if reference == "mean published grade":
            theta = estimate_strengths(verdicts(data, judge), resamples=1).table.set_index("system")["strength"]
            means = (
                pd.read_csv(CROWDRAG / "grades.tsv.gz", sep="\t")
                .groupby("system")[data.removeprefix("crowdrag:")]
                .mean()
            )
            tally.add((data, judge), float(tau_b(theta.to_numpy(), means[theta.index].to_numpy())), values["tau_b"])
            continue
        ours = compare_verdicts(together(data, [reference, judge])).table.iloc[0]
        assert (ours["reference"], ours["judge"]) == (reference, judge)
        for name, value in values.items():
            is_end = name in ("equal_low", "equal_high")
            end = str(name).removeprefix("equal_")
            golden = bounded(end, ours["equal"], value, ours[name]) if is_end else value
            tally.add((data, reference, judge, name), ours[name], golden)
    assert tally.compared == count
    assert not tally.different


def dl19() -> pd.DataFrame:
    return pd.read_csv(PAIRWISE / "dl19.ndcg10.tsv", sep="\t", index_col=0)


def test_scores_as_verdicts() -> None:
    tally = Tally(1e-8)
    for threshold, rows in read_expected("conversion-strengths", ["threshold"]).groupby("threshold"):
        ours = estimate_strengths(convert_scores(dl19(), threshold=float(threshold)), resamples=1)
        table = ours.table.set_index("system")
        for row in rows.to_dict("records"):
            tally.add((threshold, row["system"]), table.loc[row["system"], "strength"], row["strength"])
            tally.add((threshold, row["system"]), table.loc[row["system"], "se"], row["se"])
    assert tally.compared == 162
    assert not tally.different


@pytest.mark.slow
@pytest.mark.parametrize(
    ("threshold", "cyclic", "tau", "ties"), [(0.0, 15, 0.903903903904, 1387), (0.05, 5, 0.930930930931, 8864)]
)
def test_verdicts_order_systems_as_scores_do(threshold: float, cyclic: int, tau: float, ties: int) -> None:
    converted = convert_scores(dl19(), threshold=threshold)
    assert (len(converted), int((converted.outcome == 0).sum())) == (28638, ties)
    triads = count_triads(converted).table.iloc[0]
    assert (triads["cyclic"], triads["cyclic_among_systems"]) == (0, cyclic)
    row = compare_with_scores(converted, dl19(), resamples=200).table.iloc[0]
    assert row["value"] == pytest.approx(tau, abs=1e-9)
    assert row["low"] < row["value"] < row["high"]


def test_two_systems_with_equal_wins_are_tied() -> None:
    """At threshold .1 two systems have equal wins, hence equal strengths: the golden .93994 orders their rounding."""
    converted = convert_scores(dl19(), threshold=0.1)
    assert int((converted.outcome == 0).sum()) == 13663
    assert count_triads(converted).table["cyclic_among_systems"].item() == 3
    wins = count_wins(converted).table
    total = {name: wins.loc[wins["system"] == name, "wins"].sum() + wins.loc[wins["other"] == name, "losses"].sum()
             for name in ("TUW19-p1-f", "TUW19-p1-re")}  # fmt: skip
    assert total["TUW19-p1-f"] == total["TUW19-p1-re"]
    tau = compare_with_scores(converted, dl19(), resamples=1).table["value"][0]
    discordant = round((1 - 0.93993993994) / 2 * 666)
    concordant = 666 - discordant
    # The golden value counts the tie as a pair in the right order, or in the wrong one.
    in_order = [(concordant - discordant + shift) / np.sqrt(666 * 665) for shift in (-1, 1)]
    assert min(abs(tau - value) for value in in_order) < 1e-9


def test_every_format_gives_the_same_verdicts() -> None:
    own = read_verdicts(PAIRWISE / "generated.verdicts.tsv")
    arena = read_verdicts(PAIRWISE / "generated.arena.jsonl")
    systems = PAIRWISE / "generated.systems.tsv"
    crowdrag = read_verdicts(PAIRWISE / "generated.crowdrag.jsonl", criterion="quality_overall", systems=systems)
    assert own.digest == arena.digest == crowdrag.digest
    alpha = own.select_judge("alpha")
    for name in ("generated.arena.csv", "generated.autojudge.jsonl"):
        assert same_rows(read_verdicts(PAIRWISE / name), alpha)


def same_rows(left: PairVerdicts, right: PairVerdicts) -> bool:
    columns = ["topic", "left", "right", "verdict"]
    return left.to_frame()[columns].equals(right.to_frame()[columns])


@needs_crowdrag
@pytest.mark.parametrize(
    ("criterion", "judge", "numbers"),
    [
        ("quality_overall", "llm-combined", (0.175, 0.040, 0.135, 0.092, 0.179, 0.544)),
        ("quality_overall", "llm-individual", (0.109, 0.068, 0.041, 0.006, 0.077, 0.519)),
        ("coverage_deep", "llm-combined", (0.312, 0.056, 0.256, 0.196, 0.316, 0.643)),
        ("coverage_deep", "llm-individual", (0.324, 0.059, 0.264, 0.202, 0.327, 0.653)),
    ],
)
def test_the_table_of_crowdrag(criterion: str, judge: str, numbers: tuple[float, ...]) -> None:
    check_row(verdicts(f"crowdrag:{criterion}", judge), numbers)


@needs_crowdrag
def test_votes_of_people() -> None:
    check_row(crowd("quality_overall"), (0.430, 0.415, 0.016, -0.004, 0.035, 0.479))


def check_row(own: PairVerdicts, numbers: tuple[float, ...]) -> None:
    table = measure_order_effect(own).table.set_index("statistic")
    ours = [*table.loc[["changed", "repeat", "excess"], "value"], *table.loc["excess", ["low", "high"]]]
    # The published table has three digits.
    assert [*ours, table.loc["first", "value"]] == pytest.approx(numbers, abs=6e-4)


@needs_crowdrag
def test_people_and_model_disagree_about_the_best() -> None:
    model = estimate_strengths(verdicts("crowdrag:quality_overall", "llm-combined")).table.iloc[0]
    people = estimate_strengths(crowd("quality_overall"), weights="verdicts").table
    assert model[["system", "rank_low", "rank_high"]].tolist() == ["llm-essay", 1, 1]
    assert people.iloc[0][["system", "rank_low", "rank_high"]].tolist() == ["llm-bullet", 1, 1]
    assert people["se_votes"].to_numpy() == pytest.approx(0.036, abs=0.002)
    assert people["se"].min() == pytest.approx(0.052, abs=5e-4)
    assert people["se"].max() == pytest.approx(0.081, abs=5e-4)


@needs_crowdrag
def test_every_criterion_can_be_fitted() -> None:
    for criterion in CRITERIA:
        for judge in ("llm-combined", "llm-individual", "gold"):
            assert len(estimate_strengths(verdicts(f"crowdrag:{criterion}", judge), resamples=1).table) == 6
