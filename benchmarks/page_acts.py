"""How long a reader of a report waits: milliseconds on the clock from an act to its paint, in Chromium.

`python benchmarks/page_acts.py report.html` opens each page named five times, does what readers do, and prints the
median and the range of each act. An act ends with the paint that shows it: the frame after the last change, and the
message that the browser handles next. `python benchmarks/run.py --only page` makes no page that stays; make one with
`cranfield report`.
"""

import argparse
import statistics
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROUNDS = 5
SORT = "document.querySelector('#table-leaderboard thead th[data-column=\"2\"] button').click()"
FILTER = (
    "const field = document.querySelector('#table-leaderboard input[type=search]');"
    "field.value = field.value ? '' : '1'; field.dispatchEvent(new Event('input', { bubbles: true }))"
)
ACTS = {
    "sorting the leaderboard": SORT,
    "filtering it": FILTER,
    "another theme": "document.getElementById('theme').click()",
    "a system's page": "location.hash = '#/system/5'",
    "a topic's page": "location.hash = '#/topic/5'",
    "two systems": "location.hash = '#/compare/1/2'",
    "two systems on one topic": "location.hash = '#/compare/1/2/3'",
    "back to the report": "location.hash = '#leaderboard'",
}
TIMED = """() => new Promise((done) => {
  const begin = performance.now();
  const painted = () => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now() - begin);
    channel.port2.postMessage(0);
  });
  %s
})"""


def timed(page: Page, act: str) -> float:
    """Milliseconds from an act to its paint; another page within the report is drawn when its address has changed."""
    if "location.hash" in act:
        return float(page.evaluate(TIMED % f"addEventListener('hashchange', painted, {{ once: true }}); {act};"))
    return float(page.evaluate(TIMED % f"{act}; painted();"))


def main() -> None:
    """Print a table of each page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    asked = parser.parse_args()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=asked.browser, args=["--no-sandbox"])
        for path in asked.pages:
            found: dict[str, list[float]] = {}
            for _ in range(ROUNDS):
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                page.goto(path.resolve().as_uri())
                page.wait_for_selector("html[data-ready=yes]", timeout=120_000)
                first = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
                found.setdefault("first paint", []).append(float(first))
                page.wait_for_timeout(1500)
                for name, act in ACTS.items():
                    page.wait_for_timeout(300)
                    found.setdefault(name, []).append(timed(page, act))
                page.close()
            print(f"\n{path}\n\n| act | ms | range |\n| --- | --- | --- |")
            for name, times in found.items():
                print(f"| {name} | {statistics.median(times):.0f} | {min(times):.0f} to {max(times):.0f} |")
        browser.close()


if __name__ == "__main__":
    main()
