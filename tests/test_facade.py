"""The package as its users see it: names, lazy imports, and the types that an editor reads."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cranfield
from cranfield.measures import registry

ROOT = Path(cranfield.__file__).parent


def python(script: str) -> str:
    """What a fresh interpreter prints, with warnings as errors."""
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert ended.stderr == ""
    return ended.stdout.strip()


NAMES = {
    *("CranfieldError", "CranfieldWarning", "FormatError", "InputError", "MeasureError", "TopicError", "UsageError"),
    *("Evidence", "IntentWeights", "Measure", "Policy", "Preferences", "Qrels", "Rankings", "Reading", "Run"),
    *("experiment", "fuse", "fusion_bounds", "headroom", "information_difference", "information_tau"),
    *("information_taus", "joint_ric", "read_preferences", "relevance_information", "select_systems"),
    *("check", "evaluate", "judge", "measure", "parse_measure", "parse_measures", "read_qrels", "read_run"),
    *("diversity_plane", "read_intent_weights"),
    *("read_scores", "simulate_runs", "summarize", "write", "write_scores"),
    *("describe_labels", "difficulty", "difficulty_alternatives", "difficulty_weighted_mean", "estimate_difficulty"),
    *("fit_standardization", "read_factors", "standardization_study", "standardize"),
    *("compare", "topics_needed", "detectable_difference", "reliability", "stability", "sensitivity", "select_topics"),
    *("agreement", "judge_agreement", "label_agreement", "audit", "simulate_scores"),
    "__version__",
}


def test_dir_lists_the_nouns_the_verbs_and_every_measure() -> None:
    measures = {declaration.attribute for declaration in registry.values()}
    assert set(dir(cranfield)) == NAMES | measures
    assert dir(cranfield) == sorted(dir(cranfield))


def by_module() -> list[tuple[str, ...]]:
    """Public names by the module where they live: the first of them imports it, and then all are there."""
    found: dict[str, list[str]] = {}
    for name in sorted(NAMES | {"nDCG", "MAP"}):
        found.setdefault(cranfield._FACADE.get(name, name), []).append(name)
    return [tuple(names) for names in found.values()]


@pytest.mark.parametrize("names", by_module(), ids=",".join)
def test_every_name_can_be_imported_first(names: tuple[str, ...]) -> None:
    listed = ", ".join(names)
    assert python(f"from cranfield import {listed}; print(all([{listed}]))") == "True"


def test_every_name_is_imported_first_by_a_test() -> None:
    assert sorted(name for names in by_module() for name in names) == sorted(NAMES | {"nDCG", "MAP"})


@pytest.mark.parametrize("name", dir(cranfield))
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


@pytest.mark.parametrize("name", ["nope", "nDGC", "_private", "__wrapped__", "map_cut_10", ""])
def test_a_name_that_does_not_exist(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"^module 'cranfield' has no attribute '{name}'"):
        getattr(cranfield, name)
    assert not hasattr(cranfield, name)


def test_a_name_that_does_not_exist_cannot_be_imported() -> None:
    with pytest.raises(ImportError):
        from cranfield import nDGC  # type: ignore[attr-defined]  # noqa: F401


@pytest.mark.parametrize(
    "module",
    sorted(path.stem for path in ROOT.glob("[a-z]*") if path.suffix == ".py" or (path / "__init__.py").exists()),
)
def test_modules_can_be_imported_first(module: str) -> None:
    assert python(f"import cranfield.{module}; print(cranfield.{module}.__name__)") == f"cranfield.{module}"


def test_measures_are_an_attribute_of_the_package() -> None:
    """The package's docstring sends its reader there."""
    assert python("import cranfield; print('AP' in cranfield.measures.registry)") == "True"


def test_the_package_imports_nothing_until_it_is_asked() -> None:
    loaded = "import cranfield, sys; print(sorted(m for m in sys.modules if m.split('.')[0] in {names}))"
    heavy = {"numpy", "scipy", "pandas", "xarray", "click", "rich", "narwhals"}
    assert python(loaded.format(names=heavy)) == "[]"
    assert python(loaded.format(names={"cranfield"})) == "['cranfield']"


def test_asking_for_a_measure_imports_no_frames() -> None:
    heavy = {"scipy", "pandas", "xarray", "click", "rich", "narwhals"}
    script = "from cranfield import nDCG, MAP, Run, Qrels, judge, evaluate; import sys"
    assert python(f"{script}; print(sorted({heavy} & set(sys.modules)))") == "[]"


def test_everything_of_the_errors_module_is_public() -> None:
    tree = ast.parse((ROOT / "errors.py").read_text())
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)} - {"EngineError", "Located"}
    assert classes <= NAMES
    for name in classes - {"CranfieldWarning"}:
        assert issubclass(getattr(cranfield, name), cranfield.CranfieldError)
        assert name in (cranfield.errors.__doc__ or "")


# ---- types


def test_the_stub_is_not_stale() -> None:
    from cranfield.measures._stub import stub

    written = (ROOT / "__init__.pyi").read_text(encoding="utf-8")
    assert stub() == written, "write it again: python -m cranfield.measures._stub"


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
from cranfield import AP, RBP, IPrec, Measure, Rankings, nDCG, measure
from cranfield.measures import Cutoff

cut: Measure = nDCG(dcg="exp-log2", gains={0: 0.0, 2: 3.5}) @ 10
again = cut @ 5
three: list[Measure] = [AP(rel=2), RBP(p=0.9, rel=None), IPrec @ 0.1, cranfield.MAP, cranfield.NDCG @ 10]
scores = cranfield.evaluate({"1": {"a": 1.0}}, {"1": {"a": 1}}, three, ties="docid")
run = cranfield.read_run("x.run", on_duplicate="first")
rankings: Rankings = cranfield.judge(run, "qrels.txt")
"""

BAD = {
    "nDCG(cutof=10)": 'Unexpected keyword argument "cutof"',
    'nDCG(dcg="log")': "incompatible type \"Literal['log']\"",
    "nDCG @ 1.5": 'Unsupported operand types for @ ("_nDCG" and "float")',
    'nDCG @ "10"': "Unsupported operand types for @",
    "AP(rel=None)": "incompatible type",
    "cranfield.nDGC": 'Module has no attribute "nDGC"',
    'cranfield.evaluate({}, {}, ties="doc")': "incompatible type",
    'cranfield.read_run("x", on_duplicate="last")': "incompatible type",
}


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
