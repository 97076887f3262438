"""Parameters, cutoffs, labels and intents without measure: a value, or a refusal, and never the memory of a cutoff."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from click.testing import CliRunner

import cranfield
from cranfield import InputOptions, Qrels, Run, nDCG, parse_measures
from cranfield.cli import app
from cranfield.errors import MeasureError
from cranfield.scoring import score

QRELS = Qrels.from_dict({"1": {"a": 1, "b": 0, "c": 2}, "2": {"d": 1}})
RUN = Run.from_dict({"1": {"a": 3.0, "u": 2.0, "c": 1.0}, "2": {"u": 2.0, "d": 1.0}})


def value(measure: str) -> list[float]:
    return score(RUN, QRELS, measure).values.ravel().tolist()


@pytest.mark.parametrize(
    "name", ["SDCG", "NERR8", "NERR9", "CWL_P", "CWL_RBP(depth={})", "INST(depth={})", "CWL_AP(residual=True,depth={})"]
)
@pytest.mark.parametrize("ranks", [10**9, 2**63 - 1])
def test_attention_is_not_shared_among_ranks_without_number(name: str, ranks: int) -> None:
    measure = name.format(ranks) if "{}" in name else f"{name}@{ranks}"
    with pytest.raises(MeasureError, match=rf"among {ranks:,} ranks: choose a depth or cutoff of at most 4,194,304$"):
        value(measure)


@pytest.mark.parametrize(
    "measure", ["INST(T=1e308)", "INSQ(T=1e308)", "NERR11(T=1e308)", "Utility(a=1e308)", "TBG(h=5e-324)"]
)
def test_numbers_that_become_too_large_are_refused(measure: str) -> None:
    with pytest.raises(MeasureError, match="numbers become too large to calculate with"):
        value(measure)


def test_a_large_number_prints_as_it_is_written() -> None:
    (measure,) = parse_measures("INST(T=1e300)")
    assert str(measure) == "INST(T=1e+300)"
    assert parse_measures(str(measure)) == [measure]


def test_a_large_cutoff_costs_no_memory_in_intervals_and_open_ties() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    table = score(RUN, QRELS, ["nDCG@1000000000", "nDCG"], bounds=True)
    assert table.lower is not None
    assert table.upper is not None
    assert table.lower[0].tolist() == table.lower[1].tolist()
    assert table.upper[0].tolist() == table.upper[1].tolist()
    reading = InputOptions(ties="expected")
    for name in ("RBP@{}", "RR@{}", "nDCG@{}"):
        far, near = (score(RUN, QRELS, name.format(k), reading=reading).values for k in (2**63 - 1, 1000))
        assert far.tolist() == near.tolist()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 100_000


def test_an_ideal_list_of_the_largest_labels_has_all_of_gap() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1e308, "b": 1e308}})
    assert score(Run.from_dict({"1": {"a": 2.0, "b": 1.0}}), qrels, "GAP").values.tolist() == [[[1.0]]]


@pytest.mark.parametrize("ideal", ["greedy", "exact"])
def test_many_intents_take_as_much_memory_as_they_have_judgments(ideal: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    number = 4000  # a table of documents and intents would hold 16,000,000 numbers
    path = tmp_path / "qrels"
    path.write_text("".join(f"1 {at} d{at // 2} 1\n1 {at} e{at} 1\n" for at in range(number)))
    run = Run.from_dict({"1": {f"d{at}": -float(at) for at in range(20)}})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = score(run, str(path), f'alpha-nDCG(ideal="{ideal}")@20')
    # Every list of twenty documents that have two intents each, all different, is the best.
    assert found.values.ravel().tolist() == pytest.approx([1.0])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 700_000


def test_a_second_cutoff_is_refused() -> None:
    for make in (lambda: nDCG @ 10 @ 20, lambda: nDCG(cutoff=10) @ 20):
        with pytest.raises(MeasureError, match=r"^nDCG@10: cutoff is given twice, the second time as @20$"):
            make()
    for text in ("nDCG@10@20", "nDCG(cutoff=10)@20"):
        with pytest.raises(MeasureError):
            parse_measures(text)


def test_trec_evals_nicknames() -> None:
    with pytest.warns(
        cranfield.CranfieldWarning, match="^official: left out, as there is no such measure here: runid$"
    ):
        official = parse_measures("official")
    assert [cranfield.measures.trec_name(measure) for measure in official][:9] == [
        *("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank")
    ]
    assert len(official) == 9 + 11 + 9
    with pytest.warns(cranfield.CranfieldWarning, match="no such measure here: runid, relstring, rbp, rbp_resid$"):
        everything = parse_measures("all_trec")
    assert len(set(map(str, everything))) >= 90
    with pytest.warns(cranfield.CranfieldWarning, match="runid$"):
        assert len(parse_measures("set")) == 10
    with pytest.raises(MeasureError, match=r"^relstring of trec_eval is not a number"):
        parse_measures("relstring.10")


@pytest.mark.parametrize("nickname", ["official", "set", "all_trec"])
def test_nicknames_name_what_pytrec_eval_says(nickname: str, tmp_path: Path) -> None:
    import pytrec_eval

    (tmp_path / "qrels.txt").write_text("q 0 d 1\n")
    (tmp_path / "x.run").write_text("q Q0 d 1 1.0 x\n")
    call = ["trec_eval", "-m", nickname, str(tmp_path / "qrels.txt"), str(tmp_path / "x.run")]
    ours = {line.split()[0] for line in CliRunner().invoke(app, call, catch_exceptions=False).stdout.splitlines()}
    theirs = set(pytrec_eval.RelevanceEvaluator({"q": {"d": 1}}, {nickname}).evaluate({"q": {"d": 1.0}})["q"])
    new = {"rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"}  # of version 10; pytrec_eval is version 9
    assert ours - new == theirs - {"relstring"}  # which only single topics have
    assert new <= ours or nickname != "all_trec"
