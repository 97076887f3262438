"""Panels of judges: numbers beside golden values, laws, odd inputs and refusals."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.agreement import Panel, combine_labels, compare_labels, estimate_panel
from data_sets import DATA, GOLDEN, Tally, rows
from effort import examples

FOLDER = GOLDEN / "panels"
SETS = ("generated", "dl19", "dl23")
NUGGETS = {"NuggetSelfRatedPrompt": 4, "QuestionSelfRatedUnanswerablePromptWithChoices": 4}
LEVELS: dict[str, Any] = {"generated": 2, "dl19": {"reference": 2, **NUGGETS}, "dl23": 2}
pytestmark = pytest.mark.filterwarnings("ignore:.*fewer than 15 topics:cranfield.CranfieldWarning")
needs_dl19 = pytest.mark.data("data/llm-qrels-dl19-dl20", "data/trec-dl-2019-passage")
needs_dl23 = pytest.mark.data("data/llmjudge-dl23")


def judges(name: str) -> dict[str, str]:
    """The reference and the judges of a set of golden values."""
    if name == "generated":
        return {judge: str(FOLDER / f"generated.{judge}.qrels") for judge in ("reference", *"ABCDE")}
    if name == "dl19":
        paths = sorted((DATA / "llm-qrels-dl19-dl20/dl19").iterdir())
        reference = DATA / "trec-dl-2019-passage/qrels.dl19-passage.txt.gz"
    else:
        paths = sorted((DATA / "llmjudge-dl23/submissions/scores").iterdir())
        reference = DATA / "llmjudge-dl23/data/llmjudge_test_qrel_idx.txt"
    return {"reference": str(reference), **{path.name.split(".")[0]: str(path) for path in paths}}


def each_set(generated: int, dl19: int, dl23: int) -> pytest.MarkDecorator:
    """The sets of golden values, and how many values of each are compared at least."""
    return pytest.mark.parametrize(
        ("name", "least"),
        [
            pytest.param("generated", generated),
            pytest.param("dl19", dl19, marks=needs_dl19),
            pytest.param("dl23", dl23, marks=needs_dl23),
        ],
    )


def golden_rows(file: str, name: str) -> Iterator[dict[str, str]]:
    """The rows of a golden table about one set."""
    return (row for row in rows(FOLDER / file) if row["set"] == name)


@functools.cache
def panel(name: str, errors: str = "relevant") -> Panel:
    return estimate_panel(judges(name), rel=LEVELS[name], error_kind=errors, resamples=400)  # type: ignore[arg-type]


@each_set(67, 66, 19)
def test_correlations_and_effective_numbers_are_the_golden_ones(name: str, least: int) -> None:
    tally = Tally()
    for row in golden_rows("expected.error-correlation.tsv", name):
        table = panel(name, row["errors"]).errors.set_index(["judge", "other"])
        column = {"none": "correlation", "reference": "correlation_given"}[row["given"]]
        tally.add(row, table.loc[(row["judge"], row["other"]), column], float(row["correlation"]))
    for row in golden_rows("expected.effective.tsv", name):
        table = panel(name, row["errors"]).effective.set_index("given")
        tally.add(row, table.loc[row["given"], row["statistic"]], float(row["value"]))
    tally.check(least)


@each_set(123, 114, 474)
def test_over_and_underrating_are_the_golden_ones(name: str, least: int) -> None:
    tally = Tally()
    for row in golden_rows("expected.bias.tsv", name):
        table = panel(name, row["labels"]).bias.set_index(["judge", "grade"])
        line = table.loc[(row["judge"], float(row["grade"]))]
        for column, ending in (("value", ""), ("low", "_low"), ("high", "_high")):
            tally.add(row, line[row["statistic"] + ending], float(row[column]))
    tally.check(least)


@each_set(13, 33, 107)
def test_whom_to_drop_and_to_add_are_the_golden_ones(name: str, least: int) -> None:
    tally = Tally()
    named = {"kappa_change": "kappa_change", "n_eff_without": "n_eff", "squared_error_without": "squared_error"}
    for row in golden_rows("expected.drop.tsv", name):
        line = panel(name).drop.set_index("judge").loc[row["judge"]]
        for theirs, ours in named.items():
            tally.add((row, theirs), line[ours], float(row[theirs]))
    for row in golden_rows("expected.path.tsv", name):
        line = panel(name).path.set_index("size").loc[int(row["size"])]
        assert line["added"] == row["added"], row
        for column in ("squared_error", "held_out"):
            tally.add((row, column), line[column], float(row[column]))
    tally.check(least)


@needs_dl19
@needs_dl23
def test_whom_to_drop_and_to_add_to_real_panels() -> None:
    assert not panel("dl19").drop["drop"].any()
    assert panel("dl19").path.query("enough")["size"].tolist() == [3]
    assert panel("dl23").path.query("enough")["size"].tolist() == [4]


@each_set(30, 35, 99)
def test_agreement_of_members_is_the_golden_one(name: str, least: int) -> None:
    tally = Tally()
    for row in golden_rows("expected.agreement.tsv", name):
        labels_of, statistic = row["labels_of"].removeprefix("judge:"), row["statistic"]
        if labels_of.startswith("grade:"):
            members = panel("generated", "grade").members.set_index("labels_of")
            value = members.loc[labels_of.removeprefix("grade:"), "kappa"]
        elif labels_of == "if-independent":
            value = panel(name).members.set_index("labels_of").loc["majority", "if_independent"]
        elif labels_of in ("majority-high", "dawid-skene-plain") or statistic == "prevalence":
            value = agreement_of(name, labels_of, statistic)
        else:
            column = {"mean_certainty": "certainty"}.get(statistic, statistic)
            value = panel(name).members.set_index("labels_of").loc[labels_of, column]
        tally.add(row, value, float(row["value"]))
    for row in golden_rows("expected.weights.tsv", name):
        weights = panel(name).members.set_index("labels_of")["weight"]
        tally.add(row, weights[row["judge"]], float(row["weight"]))
    tally.check(least)


def agreement_of(name: str, labels_of: str, statistic: str) -> float:
    """A number about combined labels that the table of members leaves out."""
    options: dict[str, Any] = {"majority-high": {"combine_by": "majority", "vote_ties": "high"}}.get(
        labels_of, {"combine_by": "dawid-skene", "smoothing": 0 if labels_of.endswith("plain") else 1}
    )
    found = combine_labels(judges(name), rel=LEVELS[name], learn_from="reference", **options)
    if statistic == "prevalence":
        return float(found.classes.set_index("label").loc[1, "estimated"])
    reference = cranfield.read_qrels(judges(name)["reference"])
    level = {"reference": LEVELS[name]["reference"] if name == "dl19" else 2, "combined": 1}
    pair = {"reference": reference, "combined": found.qrels}
    line = cranfield.agreement.compare_labels(pair, rel=level, resamples=1).table.loc["combined"]
    if statistic == "accuracy":
        truth = reference.to_dict()
        same = [
            (truth[row.topic][row.document] >= level["reference"]) == row.label for row in found.labels.itertuples()
        ]
        return float(np.mean(same))
    return float(line[{"kappa": "kappa_binary"}.get(statistic, statistic)])


def test_combined_labels_are_the_golden_ones() -> None:
    renamed: dict[str, tuple[str, dict[str, Any], str]] = {
        "majority-high": ("majority", {"vote_ties": "high"}, "label"),
        "dawid-skene-plain": ("dawid-skene", {"smoothing": 0}, "label"),
        "dawid-skene-probability": ("dawid-skene", {}, "score"),
        "weighted-score": ("weighted", {}, "score"),
    }

    @functools.cache
    def combined(name: str, scale: Any) -> dict[tuple[str, str], float]:
        method, options, column = renamed.get(name, (name, {}, "label"))
        asked: dict[str, Any] = {"rel": 2, "label_scale": scale, "learn_from": "reference", **options}
        table = combine_labels(judges("generated"), method, **asked).labels  # type: ignore[arg-type]
        return dict(zip(zip(table["topic"], table["document"], strict=True), table[column], strict=True))

    exact, fitted = Tally(), Tally(1e-6)
    for row in rows(FOLDER / "expected.combined.tsv.gz"):
        tally = fitted if row["method"].endswith("-probability") else exact
        value = combined(row["method"], row["labels"])[row["topic"], row["document"]]
        tally.add(row, value, float(row["value"]))
    exact.check(1300)
    fitted.check(100)


@needs_dl19
@needs_dl23
def test_what_was_measured_on_real_panels() -> None:
    """The table of the specification, at its digits."""
    expected = {
        "dl19": (0.391, 2.14, 2.04, 3.4, 0.440, 0.427, 0.472, 0.749, 0.895),
        "dl23": (0.436, 2.21, 2.35, 4.0, 0.382, 0.393, 0.371, 0.765, 0.880),
    }
    for name, numbers in expected.items():
        effective = panel(name).effective.set_index("given")
        members = panel(name).members.set_index("labels_of")
        kappa = members.loc[["majority", "dawid-skene", "weighted"], "kappa"].tolist()
        none, centred = effective.loc["none"], effective.loc["reference"]
        ours = [none["rho"], none["n_eff"], centred["n_eff"], none["participation"], *kappa]
        ours += members.loc["majority", ["accuracy", "if_independent"]].tolist()
        digits = (3, 2, 2, 1, 3, 3, 3, 3, 3)
        assert [round(float(value), digit) for value, digit in zip(ours, digits, strict=True)] == list(numbers)


@needs_dl23
def test_labels_outside_the_scale_are_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"'RMITIR-llama70B' uses the label 5, and 'reference' labels from 0 to 3"):
        estimate_panel(judges("dl23"), rel=2, error_kind="grade")


def nested(labels: Any, topics: int) -> dict[str, dict[str, int]]:
    """Labels of documents that are dealt out to topics in turn."""
    pool: dict[str, dict[str, int]] = {f"t{topic:02}": {} for topic in range(topics)}
    for document, label in enumerate(labels):
        pool[f"t{document % topics:02}"][f"d{document}"] = int(label)
    return pool


def named(labels: Any, topics: int = 4) -> dict[str, dict[str, dict[str, int]]]:
    """The reference (the first column) and judges a, b, ..."""
    columns = np.asarray(labels).T
    return {name: nested(column, topics) for name, column in zip(("reference", *"abcdefgh"), columns, strict=False)}


def quiet(labels: Any, **options: Any) -> Panel:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimate_panel(named(labels), **{"resamples": 20, **options})


panels = st.integers(2, 5).flatmap(lambda m: arrays(np.int64, (40, m + 1), elements=st.integers(0, 3)))


@examples(30)
@given(panels, st.randoms())
def test_laws_of_effective_numbers(labels: Any, random: Any) -> None:
    found = quiet(labels)
    table = found.effective.set_index("given")
    for given_, column in (("none", "correlation"), ("reference", "correlation_given")):
        line, pairs = table.loc[given_], found.errors[column].to_numpy()
        m, total = line["judges"], 2 * pairs.sum()
        if m < 2 or np.isnan(line["rho"]):
            continue
        assert line["rho"] == pytest.approx(pairs.mean(), abs=1e-12)
        if m + total > 1e-6:
            assert line["n_eff"] == pytest.approx(m**2 / (m + total))
        if (pairs >= 0).all():
            assert line["participation"] >= line["n_eff"] - 1e-9
        assert not line["rho_low"] > line["rho"]
        assert not line["rho_high"] < line["rho"]
    order = list(range(1, labels.shape[1]))
    random.shuffle(order)
    again = quiet(labels[:, [0, *order]]).effective
    assert again.drop(columns="given").to_numpy() == pytest.approx(
        found.effective.drop(columns="given").to_numpy(), rel=1e-7, abs=1e-9, nan_ok=True
    )
    recoded = np.where(labels[:, 1:] >= 2, 2 + (labels[:, 1:] * 7) % 5, labels[:, 1:])
    level = {"rel": 2}
    other = quiet(np.column_stack([labels[:, 0], recoded]), **level)
    assert other.effective.equals(quiet(labels, **level).effective)


@examples(30)
@given(panels)
def test_laws_of_combined_labels(labels: Any) -> None:
    every = {name: pool for name, pool in named(labels).items() if name != "reference"}
    votes = labels[:, 1:] >= 1
    by_document = {f"d{row}": number for number, row in enumerate(range(len(labels)))}

    def combined(method: Any, **options: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = combine_labels(every, method, **options).labels
        out = np.empty(len(labels))
        out[[by_document[document] for document in table["document"]]] = table["label"]
        return out

    assert (combined("majority") == (votes.mean(axis=1) > 0.5)).all()
    assert (combined("majority", vote_ties="high") == (votes.mean(axis=1) >= 0.5)).all()
    assert (combined("votes") == votes.sum(axis=1)).all()
    assert (combined("mean") == np.floor(labels[:, 1:].mean(axis=1) + 0.5)).all()
    assert (combined("median") == np.quantile(labels[:, 1:], 0.5, axis=1, method="inverted_cdf")).all()
    for method in ("plurality", "median", "dawid-skene"):
        options = {"label_scale": "grade"} if method == "dawid-skene" else {}
        assert set(combined(method, **options)) <= set(np.unique(labels[:, 1:]))


def test_one_judge_is_its_own_combination() -> None:
    judge = nested([0, 1, 2, 3, 0, 0, 1, 3], 2)
    for method in ("plurality", "median", "mean"):
        assert combine_labels({"a": judge}, method).qrels.to_dict() == judge  # type: ignore[arg-type]
    binary = {topic: {doc: float(label >= 2) for doc, label in pool.items()} for topic, pool in judge.items()}
    for method in ("majority", "votes", "dawid-skene"):
        assert combine_labels({"a": judge}, method, rel=2).qrels.to_dict() == binary  # type: ignore[arg-type]


def test_a_judge_without_errors_is_left_out_and_named() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 60)
    flips = [np.where(rng.random(60) < 0.2, 1 - truth, truth) for _ in range(3)]
    same = pytest.warns(CranfieldWarning, match="'reference' and 'a' hold the same judgments: is one judge here twice")
    with same, pytest.warns(CranfieldWarning, match="a.* without errors"):
        found = estimate_panel(named(np.column_stack([truth, truth, *flips])), resamples=20)
    assert found.faultless == ("a",)
    assert found.effective["judges"].tolist() == [3, 3]
    assert set(found.errors["judge"]) | set(found.errors["other"]) == {"b", "c", "d"}
    line = found.bias[found.bias["judge"] == "a"]
    assert (line[["bias", "over", "under", "bias_low", "bias_high"]] == 0).all(axis=None)
    assert found.members.set_index("labels_of").loc["a", "kappa"] == 1


def test_equal_judges_are_one() -> None:
    rng = np.random.default_rng(4)
    truth, judge = rng.integers(0, 2, (2, 60))
    found = quiet(np.column_stack([truth, judge, judge, judge])).effective.iloc[0]
    assert found["n_eff"] == pytest.approx(1.0)
    assert found["participation"] == pytest.approx(1.0)
    assert found["n_variance"] == pytest.approx(1.0)


def test_a_copy_does_not_raise_the_effective_number() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 200)
    shared = rng.random(200) < 0.15
    wrong = [shared | (rng.random(200) < 0.1) for _ in range(4)]
    columns = [truth, *(np.where(miss, 1 - truth, truth) for miss in wrong)]
    before = quiet(np.column_stack(columns))
    pairs = before.errors.set_index(["judge", "other"])["correlation"]
    mean = {name: pairs[[name in key for key in pairs.index]].mean() for name in "abcd"}
    nearest = max(mean, key=lambda name: mean[name])
    after = quiet(np.column_stack([*columns, columns[1 + "abcd".index(nearest)]]))
    assert after.effective["n_eff"].iloc[0] <= before.effective["n_eff"].iloc[0]


def test_a_noisy_reference_makes_independent_judges_look_dependent() -> None:
    """rho = (1 - 2e)^2 / (2 (1 - 2e + 2e^2)) for judges and a reference that err with chance e."""
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 2, 40_000)
    labels = np.where(rng.random((40_000, 5)) < 0.1, 1 - truth[:, None], truth[:, None])
    found = quiet(labels)
    assert found.effective["rho"].iloc[0] == pytest.approx(0.8**2 / (2 * (1 - 0.2 + 0.02)), abs=0.02)
    assert "perfectly independent judges" in found.note


def test_a_second_reference_takes_its_noise_out() -> None:
    rng = np.random.default_rng(7)
    labels = 5 + rng.integers(-2, 3, (8000, 1)) + rng.integers(-1, 2, (8000, 6))
    labels[:, 0][:2] = 0, 10
    one = quiet(labels[:, [0, *range(2, 6)]], error_kind="grade")
    two = quiet(labels, error_kind="grade", second_reference="a")
    assert one.effective["rho"].iloc[0] == pytest.approx(0.5, abs=0.05)
    assert two.effective["rho"].iloc[0] == pytest.approx(0.0, abs=0.05)
    assert two.effective["given"].tolist() == ["none"]


def test_constant_judges_have_no_correlation() -> None:
    rng = np.random.default_rng(8)
    truth, judge, other = rng.integers(0, 2, (3, 60))
    labels = np.column_stack([truth, np.ones(60), judge, other])
    with pytest.warns(CranfieldWarning, match="a.* do not vary within the classes"):
        found = estimate_panel(named(labels), resamples=20)
    assert np.isfinite(found.effective["rho"].iloc[0])
    assert np.isnan(found.effective["rho"].iloc[1])
    assert np.isnan(found.effective["n_eff"].iloc[1])


def test_documents_that_a_judge_lacks_are_left_out_and_counted() -> None:
    labels = np.random.default_rng(9).integers(0, 2, (40, 4))
    pools = named(labels)
    del pools["b"]["t00"]["d0"]
    pools["c"]["t01"]["unknown"] = 1
    found = estimate_panel(pools, resamples=20)
    assert (found.documents, found.left_out) == (39, 2)
    combined = combine_labels(pools, "majority", learn_from="reference")
    assert (combined.documents, combined.left_out) == (39, 2)


def test_one_topic_has_no_intervals() -> None:
    labels = np.random.default_rng(10).integers(0, 2, (40, 4))
    found = estimate_panel(named(labels, topics=1), resamples=20)
    assert np.isfinite(found.effective["rho"]).all()
    assert found.effective.filter(regex="_low|_high").isna().all(axis=None)
    assert found.drop[["low", "high"]].isna().all(axis=None)
    assert found.members.filter(regex="_low|_high").isna().all(axis=None)
    assert found.path["held_out"].isna().all()
    assert "weighted" not in found.members["labels_of"].tolist()


def test_two_judges_are_a_panel() -> None:
    labels = np.random.default_rng(11).integers(0, 2, (40, 3))
    found = quiet(labels)
    assert found.drop["n_eff"].tolist() == [1.0, 1.0]
    assert len(found.path) == 2


def test_votes_are_judgments_that_runs_can_be_scored_with(tmp_path: Path) -> None:
    labels = np.random.default_rng(12).integers(0, 2, (40, 4))
    found = combine_labels(named(labels), "votes", learn_from="reference").qrels
    assert found.name == "votes"
    cranfield.io.write(found, tmp_path / "votes.txt")
    assert cranfield.read_qrels(tmp_path / "votes.txt").to_dict() == found.to_dict()


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"second_reference": "a"}, UsageError, "second_reference=.* is for differences of labels"),
        ({"second_reference": "reference", "error_kind": "grade"}, UsageError, "is the reference already"),
        ({"reference": "nobody"}, UsageError, "no judge is called 'nobody'"),
        ({"error_kind": "rank"}, UsageError, "error_kind"),
        ({"level": 1.5}, UsageError, "level"),
        ({"resamples": 0}, UsageError, "resamples"),
        ({"rel": {"nobody": 2}}, UsageError, "rel= names 'nobody'"),
    ],
)
def test_panels_refuse(options: dict[str, Any], error: type[Exception], text: str) -> None:
    labels = np.random.default_rng(13).integers(0, 2, (40, 4))
    with pytest.raises(error, match=text):
        estimate_panel(named(labels), **options)


def test_panels_of_one_and_without_common_documents_are_refused() -> None:
    labels = np.random.default_rng(14).integers(0, 2, (40, 3))
    with pytest.raises(UsageError, match="at least two judges beside the reference, and there is 1"):
        estimate_panel(named(labels[:, :2]))
    pools = named(labels) | {"b": {"t00": {"elsewhere": 1}}}
    with pytest.raises(InputError, match="no document was judged by all"):
        estimate_panel(pools)
    with pytest.raises(InputError, match="a judge is called 'majority'"):
        estimate_panel(named(labels) | {"majority": pools["a"]})


@pytest.mark.parametrize(
    ("method", "options", "text"),
    [
        ("weighted", {}, "weighted learns weights from a judge: name it by learn_from="),
        ("majority", {"label_scale": "grade"}, "majority combines relevant labels"),
        ("mean", {"label_scale": "relevant"}, "mean combines grade labels"),
        ("dawid-skene", {"smoothing": -1}, "smoothing=-1"),
        ("dawid-skene", {"smoothing": float("nan")}, "smoothing=nan"),
        ("best", {}, "best"),
        ("majority", {"vote_ties": "random"}, "vote_ties"),
    ],
)
def test_combinations_refuse(method: Any, options: dict[str, Any], text: str) -> None:
    labels = np.random.default_rng(15).integers(0, 2, (40, 4))
    with pytest.raises(UsageError, match=text):
        combine_labels(named(labels), method, **options)
    if method == "weighted":
        with pytest.raises(UsageError, match="there is 1 topic"):
            combine_labels(named(labels, topics=1), method, learn_from="reference")


def test_a_judge_without_relevant_documents_is_warned_of() -> None:
    labels = np.random.default_rng(16).integers(0, 2, (40, 4))
    labels[:, 2] = 0
    with pytest.warns(CranfieldWarning, match="'b' has no label of 1 or more"):
        combine_labels(named(labels))


def test_the_certainty_of_a_model_comes_with_its_warning() -> None:
    labels = np.random.default_rng(17).integers(0, 2, (40, 4))
    found = combine_labels(named(labels), "dawid-skene")
    assert "is not a probability" in found.note
    assert 0.5 <= found.certainty <= 1
    assert combine_labels(named(labels)).note == ""


def test_labels_that_are_whole_numbers_are_shown_whole() -> None:
    judged = {"q": {"a": 0, "b": 1, "c": 2}}
    shown = repr(combine_labels({"one": judged, "two": judged}, "median"))
    assert [line.split()[2] for line in shown.splitlines()[3:6]] == ["0", "1", "2"]


@pytest.mark.parametrize("analysis", [combine_labels, compare_labels, estimate_panel])
def test_more_labels_than_fit_into_the_memory_allowed_are_refused(
    analysis: Callable[[Any], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRANFIELD_MEMORY", "10000")
    with pytest.raises(InputError, match=r"120 labels of 3 judges would take 36\.0 kB of memory, of 10\.0 kB allowed"):
        analysis(named(np.random.default_rng(1).integers(0, 2, (40, 3))))


def test_a_panel_reports_its_tables() -> None:
    steps: list[tuple[int, int]] = []
    panel = estimate_panel(
        named(np.random.default_rng(1).integers(0, 2, (40, 3))), progress=lambda done, of: steps.append((done, of))
    )
    assert [done for done, _ in steps] == [0, 2, 3, 4, 5, 6]
    assert {of for _, of in steps} == {len(panel.table_columns)}
