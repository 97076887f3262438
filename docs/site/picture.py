"""Take the picture of a report that the README shows: ``python docs/site/picture.py``, or ``make picture``."""

from __future__ import annotations

import io
import sys
import tempfile
import warnings
from pathlib import Path
from shutil import which

from PIL import Image
from playwright.sync_api import sync_playwright

import cranfield
from cranfield import CranfieldWarning

PICTURE = Path(__file__).resolve().parents[1] / "report.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDTH, HEIGHT = 1280, 750
COLOURS = 64
"""Enough for a page of text and a few lines, at a third of the size."""


def main() -> int:
    """The first screen of the report on the collection of ``make demo``; the exit status."""
    browser = next(filter(None, map(which, BROWSERS)), None)
    if browser is None:
        print("no Chromium here: install one (Debian and Ubuntu: apt-get install chromium)", file=sys.stderr)
        return 1
    collection = cranfield.load_cranfield()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        page = cranfield.report(runs=collection.runs, qrels=collection.qrels, title="The Cranfield collection")
    with tempfile.TemporaryDirectory() as folder:
        page.write(f"{folder}/report.html")
        taken = _taken(browser, Path(folder, "report.html"))
    Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"{PICTURE.name}: {PICTURE.stat().st_size:,} bytes")
    return 0


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
