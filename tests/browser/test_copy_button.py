"""The button of the site's blocks of code: prompts and answers are left out of what is copied."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

SCRIPT = Path(__file__).parents[2] / "docs" / "site" / "static" / "copy.js"
BLOCKS = {
    "$ cranfield check a.txt \\\n> --strict\nerror: > 3 lines\n$ ls\nb": "cranfield check a.txt \\\n--strict\nls",
    ">>> for x in y:\n...     print(x)\n...\n1\n>>> z": "for x in y:\n    print(x)\n\nz",
    "cranfield report q.txt > page.html\n": "cranfield report q.txt > page.html",
}


@pytest.mark.parametrize("written", BLOCKS)
def test_prompts_and_answers_are_not_copied(browser: Browser, written: str) -> None:
    page = browser.new_page()
    page.set_content('<div class="highlight"><pre></pre></div>')
    page.evaluate("(text) => { document.querySelector('pre').textContent = text; }", written)
    page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { window.copied = text; }}})"
    )
    page.add_script_tag(path=str(SCRIPT))
    page.get_by_role("button", name="Copy this code").click()
    assert page.evaluate("window.copied") == BLOCKS[written]
    page.close()
