"""The package as its users see it: names, lazy imports, and the types that an editor reads."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import re
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import cranfield
from cranfield.measures import registry
from warm import THIRD_PARTIES, Warm

ROOT = Path(cranfield.__file__).parent


def python(script: str) -> str:
    """What a fresh interpreter prints, with warnings as errors."""
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert ended.stderr == ""
    return ended.stdout.strip()


NAMES = {
    *("CranfieldError", "CranfieldWarning", "InputError", "UsageError"),
    *("Measure", "InputOptions", "Protocol", "Qrels", "Run", "Scorer"),
    *("measure", "parse_measure", "parse_measures"),
    *("read_qrels", "read_run", "read_scores", "write", "write_scores"),
    *(
        "assert_no_regression",
        "audit",
        "board",
        "check",
        "compare",
        "compare_rankings",
        "describe_label_effects",
        "describe_labels",
        "diff",
        "estimate_difficulty",
    ),
    *(
        "estimate_difficulty",
        "estimate_headroom",
        "estimate_holes",
        "estimate_means",
        "repeat_by_group",
        "evaluate",
        "evaluate_means",
        "fuse",
        "load_cranfield",
        "report",
        "report_scores",
        "select_topics",
        "standardize",
        "summarize",
        "to_frame",
    ),
    "__version__",
}
ROOMS: dict[str, set[str]] = {
    "agreement": set(),
    "boards": {"read_board"},
    "collection": {"InputOptions", "IntentWeights", "Policy", "Preferences", "Qrels", "Rankings", "Run", "TopicText"},
    "comparison": {
        "DiversityPlane",
        "TopicSetSize",
        "add_preferences",
        "assert_no_regression",
        "compute_p_mrr",
        "estimate_detectable_difference",
        "estimate_topics_needed",
        "map_diversity",
    },
    "conformance": {
        "ConformanceCase",
        "Conformance",
        "ExactValues",
        "compute_values",
        "compute_wrong_means",
        "generate",
        "list_mistakes",
        "parse_case",
        "read_cases",
        "run",
        "write_suite",
    },
    "datasets": {"CranfieldCollection", "load_cranfield"},
    "fusion": {"compute_fusion_bounds"},
    "holes": {"HoleComparison", "Holes", "estimate_holes"},
    "information": {
        "Evidence",
        "Experiment",
        "InformationTau",
        "InformationTauNull",
        "InformationTaus",
        "compute_information_tau",
        "compute_information_taus",
        "compute_ric",
        "estimate_information_tau_null",
        "prepare_experiment",
    },
    "io": {"read_intent_weights", "read_preferences", "read_qrels", "read_run", "read_topics", "write"},
    "pairwise": {"PairVerdicts", "convert_preferences", "convert_scores", "read_verdicts"},
    "partitions": {"Dataset"},
    "pooling": {"read_teams"},
    "scores": {"read_scores", "write_scores"},
    "simulation": set(),
    "standardization": {"StandardizationFactors", "fit_standardization", "read_factors"},
    "topic_difficulty": {
        "DifficultyAlternatives",
        "PredictionErrors",
        "compute_difficulty",
        "compute_prediction_errors",
        "estimate_difficulty_otherwise",
        "weigh_by_difficulty",
    },
    "trust": set(),
}
"""Room -> its names besides its declared analyses and their results."""
MODULES = {"errors", "integrations", "measures", "plot"}
VERBS = {
    *(
        "add",
        "assert",
        "audit",
        "average",
        "board",
        "check",
        "compare",
        "compute",
        "combine",
        "convert",
        "count",
        "describe",
        "diff",
        "estimate",
        "evaluate",
        "find",
        "fit",
    ),
    "fuse",
    *(
        "gate",
        "generate",
        "list",
        "load",
        "make",
        "map",
        "measure",
        "parse",
        "prefer",
        "prepare",
        "read",
        "repeat",
        "report",
        "run",
        "sample",
        "select",
    ),
    *("simulate", "standardize", "study", "summarize", "to"),
    *("weigh", "write"),
}


def test_dir_lists_the_nouns_the_verbs_the_rooms_and_every_measure() -> None:
    measures = {declaration.attribute for declaration in registry.values()}
    assert set(dir(cranfield)) == NAMES | set(ROOMS) | MODULES | measures
    assert dir(cranfield) == sorted(dir(cranfield))
    assert set(cranfield.__all__) == (NAMES | measures) - {"__version__"}


def declared_names(package: ModuleType) -> set[str]:
    """The declared analyses of a room, and the classes of their results there."""
    names = set()
    for name in dir(package):
        analysis = getattr(getattr(package, name), "analysis", None)
        if analysis is not None and analysis.facts.command:
            names |= {name, getattr(analysis.result, "__name__", name)} & set(dir(package))
    return names


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_lists_its_names_and_has_them(room: str) -> None:
    package = importlib.import_module(f"cranfield.{room}")
    declared = declared_names(package)
    assert set(dir(package)) == ROOMS[room] | declared
    assert not ROOMS[room] & declared
    for name in dir(package):
        assert getattr(package, name).__name__ == name
        assert len(getattr(package, name).__doc__.strip()) > 20
    with pytest.raises(AttributeError, match=rf"^module 'cranfield\.{room}' has no attribute 'nope'$"):
        _ = package.nope


@pytest.mark.parametrize("room", sorted({*ROOMS, *MODULES}))
def test_dir_of_a_room_holds_public_names_alone(room: str) -> None:
    package = importlib.import_module(f"cranfield.{room}")
    for name in dir(package):
        value = getattr(package, name)
        assert name[0] != "_", name
        assert not hasattr(typing, name), f"{name} is of typing"
        assert name != "annotations"
        if isinstance(value, ModuleType):
            assert value.__name__ in (f"cranfield.{room}.{name}", f"cranfield.{name}")


def test_functions_are_verbs() -> None:
    """An act is named by what it does; what it gives is named by a class."""
    rooms = [dir(importlib.import_module(f"cranfield.{room}")) for room in ROOMS]
    public = {name for name in NAMES if name[0].islower()}.union(*rooms)
    functions = {name for name in public if name[0].islower() and name != "__version__"}
    assert {name.partition("_")[0] for name in functions} <= VERBS


def by_module() -> list[tuple[str, ...]]:
    """Public names by the module where they live: the first of them imports it, and then all are there."""
    found: dict[str, list[str]] = {}
    for name in sorted(NAMES | {"nDCG", "MAP"}):
        found.setdefault(cranfield._FACADE.get(name, name), []).append(name)
    return [tuple(names) for names in found.values()]


@pytest.fixture(scope="module")
def fresh() -> Iterator[Warm]:
    """Interpreters that have imported nothing of this package, with warnings as errors."""
    warm = Warm(THIRD_PARTIES, ("-W", "error"))
    yield warm
    warm.close()


@pytest.mark.slow
@pytest.mark.parametrize("names", by_module(), ids=",".join)
def test_every_name_can_be_imported_first(names: tuple[str, ...], fresh: Warm) -> None:
    listed = ", ".join(names)
    script = f"import sys; print('cranfield' in sys.modules); from cranfield import {listed}; print(all([{listed}]))"
    assert fresh.run(script) == (0, "False\nTrue\n", "")


def test_every_name_is_imported_first_by_a_test() -> None:
    assert sorted(name for names in by_module() for name in names) == sorted(NAMES | {"nDCG", "MAP"})


@pytest.mark.parametrize("name", sorted(set(dir(cranfield)) - set(ROOMS) - MODULES))
def test_what_is_public_explains_itself(name: str) -> None:
    found = getattr(cranfield, name)
    if isinstance(found, cranfield.Measure):
        assert found.declaration.attribute == name
        assert found.given == {}
    elif name != "__version__":
        assert len(found.__doc__.strip()) > 20
        assert found.__name__ == name


def test_aliases_are_attributes_too() -> None:
    assert cranfield.MAP == cranfield.AP
    assert cranfield.nDCG == cranfield.NDCG
    assert getattr(cranfield, "11pt") == cranfield.ElevenPoint


def test_the_version_is_that_of_the_distribution() -> None:
    assert cranfield.__version__ == importlib.metadata.version("cranfield")


@pytest.mark.parametrize("name", ["nope", "nDGC", "_private", "__wrapped__", "map_cut_10", "", "x.y", "cli.x", ".."])
def test_a_name_that_does_not_exist(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"^module 'cranfield' has no attribute '{name}'"):
        getattr(cranfield, name)
    assert not hasattr(cranfield, name)


def test_a_name_that_does_not_exist_cannot_be_imported() -> None:
    with pytest.raises(ImportError):
        from cranfield import nDGC  # type: ignore[attr-defined]  # noqa: F401


@pytest.mark.slow
@pytest.mark.parametrize(
    "module",
    sorted(path.stem for path in ROOT.glob("[a-z]*") if path.suffix == ".py" or (path / "__init__.py").exists()),
)
def test_modules_can_be_imported_first(module: str, fresh: Warm) -> None:
    script = f"import cranfield.{module}; print(cranfield.{module}.__name__)"
    assert fresh.run(script) == (0, f"cranfield.{module}\n", "")


def test_measures_are_an_attribute_of_the_package() -> None:
    """The package's docstring sends its reader there."""
    assert python("import cranfield; print('AP' in cranfield.measures.registry)") == "True"


def test_the_package_imports_nothing_until_it_is_asked() -> None:
    loaded = "import cranfield, sys; print(sorted(m for m in sys.modules if m.split('.')[0] in {names}))"
    heavy = {"numpy", "scipy", "pandas", "xarray", "click", "rich", "narwhals", "nanoarrow"}
    assert python(loaded.format(names=heavy)) == "[]"
    assert python(loaded.format(names={"cranfield"})) == "['cranfield', 'cranfield._lazy']"


def test_asking_for_a_measure_imports_no_frames() -> None:
    heavy = {"scipy", "pandas", "xarray", "click", "rich", "narwhals", "nanoarrow"}
    script = "from cranfield import nDCG, MAP, Run, Qrels, evaluate; import cranfield.evaluation, sys"
    assert python(f"{script}; print(sorted({heavy} & set(sys.modules)))") == "[]"


def test_everything_of_the_errors_module_is_public() -> None:
    tree = ast.parse((ROOT / "errors.py").read_text())
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)} - {"EngineError", "Located"}
    for name in classes - {"CranfieldWarning"}:
        assert issubclass(getattr(cranfield.errors, name), cranfield.CranfieldError)
        assert name in (cranfield.errors.__doc__ or "")


# ---- types


def test_the_stub_names_what_the_package_has() -> None:
    tree = ast.parse((ROOT / "__init__.pyi").read_text(encoding="utf-8"))
    imported = {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names} - {None}
    declared = {
        node.target.id for node in tree.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert set(dir(cranfield)) <= imported | declared
    for name in imported | declared:
        assert hasattr(cranfield, str(name)), name


GOOD = """
import cranfield
from cranfield import AP, RBP, IPrec, Measure, nDCG, measure
from cranfield.collection import Rankings
from cranfield.measures import Cutoff

cut: Measure = nDCG(dcg="exp-log2", gains={0: 0.0, 2: 3.5}) @ 10
again = cut @ 5
three: list[Measure] = [AP(rel=2), RBP(p=0.9, rel=None), IPrec @ 0.1, cranfield.MAP, cranfield.NDCG @ 10]
scores = cranfield.evaluate({"1": {"a": 1.0}}, {"1": {"a": 1}}, three, ties="docid")
read = cranfield.InputOptions(ties="docid", input_format="beir", rel=2)
same = cranfield.evaluate("x.run", "qrels.txt", reading=read)
stability: cranfield.trust.Stability = cranfield.trust.estimate_stability(scores["AP"], unit="topic", seed=2)
run = cranfield.read_run("x.run", on_duplicate="first")
rankings: Rankings = cranfield.evaluation.make_rankings(run, "qrels.txt")
"""

BAD = {
    "nDCG(cutof=10)": 'Unexpected keyword argument "cutof"',
    'nDCG(dcg="log")': "incompatible type \"Literal['log']\"",
    "nDCG @ 1.5": 'Unsupported operand types for @ ("_nDCG" and "float")',
    'nDCG @ "10"': "Unsupported operand types for @",
    "AP(rel=None)": "incompatible type",
    "cranfield.nDGC": 'Module has no attribute "nDGC"',
    'cranfield.evaluate({}, {}, ties="doc")': "incompatible type",
    "cranfield.evaluate({}, {}, policy=read)": 'Unexpected keyword argument "policy"',
    'cranfield.InputOptions(ties="doc")': "incompatible type",
    'cranfield.trust.estimate_stability(scores["AP"], unit="system")': "incompatible type",
    'cranfield.fuse({}, tie="docid")': 'Unexpected keyword argument "tie"',
    'cranfield.read_run("x", on_duplicate="last")': "incompatible type",
}


@pytest.mark.heavy
def test_mypy_finds_what_is_misspelled(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """What mypy knows of other packages it keeps from one run of the tests to the next."""
    kept = getattr(pytestconfig, "cache", None)
    cache = kept.mkdir("mypy") if kept is not None else tmp_path / "cache"
    path = tmp_path / "snippet.py"
    path.write_text(GOOD + "".join(f"{line}\n" for line in BAD))
    first = GOOD.count("\n") + 1
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context"]
    ended = subprocess.run(
        [*command, "--cache-dir", str(cache), "--config-file", "", str(path)],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert ended.stderr == ""
    found: dict[int, str] = {}
    for line in ended.stdout.splitlines():
        place = re.match(r"snippet\.py:(\d+): error: (.*)", line)
        if place is not None:
            found.setdefault(int(place[1]), place[2])
        else:
            assert ": note: " in line, line
    assert sorted(found) == list(range(first, first + len(BAD))), ended.stdout
    for number, expected in enumerate(BAD.values(), first):
        assert expected in found[number]


def test_the_package_is_marked_as_typed() -> None:
    assert (ROOT / "py.typed").is_file()
