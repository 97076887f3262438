"""``cranfield trec_eval`` beyond its golden values: arguments, names of lines, lists that are cut, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import cranfield

QRELS = "7 0 a 1\n7 0 b 2\n7 0 c 0\n7 0 n -1\n10 0 a 1\n10 0 d 0\n9 0 e 1\n"
RUN = (
    "7 Q0 n 1 5 t\n7 Q0 u 1 4 t\n7 Q0 a 1 3 t\n7 Q0 c 1 2 t\n7 Q0 b 1 1 t\n10 Q0 v 1 1 t\n10 Q0 a 1 1 t\n8 Q0 a 1 1 t\n"
)
"""Topic 7: negative, unjudged, 1, 0, 2. Topic 10: v before a, as the id decides. Topic 9 is missing, 8 unjudged."""


@pytest.fixture(autouse=True)
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q").write_text(QRELS)
    Path("r").write_text(RUN)


def lines(*arguments: str) -> list[str]:
    ended = cranfield("trec_eval", *arguments, "q", "r")
    assert ended.status == 0, ended.err
    return ended.out.splitlines()


def values(*arguments: str) -> dict[str, str]:
    """Line name and topic -> what is printed."""
    split = [line.split("\t") for line in lines(*arguments)]
    return {f"{name.strip()} {topic}": value for name, topic, value in split}


def refusal(*arguments: str) -> str:
    ended = cranfield("trec_eval", *arguments, "q", "r")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.count("\n") == 1
    return ended.err


def test_every_byte_of_a_small_output() -> None:
    asked = "-q", "-c", "-mP.2,1", "-m", "relstring", "-m", "gm_map", "-m", "map", "-m", "num_q", "-mrunid"
    assert "\n".join(lines(*asked)) == "\n".join(
        [
            "map                   \t10\t0.5000",
            "P_1                   \t10\t0.0000",
            "P_2                   \t10\t0.5000",
            "relstring             \t10\t'-1'",
            "map                   \t7\t0.3667",  # (1/3 + 2/5) / 2
            "P_1                   \t7\t0.0000",
            "P_2                   \t7\t0.0000",
            "relstring             \t7\t'.-102'",
            "map                   \t9\t0.0000",
            "P_1                   \t9\t0.0000",
            "P_2                   \t9\t0.0000",
            "relstring             \t9\t''",
            "runid                 \tall\tt",
            "num_q                 \tall\t3",
            "map                   \tall\t0.2889",
            "gm_map                \tall\t0.0122",  # (1/2 * 11/30 * 1e-5) ^ (1/3)
            "P_1                   \tall\t0.0000",
            "P_2                   \tall\t0.1667",
        ]
    )


def test_without_c_topics_are_those_of_both_files() -> None:
    """As trec_eval's help says; version 10 stops there."""
    found = values("-q", "-m", "map", "-m", "num_q", "-m", "num_rel", "-m", "gm_map")
    assert found == {
        "map 10": "0.5000",
        "num_rel 10": "1",
        "map 7": "0.3667",
        "num_rel 7": "2",
        "num_q all": "2",
        "num_rel all": "3",
        "map all": "0.4333",
        "gm_map all": "0.4282",
    }


def test_level() -> None:
    """Only the summary of num_rel under -c ignores it, as trec_eval's does."""
    asked = "-l2", "-q", "-m", "num_rel", "-m", "map"
    assert values(*asked)["map 7"] == "0.2000"
    assert values(*asked)["num_rel all"] == "1"
    assert values("-c", *asked)["num_rel all"] == "4"
    assert values("-l 2", "-m", "map", "-q")["map 7"] == "0.2000"


def test_what_is_printed() -> None:
    assert lines("-n", "-m", "map") == []
    assert lines("-n", "-q", "-m", "num_q") == []
    assert [line.split()[0] for line in lines()][:5] == ["runid", "num_q", "num_ret", "num_rel", "num_rel_ret"]
    assert lines("--query_eval_wanted", "--nosummary", "--measure", "map", "--complete_rel_info_wanted") == lines(
        "-qncmmap"
    )
    assert lines("-R", "qrels", "-T", "trec_results", "-m", "map") == lines("-m", "map")


def test_lists_that_are_cut() -> None:
    """-M before -J, as in trec_eval; pyserini drops what is not in the qrels before both, and empty topics."""
    asked = "-q", "-m", "relstring", "-m", "num_ret", "-m", "num_q"
    assert values("-M", "3", *asked)["relstring 7"] == "'.-1'"
    judged = values("-J", *asked)
    assert (judged["relstring 7"], judged["num_ret 7"]) == ("'102'", "3")
    assert values("-J", "-M3", *asked)["relstring 7"] == "'1'"
    known = values("-remove-unjudged", *asked)
    assert (known["relstring 7"], known["num_ret 7"], known["relstring 10"]) == ("'.102'", "4", "'1'")
    assert values(*asked, "-remove-unjudged", "-M", "3")["relstring 7"] == "'.10'"
    assert values(*asked, "-J", "-M", "1")["num_q all"] == "2"
    Path("r").write_text("7 Q0 a 1 3 t\n10 Q0 v 1 1 t\n")
    assert values(*asked, "-J")["num_q all"] == "2"
    assert values(*asked, "-remove-unjudged")["num_q all"] == "1"


ALL_TREC = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *(f"iprec_at_recall_{level / 10:.2f}" for level in range(11)),
    *(f"{name}_{cut}" for name in ("P", "recall") for cut in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    *("infAP", "gm_bpref", *(f"Rprec_mult_{level / 5:.2f}" for level in range(1, 11)), "utility", "11pt_avg"),
    *("binG", "G", "ndcg", "ndcg_rel", "Rndcg"),
    *(f"{n}_{k}" for n in ("ndcg_cut", "map_cut", "relative_P") for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    *("success_1", "success_5", "success_10", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    *("num_nonrel_judged_ret", "rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"),
)
"""The lines of trec_eval 10's own expected output for -m all_trec."""


def test_nicknames() -> None:
    ended = cranfield("trec_eval", "-m", "all_trec", "q", "r")
    assert tuple(line.split()[0] for line in ended.out.splitlines()) == ALL_TREC
    assert "cranfield: warning: rbp is our RBP(p=0.9): trec_eval 10 reads memory that it never wrote\n" in ended.err
    assert [line.split()[0] for line in lines("-m", "set")] == [
        *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility"),
        *("set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    ]
    with_parameters = [line.split()[0] for line in lines("-m", "official", "-mP.7", "-m", "recall.3")]
    assert with_parameters[-2:] == ["P_7", "recall_3"], "parameters replace a nickname's cutoffs"


@pytest.mark.parametrize(
    ("asked", "printed"),
    [
        (("iprec_at_recall..50,.25",), {"iprec_at_recall_0.25 7": "0.4000", "iprec_at_recall_0.50 7": "0.4000"}),
        (("P.5,2", "P.1", "P"), {"P_1 7": "0.0000", "P_2 7": "0.0000", "P_5 7": "0.4000"}),
        (("P_5",), {"P_5 7": "0.4000"}),
        (("ndcg_cut_3",), {"ndcg_cut_3 7": "0.1900"}),  # 1/log2(4) / (2 + 1/log2(3))
        (("Rprec_mult.5.0,0.5",), {"Rprec_mult_0.50 7": "0.0000", "Rprec_mult_5.00 7": "0.2000"}),
        (("utility.2,-1,0,0",), {"utility_2,-1,0,0 7": "1.0000"}),  # 2 * 2 - 3
        (("utility.1,-1,3,0", "utility"), {"utility_1,-1,3,0 7": "-1.0000"}),
        (("11pt_avg..25,.5,.75",), {"11pt_avg_.25,.5,.75 7": "0.4000"}),
        (("ndcg.1=3,2=9",), {"ndcg_1=3,2=9 7": "0.4573"}),  # (3/log2(4) + 9/log2(6)) / (9 + 3/log2(3))
        (("set_F.2",), {"set_F_2 7": "0.6667"}),  # P = 2/5, R = 1: 3 * .4 / (1 + .8)
        (("relstring.2",), {"relstring_2 7": "'.-'"}),
        (("success.2,3",), {"success_2 7": "0.0000", "success_3 7": "1.0000"}),
        (("unj.2",), {"unj_2 7": "1.0000"}),
    ],
)
def test_parameters(asked: tuple[str, ...], printed: dict[str, str]) -> None:
    found = values("-q", "-n", *(word for one in asked for word in ("-m", one)))
    assert {name: value for name, value in found.items() if name.endswith(" 7")} == printed


def test_the_fourth_coefficient_of_utility() -> None:
    assert values("-q", "-n", "-m", "utility.1,-1,0,2", "-N", "10")["utility_1,-1,0,2 7"] == "9.0000"  # 2 - 3 + 2 * 5
    assert "needs -N, the number of documents in the collection" in refusal("-m", "utility.1,-1,0,2")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("ideal_dcg", "ideal_dcg is the part of ndcg that depends on no run"),
        ("judged.5,10", "judged is pyserini's, over all lists together; `cranfield evaluate -m Judged@10` gives"),
        ("prefs_simp", "prefs_simp is a measure of trec_eval for other formats of judgments (-R)"),
        ("nDCG@10", "trec_eval has no measure 'nDCG@10' (`cranfield evaluate` takes our own names)"),
        ("ndcg_cat.5", "trec_eval has no measure 'ndcg_cat.5'; did you mean ndcg_cut? ("),
        ("map.5", "'map.5': map takes no parameters"),
        ("official.5", "'official.5': official takes no parameters"),
        ("P.", "'P.' ends where the parameters of P should follow"),
        ("P.5.5", "P: '5.5' should be a whole number of at least 1"),
        ("P.0", "P: '0' should be a whole number of at least 1"),
        ("iprec_at_recall.x", "iprec_at_recall: 'x' is not a number"),
        ("iprec_at_recall.2", "IPrec: recall=2"),
        ("ndcg.1", "ndcg.1: '1' should be label=gain"),
        ("utility.1,2", "utility.1,2: utility takes four numbers, not 2"),
        ("rbp.p=0.5", "rbp.p=0.5: rbp is printed with p=0.9 alone"),
    ],
)
def test_measures_refused(asked: str, said: str) -> None:
    assert refusal("-m", asked).startswith(f"cranfield: error: {said}")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("-Z", "file"), "-Z: z-scores are what `cranfield standardize` computes"),
        (("-o",), "-o: trec_eval itself has not printed its old format"),
        (("-R", "prefs"), "-R: only judgments in the format qrels are read here"),
        (("-D", "1"), "-D: trec_eval's debugging output"),
        (("-remap", "x"), "-remap: documents are not renamed here"),
        (("-M", "0"), "Invalid value for '-M'"),
    ],
)
def test_options_refused(option: tuple[str, ...], said: str) -> None:
    assert refusal(*option).startswith(f"cranfield: error: {said}")


def test_files_are_read_as_everywhere() -> None:
    ended = cranfield("trec_eval", "r", "q")
    assert ended.status == 1
    assert "is this a run? On the command line the qrels come first" in ended.err
    Path("r").write_text("7 Q0 a 1 high t\n")
    assert cranfield("trec_eval", "q", "r").err.startswith("cranfield: error: r:1: ")
