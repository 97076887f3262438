"""The program begins without what nobody reads, and ends at once where nothing is left to be done."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cranfield import __main__ as program

QRELS = "1 0 a 1\n"
RUN = "1 Q0 a 1 2.0 x\n"
CALL = ("evaluate", "qrels.txt", "best.run", "-m", "RR", "-f", "tsv")
PRINTED = "system\ttopic\tmeasure\tvalue\nbest\tall\tRR\t1.0\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "best.run").write_text(RUN)
    return tmp_path


def run(script: str, *arguments: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *options, "-c", script, *(arguments or CALL)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False)


AT_THE_END = """
import atexit, sys
from pathlib import Path
from cranfield.__main__ import program
sys.late = open("late", "w")
sys.late.write("written when all is given back")
atexit.register(lambda: Path("asked").touch())
"""


@pytest.mark.usefixtures("compiled")
def test_whoever_asked_to_be_called_at_the_end_is_called(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", "compiled")  # the other one imports a package that unpacks
    ended = run(f"{AT_THE_END}program()")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, PRINTED, "")
    assert (folder / "asked").exists()
    assert not (folder / "late").read_text(), "this process ended piece by piece: what in it is someone else's?"


@pytest.mark.usefixtures("compiled")
def test_what_analyses_import_leaves_nothing_to_the_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written are whole."""
    monkeypatch.setenv("CRANFIELD_ENGINE", "compiled")
    (folder / "other.run").write_text(RUN)
    ended = run(f"{AT_THE_END}program()", "report", "qrels.txt", "best.run", "other.run", "-o", "page.html")
    assert (ended.returncode, ended.stderr.count("Traceback")) == (0, 0)
    assert (folder / "page.html").read_text().rstrip().endswith("</html>")
    assert (folder / "asked").exists()
    assert not (folder / "late").read_text(), "this process ended piece by piece: what in it is someone else's?"


def test_the_status_is_kept() -> None:
    assert run(f"{AT_THE_END}program()", "evaluate", "qrels.txt", "nothing.run").returncode == 1
    assert run(f"{AT_THE_END}program()", "evaluate", "--no-such-option").returncode == 2


@pytest.mark.parametrize(
    "before",
    [
        "import someone",  # a package that is not known to leave nothing
        "import threading; threading.Thread(target=threading.main_thread().join).start()",
        "import cProfile",
    ],
)
def test_what_others_left_to_the_end_is_done(folder: Path, before: str) -> None:
    (folder / "someone.py").touch()
    ended = run(f"{AT_THE_END}{before}\nprogram()", options=("-W", "ignore"))
    assert (ended.returncode, ended.stdout) == (0, PRINTED)
    assert (folder / "late").read_text()
    assert (folder / "asked").exists()


def test_a_profile_is_printed() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "cProfile", "-m", "cranfield", *CALL],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0
    assert ended.stdout.startswith(PRINTED) and "function calls" in ended.stdout


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="NumPy 1 calls them otherwise")
def test_numpy_does_without_its_help_texts() -> None:
    left_out = (*program.HELP_TEXTS, program.TYPES)
    assert all(map(importlib.util.find_spec, left_out)), "NumPy has no such modules any more"
    script = (
        "import sys\n"
        "from cranfield.__main__ import _Absent\n"
        f"for name in {left_out}: sys.modules[name] = _Absent(name)\n"
        "import numpy as np\n"
        "assert np.ndarray.__doc__ is None\n"
        "assert not any(name.startswith('numpy._typing.') for name in sys.modules)\n"
        "np.linalg.eigh(np.eye(2))\n"
        "import numpy.ma, numpy.random, scipy.stats, scipy.optimize, xarray, pandas, narwhals, altair\n"
        "print(np.arange(4.0).sum())\n"
    )
    ended = run(script, options=("-W", "ignore"))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "6.0\n", "")


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="NumPy 1 calls them otherwise")
@pytest.mark.parametrize(
    "asked",
    [
        "from numpy._typing import NDArray",
        "from numpy.typing import NDArray",
        "from numpy._typing._array_like import NDArray",
        "import numpy._typing; NDArray = numpy._typing.NDArray",
        "import numpy._typing._array_like; NDArray = numpy._typing.NDArray",
    ],
)
def test_types_of_arrays_are_numpys_own_wherever_they_are_asked_for(asked: str) -> None:
    """What stands for them is for annotations of NumPy itself, which are made before anyone else can ask."""
    script = (
        "import sys\n"
        "from cranfield.__main__ import _Absent, TYPES\n"
        "sys.modules[TYPES] = _Absent(TYPES)\n"
        "import numpy\n"
        "assert isinstance(sys.modules[TYPES], _Absent)\n"
        f"{asked}\n"
        "import numpy.typing\n"
        "print(NDArray[numpy.int8] == numpy.typing.NDArray[numpy.int8])\n"
    )
    ended = run(script)
    assert (ended.stdout, ended.stderr) == ("True\n", "")


def test_what_scipy_gathers_of_numpy_is_loaded_where_it_is_asked_for() -> None:
    script = (
        "import sys\n"
        "from cranfield import __main__ as program\n"
        "program.main = lambda: None\n"
        "program.program()\n"
        "import scipy.special, pandas, xarray\n"
        "assert set(program.LATER) <= set(sys.modules), 'SciPy gathers them no more'\n"
        "assert not {'numpy.f2py.f2py2e', 'numpy.testing._private.utils'} & set(sys.modules)\n"
        "import numpy\n"
        "print(numpy.f2py.get_include().endswith('src'))\n"
        "from numpy.testing import assert_array_equal\n"
        "import numpy.testing\n"
        "print(numpy.testing.assert_array_equal is assert_array_equal, numpy.testing.__name__)\n"
    )
    ended = run(script)
    assert (ended.stdout, ended.stderr) == ("True\nTrue numpy.testing\n", "")


def test_a_module_that_was_left_out_is_imported_where_it_is_asked_for() -> None:
    script = (
        "import sys\n"
        "from cranfield.__main__ import _Absent\n"
        "sys.modules['colorsys'] = _Absent('colorsys')\n"
        "from colorsys import rgb_to_hls\n"
        "import colorsys\n"
        "print(rgb_to_hls(0, 0, 0), colorsys.rgb_to_hls is rgb_to_hls)\n"
    )
    assert run(script).stdout == "(0.0, 0.0, 0.0) True\n"
