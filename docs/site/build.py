"""Build the documentation site into ``site/``: ``python docs/site/build.py``, with the extra ``docs`` installed.

Nothing is asked of the network, warnings are errors, and afterwards every page is looked at: each link inside must have
its file and its anchor, and nothing may be loaded from elsewhere.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

import accessibility
import dark
from charts import draw
from gather import ROOT, BrokenLinkError, gather
from inspection import problems

SOURCES = ROOT / "build" / "docs" / "sources"
SITE = ROOT / "site"


def main() -> int:
    """Gather, build, look; the exit status."""
    try:
        gather(SOURCES)
    except BrokenLinkError as broken:
        print(broken, file=sys.stderr)
        return 1
    draw(SOURCES)
    shutil.rmtree(SITE, ignore_errors=True)
    here = Path(__file__).resolve().parent
    caches = str(ROOT / "build" / "docs" / "doctrees")
    status = build_main(
        ["-q", "-E", "-a", "-W", "--keep-going", "-b", "html", "-c", str(here), "-d", caches, str(SOURCES), str(SITE)]
    )
    accessibility.complete(SITE)
    dark.complete(SITE)
    found = list(problems(SITE))
    for problem in found:
        print(problem, file=sys.stderr)
    if status or found:
        return 1
    print(f"{SITE.relative_to(ROOT)}/index.html: {len(list(SITE.rglob('*.html')))} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
