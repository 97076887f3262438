"""What works where nothing but cranfield and its dependencies is installed: `python .ci/bare.py` in such a place.

With `--hide` the optional packages of any environment are hidden from the imports of this process instead.
"""

import contextlib
import inspect
import io
import os
import pydoc
import sys
import tempfile
import unittest.mock
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from cranfield._optional import PACKAGES

if "--hide" in sys.argv:
    sys.modules |= dict.fromkeys(PACKAGES)  # type: ignore[arg-type]
there = [name for name in PACKAGES if find_spec(name) is not None]
assert not there, f"these are installed, so this is no environment without them: {there}"

import cranfield  # noqa: E402
from cranfield import cli, plot  # noqa: E402
from cranfield.cli._registry import COMMANDS  # noqa: E402
from cranfield.partitions import evaluate_partitions  # noqa: E402


def write_files() -> None:
    """Files that need more, as far as they are looked at without it."""
    Path("lake").mkdir()
    for name, head in (("lake/0.parquet", b"PAR1"), ("a.parquet", b"PAR1"), ("a.lz4", b"\x04\x22\x4d\x18")):
        Path(name).write_bytes(head + bytes(50) + b"PAR1")
    Path("a.cbor").write_bytes(b"\xa1" + bytes(20))


def look_up() -> None:
    """Look-up and inspection never fail, of whatever the package offers."""
    assert hasattr(cranfield, "plot")
    assert not hasattr(cranfield, "testing")
    rooms = [cranfield, *(getattr(cranfield, name) for name in cranfield._ROOMS)]
    for room in rooms:
        members = dict(inspect.getmembers(room))
        assert set(dir(room)) <= set(members)
        pydoc.render_doc(room)
        unittest.mock.create_autospec(room)
        for member in members.values():
            if inspect.isfunction(member) and member.__module__.startswith("cranfield"):
                inspect.signature(member)
    with contextlib.redirect_stdout(io.StringIO()):
        help(cranfield)


def refuse_calls() -> None:
    """What needs a missing package raises an error that says so, as one of ours and as an ImportError."""
    collection = cranfield.load_cranfield()
    scores = cranfield.evaluate(collection.runs, collection.qrels, "AP")
    calls: dict[str, Callable[[], object]] = {
        "plot": lambda: plot.heat_map(scores["AP"]),
        "parquet": lambda: evaluate_partitions("lake", {"1": {"a": 1}}),
        "dask": lambda: cranfield.evaluate(collection.runs, collection.qrels, "AP", executor="local"),
        "vine": lambda: cranfield.simulation.simulate_scores(scores["AP"], copula="vine"),
        "ir_measures": cranfield.integrations.ir_measures.use,
        "irds": lambda: cranfield.read_qrels("irds:antique/test"),
        "testing": lambda: __import__("cranfield.testing"),
    }
    for extra, call in calls.items():
        for kind in (ImportError, cranfield.CranfieldError):
            try:
                call()
            except kind as error:
                assert str(error).endswith(f"which is not installed: pip install 'cranfield[{extra}]'"), error
            else:
                raise AssertionError(f"{extra} is not needed")


def run(*words: str) -> tuple[int, str]:
    """Run a command in this process; its status, and what it printed on both streams."""
    streams = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(streams), contextlib.redirect_stderr(streams):
        sys.argv = ["cranfield", *words]
        try:
            cli.main()
        except SystemExit as ended:
            status = int(ended.code or 0)
        streams.flush()
        return status, streams.buffer.getvalue().decode()  # type: ignore[attr-defined]


def run_commands() -> None:
    """Every command has its help, the first page's commands work, and what needs a missing package names its extra."""
    for name in COMMANDS:
        status, text = run(*name.split(), "--help")
        assert status == 0 and "Usage: cranfield" in text, (name, text)
    assert run("example", "-o", "demo")[0] == 0
    runs = sorted(map(str, Path("demo/runs").iterdir()))
    for words in (["evaluate"], ["compare"], ["check"], ["report", "-o", "page.html"]):
        status, text = run(*words, "demo/qrels.txt", *runs)
        assert status == 0, (words, text)
    for extra, call in (
        ("parquet", "evaluate demo/qrels.txt a.parquet"),
        ("formats", "evaluate demo/qrels.txt a.lz4"),
        ("formats", "evaluate demo/qrels.txt a.cbor"),
        ("parquet", "evaluate --dataset lake/ lake/"),
        ("parquet", "evaluate --dataset lake/ lake/ --dask local -q -o scores/"),  # docs/cluster.md
        ("dask", f"evaluate demo/qrels.txt {runs[0]} --dask tcp://127.0.0.1:9"),  # docs/cluster.md
        ("parquet", f"evaluate demo/qrels.txt {runs[0]} -q -f parquet -o scores.parquet"),
        ("parquet", f"evaluate demo/qrels.txt {runs[0]} -q -o scores/"),
        ("irds", f"evaluate irds:antique/test {runs[0]}"),
        ("vine", f"simulate scores demo/qrels.txt {' '.join(runs)} --copula vine -o drawn.tsv"),
    ):
        status, text = run(*call.split())
        text = " ".join(text.split())
        assert status == 1 and f"is not installed: pip install 'cranfield[{extra}]'" in text, (call, status, text)


if __name__ == "__main__":
    warnings.simplefilter("ignore", UserWarning)  # which engine it is
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            write_files()
            look_up()
            refuse_calls()
            run_commands()
        finally:
            os.chdir("/")
    print(f"without extras, on Python {sys.version.split()[0]}: {len(COMMANDS)} commands, and what they need is named")
