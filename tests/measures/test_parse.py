"""The grammar of measure names, and what it answers to a slip."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import AP, RR, IPrec, Measure, NumQ, P, R, Success, Unjudged, nDCG, parse_measure, parse_measures
from cranfield.errors import MeasureError
from cranfield.measures import aliases, registry, trec_name

TREC_CUTOFFS = [5, 10, 15, 20, 30, 100, 200, 500, 1000]


@pytest.mark.parametrize(
    ("text", "canonical"),
    {
        "nDCG@10": "nDCG@10",
        "NDCG@10": "nDCG@10",
        " nDCG @ 10 ": "nDCG@10",
        "nDCG(cutoff=10)": "nDCG@10",
        "nDCG@None": "nDCG",
        'nDCG(dcg="log2")@10': "nDCG@10",
        "nDCG(dcg='exp-log2', gains={0:0,1:10})@10": 'nDCG(dcg="exp-log2",gains={0:0,1:10})@10',
        "nDCG(gains={1:10,0:0})@10": "nDCG(gains={0:0,1:10})@10",
        "nDCG(gains={1:10.0,-1:0.5})": "nDCG(gains={-1:0.5,1:10})",
        "AP(rel=1)": "AP",
        "AP(rel=2.0)@1000": "AP(rel=2)@1000",
        "MAP": "AP",
        "MRR@10": "RR@10",
        "RPrec": "Rprec",
        "BPref": "Bpref",
        "Recall@5": "R@5",
        "Precision(rel=2)@5": "P(rel=2)@5",
        "IPrec@0.1": "IPrec@0.1",
        "IPrec(recall=0.10)": "IPrec@0.1",
        "ElevenPoint": "11pt",
        "11pt": "11pt",
        "RBP(p=0.95,rel=2)@10": "RBP(p=0.95,rel=2)@10",
        "ERR(max_rel=None)@20": "ERR(max_rel=None)@20",
        "SetP(relative=True,judged_only=True)": "SetP(relative=True,judged_only=True)",
        "map": "AP",
        "map_cut_10": "AP@10",
        "gm_map": "GMAP",
        "ndcg": "nDCG",
        "ndcg_cut_10": "nDCG@10",
        "ndcg_cut.10": "nDCG@10",
        "P_5": "P@5",
        "P.5": "P@5",
        "recall_1000": "R@1000",
        "recip_rank": "RR",
        "bpref": "Bpref",
        "iprec_at_recall_0.10": "IPrec@0.1",
        "iprec_at_recall_.10": "IPrec@0.1",
        "iprec_at_recall_1.00": "IPrec@1",
        "iprec_at_recall.0.5": "IPrec@0.5",
        "11pt_avg": "11pt",
        "success_1": "Success@1",
        "set_P": "SetP",
        "set_relative_P": "SetP(relative=True)",
        "set_recall": "SetR",
        "set_map": "SetAP",
        "set_F": "SetF",
        "set_F_0.5": "SetF(beta=0.5)",
        "unj_10": "Unjudged@10",
        "infAP": "infAP",
        "num_rel_ret": "NumRelRet",
        "num_q": "NumQ",
    }.items(),
)
def test_a_name_and_its_canonical_form(text: str, canonical: str) -> None:
    measure = parse_measure(text)
    assert str(measure) == repr(measure) == canonical
    assert parse_measure(canonical) == measure


@pytest.mark.parametrize(
    ("text", "measures"),
    {
        "P": [P @ cutoff for cutoff in TREC_CUTOFFS],
        "recall": [R @ cutoff for cutoff in TREC_CUTOFFS],
        "ndcg_cut": [nDCG @ cutoff for cutoff in TREC_CUTOFFS],
        "map_cut": [AP @ cutoff for cutoff in TREC_CUTOFFS],
        "success": [Success @ cutoff for cutoff in (1, 5, 10)],
        "unj": [Unjudged @ cutoff for cutoff in (5, 10, 20)],
        "iprec_at_recall": [IPrec @ (level / 10) for level in range(11)],
        "P.5,10": [P @ 5, P @ 10],
        "P_5,10": [P @ 5, P @ 10],
        "ndcg_cut.3,20,7": [nDCG @ 3, nDCG @ 20, nDCG @ 7],
        "iprec_at_recall.0.1,0.9": [IPrec @ 0.1, IPrec @ 0.9],
        "iprec_at_recall_.1,.9": [IPrec @ 0.1, IPrec @ 0.9],
        "RR": [RR],
        "nDCG@10,AP": [nDCG @ 10, AP],
        "P.5,10, AP(rel=2, judged_only=True),P@3": [P @ 5, P @ 10, AP(rel=2, judged_only=True), P @ 3],
        "nDCG(gains={1:2,2:5})@3,RR": [nDCG(gains={1: 2, 2: 5}) @ 3, RR],
    }.items(),
)
def test_names_that_stand_for_several_measures(text: str, measures: list[Measure]) -> None:
    assert parse_measures(text) == measures


def test_one_measure_is_asked_for() -> None:
    with pytest.raises(MeasureError) as refused:
        parse_measure("P.5,10")
    assert str(refused.value) == "'P.5,10' stands for 2 measures: P@5, P@10"


@pytest.mark.parametrize(
    ("usual", "ours"),
    {
        "ndcg@10": "nDCG@10",
        "ndcg_at_10": "nDCG@10",
        "mrr@10": "RR@10",
        "MRR@10": "RR@10",
        "map@100": "AP@100",
        "ap(rel=2)": "AP(rel=2)",
        "recip_rank@10": "RR@10",
        "recall@100": "R@100",
        "Precision@5": "P@5",
        "p@10": "P@10",
        "hit_rate@10": "Success@10",
        "accuracy@10": "Success@10",
        "bpref": "Bpref",
        "r-precision": "Rprec",
        "R-Precision": "Rprec",
        "d#-ndcg@5": "D#-nDCG@5",
    }.items(),
)
def test_usual_spellings_are_read_and_results_have_the_name_here(usual: str, ours: str) -> None:
    assert str(parse_measure(usual)) == ours
    assert parse_measure(usual) == parse_measure(ours)


def test_every_measure_with_a_cutoff_may_be_written_in_small_letters() -> None:
    names = {name for name in registry if registry[name].at == "cutoff" and "cutoff" in registry[name].parameters}
    alone = {name for name in names if name.lower() not in {*registry, *aliases} - {name}}
    assert len(alone) > 60
    for name in alone:
        assert parse_measure(f"{name.lower()}@10") == parse_measure(f"{name}@10")


def test_a_usual_name_of_several_measures_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.measures.parse.OTHER_WORDS", {"q": "RR"})
    with pytest.raises(MeasureError, match=r"^'q' is the name of several measures: write RR@7 or Q@7$"):
        parse_measure("q@7")


@pytest.mark.parametrize(
    ("bare", "quoted"),
    {
        "D#-nDCG(ideal=reachable)@10": 'D#-nDCG(ideal="reachable")@10',
        "nDCG(dcg=exp-log2)@10": "nDCG(dcg='exp-log2')@10",
        "nDCG(discount=jk, b=2)@10": 'nDCG(discount="jk", b=2)@10',
    }.items(),
)
def test_a_word_needs_no_quotes(bare: str, quoted: str) -> None:
    """Which a shell takes away."""
    assert parse_measure(bare) == parse_measure(quoted)


LISTED = "(`cranfield measures` lists them)"


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "nDGC@10": f"there is no measure 'nDGC'; did you mean nDCG or Rndcg? {LISTED}",
        "BPREF": f"there is no measure 'BPREF'; did you mean Bpref? {LISTED}",
        "nDCG10": f"there is no measure 'nDCG10'; did you mean nDCG@10? {LISTED}",
        "MAP_10": f"there is no measure 'MAP_10'; did you mean AP@10? {LISTED}",
        "Novelty@10": "'Novelty' looks at what is shown and not at judgments of relevance, so that it is not a measure "
        "here; two lines of docs/recommenders.md compute it (of intents, coverage is I-rec)",
        "xyzzy": f"there is no measure 'xyzzy' {LISTED}",
        "nDCG(cutof=10)": "nDCG has no parameter 'cutof': did you mean cutoff?",
        "nDCG(x=1)": "nDCG has no parameter 'x': it has dcg, gains, discount, b, judged_only, negative, baseline, "
        "mean_gain, no_relevant, cutoff",
        "NumQ(x=1)": "NumQ has no parameter 'x': it has none",
        "Unjudged": None,
        "IPrec": "IPrec needs a recall, for example IPrec@0.1",
        "P(rel=2)": "P needs a cutoff, for example P@10",
        "R(rel=2)@None": "R needs a cutoff, for example R@10",
        "11pt@3": "11pt takes no @",
        "P@0": "P: cutoff=0 should be a whole number of at least 1",
        "P@-1": "P: cutoff=-1 should be a whole number of at least 1",
        "P@1.5": "P: cutoff=1.5 should be a whole number of at least 1",
        "P@True": "P: cutoff=True should be a whole number of at least 1",
        "P_1.5": "P: cutoff=1.5 should be a whole number of at least 1",
        "P@x": "'P@x': @x is not a number",
        "IPrec@1.1": "IPrec: recall=1.1 should be a number between 0 and 1, both included",
        "RBP(p=1)": "RBP: p=1 should be a number above 0 and below 1",
        "RBP(p=0)": "RBP: p=0 should be a number above 0 and below 1",
        "SetF(beta=-1)": "SetF: beta=-1 should be a number of at least 0",
        "AP(rel=1e999)": "AP: rel=inf should be a number",
        "AP(rel='1')": "AP: rel='1' should be a number",
        "AP(rel=None)": "AP: rel=None should be a number",
        "AP(judged_only=1)": "AP: judged_only=1 should be True or False",
        "RBP(p=x)": "'RBP(p=x)': p=x is neither a number nor a quoted word",
        "D#-nDCG(ideal=best)@10": "D#-nDCG: ideal='best' is not one of each, reachable",
        "D#-nDCG(ideal=1+reachable)@10": "'D#-nDCG(ideal=1+reachable)@10': ideal=1+reachable is neither a number nor a "
        "quoted word",
        "RBP(q=x)": "RBP has no parameter 'q': it has p, rel, gain, gains, max_rel, cutoff",
        "gm_map@10": "'gm_map@10' mixes trec_eval's name with @: GMAP takes none",
        "nDCG@10 AP": "'nDCG@10 AP' is not a measure: give each by itself: 'nDCG@10' and 'AP'",
        "official AP": "'official AP' is not a measure: give each by itself: 'official' and 'AP'",
        "nDCG@10,nope(p=1),AP": f"there is no measure 'nope' {LISTED}",
        "nDCG@10,": "'nDCG@10,': @10, is not a number",
        "RBP(p=0.5) AP(rel=1, judged_only=True)": "'RBP(p=0.5) AP(rel=1, judged_only=True)' is not a measure: "
        "give each by itself: 'RBP(p=0.5)' and 'AP(rel=1, judged_only=True)'",
        "RBP(gain='steep')": "RBP: gain='steep' is not one of linear, exp",
        "nDCG(gains={1:'x'})": "nDCG: gains={1: 'x'} should map numbers to numbers",
        "nDCG(gains={'x':1})": "nDCG: gains={'x': 1} should map numbers to numbers",
        "nDCG(gains={'x':1,1:2})": "nDCG: gains={'x': 1, 1: 2} should map numbers to numbers",
        "nDCG(gains=3)": "nDCG: gains=3 should be a map from label to gain",
        "nDCG(10)": "'nDCG(10)': (10) is not a list of parameter=value",
        "nDCG(**{})": "'nDCG(**{})': (**{}) is not a list of parameter=value",
        "nDCG(rel=)": "'nDCG(rel=)': (rel=) is not a list of parameter=value",
        "AP(rel=2": "'AP(rel=2' is not a measure: write a name, or name(parameter=value)@cutoff",
        "nDCG@": "'nDCG@' is not a measure: write a name, or name(parameter=value)@cutoff",
        "": "'' is not a measure: write a name, or name(parameter=value)@cutoff",
    }.items(),
)
def test_a_slip_is_answered(text: str, message: str | None) -> None:
    if message is None:
        message = f"{text} needs a cutoff, for example {text}@10"
        text += "()"
    with pytest.raises(MeasureError) as refused:
        parse_measures(text)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("slip", "message"),
    [
        (lambda: parse_measure(5), "5 is not the name of a measure"),  # type: ignore[arg-type]
        (lambda: nDCG(10), "nDCG takes its parameters by name, as in nDCG(cutoff=10), or nDCG @ 10"),  # type: ignore[misc]
        (lambda: NumQ(10), "NumQ takes its parameters by name"),  # type: ignore[misc]
    ],
)
def test_no_text_and_no_name(slip: Callable[[], object], message: str) -> None:
    with pytest.raises(MeasureError) as refused:
        slip()
    assert str(refused.value) == message


HOSTILE = {
    "leading zero in a cutoff": "P@05",
    "leading zero in trec_eval's cutoff": "P_05",
    "leading zeros in trec_eval's cutoff": "ndcg_cut_010",
    "cutoff beyond 64 bits": "P@99999999999999999999",
    "cutoff beyond a double": "P@" + "9" * 400,
    "level beyond what Python reads": "AP(rel=" + "9" * 5000 + ")",
    "deep parentheses": "AP(rel=" + "(" * 500 + "1" + ")" * 500 + ")",
    "many signs": "AP(rel=" + "-" * 5000 + "1)",
    "map in a map": "nDCG(gains={1:{1:2}})",
    "unhashable label": "nDCG(gains={{}:1})",
    "label in a set": "nDCG(gains={{1,2}:1})",
    "unpacked map": "nDCG(gains={1:2,**{}})",
    "label that is no number": "nDCG(gains={'x':1,1:2})",
    "gain that is no number": "nDCG(gains={1:None})",
    "complex label": "nDCG(gains={1j:1,2:1})",
    "complex level": "AP(rel=1j)",
    "level of bytes": "AP(rel=b'1')",
    "list for a word": "nDCG(dcg=['log2'])",
    "map for a word": "nDCG(dcg={})",
    "two lists of parameters": "AP(rel=1)(rel=2)",
    "NUL": "AP(rel=\0)",
    "NUL in a name": "A\0P",
    "half a character": "AP(rel='\udc80')",
    "half a character in a name": "AP\udc80",
    "code": "AP(rel=__import__('os').getpid())",
    "a comment": "AP(rel=1#)",
    "a line end": "AP(rel=1\n)",
    "a call that ends early": "AP(rel=1) if (1)",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_text_is_measures_or_a_measure_error(text: str) -> None:
    answered(text)


@given(
    st.text(max_size=12)
    | st.builds(
        str.__add__,
        st.sampled_from([*registry, "P_", "ndcg_cut.", "iprec_at_recall_", "set_F.", "nDCG(gains=", "AP(rel="]),
        st.text(alphabet="()@=.,_{}:'\"+-0123456789eExTrue", max_size=10),
    )
)
def test_any_text_is_measures_or_a_measure_error(text: str) -> None:
    answered(text)


def answered(text: str) -> None:
    try:
        found = parse_measures(text)
    except MeasureError as refused:
        assert str(refused).isprintable(), "a message is shown on a terminal"
    else:
        assert found
        for measure in found:
            assert parse_measure(str(measure)) == measure


def test_the_policys_word_for_judged_only() -> None:
    assert parse_measure("AP(unjudged='condense')") == parse_measure("AP(judged_only=True)")
    assert parse_measure("AP(unjudged='zero')") == parse_measure("AP")
    with pytest.raises(MeasureError, match="is not one of zero, condense"):
        parse_measure("AP(unjudged='mean')")
    with pytest.raises(MeasureError, match="SetR has no parameter 'unjudged'"):
        parse_measure("SetR(unjudged='condense')")


def test_a_cutoff_is_given_once() -> None:
    with pytest.raises(MeasureError, match="cutoff is given twice"):
        parse_measure("nDCG(cutoff=5)@10")


def test_a_parameter_is_given_once() -> None:
    with pytest.raises(MeasureError):
        parse_measure("AP(rel=1,rel=2)")


@pytest.mark.parametrize(
    ("measure", "spelling"),
    [
        (AP, "map"),
        (AP(rel=2), "map"),
        (AP @ 10, "map_cut_10"),
        (nDCG @ 10, "ndcg_cut_10"),
        (nDCG, "ndcg"),
        (IPrec @ 0.1, "iprec_at_recall_0.10"),
        (P(rel=3) @ 5, "P_5"),
        (nDCG(dcg="exp-log2") @ 10, None),
        (AP(judged_only=True), None),
        (RR @ 10, None),
    ],
)
def test_trec_eval_spelling(measure: Measure, spelling: str | None) -> None:
    assert trec_name(measure) == spelling


@pytest.mark.parametrize("text", ["P@999999999999999999999", "P_99999999999999999999", "P(cutoff=9223372036854775808)"])
def test_a_whole_number_beyond_64_bits_is_refused_as_it_was_written(text: str) -> None:
    with pytest.raises(MeasureError, match=rf"cutoff={re.findall('[0-9]+', text)[0]} is too large"):
        parse_measure(text)
    assert str(parse_measure(f"P@{2**63 - 1}")) == "P@9223372036854775807"
