"""``cranfield evaluate`` with intents: weights, NTCIREVAL's files, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import cranfield

QRELS = "7 1 a 1\n7 1 b 1\n7 2 c 2\n8 1 a 1\n8 0 z 0\n"
RUN = "7 Q0 c 1 3 me\n7 Q0 x 2 2 me\n7 Q0 a 3 1 me\n8 Q0 z 1 2 me\n8 Q0 a 2 1 me\n"
WEIGHTS = "7 1 0.75\n7 2 0.25\n8 1 1\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("div.qrels").write_text(QRELS)
    Path("me.run").write_text(RUN)
    Path("p.txt").write_text(WEIGHTS)
    return tmp_path


def values(*arguments: str) -> dict[str, float]:
    out = cranfield("evaluate", "div.qrels", "me.run", "-f", "tsv", *arguments).out
    return {row.split("\t")[2]: float(row.split("\t")[3]) for row in out.splitlines()[1:]}


def test_the_command_of_the_documentation() -> None:
    found = values("--intent-weights", "p.txt", "-m", "D#-nDCG@10", "-m", "alpha_nDCG@20")
    assert list(found) == ["D#-nDCG@10", "alpha-nDCG@20"]
    other = values("-m", "D#-nDCG@10", "-m", "alpha_nDCG@20")
    assert found["alpha-nDCG@20"] == other["alpha-nDCG@20"]
    assert found["D#-nDCG@10"] != other["D#-nDCG@10"]


def test_words_for_weights() -> None:
    assert values("-m", "nDCG-IA@1", "--intent-weights", "uniform") == {"nDCG-IA@1": 0.25}
    assert values("-m", "nDCG-IA@1", "--intent-weights", "simulated")["nDCG-IA@1"] == pytest.approx(1 / 6)
    assert values("-m", "nDCG-IA@1", "--intent-weights", "p.txt") == {"nDCG-IA@1": 0.125}


def test_the_signature_names_the_weights() -> None:
    def intents(*arguments: str) -> dict[str, object]:
        out = cranfield("evaluate", "div.qrels", "me.run", "-f", "json", "-m", "D-nDCG@5", *arguments).out
        found: dict[str, object] = json.loads(out)["signature"]["intents"]
        return found

    assert intents() == {"weights": "uniform", "weight_sum": "renormalise", "keep_empty_intents": False}
    given = intents("--intent-weights", "p.txt", "--weight-sum", "raw", "--keep-empty-intents")
    assert given.keys() == {"weights", "sha256", "weight_sum", "keep_empty_intents"}
    assert (given["weights"], given["weight_sum"], given["keep_empty_intents"]) == ("p", "raw", True)
    assert len(str(given["sha256"])) == 64
    plain = cranfield("evaluate", "div.qrels", "me.run", "-f", "json", "-m", "P@5").out
    assert "intents" not in json.loads(plain)["signature"]


def test_ntcireval_files() -> None:
    Path("D.qrels").write_text("7 1 a L1\n7 1 b L1\n7 2 c L2\n8 1 a L1\n8 0 z L0\n")
    Path("DIN").write_text("7 1 0.75 inf\n7 2 0.25 nav\n8 1 1 inf\n")
    options = ("-f", "tsv", "-m", "D-nDCG@10", "-m", "P+Q@10", "--intent-weights", "DIN")
    plain = cranfield("evaluate", "div.qrels", "me.run", *options).out
    assert cranfield("evaluate", "D.qrels", "me.run", *options).out == plain
    assert cranfield("evaluate", "D.qrels", "me.run", *options, "--input-format", "ntcir").out == plain
    ended = cranfield("evaluate", "div.qrels", "me.run", "-m", "P@1", "--input-format", "ntcir")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == "cranfield: error: div.qrels:1: the label '1' is none of L0 to L9\n"


def test_judgments_without_intents() -> None:
    Path("plain.qrels").write_text("7 0 a 1\n")
    ended = cranfield("evaluate", "plain.qrels", "me.run", "-m", "P@1", "-m", "I-rec@10")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == (
        "cranfield: error: plain.qrels: I-rec@10 needs intents, but field 2 of the judgments is the same placeholder "
        "everywhere; use qrels whose field 2 names an intent: topic intent document label\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "7 1 0.5\n7 2 -0.5\n8 1 1\n": "p.txt:2: the probability -0.5 of intent '2' is negative",
        "7 1 0.5\n7 2 half\n": "p.txt:2: the probability 'half' is not a number such as 0.25",
        "7 1 nan\n": "p.txt:1: the probability 'nan' is not a number such as 0.25",
        "# a comment\n\n7 1\n": "p.txt:3: 2 fields, expected topic intent probability, and perhaps inf or nav: '7 1'",
        "7 1 0.5 maybe\n": "p.txt:1: the type 'maybe' of intent '1' is neither inf nor nav",
        "7 1 0.5\n7 1 0.5\n": "p.txt:2: intent '1' of topic '7' occurs twice",
        "": "p.txt: the file holds no rows, expected topic intent probability, and perhaps inf or nav",
        "7 1 0.5\n8 1 1\n": "p.txt: intent '2' of topic '7' has relevant documents but no probability; give every such "
        "intent one",
    }.items(),
)
def test_weights_that_are_refused(text: str, message: str) -> None:
    Path("p.txt").write_text(text)
    ended = cranfield("evaluate", "div.qrels", "me.run", "-m", "D-nDCG@5", "--intent-weights", "p.txt")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == f"cranfield: error: {message}\n"


def test_sums() -> None:
    Path("p.txt").write_text("7 1 0.6\n7 2 0.2\n8 1 1\n9 1 1\n")
    given = ("evaluate", "div.qrels", "me.run", "-f", "tsv", "-m", "nDCG-IA@1", "--intent-weights", "p.txt")
    ended = cranfield(*given)
    assert ended.status == 0
    assert "cranfield: warning: p.txt: topic 9 not judged: ignored\n" in ended.err
    assert "p.txt: probabilities of topic 7 do not add up to 1 and are divided by their sum" in ended.err
    assert "\t0.125\n" in ended.out
    assert "\t0.1\n" in cranfield(*given, "--weight-sum", "raw").out
    refused = cranfield(*given, "--weight-sum", "raise")
    assert (refused.status, refused.out) == (1, "")
    assert "the probabilities of topic '7' add up to 0.8, not to 1" in refused.err


def test_mistakes() -> None:
    for arguments, status, message in (
        (("--intent-weights", "nowhere.txt"), 1, "nowhere.txt: no such file"),
        (("--weight-sum", "half"), 2, "Invalid value for '--weight-sum'"),
        (("-m", "D#-nDCG(gamma=2)@5"), 2, "gamma=2 should be a number between 0 and 1"),
        (("-m", 'D#-nDCG(gamma={"7":0.5})@5'), 2, "D#-nDCG: gamma has no number for topic '8'"),
        (("-m", "D#nDCG@5"), 2, "there is no measure 'D#nDCG'; did you mean D#-nDCG"),
        (("-m", "I-rec@lmin"), 2, "@lmin is not a number"),
        (("-m", "alpha-DCG"), 2, "alpha-DCG needs a cutoff, for example alpha-DCG@10"),
        (("--rel", "0", "-m", "I-rec@5"), 2, "I-rec: rel=0.0 should be a number above 0"),
    ):
        ended = cranfield("evaluate", "div.qrels", "me.run", "-m", "I-rec@5", *arguments)
        assert (ended.status, ended.out) == (status, ""), arguments
        assert message in ended.err, arguments


def test_compressed_and_windows_and_semicolons() -> None:
    import gzip

    plain = values("-m", "D-nDCG@5", "--intent-weights", "p.txt")
    for name, data in {
        "gz": gzip.compress(WEIGHTS.encode()),
        "crlf": b"\xef\xbb\xbf" + WEIGHTS.replace("\n", "\r\n").encode(),
        "tabs": WEIGHTS.replace(" ", "\t").strip().encode(),
        "semicolons": WEIGHTS.replace(" ", ";").encode(),
    }.items():
        Path(name).write_bytes(data)
        assert values("-m", "D-nDCG@5", "--intent-weights", name) == plain, name


def test_several_labels_are_told_only_to_measures_that_read_one() -> None:
    told = "judged under several values of field 2"
    for more in ("7 2 a 2\n", "7 2 a 1\n"):
        Path("div.qrels").write_text(QRELS + more)
        assert told not in cranfield("evaluate", "div.qrels", "me.run", "-m", "D-nDCG@5").err
        assert told in cranfield("evaluate", "div.qrels", "me.run", "-m", "D-nDCG@5", "-m", "AP").err
