"""Measures as other tools compute them: their numbers, what they reward, and the names under which they are found."""

from __future__ import annotations

import random

import pytest
from click.testing import CliRunner
from sklearn.metrics import average_precision_score

import cranfield
from cranfield.cli import app
from cranfield.errors import MeasureError
from cranfield.measures import parse_measure


def ragas(verdicts: list[int]) -> float:
    """The formula on the page of ragas' context precision, without its 1e-10."""
    precisions = [sum(verdicts[:rank]) / rank * verdict for rank, verdict in enumerate(verdicts, 1)]
    return sum(precisions) / sum(verdicts) if sum(verdicts) else 0.0


def elasticsearch(ratings: list[int | None], ignore_unlabeled: bool) -> float:
    """Precision of the first k hits as documented for ``_rank_eval``: unlabeled ones are left out or not."""
    kept = [rating for rating in ratings if rating is not None or not ignore_unlabeled]
    return sum((rating or 0) >= 1 for rating in kept) / len(kept) if kept else 0.0


def value(measure: str, ranked: list[str], judged: dict[str, int]) -> float:
    return cranfield.Scorer({"q": judged}, measure)({"q": ranked})[str(parse_measure(measure))]


def drawn(seed: int) -> tuple[list[str], dict[str, int]]:
    chance = random.Random(seed)
    names = [f"d{number}" for number in range(12)]
    judged = {name: chance.randint(0, 1) for name in chance.sample(names, 8)}
    return chance.sample(names, chance.randint(1, 10)), judged | {"sure": 1}


@pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
@pytest.mark.parametrize("seed", range(40))
def test_numbers_of_other_tools(seed: int) -> None:
    ranked, judged = drawn(seed)
    ratings = [judged.get(name) for name in ranked]
    for cutoff in (1, 3, 20):
        verdicts = [rating or 0 for rating in ratings[:cutoff]]
        assert value(f'AP(denominator="retrieved")@{cutoff}', ranked, judged) == pytest.approx(ragas(verdicts))
        if sum(verdicts):
            peer = average_precision_score(verdicts, [-rank for rank in range(len(verdicts))])
            assert value(f'AP(denominator="retrieved")@{cutoff}', ranked, judged) == pytest.approx(peer)
        for denominator, ignore in (("retrieved", False), ("judged", True)):
            found = value(f'P(denominator="{denominator}")@{cutoff}', ranked, judged)
            assert found == pytest.approx(elasticsearch(ratings[:cutoff], ignore))


@pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
def test_a_topic_without_relevant_documents_counts_1() -> None:
    judged = {"q1": {"a": 1, "b": 1}, "q2": {"a": 0, "b": 0}, "q3": {"b": 0}}
    run = {"q1": {"a": 2.0, "c": 1.0, "b": 0.5}, "q2": {"a": 1.0}}  # q3 has no document
    scores = cranfield.evaluate(run, judged, ['AP(no_relevant="one")', 'nDCG(no_relevant="one")@10'])
    assert scores['AP(no_relevant="one")'].values.ravel().tolist() == pytest.approx([5 / 6, 1, 1])
    assert scores['nDCG(no_relevant="one")@10'].values.ravel().tolist()[1:] == [1, 1]
    usual = cranfield.evaluate({"q1": run["q1"]}, {"q1": judged["q1"]}, "nDCG@10")["nDCG@10"].item()
    assert scores['nDCG(no_relevant="one")@10'].values.ravel()[0] == usual


@pytest.mark.parametrize(
    ("measure", "rewards"),
    [
        ('AP(denominator="retrieved")', "rewards lists that find few relevant documents"),
        ('P(denominator="retrieved")@2', "rewards short lists"),
        ('P(denominator="judged")@2', "rewards documents that nobody judged"),
        ('AP(no_relevant="one")', "gives 1 to every system in a topic without relevant documents"),
        ('nDCG(no_relevant="one")@2', "gives 1 to every system in a topic without relevant documents"),
    ],
)
def test_what_a_variant_rewards_is_said(measure: str, rewards: str) -> None:
    with pytest.warns(UserWarning, match=rewards):
        cranfield.evaluate({"q": {"a": 1.0}}, {"q": {"a": 1, "b": 0}}, measure)


@pytest.mark.parametrize(
    ("name", "measure", "written"),
    [
        ("context precision", "AP", 'AP(denominator="retrieved")'),
        ("context_precision@5", "AP", 'AP(denominator="retrieved")@5'),
        ("ignore_unlabeled", "P", 'P(denominator="judged")'),
        ("nDCG of LightGBM", "nDCG", 'nDCG(no_relevant="one")'),
    ],
)
def test_they_are_found_by_the_names_of_other_tools(name: str, measure: str, written: str) -> None:
    page = CliRunner().invoke(app, ["measures", name])
    assert page.exit_code == 0
    assert page.stdout.startswith(f"{measure}(")
    with pytest.raises(MeasureError) as refused:
        parse_measure(name)
    assert f"other tools call {written} so" in str(refused.value)


@pytest.mark.parametrize("measure", ['P(denominator="judged")@2', 'AP(denominator="retrieved")@2'])
def test_without_a_best_order_of_ties_they_say_so(measure: str) -> None:
    tied = {"q": {"a": 1.0, "b": 1.0}}
    with pytest.raises(MeasureError, match="no known best order"):
        cranfield.evaluate(tied, {"q": {"a": 1}}, measure, ties="bounds")
    with pytest.raises(MeasureError, match="no closed form"):
        cranfield.evaluate(tied, {"q": {"a": 1}}, measure, ties="expected")
    assert not parse_measure('AP(denominator="retrieved")').is_consistent
    assert parse_measure('AP(denominator="min")').is_consistent
