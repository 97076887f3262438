"""``cranfield protocol`` and ``--protocol``: what is written down, repeated, and refused where it is contradicted."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from pathlib import Path

import pytest
from command import cranfield, printed
from test_keep_going import OF_RUNS
from test_outputs import commands

import cranfield as package
from cranfield.cli._command import LEFT_OUT, CommandOfRuns
from cranfield.cli._protocol import apply_protocol, list_keys
from cranfield.cli._registry import DECLARED
from cranfield.protocol import KEYS, RANGES
from data_sets import DATA

CALL = ("-m", "RR", "-m", "AP(rel=1)", "--ties", "docid")


@pytest.fixture(autouse=True)
def track(folder: Path) -> Path:
    printed("protocol", "init", "-o", "track.toml", "--title", "A track", "evaluate", "qrels.txt", *CALL)
    (folder / "other.txt").write_text((folder / "qrels.txt").read_text())
    return folder / "track.toml"


def refused(*call: str) -> str:
    ended = cranfield(*call)
    assert (ended.status, ended.out) in ((1, ""), (2, ""))
    return ended.err.removeprefix("cranfield: error: ").removesuffix("\n")


def test_what_is_written(track: Path) -> None:
    held = tomllib.loads(track.read_text())
    digest = hashlib.sha256(Path("qrels.txt").read_bytes()).hexdigest()
    assert held["qrels"] == {"path": "qrels.txt", "sha256": digest}
    assert (held["protocol"], held["command"], held["measures"]) == (1, "evaluate", ["RR", "AP"])
    assert held["policies"] == {**package.collection.Policy(ties="docid").as_dict()}
    call = "--title", "A track", "evaluate", "qrels.txt", "best.run", *CALL
    assert printed("protocol", "init", *call) == track.read_text(), "runs are left out"


@pytest.mark.parametrize("form", ["table", "json", "tsv"])
def test_it_repeats_the_call(form: str) -> None:
    usual = printed("evaluate", "qrels.txt", "best.run", "late.run", *CALL, "-f", form)
    assert printed("evaluate", "--protocol", "track.toml", "best.run", "late.run", "-f", form) == usual
    assert printed("protocol", "run", "track.toml", "best.run", "late.run", "-f", form) == usual


NOT_ALIKE = ("report", "judges", "fuse", "pool order", "pool sample", "pool estimate")
"""These write a page, take several judgments, or none."""
ONE_MEASURE = ("difficulty abstention", "compare")


@pytest.mark.parametrize("called", [name for name in OF_RUNS if name not in NOT_ALIKE])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_command_takes_it(called: str) -> None:
    """As the same call with the judgments, the measures and the policies typed."""
    _, *others = OF_RUNS[called]
    command = commands()[called]
    printed("protocol", "init", "-o", "plain.toml", "evaluate", "qrels.txt", "-m", "RR@5,AP@5")
    assert isinstance(command, CommandOfRuns)
    has_measures = any(one.name == "measures" for one in command.params) and command.takes("measures")
    measures = ["-m", "RR@5"] if called in ONE_MEASURE else ["-m", "RR@5,AP@5"] if has_measures else []
    kept = [word for word in others if word not in ("-m", "RR", "AP", "RR@3")]
    if called == "gate":  # of two topics on which a difference may be the same
        kept += ["--cannot-tell", "pass"]
    typed = cranfield(*called.split(), "qrels.txt", *kept, *measures)
    chosen = ["-m", "RR@5"] if called in ONE_MEASURE else []
    named = cranfield(*called.split(), "--protocol", "plain.toml", *kept, *chosen)
    assert (typed.status, typed.out) == (named.status, named.out) == (0, typed.out), (typed.err, named.err)


def test_what_contradicts_it_is_refused_by_name() -> None:
    call = "evaluate", "--protocol", "track.toml", "best.run"
    told = "contradicts track.toml, which says"
    assert refused(*call, "--ties", "trec").startswith(f"--ties trec {told} docid: leave the option out, or change")
    assert refused(*call, "-m", "P@5").startswith(f"--measure P@5 {told} RR, AP: ")
    assert refused(*call, "--missing", "skip").startswith(f"--missing skip {told} empty: ")
    left_out = "track.toml names the judgments, qrels.txt: leave them out of the call"
    assert refused("evaluate", "--protocol", "track.toml", "qrels.txt", "best.run") == left_out
    assert printed(*call, "--ties", "docid", "-m", "map") == printed(
        "evaluate", "qrels.txt", "best.run", "-m", "AP", "--ties", "docid"
    ), "what agrees, and a choice among the measures, is none"


def test_what_a_command_cannot_heed_is_refused() -> None:
    printed("protocol", "init", "-o", "gain.toml", "evaluate", "qrels.txt", "-m", "RR", "--negative", "keep")
    err = refused("difficulty", "--protocol", "gain.toml", "best.run")
    assert err == "gain.toml says --negative keep, and `difficulty` has no such option"


def test_other_judgments_are_refused() -> None:
    was = hashlib.sha256(Path("qrels.txt").read_bytes()).hexdigest()
    with Path("qrels.txt").open("a") as file:
        file.write("1 0 z 1\n")
    now = hashlib.sha256(Path("qrels.txt").read_bytes()).hexdigest()
    for call in (("evaluate", "--protocol", "track.toml", "best.run"), ("protocol", "run", "track.toml", "best.run")):
        err = refused(*call)
        assert err.startswith(
            f"qrels.txt: is not the file of track.toml: its SHA-256 is {now}, and that of the protocol"
        )
        assert was in err


def test_a_link_that_leads_out_of_the_folder_is_warned_of(folder: Path) -> None:
    (folder / "tracks").mkdir()
    (folder / "tracks" / "linked.txt").symlink_to(folder / "qrels.txt")
    ended = cranfield("protocol", "init", "-o", "tracks/a.toml", "evaluate", "tracks/linked.txt", *CALL)
    assert (ended.status, "linked.txt is outside the folder of the protocol" in ended.err) == (0, True)
    assert "is outside the folder of tracks/a.toml" in refused("protocol", "run", "tracks/a.toml", "best.run")


def test_paths_are_relative_to_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "tracks").mkdir()
    ended = cranfield("protocol", "init", "-o", "tracks/a.toml", "evaluate", "qrels.txt", *CALL)
    assert (ended.status, "../qrels.txt is outside the folder of the protocol" in ended.err) == (0, True)
    assert tomllib.loads((folder / "tracks/a.toml").read_text())["qrels"]["path"] == "../qrels.txt"
    usual = printed("evaluate", "--protocol", "tracks/a.toml", "--protocol-outside", "best.run")
    monkeypatch.chdir(folder / "tracks")
    assert printed("evaluate", "--protocol", "a.toml", "--protocol-outside", "../best.run") == usual
    assert printed("protocol", "run", "a.toml", "--protocol-outside", "../best.run") == usual


def test_files_outside_its_folder_are_refused_unread(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "secret.txt"
    elsewhere.write_text("a line that no message may quote\n")
    track = Path("track.toml")
    for path in (str(elsewhere), os.path.relpath(elsewhere), "/dev/zero", "linked.txt"):
        if path == "linked.txt":
            (folder / path).symlink_to(elsewhere)
        track.write_text(track.read_text().replace('path = "qrels.txt"', f'path = "{path}"', 1))
        err = refused("evaluate", "--protocol", "track.toml", "best.run")
        assert "no message may quote" not in err
        if path == "/dev/zero":
            assert "is a device" in err
        else:
            assert "is outside the folder of track.toml, which names it: put a copy into that folder" in err
            with pytest.raises(package.InputError, match="outside the folder"):
                package.Protocol.read(track).evaluate("best.run")
        track.write_text(track.read_text().replace(f'path = "{path}"', 'path = "qrels.txt"', 1))


def test_a_pipe_is_refused_at_once(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert "is a named pipe" in refused("evaluate", "--protocol", "pipe", "best.run")
    track = Path("track.toml")
    plain = track.read_text()
    digest = "0" * 64
    for more in (f'[groups]\npath = "pipe"\nsha256 = "{digest}"\n', None):
        text = plain + more if more else plain.replace('path = "qrels.txt"', 'path = "pipe"')
        track.write_text(text)
        assert "is a named pipe" in refused("evaluate", "--protocol", "track.toml", "best.run")


def test_the_groups_that_are_hashed_are_those_that_are_read(folder: Path) -> None:
    (folder / "i.tsv").write_text("topic\tgood\n1\ta\n2\ta\n")
    printed("protocol", "init", "-o", "g.toml", "evaluate", "qrels.txt", *CALL, "--topic-groups", "i.tsv#good")
    assert tomllib.loads(Path("g.toml").read_text())["groups"]["column"] == "good"
    (folder / "i.tsv#good").write_text("1 x\n2 y\n")
    err = refused("evaluate", "--protocol", "g.toml", "best.run")
    assert "is the name of a file and a part of i.tsv: rename one of the two files" in err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("measures =", "mesures ="), "has 'mesures', which no protocol holds; did you mean measures?"),
        (("[policies]", "[polices]"), "has 'polices', which no protocol holds; did you mean policies?"),
        (("ties =", "tis ="), "has 'policies.tis', which no protocol holds; did you mean ties?"),
        (("protocol = 1", "protocol = 9"), "is of format 9, and this cranfield reads format 1: update it"),
        (('path = "qrels.txt"', "path = 3"), "qrels.path = '3' should be a text"),
        (("[reading]", "[reading]\nlabels = 'good=1'"), "reading.labels = 'good=1' should be a table"),
        (('ties = "docid"', 'ties = "best"'), "ties='best' is not one of trec, "),
        (('measures = ["RR", "AP"]', ""), "measures is missing"),
        (('measures = ["RR", "AP"]', "measures = []"), "measures is not a list of texts such as ['nDCG@10']"),
        (("protocol = 1", "protocol = -5"), "protocol = -5 should be from 1 to 1"),
        (("protocol = 1", "protocol = 1\nseed = -1"), "seed = -1 should be at least 0"),
        (("[qrels]", "[tests]\nresamples = -1\n[qrels]"), "tests.resamples = -1 should be at least 1"),
        (("[qrels]", "[tests]\nalpha = 2.0\n[qrels]"), "tests.alpha = 2.0 should be from 0 to 1"),
        (("[qrels]", "[tests]\nmargin = -0.5\n[qrels]"), "tests.margin = -0.5 should be at least 0"),
        (("[qrels]", "[qrels"), "is not a protocol in TOML: "),
        (('"RR"', '"RRR"'), "there is no measure 'RRR'"),
        (('"RR"', '"RR(x=1)"'), "RR has no parameter 'x'"),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)
def test_a_broken_protocol(track: Path, change: tuple[str, str], said: str) -> None:
    track.write_text(track.read_text().replace(*change))
    assert refused("evaluate", "--protocol", "track.toml", "best.run").startswith(f"track.toml: {said}")


STATED: dict[str, str] = {
    "title": 'title = "A track"', "measures": 'measures = ["RR"]', "seed": "seed = 3",
    "names": 'reading.names = "tag"', "input_format": 'reading.input_format = "trec"', "rel": "reading.rel = 2",
    "columns": 'reading.columns = {topic = "t"}',
    "labels": "reading.labels = {relevant = 1}",
    "ties": 'policies.ties = "docid"', "missing": 'policies.missing = "skip"',
    "unjudged": 'policies.unjudged = "condense"',
    "negative": 'policies.negative = "keep"', "undefined": 'policies.undefined = "keep"',
    "own_document": 'policies.own_document = "drop"', "passages": 'policies.passages = "#"',
    "compat": 'policies.compat = "trec_eval"', "on_duplicate": 'policies.on_duplicate = "first"',
    "intent_weights": 'intents.weights = "simulated"', "weight_sum": 'intents.weight_sum = "raw"',
    "keep_empty_intents": "intents.keep_empty_intents = true", "topic_groups": 'groups.path = "groups.txt"',
    "test": 'tests.test = "sign"', "correction": 'tests.correction = "none"', "alpha": "tests.alpha = 0.01",
    "baseline": 'tests.baseline = ["best"]', "margin": "tests.margin = 0.2", "interval": 'tests.interval = "t"',
    "resamples": "tests.resamples = 77",
}  # fmt: skip
"""What a protocol may state, each with a value that is not the default."""
MEANT_OTHERWISE = {
    "compare dominance": {"measures", "unjudged"}, "difficulty": {"measures"}, "fuse": {"measures"},
    "difficulty answered": {"measures"},
    "pool order": {"measures"}, "pool sample": {"measures", "rel"}, "audit penalty": {"rel"}, "check": {"rel"},
}  # fmt: skip


@pytest.mark.parametrize("name", STATED)
def test_no_key_vanishes(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command uses what the protocol states, refuses it, or says that it does not use it."""
    assert set(STATED) == set(list_keys()), "a key without a trial"
    (folder / "groups.txt").write_text("1 a\n2 a\n")
    digest = hashlib.sha256(Path("qrels.txt").read_bytes()).hexdigest()
    head = 'protocol = 1\nqrels.path = "qrels.txt"\n' + f'qrels.sha256 = "{digest}"\n'
    measures = "" if name == "measures" else 'measures = ["RR"]\n'
    Path("one.toml").write_text(f"{head}{measures}{STATED[name]}\n")
    for called, command in commands().items():
        if not isinstance(command, CommandOfRuns):
            continue
        with command.make_context(called, [], resilient_parsing=True) as context:
            try:
                values = apply_protocol("one.toml", command, context, outside=False).values
            except package.UsageError as refusal:
                assert "one.toml" in str(refusal)
                continue
        used = {"measure": "measures"}
        heeded = name in {used.get(one, one) for one in values}
        key = ".".join(filter(None, list_keys()[name]))
        named = f"`{command.name}` does not use {key} of one.toml" in " ".join(capsys.readouterr().err.split())
        own = any(one.name == name for one in command.params)
        expected = list_keys()[name][0] in ("reading", "policies", "intents", "groups") or (
            list_keys()[name][0] == "tests" and (command.tested or own)
        )
        if name not in MEANT_OTHERWISE.get(called, ()):
            assert heeded != named or not (heeded or named or expected or own), (called, name, heeded, named)
            assert heeded or named or not (expected or own), (called, name)


KINDS: dict[str, tuple[type, ...]] = {"choice": (str,), "text": (str,), "integer": (int,), "number": (int, float)}


def test_keys_of_tests_are_of_the_kinds_that_are_declared() -> None:
    """A protocol is read before its command is known: what it refuses, no command may take."""
    ranges = {(table, key): (low, high) for table, key, low, high in RANGES}
    tried = set()
    for listed in DECLARED.values():
        for name, option in listed.every_option.items() if listed.facts.tests or "test" in listed.every_option else ():
            if name not in KEYS["tests"] and name != "seed":
                continue
            place = ("" if name == "seed" else "tests", name)
            kinds = KEYS[place[0]][name]
            assert kinds == ((list,) if name == "baseline" else KINDS[option.kind]), name
            low, high = ranges.get(place, (None, None))
            assert low is None or option.option.low is None or low <= option.option.low, name
            assert high is None or option.option.high is None or high >= option.option.high, name
            assert option.option.low is None or low is not None, name
            tried.add(name)
    assert tried == {*KEYS["tests"], "seed"}


def test_its_baseline_holds_in_the_gate(track: Path) -> None:
    usual = cranfield("gate", "qrels.txt", "best.run", "late.run", *CALL, "--baseline", "late")
    printed("protocol", "init", "-o", "gate.toml", "gate", "qrels.txt", *CALL, "--baseline", "late")
    assert tomllib.loads(Path("gate.toml").read_text())["tests"]["baseline"] == ["late"]
    runs = "best.run", "late.run"
    named = cranfield("gate", "--protocol", "gate.toml", *runs)
    assert (named.status, named.out) == (usual.status, usual.out)
    assert "compared with late" in named.out
    assert "contradicts gate.toml" in refused(
        "gate", "--protocol", "gate.toml", "best.run", "late.run", "--baseline", "best"
    )
    for names, said in (('["nobody"]', "no system is called 'nobody'"), ('["best", "late"]', "names 2 baselines (")):
        Path("other.toml").write_text(Path("gate.toml").read_text().replace('["late"]', names))
        assert said in refused("gate", "--protocol", "other.toml", *runs)


def test_a_misspelt_measure_is_the_protocol_s(track: Path) -> None:
    """Whatever the command takes of it, and in Python too."""
    track.write_text(track.read_text().replace('"RR"', '"RRR"'))
    said = "track.toml: there is no measure 'RRR'"
    for call in (("protocol", "run", "track.toml"), ("fuse", "--protocol", "track.toml", "late.run")):
        ended = cranfield(*call, "best.run")
        assert (ended.status, ended.out) == (1, "")
        assert ended.err.startswith(f"cranfield: error: {said}")
    with pytest.raises(package.InputError, match=said):
        package.Protocol.read("track.toml").evaluate("best.run")


def test_a_protocol_is_a_file() -> None:
    for call in (("evaluate", "--protocol", "-"), ("protocol", "run", "-")):
        assert refused(*call, "best.run") == (
            "standard input: cannot be a protocol, which must be a file: paths in it are relative to its folder"
        )


def test_a_call_that_no_protocol_holds() -> None:
    assert refused("protocol", "init", "evaluate", "qrels.txt", "-m", "RR", "--by-topic").startswith(
        "--by-topic does not belong in a protocol, which holds judgments, measures, policies, groups, tests, the seed "
        "and a title: give it to `cranfield protocol run`"
    )
    assert refused("protocol", "init", "evaluate", "qrels.txt") == (
        "a protocol names its measures: -m MEASURE is missing"
    )
    assert refused("protocol", "init", "evaluate", "-", "-m", "RR").startswith(
        "standard input (-) cannot be read again"
    )
    assert refused("protocol", "init", "measures", "RR").startswith("'measures' is not a command that reads runs")
    assert refused("evaluate", "--protocol", "trakc.toml", "best.run") == (
        "trakc.toml: no such file; did you mean track.toml?"
    )
    assert refused("evaluate", "--protocol", ".", "best.run") == ".: is a folder; name the protocol in it"
    assert "--protocol says how runs are scored" in refused("compare", "--scores", "x.csv", "--protocol", "track.toml")


def test_tests_and_seed_are_repeated() -> None:
    how = "-m", "RR", "--test", "permutation", "--alpha", "0.1", "--baseline", "late", "--seed", "7"
    printed("protocol", "init", "-o", "tests.toml", "compare", "qrels.txt", *how)
    held = tomllib.loads(Path("tests.toml").read_text())
    assert held["tests"] == {"test": "permutation", "alpha": 0.1, "baseline": ["late"]}
    assert (held["command"], held["seed"]) == ("compare", 7)
    runs = "best.run", "late.run", "none.run"
    usual = cranfield("compare", "qrels.txt", *runs, *how, "-f", "json")
    again = cranfield("protocol", "run", "tests.toml", *runs, "-f", "json")
    assert usual == again
    assert json.loads(again.out)["signature"]["settings"]["test"] == "permutation"


def test_the_margin_of_a_gate_is_repeated() -> None:
    """A gate takes one for each measure, and a protocol holds one for all."""
    how = "-m", "RR,AP", "--margin", "0.25", "--alpha", "0.1"
    printed("protocol", "init", "-o", "gate.toml", "gate", "qrels.txt", *how)
    assert tomllib.loads(Path("gate.toml").read_text())["tests"] == {"margin": 0.25, "alpha": 0.1}
    usual = cranfield("gate", "qrels.txt", "best.run", "late.run", *how, "-f", "json")
    again = cranfield("protocol", "run", "gate.toml", "best.run", "late.run", "-f", "json")
    assert usual == again
    assert json.loads(again.out)["signature"]["settings"]["margin"] == {"RR": 0.25, "AP": 0.25}
    printed("protocol", "init", "-o", "plain.toml", "gate", "qrels.txt", "-m", "RR")
    assert tomllib.loads(Path("plain.toml").read_text())["tests"] == {"alpha": 0.05}
    assert refused("protocol", "init", "gate", "qrels.txt", "-m", "RR,AP", "--margin", "RR=0.1") == (
        "--margin RR=0.1 does not belong in a protocol, which holds one margin for all measures: give it to `cranfield "
        "protocol run`"
    )
    assert refused("protocol", "init", "gate", "qrels.txt", "-m", "RR", "--margin", "x") == (
        "--margin x: 'x' is not a number"
    )


def test_intent_weights_are_named_and_hashed() -> None:
    Path("qrels.txt").write_text("1 1 a 1\n1 2 b 1\n2 1 a 1\n2 2 b 1\n")
    Path("weights.txt").write_text("1 1 0.7\n1 2 0.3\n2 1 0.5\n2 2 0.5\n")
    how = "-m", "D-nDCG@2", "--intent-weights", "weights.txt"
    printed("protocol", "init", "-o", "intents.toml", "evaluate", "qrels.txt", *how)
    usual = cranfield("evaluate", "qrels.txt", "best.run", *how)
    assert cranfield("protocol", "run", "intents.toml", "best.run") == usual
    Path("weights.txt").write_text("1 1 0.6\n1 2 0.4\n2 1 0.5\n2 2 0.5\n")
    assert refused("protocol", "run", "intents.toml", "best.run").startswith(
        "weights.txt: is not the file of intents.toml"
    )


def test_it_goes_on_too() -> None:
    Path("broken.run").write_text("1 Q0 a\n")
    assert cranfield("protocol", "run", "track.toml", "best.run", "broken.run", "--keep-going").status == LEFT_OUT


def test_help_reads_no_protocol() -> None:
    assert cranfield("evaluate", "--protocol", "absent.toml", "--help").status == 0


def test_in_python(track: Path) -> None:
    protocol = package.Protocol.read(track)
    scores = protocol.evaluate(["best.run", "late.run"])
    assert scores.identical(package.evaluate(["best.run", "late.run"], "qrels.txt", ["RR", "AP"], ties="docid"))
    assert protocol.text() == track.read_text()
    protocol.write("again.toml")
    assert package.Protocol.read("again.toml") == protocol


@pytest.mark.data("data/trec-dl-2019-passage")
def test_a_track(folder: Path) -> None:
    shared = DATA / "trec-dl-2019-passage"
    qrels = next(path for path in sorted(shared.iterdir()) if "qrels" in path.name)
    runs = sorted((shared / "runs").iterdir())[:3]
    how = "-m", "nDCG@10", "-m", "AP(rel=2)"
    assert cranfield("protocol", "init", "-o", "dl.toml", "evaluate", str(qrels), *how).status == 0
    ended = cranfield("protocol", "run", "dl.toml", "--protocol-outside", *map(str, runs), "-f", "json")
    assert ended == cranfield("evaluate", qrels, *runs, *how, "-f", "json")
