"""What a release consists of: who and which version it says it is, what its files name, and how it is built."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tomllib
from datetime import date
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import cranfield
from cranfield.cli import app

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")


def texts() -> list[Path]:
    """What people read of the project, and what its machines run."""
    folders = (".ci", ".github", "docs", "paper", "src")
    listed = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    written = [path for path in listed if path.parent.suffix != ".egg-info" and path.suffix not in {".so", ".pyc"}]
    return [*written, *ROOT.glob("*.md"), *ROOT.glob("*.yml"), *ROOT.glob(".*.yaml")]


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


PUBLISHABLE = runpy.run_path(str(ROOT / ".ci" / "publishable.py"))
WORKFLOW = read(".github/workflows/release.yml")
STEPS = [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def test_the_version_is_the_same_everywhere() -> None:
    engine = tomllib.loads((ROOT / "engine" / "Cargo.toml").read_text())["package"]["version"]
    assert {read("CITATION.cff")["version"], engine, cranfield.__version__} == {PROJECT["version"]}


def test_the_citation_says_what_the_package_says() -> None:
    citation = read("CITATION.cff")
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in PROJECT["authors"]]
    assert citation["license"] == PROJECT["license"]


HOME = "https://git.org/we/cranfield"
SETTLED = {
    "version": "0.2.0",
    "urls": {"Source": HOME, "Documentation": "https://docs.org", "Issues": f"{HOME}/issues"},
}
CITED = f"title: cranfield\nrepository-code: {HOME}\nurl: https://docs.org\n"
INSTALLING = "# Install\n\n    pip install cranfield\n"


def test_what_is_true_of_itself_is_published() -> None:
    assert PUBLISHABLE["objections"](SETTLED, CITED, INSTALLING, "v0.2.0", HOME) == []


@pytest.mark.parametrize(
    ("changed", "citation", "tag", "repository", "said"),
    [
        ({}, CITED, "v0.2.1", HOME, ["the tag has to be 'v0.2.0'"]),
        ({}, CITED, "v0.2.0", "https://git.org/fork/cranfield", ["not the repository that publishes"]),
        ({}, "title: cranfield\n", "v0.2.0", HOME, [f"repository-code: {HOME}", "url: https://docs.org"]),
        ({"Issues": "https://we.example/issues"}, CITED, "v0.2.0", HOME, ["Issues = 'https://we.example/issues'"]),
        ({"Issues": "https://we.example"}, CITED, "v0.2.0", HOME, ["is a placeholder"]),
        ({"Issues": "https://example.org/issues"}, CITED, "v0.2.0", HOME, []),
    ],
)
def test_what_is_not_is_refused(
    changed: dict[str, str], citation: str, tag: str, repository: str, said: list[str]
) -> None:
    project = SETTLED | {"urls": SETTLED["urls"] | changed}
    found = PUBLISHABLE["objections"](project, citation, INSTALLING, tag, repository)
    assert len(found) == len(said)
    assert all(part in line for part, line in zip(said, found, strict=True))


def test_a_page_on_installing_without_the_index_is_refused() -> None:
    (only,) = PUBLISHABLE["objections"](SETTLED, CITED, "    pip install .\n", "v0.2.0", HOME)
    assert only == "docs/install.md lacks the line 'pip install cranfield'"


def test_one_command_replaces_every_placeholder_of_a_release() -> None:
    settle = runpy.run_path(str(ROOT / ".ci" / "settle.py"))["settle"]
    names = ("pyproject.toml", "CITATION.cff", "docs/install.md")
    files = {name: (ROOT / name).read_text() for name in names}
    if not PUBLISHABLE["PLACEHOLDER"].match(PROJECT["urls"]["Source"]):
        with pytest.raises(ValueError, match="no placeholders any more"):
            settle(files, HOME, "https://docs.org")
        return
    settled = settle(files, HOME, "https://docs.org")
    project = tomllib.loads(settled["pyproject.toml"])["project"]
    texts = settled["CITATION.cff"], settled["docs/install.md"]
    assert PUBLISHABLE["objections"](project, *texts, f"v{project['version']}", HOME) == []
    assert project["urls"] == {
        "Documentation": "https://docs.org",
        "Source": HOME,
        "Issues": f"{HOME}/issues",
        "Changelog": f"{HOME}/blob/main/CHANGELOG.md",
    }
    assert yaml.safe_load(settled["CITATION.cff"])["repository-code"] == HOME
    assert "not on a package index" not in settled["docs/install.md"]
    assert settled["docs/install.md"].endswith(files["docs/install.md"].partition("\n    pip install .\n")[2])


def test_a_placeholder_stops_the_workflow_before_anything_is_built() -> None:
    steps = [step.get("run", "") for step in WORKFLOW["jobs"]["sdist"]["steps"]]
    (check,) = [number for number, run in enumerate(steps) if run.startswith("python .ci/publishable.py ")]
    assert all("python -m build" not in run for run in steps[:check])
    ended = subprocess.run(
        [sys.executable, ROOT / ".ci" / "publishable.py", "v0", "https://git.org"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "the tag is 'v0'" in ended.stderr


def test_addresses_are_in_one_place() -> None:
    """And in the citation, once they are true."""
    addresses = PROJECT["urls"]
    assert addresses["Issues"].startswith(f"{addresses['Source']}/")
    assert addresses["Changelog"].startswith(f"{addresses['Source']}/")
    home = addresses["Source"].encode()
    assert [path.name for path in texts() if home in path.read_bytes()] == []
    named = [name for name, address in addresses.items() if PUBLISHABLE["PLACEHOLDER"].match(address)]
    assert named in ([], list(addresses)), "either all addresses are placeholders, or none"
    citation = read("CITATION.cff")
    cited = {citation[field] for field in ("repository-code", "url") if field in citation}
    assert cited == (set() if named else {addresses["Source"], addresses["Documentation"]})


def test_pages_take_the_address_of_the_action_from_the_project() -> None:
    """No page names it by hand but the one for maintainers, and the site has it as soon as the project has one."""
    address = runpy.run_path(str(ROOT / "docs" / "site" / "address.py"))
    project = {"version": "0.2.0", "urls": PROJECT["urls"] | {"Source": HOME}}
    pages = {path.name: path.read_text() for path in (ROOT / "docs").rglob("*.md")}
    naming = {name for name, text in pages.items() if re.search(r"\bOWNER/\w|\buses: \S+/cranfield\b", text)}
    assert naming == {"gate.md", "statement.md", "releasing.md"}
    for name in ("gate.md", "statement.md"):
        assert address["fill_in"](pages[name], project).count(f"uses: {HOME.partition('.org/')[2]}@v0.2.0\n") == 1
        assert "TAG" not in address["fill_in"](pages[name], project)
    placeholder = {"version": "0.2.0", "urls": {"Source": "https://x.example/source"}}
    assert address["fill_in"](pages["gate.md"], placeholder) == pages["gate.md"]
    assert (address["find_source"](placeholder), address["find_source"](project)) == ("", HOME)


FOR_WORK = {"bench", "dev", "docs"}
"""Extras for work on cranfield itself."""
FROM_INDEX = re.compile(rb"\b(pip|pipx|uv|uvx|conda)\s[\w\s-]{0,30}'?cranfield\b(?!-)")
"""A command that takes cranfield from a package index."""


def test_only_one_page_says_how_to_install_from_the_index_and_none_before_it_is_there() -> None:
    """Messages name extras, which need an index for their packages alone: the next test."""
    switch, maintainers = ROOT / "docs" / "install.md", ROOT / "docs" / "releasing.md"
    others = [path for path in texts() if path.suffix != ".py" and path not in (switch, maintainers)]
    assert [path.name for path in others if FROM_INDEX.search(path.read_bytes())] == []
    page = switch.read_text()
    published = not any(PUBLISHABLE["PLACEHOLDER"].match(address) for address in PROJECT["urls"].values())
    assert (PUBLISHABLE["PROMISE"] in page) is published
    assert ("not on a package index yet" in page) is not published
    offered = FROM_INDEX.findall(page.replace("pip install 'cranfield[plot]'", "").encode())
    assert bool(offered) is published


def test_where_cranfield_is_installed_its_extras_need_no_index_for_it(tmp_path: Path) -> None:
    """As messages say ``pip install 'cranfield[plot]'``, whether a package of that name is published or not."""
    named = {f"cranfield[{extra}]" for extra in PROJECT["optional-dependencies"] if extra not in FOR_WORK}
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-index",
        "--dry-run",
        *sorted(named),
    ]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "Requirement already satisfied: cranfield[" in ended.stdout


def test_links_of_the_readme_lead_to_files_and_on_an_index_to_the_repository() -> None:
    """An index shows the README without the files beside it."""
    links = re.compile(r"!?\[[^]]*\]\(([^)\s]+)\)")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    described = runpy.run_path(str(ROOT / "setup.py"))["describe"](readme, HOME, "0.2.0")
    targets = list(zip(links.findall(readme), links.findall(described), strict=True))
    assert len(targets) > 15
    for file, address in targets:
        kind = "raw" if file.endswith(".png") else "blob"
        assert (ROOT / file).is_file()
        assert address == f"{HOME}/{kind}/v0.2.0/{file}"
    assert links.sub("", described) == links.sub("", readme), "nothing else differs"
    again = "[a](https://a.org/b) [c](#d)"
    assert runpy.run_path(str(ROOT / "setup.py"))["describe"](again, HOME, "0.2.0") == again
    built = metadata("cranfield")["Description"]
    relative = [target for target in links.findall(built) if not target.startswith(("https://", "#"))]
    assert relative == [], "what is installed was built before; install it again"
    assert f"({PROJECT['urls']['Source']}/blob/v{PROJECT['version']}/docs/tutorial.md)" in built


def test_the_page_on_installing_has_the_extras_and_the_oldest_versions() -> None:
    """No oldest version is one that SPEC 0 still supports."""
    page = (ROOT / "docs" / "install.md").read_text()
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == set(PROJECT["optional-dependencies"]) - FOR_WORK
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \| (\d+)-(\d+) \| (\d+)-(\d+) \|$", page, re.MULTILINE)
    floors = {name.lower(): version for name, version, *_ in rows}
    assert floors.pop("python") == PROJECT["requires-python"].removeprefix(">=")
    stated = {
        requirement.name: str(requirement.specifier)[2:] for requirement in map(Requirement, PROJECT["dependencies"])
    }
    assert floors == {name: stated[name] for name in ("numpy", "pandas", "scipy", "xarray")}
    for name, _, year, month, last_year, last_month in rows:
        assert (int(last_year) - int(year), last_month) == (3 if name == "Python" else 2, month)
        assert date(int(last_year), int(last_month), 28) < date.today()


def test_the_classifiers_name_the_pythons_that_are_allowed() -> None:
    allowed = SpecifierSet(PROJECT["requires-python"])
    named = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name)]
    assert tuple(named) == PYTHONS
    assert all(python in allowed for python in named)
    assert "3.10" not in allowed
    assert tuple(WORKFLOW["jobs"]["pure"]["strategy"]["matrix"]["python"]) == PYTHONS


def test_every_dependency_has_a_floor() -> None:
    for named in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        for requirement in map(Requirement, named):
            assert requirement.name == "cranfield" or [part.operator for part in requirement.specifier] == [">="]


def test_the_wheel_is_for_the_oldest_python_and_all_later_ones() -> None:
    tag = f"cp{PYTHONS[0].replace('.', '')}"
    assert f"py_limited_api = {tag}\n" in (ROOT / "setup.cfg").read_text()
    assert f'"abi3-{tag.replace("cp", "py")}"' in (ROOT / "engine" / "Cargo.toml").read_text()
    (builds,) = {step["env"]["CIBW_BUILD"] for step in STEPS if "CIBW_BUILD" in step.get("env", {})}
    assert re.findall(r"cp\d+", builds) == [f"cp{python.replace('.', '')}" for python in PYTHONS]
    matrix = WORKFLOW["jobs"]["wheels"]["strategy"]["matrix"]["include"]
    assert {entry["platform"].partition("_")[0] for entry in matrix} == {"manylinux", "musllinux", "macosx", "win"}


def test_a_wheel_is_tried_with_the_compiled_engine() -> None:
    builder = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]
    assert builder["environment"]["CRANFIELD_ENGINE"] == "compiled"
    for system in ("macos", "windows"):
        assert builder[system]["environment"]["CRANFIELD_ENGINE"] == "compiled"
    assert {command.split()[0] for command in builder["test-command"]} == {"cranfield"}


def test_actions_are_pinned_by_commit() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert len(used) >= 8
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []


def test_what_maintainers_follow_names_files_that_are_there_and_shows_what_is_printed() -> None:
    page = (ROOT / "docs" / "releasing.md").read_text()
    named = set(re.findall(r"(?:python|bash)\s+((?:\.ci|paper)/[\w.]+)", page))
    assert named == {".ci/paper", ".ci/publishable.py", ".ci/release", ".ci/run", ".ci/settle.py"} | {
        f"paper/{name}.py" for name in ("authors", "figures")
    }
    assert all((ROOT / name).is_file() for name in named)
    citation, installing = ((ROOT / name).read_text() for name in ("CITATION.cff", "docs/install.md"))
    if PUBLISHABLE["PLACEHOLDER"].match(PROJECT["urls"]["Source"]):
        last = PUBLISHABLE["objections"](PROJECT, citation, installing, f"v{PROJECT['version']}", HOME)[-1]
        assert f"\nnot published: {last}; docs/releasing.md says what to do\n" in page
    for name, key in (("release.yml", "workflow"), ("release", "environment")):
        assert f"{key} `{name}`" in page
    assert WORKFLOW["jobs"]["publish"]["environment"] == "release"


def test_only_publishing_may_do_more_than_read() -> None:
    assert WORKFLOW["permissions"] == {}
    for name, job in WORKFLOW["jobs"].items():
        assert job["permissions"] in ([{"id-token": "write"}] if name == "publish" else [{}, {"contents": "read"}])
    assert set(WORKFLOW["jobs"]["publish"]["needs"]) == set(WORKFLOW["jobs"]) - {"publish"}


def test_the_hook_is_a_command_that_there_is() -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    program, command = hook["entry"].split()
    assert PROJECT["scripts"][program] == "cranfield.__main__:main"
    found = app.get_command(click.Context(app), command)
    assert found is not None
    assert [argument.name for argument in found.params[:2]] == ["qrels", "runs"]


@pytest.mark.parametrize("name", ["a.run", "runs/a.res", "b.run.gz", "b.run.zst"])
def test_the_hook_takes_runs(name: str) -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    assert re.search(hook["files"], name)
    assert not re.search(hook["files"], f"{name}.md")


def test_the_documentation_is_built_elsewhere_as_here() -> None:
    commands = "\n".join(read(".readthedocs.yaml")["build"]["commands"])
    assert "docs/site/build.py" in commands
    makefile = (ROOT / "Makefile").read_text()
    assert "/docs/bin/python docs/site/build.py" in makefile, "in an environment of its own"
    for text in (commands, makefile):
        assert set(re.findall(r"install [^\n]*'\.\[(\w+)\]'", text)) & {"docs"}
    assert re.findall(r"pip install (.*)", commands) == ["'.[docs]'"]
