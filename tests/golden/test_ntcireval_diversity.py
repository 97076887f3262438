"""NTCIREVAL 190111's diversity measures: all settings on generated data, and its sample with printed digits."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield import InputOptions, Qrels, parse_measure
from cranfield.scoring import score
from data_sets import GOLDEN, REAL_GOLDEN, Tally, rows

FOLDER = GOLDEN / "ntcireval-generated"
RUNS = ("runA", "runB", "runC")
CUTOFFS = (5, 10, 20, 1000)

GLOBAL = {
    "nDCG": 'D-nDCG(discount="jk")',
    "MSnDCG": "D-nDCG",
    "Q": "D-Q",
    "ERR": "D-ERR",
    "nERR": "D-nERR",
    "EBR": "D-EBR",
    "RBP": "D-RBP",
    "RBP(p=.99)": "D-RBP(p=0.99)",
    # a document's global gain is above 0 if it is relevant to some intent
    "AP": 'AP(denominator="min")',
    "P": "P",
    "Hit": "Success",
}
TYPED = {name: ours.replace("D-", "DIN-", 1) for name, ours in GLOBAL.items() if name != "RBP(p=.99)"} | {
    "AP": 'DIN-AP(denominator="min")',
    "P": "DIN-P",
    "Hit": "DIN-Success",
}
WHOLE = {
    "AP": "AP",
    "RR": "RR",
    "ERR": "D-ERR",
    "EBR": "D-EBR",
    "RBP": "D-RBP",
    "O-measure": "D-O-measure",
    "P-measure": "D-P-measure",
    "P-plus": "D-P-plus",
    "Q-measure": "D-Q",
    "NCUrb,P": 'NCU(stopping="rank-biased",utility="P")',
    "NCUrb,BR": "D-NCU",
}
AWARE = {
    "AP": 'AP-IA(denominator="min")',
    "Q": "Q-IA",
    "nDCG": 'nDCG-IA(discount="jk")',
    "MSnDCG": "nDCG-IA",
    "P": "P-IA",
    "Hit": "Success-IA",
    "RBP": "RBP-IA",
    "EBR": "EBR-IA",
    "ERR": 'ERR-IA(gain="graded",stop="linear",max_rel=None)',
    "nERR": 'nERR-IA(gain="graded",stop="linear",max_rel=None)',
}
SHARP = {
    "D#-Q": "D#-Q",
    "D#-nDCG": "D#-nDCG",
    "D#-ERR": "D#-ERR",
    "D#-EBR": "D#-EBR",
    "D#-RBP(p=.99)": "D#-RBP(p=0.99)",
    "DIN#-Q": "DIN#-Q",
    "DIN#-nDCG": "DIN#-nDCG",
}
AT_CUTOFFS = {f"D-{name}": ours for name, ours in GLOBAL.items()}
AT_CUTOFFS |= {f"DIN-{name}": ours for name, ours in TYPED.items()}
AT_CUTOFFS |= {f"IA-{name}": ours for name, ours in AWARE.items()} | SHARP | {"I-rec": "I-rec"}
OURS = {f"{name}@{cutoff}": f"{ours}@{cutoff}" for name, ours in AT_CUTOFFS.items() for cutoff in CUTOFFS}
OURS |= {f"D-{name}(full)": ours for name, ours in WHOLE.items()} | {"I-rec@n": "I-rec@n"}
"""NTCIREVAL's name -> our measure."""

FACTS = {"#intents", "SUMp"}
"""What it prints beside its measures."""

Found = dict[tuple[str, str, str], float]


def found(names: set[str], **settings: Any) -> Found:
    """(run, topic, our measure) -> value, of the generated collection."""
    compat = settings.pop("compat", "none")
    paths = [str(FOLDER / f"{run}.run") for run in RUNS]
    table = score(paths, str(FOLDER / "div.Dqrels"), sorted(names), ties="file", compat=compat, **settings)
    written = {str(parse_measure(name)): name for name in names}
    return {
        (run, topic, written[str(measure)]): float(value)
        for measure, by_topic in zip(table.measures, table.values, strict=True)
        for topic, by_run in zip(table.topics, by_topic, strict=True)
        for run, value in zip(table.systems, by_run, strict=True)
    }


WEIGHTS = str(FOLDER / "div.Iprob")


def of_scale(name: str) -> bool:
    """Whether NTCIREVAL's scale ends at the largest gain of each ideal list, and so differs from ours."""
    return re.search(r"ERR|EBR|RBP", name) is not None


def test_every_value_agrees() -> None:
    """With ten decimals. D# are sums of such numbers here, but of numbers with four in the mode and in the tool."""
    mode = found(set(OURS.values()), intent_weights=WEIGHTS, compat="ntcireval")
    raw = found(set(OURS.values()), intent_weights=WEIGHTS, weight_sum="raw")
    tally, compared = Tally(), Counter[str]()
    coarse = Tally(1e-4)
    for row in rows(FOLDER / "expected.diversity.tsv.gz"):
        if row["measure"] in FACTS:
            continue
        where = row["run"], row["topic"], OURS[row["measure"]]
        theirs = float(row["value"])
        compared[row["measure"]] += 1
        rounded = "#" in row["measure"]
        if not of_scale(row["measure"]):
            # without the mode, as soon as probabilities are taken as they are
            tally.add(("raw", row["measure"], *where), raw[where], theirs)
        if not rounded:
            tally.add(("mode", row["measure"], *where), mode[where], theirs)
        else:
            coarse.add((row["measure"], *where), mode[where], theirs)
    tally.check(14_460)
    coarse.check(1680)
    assert set(compared) == set(OURS)
    assert sum(compared.values()) == 60 * len(OURS)


def test_every_value_agrees_as_printed() -> None:
    """With four decimals, as the tool prints: D# are sums of what it printed before. So are IA, in its script alone."""
    mode = found(set(OURS.values()), intent_weights=WEIGHTS, compat="ntcireval")
    tally, coarse = Tally(), Tally(1e-4)
    for row in rows(FOLDER / "expected.diversity.tsv.gz"):
        if row["measure"] not in FACTS:
            where = row["run"], row["topic"], OURS[row["measure"]]
            if row["measure"].startswith("IA-"):
                coarse.add((row["measure"], *where), mode[where], float(row["value_printed4"]))
            else:
                tally.add_text((row["measure"], *where), mode[where], row["value_printed4"])
    coarse.check(2400)
    tally.check(60 * len(OURS) - 2400)


def test_intents_and_their_weights_agree() -> None:
    weights = cranfield.io.read_intent_weights(WEIGHTS)
    qrels = cranfield.read_qrels(FOLDER / "div.Dqrels").with_intents(weights, weight_sum="raw")
    intents = qrels.intents
    assert intents is not None
    number = dict(zip(intents.topics, intents.number(1).tolist(), strict=True))
    total = dict(zip(intents.topics, intents.per_topic(intents.probabilities(1)).tolist(), strict=True))
    tally = Tally()
    for row in rows(FOLDER / "expected.diversity.tsv.gz"):
        if row["measure"] in FACTS:
            ours = number if row["measure"] == "#intents" else total
            tally.add((row["topic"], row["measure"]), ours[row["topic"]], float(row["value"]))
    tally.check(120)


SINGLE = {name: ours for name, ours in GLOBAL.items() if name != "RBP(p=.99)"}


def by_intent(qrels: Qrels) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """Intent -> judgments in which it is the only one of every topic that has it."""
    out: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for topic, intent, document, label in zip(*qrels.rows(), strict=True):
        if intent != "0":
            out.setdefault(intent, {}).setdefault(topic, {}).setdefault(intent, {})[document] = float(label)
    return out


def alone(qrels: Qrels, runs: str | list[str], names: dict[str, str]) -> dict[tuple[str, str, str, str], float]:
    """(run, topic, intent, NTCIREVAL's name) -> value of an intent that is the only one."""
    reading = InputOptions(ties="file", compat="ntcireval")
    out = {}
    for intent, labels in by_intent(qrels).items():
        table = score(runs, labels, list(names.values()), reading=reading)
        measures = [str(measure) for measure in table.measures]
        for name, ours in names.items():
            by_run = table.values[measures.index(str(parse_measure(ours)))].T
            for run, values in zip(table.systems, by_run, strict=True):
                for topic, value in zip(table.topics, values.tolist(), strict=True):
                    out[run, topic, intent, name] = value
    return out


def test_every_value_of_a_single_intent_agrees() -> None:
    """Each intent as if it were the only one, and with it the sums of IA-ERR and its kin to ten decimals."""
    qrels = cranfield.read_qrels(FOLDER / "div.Dqrels")
    weights = cranfield.io.read_intent_weights(WEIGHTS).table
    names = {f"{name}@{cutoff}": f"{ours}@{cutoff}" for name, ours in SINGLE.items() for cutoff in CUTOFFS}
    ours = alone(qrels, [str(FOLDER / f"{run}.run") for run in RUNS], names)
    tally, means = Tally(), Counter[tuple[str, str, str]]()
    for row in rows(FOLDER / "expected.per_intent.tsv.gz"):
        run, topic, intent, name = row["run"], row["topic"], row["intent"], row["measure"]
        if not name.startswith("IA-"):
            value = ours[run, topic, intent, name]
            tally.add((run, topic, intent, name), value, float(row["value"]))
            means[run, topic, f"IA-{name}"] += weights[topic][intent] * value  # type: ignore[assignment]
    for row in rows(FOLDER / "expected.diversity.tsv.gz"):
        if row["measure"].startswith("IA-"):
            where = row["run"], row["topic"], row["measure"]
            tally.add(where, means[where], float(row["value"]))
    tally.check((261 + 60) * len(names))
    assert tally.compared == (261 + 60) * len(names)


LIST = {name: WHOLE[name] for name in WHOLE} | {"I-rec@n": "I-rec@n", "I-rec@10": "I-rec@10"}
SAMPLE = LIST | {f"{name.removeprefix('D-')}@10": f"{ours}@10" for name, ours in AT_CUTOFFS.items()}
"""NTCIREVAL's name in its pages of lists cut at rank 10 -> our measure."""


@pytest.mark.data("golden/ntcireval")
def test_printed_sample_agrees() -> None:
    folder = REAL_GOLDEN / "ntcireval"
    qrels = cranfield.read_qrels(folder / "Dtest.Dqrels")
    runs = {name: first_ten(folder / name) for name in ("TRECRUN", "TRECRUN2")}
    weighted = qrels.with_intents(cranfield.io.read_intent_weights(folder / "Dtest.Iprob"))
    table = score(runs, weighted, sorted(set(SAMPLE.values())), ties="file", compat="ntcireval")
    place = {str(measure): number for number, measure in enumerate(table.measures)}
    own = {name: ours for name, ours in SAMPLE.items() if not name.startswith(("IA-", "I-", "D#", "DIN"))}
    single = alone(qrels, runs, own)
    tally, coarse = Tally(), Tally(1e-4)
    for run, page in (("TRECRUN", "Dnev"), ("TRECRUN2", "Dnev"), ("TRECRUN", "nevIA")):
        for line in (folder / f"{run}.l10.{page}").read_text().splitlines():
            match = re.fullmatch(r"(\S+) (?:(\d+) [0-9.]+ |SUMp= \S+ )?([^\s=]+)= +(\S+)", line)
            if match is None:
                assert "#" in line
                continue
            topic, intent, name = match[1], match[2], re.sub(r"@0*", "@", match[3])
            if intent is not None:
                value = single[run, topic, intent, name]
            else:
                by_run = table.values[place[str(parse_measure(SAMPLE[name]))]].T
                value = float(by_run[table.systems.index(run), table.topics.index(topic)])
            where = run, page, topic, intent, name
            if name.startswith("IA-"):
                coarse.add(where, value, float(match[4]))
            else:
                tally.add_text(where, value, match[4])
    tally.check(318)
    coarse.check(15)


def first_ten(path: Path) -> dict[str, dict[str, float]]:
    """The first ten documents of every topic, as they are written."""
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        topic, _, document, *_ = line.split()
        ranked = found.setdefault(topic, {})
        if len(ranked) < 10:
            ranked[document] = -float(len(ranked))
    return found
