"""Take the pictures of the README and of pages: ``python docs/site/picture.py``, or ``make picture``.

Those of real collections need their data, see docs/data.md; without them they stay as they are.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from shutil import which
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

import cranfield
from cranfield import CranfieldWarning, plot

DOCS = Path(__file__).resolve().parents[1]
PICTURE = DOCS / "report.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDTH, HEIGHT = 1280, 750
COLOURS = 64
"""Enough for a page of text and a few lines, at a third of the size."""

sys.path.insert(0, str(DOCS.parent / "reproductions"))
from real_collections import DATA, judges_of_2019  # noqa: E402

PEOPLE = "people"


def main() -> int:
    """The first screens of a report and of a board, and a chart of judges; the exit status."""
    browser = next(filter(None, map(which, BROWSERS)), None)
    if browser is None:
        print("no Chromium here: install one (Debian and Ubuntu: apt-get install chromium)", file=sys.stderr)
        return 1
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore", CranfieldWarning)
        page = Path(folder, "page.html")
        _write_report(page)
        _keep(_taken(browser, page), PICTURE)
        if not DATA.is_dir():
            print(f"{DATA} is not there: the pictures of real collections stay as they are", file=sys.stderr)
            return 0
        _write_board(page)
        _keep(_taken(browser, page), DOCS / "questions" / "my-board-has-ten-tasks.png")
        plot.save(_draw_judges(), Path(folder, "judges.png"), pixel_ratio=2)
        _keep(Path(folder, "judges.png").read_bytes(), DOCS / "questions" / "judges-of-2019.png")
    return 0


def _write_report(page: Path) -> None:
    """On the collection of ``make demo``."""
    collection = cranfield.load_cranfield()
    report = cranfield.report(runs=collection.runs, qrels=collection.qrels, title="The Cranfield collection")
    report.write(page)


def _write_board(page: Path) -> None:
    """By the second command of docs/questions/my-board-has-ten-tasks.md, with a title."""
    folder = DATA / "mteb-eng-v2"
    words = ["board", str(folder / "scores.csv"), "--missing-cells", "complete", "--groups", str(folder / "tasks.tsv")]
    words += ["--aggregate", "mean,borda,group-mean", "--title", "MTEB(eng, v2)", "-o", str(page)]
    subprocess.run([sys.executable, "-W", "ignore", "-m", "cranfield", *words], check=True, capture_output=True)


def _draw_judges() -> Any:
    """The errors of the eight models that judged Deep Learning 2019."""
    judges, levels = judges_of_2019(PEOPLE)
    read = {judge: cranfield.read_qrels(path) for judge, path in judges.items()}
    panel = cranfield.agreement.estimate_panel(read, reference=PEOPLE, rel=levels)
    return plot.error_correlations(panel)


def _keep(taken: bytes, to: Path) -> None:
    Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS).save(to, optimize=True)
    print(f"{to.name}: {to.stat().st_size:,} bytes")


def _taken(browser: str, page: Path) -> bytes:
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        view = opened.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        view.goto(page.as_uri())
        view.locator("table").first.wait_for()
        taken = view.screenshot()
        opened.close()
    return taken


if __name__ == "__main__":
    sys.exit(main())
