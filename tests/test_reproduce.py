"""``make reproduce``: every script is run, what it prints is kept, and a file that comes out otherwise is an error."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, over a folder of reproductions of its own."""
    spec = importlib.util.spec_from_file_location("reproductions_run", ROOT / "reproductions" / "run.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder = tmp_path / "reproductions" / "paper"
    folder.mkdir(parents=True)
    main = 'if __name__ == "__main__":\n'
    write = "    (Path(__file__).parent / 'tables.md').write_text('as it was')\n"
    (folder / "good.py").write_text(f"from pathlib import Path\n{main}{write}    print('said')\n")
    (folder / "library.py").write_text("raise AssertionError('a library is not run')\n")
    (folder / "tables.md").write_text("as it was")
    monkeypatch.setattr(module, "HERE", folder.parent)
    monkeypatch.setattr(module, "LOGS", tmp_path / "logs")
    return module


def test_what_comes_out_as_it_was(runner: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main([]) == 0
    assert "1 of 1 ran, 0 files differ" in capsys.readouterr().out
    assert (runner.LOGS / "paper-good.log").read_text() == "said\n"


def test_what_comes_out_otherwise(runner: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    (runner.HERE / "paper" / "tables.md").write_text("other")
    assert runner.main([]) == 1
    out = capsys.readouterr().out
    assert "differs from what was there: paper/tables.md" in out
    assert "1 of 1 ran, 1 files differ" in out


def test_a_script_that_fails(runner: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    (runner.HERE / "paper" / "bad.py").write_text('if __name__ == "__main__":\n    raise SystemExit(3)\n')
    assert runner.main([]) == 1
    assert "paper/bad.py: failed (3), see" in capsys.readouterr().out
    assert runner.main(["good"]) == 0


def test_a_name_that_no_script_has(runner: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main(["nonsense"]) == 2
    assert "no reproduction is called nonsense: paper/good.py" in capsys.readouterr().err


def test_every_script_of_the_project_is_found(runner: ModuleType) -> None:
    runner.HERE = ROOT / "reproductions"
    names = {runner.called(path) for path in runner.all_scripts()}
    assert {"urbano_2019/reproduce.py", "gienapp_2020_negative_labels/moffat.py", "golbus_2013/reproduce.py"} <= names
    assert not any(name.startswith("golbus_2013/golbus_") for name in names)
