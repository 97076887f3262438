"""Refuse to publish what says something untrue of itself: `python .ci/publishable.py TAG REPOSITORY`.

The tag has to be the version, and the addresses of the package those of the repository that publishes it. So a release
is refused for as long as the addresses are placeholders, and in every copy of the repository. The page on installing
has to name the package index, which it must not do before.
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PLACEHOLDER = re.compile(r"https://[\w.-]+\.example(/|$)")
"""An address in the domain that belongs to nobody (RFC 2606)."""
PROMISE = "\n    pip install cranfield\n"
"""What docs/install.md says from the first release on, and no page says before."""


def objections(project: dict[str, Any], citation: str, installing: str, tag: str, repository: str) -> list[str]:
    """What has to be mended before a release.

    Args:
        project: `[project]` of `pyproject.toml`.
        citation: text of `CITATION.cff`.
        installing: text of `docs/install.md`.
        tag: from which the release is built, as `v0.1.0`.
        repository: address of the repository that publishes it.
    """
    version, addresses = project["version"], project["urls"]
    found = [
        f"[project.urls] {name} = {address!r} is a placeholder"
        for name, address in addresses.items()
        if PLACEHOLDER.match(address)
    ]
    if tag != f"v{version}":
        found.append(f"the tag is {tag!r}, and the version is {version!r}: the tag has to be 'v{version}'")
    if addresses["Source"] != repository:
        found.append(
            f"[project.urls] Source = {addresses['Source']!r} is not the repository that publishes, {repository!r}"
        )
    for field, name in (("repository-code", "Source"), ("url", "Documentation")):
        if f"\n{field}: {addresses[name]}\n" not in citation:
            found.append(f"CITATION.cff lacks the line '{field}: {addresses[name]}'")
    if PROMISE not in installing:
        found.append(f"docs/install.md lacks the line {PROMISE.strip()!r}")
    return found


def main() -> None:
    """Print every objection, and end with status 1 if there is one."""
    tag, repository = sys.argv[1:]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation, installing = ((ROOT / name).read_text(encoding="utf-8") for name in ("CITATION.cff", "docs/install.md"))
    found = objections(project, citation, installing, tag, repository)
    for line in found:
        print(f"not published: {line}; docs/releasing.md says what to do", file=sys.stderr)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
