"""The how-tos and the tutorial are carried out as they stand, and so is the action for CI."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path
from shutil import which
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs" / "how-to").glob("*.md"))]
ACTION = ROOT / "action.yml"
GATE = ROOT / "docs" / "how-to" / "gate.md"
STATEMENT = ROOT / "docs" / "how-to" / "statement.md"


INSTALLED = Path(sys.executable).parent


def shell(script: str, folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A script in a folder, where ``cranfield`` is this one."""
    path = os.pathsep.join([str(INSTALLED), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", script, "script", *arguments],
        cwd=folder,
        env=os.environ | {"PATH": path} | more,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def blocks(page: Path, language: str) -> list[str]:
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)
    return found


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[] if page.stem in ("tutorial", "gate") else pytest.mark.slow) for page in PAGES],
    ids=lambda page: page.name,
)
def test_commands_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    """In one shell; each command is followed by a mark, which keeps its exit status."""
    said = "".join(blocks(page, "console"))
    commands = re.findall(r"^\$ (.*)$", said, re.MULTILINE)
    assert commands
    script = "".join(f"{one}\nstatus=$?; printf '\\036'; (exit $status)\n" for one in commands)
    ended = shell(script, tmp_path)
    assert ended.stderr == ""
    printed = ended.stdout.split("\x1e")
    assert "".join(f"$ {one}\n{out}" for one, out in zip(commands, printed, strict=False)) == said


@pytest.mark.skipif(which("pdflatex") is None, reason="no LaTeX here (Debian: texlive-latex-recommended)")
def test_the_paper_is_set_by_latex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's document, with the table and the figure that the page makes."""
    monkeypatch.setattr("tempfile.mkdtemp", lambda: str(tmp_path))
    page = ROOT / "docs" / "how-to" / "paper.md"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    (document,) = blocks(page, "latex")
    (tmp_path / "paper.tex").write_text(document)
    ended = shell("pdflatex -interaction=nonstopmode -halt-on-error paper", tmp_path)
    assert (failed, ended.returncode) == (0, 0), ended.stdout[-2000:]
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF")
    assert "Overfull" not in ended.stdout


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gate")
    stored = "cranfield evaluate demo/qrels.txt demo/runs/system1.run --by-topic -f json -o baseline.json"
    ended = shell(f"cranfield simulate runs --n-systems 3 --output demo && {stored}", folder)
    assert (ended.returncode, ended.stderr) == (0, "")
    return folder


@pytest.mark.parametrize(
    ("run", "status", "said"),
    [("system2", 0, "merge"), ("system3", 3, "do not merge")],
)
def test_the_workflow_in_a_shell(collection: Path, run: str, status: int, said: str) -> None:
    (script,) = blocks(GATE, "sh")
    ended = shell(script, collection, "demo/qrels.txt", f"demo/runs/{run}.run", "baseline.json")
    assert ended.returncode == status
    assert ended.stdout.endswith(f"gate: {said}\n")


# ---- the action


def step(name: str) -> dict[str, object]:
    steps = yaml.safe_load(ACTION.read_text())["runs"]["steps"]
    (found,) = (step for step in steps if step["name"] == name)
    return dict(found)


def test_the_action_is_valid_and_safe() -> None:
    """By GitHub's own schema, and by zizmor, which looks for injections and unpinned actions."""
    for program in (
        ("check-jsonschema", "--builtin-schema", "vendor.github-actions", str(ACTION)),
        ("zizmor", "--offline", "--no-progress", "--quiet", str(ACTION)),
    ):
        ended = subprocess.run(
            [str(Path(sys.executable).parent / program[0]), *program[1:]], capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_action_asks_for_what_the_command_knows() -> None:
    inputs = yaml.safe_load(ACTION.read_text())["inputs"]
    asked = re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", ACTION.read_text())
    assert set(asked) == set(inputs), "every input is used, and none is asked for that is not there"
    for name in ("Name the wheel", "Install cranfield", "Gate"):
        assert "${{" not in str(step(name)["run"]), "no input is part of a script"
    workflows = [yaml.safe_load(block) for page in (GATE, STATEMENT) for block in blocks(page, "yaml")]
    jobs = [job for workflow in workflows for job in [workflow, *(workflow.get("jobs") or {}).values()]]
    steps = [step for job in jobs for step in job.get("steps", ()) if "cranfield@" in step.get("uses", "")]
    assert len(steps) == 2
    for used in steps:
        assert set(used["with"]) <= set(inputs)


OPTIONS = ("ALPHA", "REL", "UNJUDGED", "PASSAGES", "COLUMNS_NAMED", "TOPIC_GROUPS", "PROTOCOL")
"""What the action passes on as options, each where it is given."""
UNSET = dict.fromkeys(OPTIONS, "")


def test_the_action_passes_options_on(collection: Path, tmp_path: Path) -> None:
    """A program of that name prints what it is called with."""
    program = tmp_path / "cranfield"
    program.write_text(
        '#!/bin/sh\nprintf "%s\\n" "$@"\ntouch "$RUNNER_TEMP/cranfield-gate.xml" "$RUNNER_TEMP/cranfield-gate.md"\n'
    )
    program.chmod(0o755)
    given = {name: name.lower() for name in OPTIONS} | {"QRELS": "", "RUNS": "a.run", "BASELINE": "b.run"}
    given |= dict.fromkeys(("AGAINST", "MEASURES", "MARGIN", "WORST_TOPIC", "STATEMENT", "INSTALL"), "")
    given |= {"CANNOT_TELL": "fail", "JUNIT": str(tmp_path / "gate.xml"), "RUNNER_TEMP": str(tmp_path)}
    given |= {name: str(tmp_path / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    given["PATH"] = f"{tmp_path}:/usr/bin:/bin"
    ended = shell(str(step("Gate")["run"]), collection, **given)
    assert ended.returncode == 0, ended.stderr
    flags = [
        word for name in OPTIONS for word in (f"--{name.split('_NAMED')[0].lower().replace('_', '-')}", name.lower())
    ]
    first, *printed = ended.stdout.splitlines()
    verdict = printed[: printed.index(f"::{first.removeprefix('::stop-commands::')}::")]
    also = ["--also", str(tmp_path / "cranfield-gate.xml"), "--also", str(tmp_path / "cranfield-gate.md")]
    assert verdict == ["gate", "--cannot-tell", "fail", *flags, *also, "--", "b.run", "a.run"], "one call for all"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"RUNS": "demo/runs/system2.run\ndemo/runs/system3.run", "STATEMENT": "the verdict.json"}, 3),
        (
            {
                "RUNS": "demo/runs/system2.run\n",
                "AGAINST": "",
                "BASELINE": "demo/runs/system1.run",
                "MEASURES": "nDCG@10,AP",
                "MARGIN": "nDCG@10=0.1\nAP=0.2",
            },
            0,
        ),
        ({"RUNS": "demo/runs/system9.run", "STATEMENT": "the verdict.json"}, 1),
        ({"RUNS": "demo/runs/system2.run\ndemo/runs/system3.run", "AGAINST": ""}, 2),
    ],
    ids=str,
)
def test_the_action_runs(collection: Path, tmp_path: Path, change: dict[str, str], status: int) -> None:
    given = {"QRELS": "demo/qrels.txt", "BASELINE": "", "AGAINST": "baseline.json", "MEASURES": "nDCG@10", **UNSET}
    given |= {"MARGIN": "0.01", "WORST_TOPIC": "", "CANNOT_TELL": "fail", "INSTALL": ""}
    given |= {"JUNIT": str(tmp_path / "new folder" / "gate.xml"), "STATEMENT": "", "RUNNER_TEMP": str(tmp_path)}
    (collection / "the verdict.json").unlink(missing_ok=True)
    given |= {name: str(tmp_path / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    environment = step("Gate")["env"]
    assert isinstance(environment, dict)
    assert set(environment) <= set(given | change)
    ended = shell(str(step("Gate")["run"]), collection, **(given | change))
    assert ended.returncode == status, ended.stderr
    assert (tmp_path / "github_output").read_text() == f"status={status}\n"
    first, *_, last = ended.stdout.splitlines()
    assert first.startswith("::stop-commands::") and last == f"::{first.removeprefix('::stop-commands::')}::"
    if status in (1, 2):
        reason = "no such file" if status == 1 else "baseline or against"
        assert reason in ended.stderr
        assert reason in (tmp_path / "github_step_summary").read_text(), "a refusal is on the job's page too"
        assert not (tmp_path / "new folder").exists()
        assert not (collection / "the verdict.json").exists()
        return
    summary = (tmp_path / "github_step_summary").read_text()
    assert summary.startswith("**regression: " if status else "**no regression: ")
    suite = ElementTree.parse(tmp_path / "new folder" / "gate.xml").getroot()
    assert int(suite.get("failures", "")) == (status == 3)
    stated = sorted(path.name for path in collection.glob("*verdict*"))
    assert stated == ["the verdict.json"] * (status == 3), "written where an input names it, and only there"
    if stated:
        statement = json.loads((collection / stated[0]).read_text())
        assert [subject["name"] for subject in statement["subject"]] == ["system2", "system3"]
        assert statement["predicate"]["result"] == "FAILED"


PYTHON_HERE = re.compile(r"\bpython3?\"? +(?!-I\b|-P\b)-\S+")
"""A call of Python that imports modules of the working folder."""


def test_nothing_imports_modules_of_a_folder_of_strangers() -> None:
    """Neither the action nor what pages show for one's own automation."""
    assert len(re.findall(r"\bpython3?\"? -I ", ACTION.read_text())) == 5
    pages = [*(ROOT / "docs" / "how-to").glob("*.md"), *(ROOT / "docs" / "questions").glob("*.md")]
    for path in (ACTION, ROOT / ".pre-commit-hooks.yaml", ROOT / "docs" / "check.md", *pages):
        assert PYTHON_HERE.findall(path.read_text()) == [], path.name


def plant(folder: Path, *names: str) -> Path:
    """Modules that say so when they are run."""
    for name in names:
        (folder / f"{name}.py").write_text(
            "import pathlib; pathlib.Path(__file__).with_name('RAN').write_text(__name__)\n"
        )
    return folder / "RAN"


def test_the_gate_runs_no_module_of_the_workspace(collection: Path, tmp_path: Path) -> None:
    for name in ("demo", "baseline.json"):
        (tmp_path / name).symlink_to(collection / name)
    ran = plant(tmp_path, "secrets", "json", "click", "numpy", "cranfield", "sitecustomize")
    given = {"QRELS": "demo/qrels.txt", "RUNS": "demo/runs/system2.run", "BASELINE": "", "AGAINST": "baseline.json"}
    given |= {"MEASURES": "nDCG@10", "MARGIN": "0.01", "WORST_TOPIC": "", "CANNOT_TELL": "fail", "INSTALL": "", **UNSET}
    given |= {"JUNIT": "gate.xml", "STATEMENT": "", "RUNNER_TEMP": str(tmp_path)}
    given |= {name: str(tmp_path / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    ended = shell(str(step("Gate")["run"]), tmp_path, **given)
    assert ended.returncode == 0, ended.stderr
    assert re.match(r"::stop-commands::[0-9a-f]{32}\n", ended.stdout)
    assert not ran.exists(), ran.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("kept", [False, True])
def test_installing_runs_no_module_of_the_workspace(tmp_path: Path, kept: bool) -> None:
    """What is installed is a wheel without content, so that nothing is asked of the network: one named, or one kept."""
    workspace, wheels = tmp_path / "workspace", tmp_path / "cranfield-wheel"
    workspace.mkdir()
    wheels.mkdir()
    ran = plant(workspace, "venv", "pip", "ensurepip", "json", "sitecustomize")
    with zipfile.ZipFile(wheels / "nothing-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("nothing-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: nothing\nVersion: 1\n")
        wheel.writestr("nothing-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("nothing-1.dist-info/RECORD", "")
    install = "action" if kept else str(wheels / "nothing-1-py3-none-any.whl")
    given = {"INSTALL": install, "RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": "/nothing/to/build"}
    ended = shell(str(step("Install cranfield")["run"]), workspace, **given)
    assert ended.returncode == 0, ended.stderr
    assert list(tmp_path.glob("cranfield-gate/lib/python*/site-packages/nothing-1.dist-info"))
    assert not ran.exists(), ran.read_text()


def test_a_wheel_is_kept_for_what_it_is_built_from(tmp_path: Path) -> None:
    sources, workspace = tmp_path / "action", tmp_path / "workspace"
    for name in ("engine/src/lib.rs", "src/cranfield/__init__.py", "docs/page.md", "pyproject.toml"):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text(name)
    workspace.mkdir()
    ran = plant(workspace, "hashlib", "pathlib", "platform", "sitecustomize")

    def key() -> str:
        out = tmp_path / "output"
        given = {"GITHUB_ACTION_PATH": str(sources), "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64"}
        ended = shell(str(step("Name the wheel")["run"]), workspace, GITHUB_OUTPUT=str(out), **given)
        assert ended.returncode == 0, ended.stderr
        *_, last = out.read_text().splitlines()
        assert re.fullmatch(r"key=cranfield-Linux-X64-[0-9a-f]{64}", last)
        return last

    first = key()
    (sources / "docs" / "page.md").write_text("another page")
    assert key() == first, "the wheel holds no pages"
    for name in ("engine/src/lib.rs", "src/cranfield/__init__.py"):
        before = key()
        (sources / name).write_text("changed")
        assert key() != before, name
    (sources / "src" / "cranfield" / "new.py").touch()
    assert key() != before
    assert not ran.exists(), ran.read_text()
    named, kept, installed, saved = yaml.safe_load(ACTION.read_text())["runs"]["steps"][:4]
    assert [one["if"] for one in (named, kept)] == ["inputs.install == 'action'"] * 2
    assert kept["with"] == saved["with"], "what is kept is what is looked for"
    assert kept["with"]["path"].endswith("/cranfield-wheel") and "$RUNNER_TEMP/cranfield-wheel" in installed["run"]


def test_the_stored_baseline_says_how_it_was_made(collection: Path) -> None:
    signature = json.loads((collection / "baseline.json").read_text())["signature"]
    assert signature["qrels"]["sha256"]
