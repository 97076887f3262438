"""``cranfield trec_eval`` prints trec_eval 10.0's bytes: its golden values in its own order and form."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from test_trec_eval import SETS, Golden

from cranfield.cli import app
from data_sets import rows

ORDER = (
    *("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *(
        "iprec_at_recall",
        "P",
        "recall",
        "infAP",
        "Rprec_mult",
        "utility",
        "11pt_avg",
        "binG",
        "G",
        "dcg",
        "ndcg",
        "ndcg_rel",
        "Rndcg",
    ),
    *("ndcg_cut", "map_cut", "relative_P", "success", "set_P", "set_recall", "set_map", "set_F"),
    *("num_nonrel_judged_ret", "unj"),
)
"""The measures of the golden files as measures.c of trec_eval lists them."""


def place(name: str) -> tuple[int, float]:
    """Where a line stands among those of its topic."""
    if name in ORDER:
        return ORDER.index(name), 0.0
    family, _, cut = name.rpartition("_")
    return ORDER.index(family), float(cut)


def expected(values: dict[tuple[str, str], str]) -> list[tuple[str, ...]]:
    """Each line of the output; both that it may be where ten decimals leave open how the fourth was rounded."""
    topics = sorted({topic for topic, _ in values} - {"all"}, key=str.encode)
    names = sorted({name for _, name in values}, key=place)
    lines = []
    for topic in (*topics, "all"):
        for name in names:
            value = values.get((topic, name))
            if value is None:
                continue  # trec_eval prints it in the summary alone
            printed = (f"{float(value):.4f}",) if "." in value else (value,)
            if value.endswith("500000"):
                cut = value[:-6]
                printed = cut, f"{float(cut) + math.copysign(1e-4, float(value)):.4f}"
            lines.append(tuple(f"{name:<22}\t{topic}\t{digits}" for digits in printed))
    return lines


def options(names: set[str]) -> Iterator[str]:
    """What to give with ``-m`` for these lines, the last first."""
    for name in reversed(ORDER):
        cuts = [
            line.removeprefix(f"{name}_") for line in names if line not in ORDER and line.rpartition("_")[0] == name
        ]
        if cuts or name in names:
            yield f"{name}.{','.join(cuts)}" if cuts else name


@pytest.mark.parametrize("golden", SETS)
def test_every_byte(golden: Golden) -> None:
    cells: dict[tuple[str, str], dict[tuple[str, str], str]] = defaultdict(dict)
    runs = {run: str(1 + number % 2) for number, run in enumerate(golden.runs) if number < 4}
    for row in rows(golden.expected):
        if runs.get(row["run"]) == row["rel_level"]:
            cells[row["run"], row["rel_level"]][row["topic"], row["measure"]] = row["value"]
    names = {name for of_run in cells.values() for _, name in of_run}
    asked = [word for name in options(names) for word in ("-m", name)]
    compared = undecided = 0
    for run, level in runs.items():
        ended = CliRunner().invoke(
            app, ["trec_eval", "-q", "-c", f"-l{level}", *asked, str(golden.qrels), str(golden.runs[run])]
        )
        assert ended.exit_code == 0
        assert ended.stdout.endswith("\n")
        found, wanted = ended.stdout.splitlines(), expected(cells[run, level])
        assert len(found) == len(wanted)
        for ours, theirs in zip(found, wanted, strict=True):
            assert ours in theirs
            undecided += len(theirs) > 1
        compared += len(found)
    assert compared > golden.values // 4
    assert undecided < compared / 100
