"""The shape of the source and the voice of its prose: what a machine can hold."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "cranfield"
LINES, BODY = 600, 60
"""Of a file, and of a function without its docstring."""
LINES_OF_RUST = 600
"""Of a file of the engine, without the tests in it."""
TESTS = "#[cfg(test)]\nmod"
"""What the tests of a file of the engine begin with."""
FLOORS = (
    {"checked", "memory", "notice"},
    {"counting_sort", "error"},
    {"panics", "text"},
    {"ids", "input", "measures", "statistics"},
    {"comparison", "ranking", "trec"},
    {"columns", "judging"},
    {"python"},
)
"""Folders and files of the engine, from the ground up: what is in one uses its own and what is below."""


FORBIDDEN = (
    r"tell(s|ing)? (?!more)(\w+ ){0,5}apart",
    r"told (\w+ ){0,2}apart",
    r"\bturn(s|ed)? round\b",
    r"(stand|stands|stood) twice",
    r"could also have been",
    r"names of strangers",
    r"strangers' names",
    r"\bput(s|ting)? up with\b",
    r"\bgone on with\b",
    r"\bso many\b(?! (\w+,? ){1,6}that\b)",
    # "There is no such file" and "is no better than" are English; "is no number" is "is not a number".
    r"(?<!\bthere )\b(is|are) no "
    r"(?!(more|less|fewer|better|worse|higher|lower|larger|smaller|longer|wider|matter)\b)",
)
"""Phrases for which the field has words: distinguishes, reverses, occurs twice, score bounds, untrusted names, accepts,
resumes, that number, is not a."""


def sources() -> Iterator[tuple[str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")


@cache
def trees() -> list[tuple[str, ast.Module]]:
    """Every source, parsed once for all tests."""
    return [(name, ast.parse(text)) for name, text in sources()]


def files_of_the_engine() -> Iterator[tuple[str, Path]]:
    source = ROOT / "engine" / "src"
    for path in sorted(source.rglob("*.rs")):
        yield path.relative_to(source).as_posix(), path


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body of a function, without its docstring; its signature is a table of its parameters."""
    is_docstring = ast.get_docstring(function, clean=False) is not None
    body = function.body[1:] if is_docstring else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_files_are_short() -> None:
    assert not {name for name, text in sources() if text.count("\n") > LINES}


def test_files_of_the_engine_are_short() -> None:
    files = {name: path.read_text(encoding="utf-8") for name, path in files_of_the_engine()}
    assert "lib.rs" in files
    assert not {name for name, text in files.items() if text.split(TESTS)[0].count("\n") > LINES_OF_RUST}


def modules_of_the_engine() -> dict[str, set[str]]:
    """Each module of the engine by its path, and the modules that it uses outside its tests."""
    texts = {
        name.removesuffix(".rs").removesuffix("/mod"): path.read_text("utf-8") for name, path in files_of_the_engine()
    }
    uses: dict[str, set[str]] = {}
    for name, text in texts.items():
        uses[name] = set()
        for path in re.findall(r"crate::([\w:]+)", text.split(TESTS)[0]):
            ancestors = ["/".join(path.split("::")[:depth]) for depth in range(path.count("::") + 1, 0, -1)]
            uses[name] |= {next(module for module in ancestors if module in texts)} - {name}
    return {
        name: used
        for name, used in uses.items()
        if name not in ("lib", "invariants", "invariants/columns", "workloads")
    }


def test_floors_of_the_engine_hold() -> None:
    floor = {name: number for number, names in enumerate(FLOORS) for name in names}
    uses = modules_of_the_engine()
    assert {name.split("/")[0] for name in uses} == set(floor)
    for name, used in uses.items():
        room = name.split("/")[0]
        above = {other for other in used if other.split("/")[0] != room and floor[other.split("/")[0]] >= floor[room]}
        assert not above, f"{name} uses {above}"


def test_modules_of_the_engine_form_no_circle() -> None:
    assert list(TopologicalSorter(modules_of_the_engine()).static_order())


def test_only_one_folder_of_the_engine_knows_python() -> None:
    names = {name for name, path in files_of_the_engine() if re.search(r"\b(pyo3|numpy)::", path.read_text("utf-8"))}
    assert names
    assert all(name.startswith("python/") for name in names)


CRATES_IN_TWO_VERSIONS = {"syn"}
"""The macros of divan, which the benchmarks alone are built from, ask for the second; all others for the third."""


def test_crates_have_one_version_in_all_lock_files() -> None:
    versions: dict[str, set[str]] = {}
    for folder in ("", "fuzz", "benches"):
        lock = tomllib.loads((ROOT / "engine" / folder / "Cargo.lock").read_text("utf-8"))
        for crate in lock["package"]:
            versions.setdefault(crate["name"], set()).add(crate["version"])
    assert "pyo3" in versions
    assert {name for name, found in versions.items() if len(found) > 1} == CRATES_IN_TWO_VERSIONS


def test_functions_are_short() -> None:
    long = {
        f"{name}:{node.name}"
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and length(node) > BODY
    }
    assert not long


def prose() -> Iterator[tuple[str, str]]:
    """Every file that people read: code with its messages and comments, and documentation but for decisions made."""
    names = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(PACKAGE.rglob("*.py"))]
    for path in [*names, *(path for _, path in files_of_the_engine())]:
        if "decisions" not in path.parts:
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def said(text: str) -> set[str]:
    """Which of the forbidden phrases a text holds, also over the end of a line."""
    flat = re.sub(r"\s+((#|//[/!]?)\s+)?", " ", text)
    return {phrase for phrase in FORBIDDEN if re.search(phrase, flat, re.IGNORECASE)}


def test_prose_has_the_words_of_the_field() -> None:
    assert not {name for name, text in prose() if said(text)}


@pytest.mark.parametrize(
    "text",
    [
        "tells 476 pairs apart",
        "systems that cannot be told apart",
        "told\n    # apart",
        "turns round",
        "a line stands twice",
        "What a score could also have been",
        "a loss that is put up with",
        "parts that are gone on with",
        "drawn so many times",
        "a row that is no number",
        "documents that are no\n    # rows",
        "read so\n    /// many at a time",
    ],
)
def test_forbidden_phrases_are_found(text: str) -> None:
    assert said(text)
    assert not said("distinguishes 476 of 666 pairs, reverses three, and occurs twice; the mean stands apart")
    assert not said("There is no run; where\n    # there are no pairs, the mean is no better")
    assert not said("so many systems, topics and measures that memory has no room")


def test_docstrings_are_text() -> None:
    """Python 3.13.0 does not compile a docstring that UTF-8 cannot hold; write the backslash of an escape twice."""
    for name, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                said = ast.get_docstring(node, clean=False) or ""
                assert not re.search("[\ud800-\udfff]", said), (name, getattr(node, "name", ""))


PLAIN = {
    *("asked", "found", "given", "said", "kept", "one", "other", "others", "some", "rest", "how", "place"),
    *("places", "whole", "words", "long", "alike", "standing", "desk", "shelf", "turned", "wild", "strewn"),
}
"""Words that mean nothing by themselves: names say what a thing is instead (CONTRIBUTING.md has what to write)."""


def vague(name: str) -> set[str]:
    """The vague words of a name in snake case or in camel case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)} & PLAIN


def test_modules_and_classes_have_names_of_the_field() -> None:
    for file, tree in trees():
        assert not vague(Path(file).stem), file
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                assert not vague(node.name), (file, node.name)


def test_public_parameters_have_names_of_the_field() -> None:
    import cranfield

    rooms = [getattr(cranfield, room) for room in cranfield._ROOMS if room not in ("plot", "integrations", "errors")]
    public = [getattr(room, name) for room in [cranfield, *rooms] for name in dir(room) if not name.startswith("_")]
    for function in public:
        if inspect.isfunction(function):
            for parameter in inspect.signature(function).parameters.values():
                # Nobody writes the name of **options; "given" is what information tau is conditional on.
                if parameter.kind is not parameter.VAR_KEYWORD and parameter.name != "given":
                    assert not vague(parameter.name), (function.__name__, parameter.name)


def test_the_script_of_the_page_has_names_of_the_field() -> None:
    scripts = [*(PACKAGE / "reporting" / "web").glob("*.js")]
    assert scripts
    for path in scripts:
        names = set(re.findall(r"\b(?:const|let) (\w+)", path.read_text(encoding="utf-8")))
        assert not {name for name in names if vague(name) or name.endswith("Of")}, path.name


def test_functions_are_verbs_with_their_nouns() -> None:
    """None but public ones says only of what it is: ``table_of``, ``_of_frame``."""
    public = {
        *("is_of_ir_measures", "of_grades", "intents_of", "path_of", "result_of_runs"),
        *("residual_of", "risk_of", "warn_of", "_warn_of", "of", "of_files", "of_pool", "of_labels", "of_systems"),
    }
    functions = {
        (name, node.name)
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and re.search(r"^_*of(_|$)|_of$", node.name)
    }
    assert not {(name, function) for name, function in functions if function not in public}


def test_vague_words_are_found() -> None:
    assert vague("_of_found_rows") == {"found"}
    assert vague("LongScores") == {"long"}
    assert not vague("StreamedDifferences")


OWN = ("cranfield",)


def tricks(tree: ast.Module) -> Iterator[str]:
    """What a file does with the insides of Python or of other packages."""
    theirs: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            theirs |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] == "ctypes")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] not in ("__future__", *OWN):
            parts = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            yield from (f"{node.module}: {part}" for part in parts if re.match(r"_(?!_)", part))
            if node.module == "ctypes":
                yield "ctypes"
            theirs |= {alias.asname or alias.name for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and re.match(r"_(?!_)", node.attr):
            root: ast.expr = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in theirs - set(OWN):
                yield ast.unparse(node)
        targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else []
        for target in targets:
            if isinstance(target, ast.Subscript) and ast.unparse(target.value) == "sys.modules":
                yield ast.unparse(target)


def test_no_tricks() -> None:
    assert not {(name, trick) for name, tree in trees() for trick in tricks(tree)}


@pytest.mark.parametrize(
    "text",
    [
        "import ctypes",
        "from ctypes import c_int",
        "import sys\nsys._getframe(1)",
        "import sys\nsys.modules['numpy'] = None",
        "import xarray as xr\nxr.Dataset._construct_direct",
        "from xarray.core._x import y",
    ],
)
def test_tricks_are_found(text: str) -> None:
    assert [*tricks(ast.parse(text))]


def test_docstrings_are_sentences() -> None:
    """None begins with "Of" or "Its", which leave the reader to find the noun."""
    begun = re.compile(r'"""(Of|Its) ')
    assert not {(name, line) for name, text in sources() for line in text.splitlines() if begun.search(line)}


DEEP = 81
"""Test files that may import other modules than the doors of rooms, besides those of engines, laws and kernels.

The laws of declarations are one of them."""


def deep_imports(tree: ast.Module) -> set[str]:
    """The modules of the package in a file of tests that are neither public names nor the door of a room."""
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return {
        module
        for module in modules
        if re.match(r"cranfield\.(_|\w+\.)", module)
        and not (PACKAGE.parent / module.replace(".", "/") / "__init__.py").exists()
        and ".kernels" not in module
    }


def test_tests_import_from_the_doors_of_rooms() -> None:
    tests = ROOT / "tests"
    files = [path for path in tests.rglob("*.py") if path.relative_to(tests).parts[0] not in ("engines", "laws")]
    deep = [path for path in files if deep_imports(ast.parse(path.read_text(encoding="utf-8")))]
    assert files
    assert len(deep) <= DEEP


def test_only_the_seam_chooses_an_engine() -> None:
    """Kernels and ``engine.current()`` do; whoever calls them does not know which engine runs."""
    asking = {name for name, text in sources() if re.search(r"\bcompiled\(|import _engine\b", text)}
    assert asking == {"engine/__init__.py", "engine/kernels.py"}
