"""Judges weighed by their errors: by enumeration of all truths, by direct likelihood, and by simulation."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.collection import Preferences
from cranfield.information import weigh_judges
from effort import examples

Labels = dict[str, dict[str, dict[str, int]]]


def drawn(seed: int, judges: int = 3, topics: int = 2, documents: int = 4) -> Labels:
    rng = np.random.default_rng(seed)
    labels = {
        f"judge{judge}": {
            str(topic): {f"d{n}": int(rng.integers(0, 3)) for n in range(documents) if rng.random() < 0.8}
            for topic in range(topics)
        }
        for judge in range(judges)
    }
    for pool in labels.values():
        for topic in pool.values():
            topic |= {"d0": 0, "d1": 1}
    return labels


def votes(labels: Labels, names: list[str]) -> dict[str, list[tuple[int, ...]]]:
    """Topic -> what each judge says of each pair of which one prefers a document."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for topic in sorted({topic for pool in labels.values() for topic in pool}):
        documents = sorted({document for pool in labels.values() for document in pool[topic]})
        for one, other in combinations(documents, 2):
            says = []
            for name in names:
                pool = labels[name][topic]
                known = one in pool and other in pool
                says.append((pool[one] > pool[other]) - (pool[one] < pool[other]) if known else 0)
            if any(says):
                found.setdefault(topic, []).append(tuple(says))
    return found


def chance(says: dict[int, int], errors: list[float], truth: int) -> float:
    """P(answers, T = truth); a judge who says nothing says nothing of T."""
    p = 0.5
    for judge, sign in says.items():
        p *= 1 if sign == 0 else 1 - errors[judge] if sign == truth else errors[judge]
    return p


def entropy_of_truth(says: dict[int, int], errors: list[float]) -> float:
    parts = [chance(says, errors, truth) for truth in (1, -1)]
    return -sum(part / sum(parts) * log2(part / sum(parts)) for part in parts if part)


def adds(says: tuple[int, ...], judge: int, errors: list[float]) -> float:
    """H(T | Q_A) - H(T | Q_A, Q_B), over both answers of B."""
    if says[judge] == 0:
        return 0.0
    others = {other: sign for other, sign in enumerate(says) if other != judge}
    total = sum(chance(others, errors, truth) for truth in (1, -1))
    after = 0.0
    for answer in (1, -1):
        with_it = {**others, judge: answer}
        p = sum(chance(with_it, errors, truth) for truth in (1, -1)) / total
        after += p * entropy_of_truth(with_it, errors)
    return entropy_of_truth(others, errors) - after


@examples(60)
@given(seed=st.integers(0, 10_000))
def test_what_a_judge_adds_is_that_of_all_truths_and_answers(seed: int) -> None:
    labels = drawn(seed)
    found = weigh_judges(labels).judges.set_index("judge")
    names = list(labels)
    errors = [float(found.loc[name, "error"]) for name in names]
    told = votes(labels, names)
    for judge, name in enumerate(names):
        by_topic = [np.mean([adds(says, judge, errors) for says in pairs]) for pairs in told.values()]
        assert found.loc[name, "adds"] == pytest.approx(np.mean(by_topic), abs=1e-12)
        assert found.loc[name, "standard_error"] == pytest.approx(np.std(by_topic, ddof=1) / 2**0.5, abs=1e-12)
        assert found.loc[name, "weight"] == pytest.approx(log2((1 - errors[judge]) / errors[judge]), abs=1e-12)
        says = [pair[judge] for pairs in told.values() for pair in pairs]
        assert found.loc[name, "pairs"] == sum(map(abs, says))
        shared = [pair[judge] for pairs in told.values() for pair in pairs if sum(map(abs, pair)) > 1]
        assert found.loc[name, "shared"] == sum(map(abs, shared))


@examples(30)
@given(seed=st.integers(0, 10_000))
def test_errors_are_where_the_likelihood_has_no_slope(seed: int) -> None:
    """With half an error and half a right answer added, by differences of the log likelihood of shared pairs."""
    labels = drawn(seed, judges=4, topics=3, documents=6)
    found = weigh_judges(labels).judges.set_index("judge")
    names = list(labels)
    errors = [float(found.loc[name, "error"]) for name in names]
    shared = [says for pairs in votes(labels, names).values() for says in pairs if sum(map(abs, says)) > 1]

    def likelihood(errors: list[float]) -> float:
        data = sum(np.log(sum(chance(dict(enumerate(says)), errors, truth) for truth in (1, -1))) for says in shared)
        return float(data + 0.5 * sum(np.log(e) + np.log(1 - e) for e in errors))

    for judge, error in enumerate(errors):
        step = 1e-5 * min(error, 1 - error)
        low, high = ([*errors[:judge], error + sign * step, *errors[judge + 1 :]] for sign in (-1, 1))
        slope = (likelihood(high) - likelihood(low)) / (2 * step)
        assert abs(slope) * error * (1 - error) < 1e-3


@examples(30)
@given(seed=st.integers(0, 10_000))
def test_with_a_reference_errors_are_shares_and_bits_are_measured_on_other_topics(seed: int) -> None:
    labels = drawn(seed, topics=3, documents=5)
    result = weigh_judges(labels, reference="judge2", cost={"judge0": 4})
    names = ["judge0", "judge1", "judge2"]
    told = {topic: [says for says in pairs if says[2]] for topic, pairs in votes(labels, names).items()}

    def errors(topics: list[str]) -> list[float]:
        shared = [says for topic in topics for says in told[topic]]
        told_by = [[says for says in shared if says[judge]] for judge in (0, 1)]
        return [
            (sum(says[judge] != says[2] for says in known) + 0.5) / (len(known) + 1)
            for judge, known in zip((0, 1), told_by, strict=True)
        ]

    table = result.judges.set_index("judge")
    assert table["error"][["judge0", "judge1"]].tolist() == pytest.approx(errors(list(told)), abs=1e-14)
    assert (table["adds_per_cost"] * table["cost"]).tolist() == pytest.approx(table["adds"].tolist())
    assert table["cost"].to_dict() == {"judge0": 4.0, "judge1": 1.0}
    measured = []
    for topic, pairs in told.items():
        learned = errors([other for other in told if other != topic])
        parts = [[chance(dict(enumerate(says[:2])), learned, t) for t in (says[2], -says[2])] for says in pairs]
        measured.append(np.mean([1 + log2(right / (right + wrong)) for right, wrong in parts]))
    assert result.path["measured"].iloc[-1] == pytest.approx(np.mean(measured), abs=1e-12)
    assert result.path["adds"].sum() >= 0


@examples(10)
@given(seed=st.integers(0, 10_000))
def test_each_step_of_a_path_by_fractions(seed: int) -> None:
    """Errors and chances of truths in fractions, logarithms of them alone in doubles."""
    labels = drawn(seed, judges=4, topics=3, documents=5)
    result = weigh_judges(labels, reference="judge3", cost={"judge1": 3})
    table, costs = result.judges.set_index("judge"), {0: 1, 1: 3, 2: 1}
    told = {topic: [says for says in pairs if says[3]] for topic, pairs in votes(labels, list(labels)).items()}

    def learn(topics: list[str]) -> list[Fraction]:
        known = [[says for topic in topics for says in told[topic] if says[judge]] for judge in range(3)]
        wrong = [sum(says[judge] != says[3] for says in pairs) for judge, pairs in enumerate(known)]
        return [Fraction(2 * count + 1, 2 * len(pairs) + 2) for count, pairs in zip(wrong, known, strict=True)]

    def truth(says: tuple[int, ...], judges: list[int], errors: list[Fraction], answer: int) -> Fraction:
        """P(T = answer), given what these judges say."""
        likely = {1: Fraction(1, 2), -1: Fraction(1, 2)}
        for judge, t in product(judges, likely):
            likely[t] *= 1 if not says[judge] else 1 - errors[judge] if says[judge] == t else errors[judge]
        return likely[answer] / sum(likely.values())

    def entropy(p: Fraction) -> float:
        return -sum(float(q) * log2(q) for q in (p, 1 - p) if q)

    def mean(value: Callable[[str, tuple[int, ...]], float]) -> float:
        return float(np.mean([np.mean([value(topic, says) for says in pairs]) for topic, pairs in told.items()]))

    def gain(judge: int, others: list[int]) -> float:
        def of_pair(_: str, says: tuple[int, ...]) -> float:
            p, e = truth(says, others, errors, 1), errors[judge]
            return entropy(p * (1 - e) + (1 - p) * e) - entropy(e) if says[judge] else 0.0

        return mean(of_pair)

    errors = learn(list(told))
    without = {topic: learn([other for other in told if other != topic]) for topic in told}
    for judge in range(3):
        row = table.loc[f"judge{judge}"]
        others = [other for other in range(3) if other != judge]
        assert row["bits"] == pytest.approx(gain(judge, []), abs=1e-12)
        assert row["adds"] == pytest.approx(gain(judge, others), abs=1e-12)
        assert row["shared"] == sum(bool(says[judge]) for pairs in told.values() for says in pairs)
    chosen: list[int] = []
    for _, step in result.path.iterrows():
        gains = {judge: gain(judge, chosen) for judge in range(3) if judge not in chosen}
        added = int(step["added"].removeprefix("judge"))
        assert gains[added] / costs[added] == pytest.approx(max(gains[at] / costs[at] for at in gains), abs=1e-12)
        chosen.append(added)
        assert (step["size"], step["cost"]) == (len(chosen), sum(costs[judge] for judge in chosen))
        assert step["adds"] == pytest.approx(gains[added], abs=1e-12)
        assert step["bits"] == pytest.approx(
            mean(lambda _, says: 1 - entropy(truth(says, chosen, errors, 1))), abs=1e-12
        )
        right = mean(lambda topic, says: 1 + log2(truth(says, chosen, without[topic], says[3])))
        assert step["measured"] == pytest.approx(right, abs=1e-12)


def test_known_errors_are_found_again() -> None:
    """Independent judges of 4,500 pairs, who err in 5, 20 and 35 % of them, without anybody's truth."""
    rng = np.random.default_rng(7)
    known = {"careful": 0.05, "usual": 0.2, "hasty": 0.35}
    stated: dict[str, list[tuple[str, str, str]]] = {name: [] for name in known}
    for topic, (one, other) in product(range(100), combinations(range(10), 2)):
        for name, error in known.items():
            better, worse = (other, one) if rng.random() < error else (one, other)
            stated[name].append((str(topic), f"d{better}", f"d{worse}"))
    found = weigh_judges({name: Preferences.of(rows) for name, rows in stated.items()}).judges.set_index("judge")
    assert found["error"].to_dict() == pytest.approx(known, abs=0.03)
    assert found.index.tolist() == ["careful", "usual", "hasty"]


def test_a_judge_who_says_what_others_say_adds_least() -> None:
    """The paper's case: many pairs of one hasty source do not outweigh a few of careful people."""
    truth = {f"d{n}": n for n in range(8)}
    people = {"q": truth, "r": truth}
    noisy = {topic: {**truth, "d0": 7, "d7": 0} for topic in people}
    with pytest.warns(CranfieldWarning, match="'one' and 'two' hold the same judgments: is one judge here twice"):
        found = weigh_judges({"one": people, "two": people, "noisy": noisy}).judges.set_index("judge")
    assert found["error"]["one"] < 0.02 < found["error"]["noisy"]
    assert found["adds"].idxmin() == "noisy"


def test_an_unknown_judge_and_judges_who_share_nothing_are_refused() -> None:
    labels = drawn(1)
    with pytest.raises(UsageError, match="'x' is not the name of a judge"):
        weigh_judges(labels, reference="x")
    with pytest.raises(UsageError, match="two judges or more are weighed beside the reference"):
        weigh_judges({name: labels[name] for name in ("judge0", "judge1")}, reference="judge0")
    with pytest.raises(UsageError, match=r"cost.* names 'x'"):
        weigh_judges(labels, cost={"x": 2})
    with pytest.raises(InputError, match="all labels of each topic are equal"):
        weigh_judges({"a": {"q": {"d": 1, "e": 1}}, "b": {"q": {"d": 1}}})
    with pytest.raises(InputError, match="no two judges prefer a document of the same pair"):
        weigh_judges({"a": {"q": {"d": 1, "e": 0}}, "b": {"q": {"f": 1, "g": 0}}})


def test_the_command_prints_what_the_function_computes(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    from click.testing import CliRunner

    from cranfield.cli import app

    monkeypatch.chdir(tmp_path)
    labels = drawn(3)
    for name, pool in labels.items():
        lines = [f"{topic} 0 {document} {label}" for topic, row in pool.items() for document, label in row.items()]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    files = [f"{name}.txt" for name in labels]
    told = CliRunner().invoke(app, ["information", "judges", *files, "--cost", "judge1=4", "-o", "out.csv"])
    assert told.exit_code == 0, told.output
    expected = cranfield.information.weigh_judges(labels, cost={"judge1": 4}).judges
    assert [line.split(",")[0] for line in (tmp_path / "out.csv").read_text().splitlines()[1:]] == expected[
        "judge"
    ].tolist()


def test_the_signature_names_each_judge_by_its_own_judgments() -> None:
    """With a reference that was not the last, judges had the hashes of one another."""
    right = {f"d{number}": number % 3 for number in range(6)}
    labels = {name: {"q": right | {f"d{at}": 2}} for at, name in enumerate(("first", "second", "third"))}
    signed = [weigh_judges(labels, reference=name).signature["judges"] for name in labels]
    assert signed[0] == signed[1] == signed[2] and len({judge["sha256"] for judge in signed[0].values()}) == 3


def test_pairs_beyond_the_memory_allowed_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_MEMORY", "10000")
    labels = {"q": {f"d{n}": n % 2 for n in range(60)}}
    with pytest.raises(
        InputError, match=r"1,770 pairs of documents of 3 judges would take 0.2 MB of memory, of 10.0 kB"
    ):
        weigh_judges(dict.fromkeys("abc", labels))
