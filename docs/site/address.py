"""Where the project is: ``[project.urls]`` of ``pyproject.toml``, from which pages take it when the site is built."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ACTION = "OWNER/cranfield@TAG # where cranfield's repository is"
"""What pages write where a workflow names the project's action."""
NOBODY = ".example"
"""The end of hosts that nobody can have; see ``.ci/settle.py``."""


def read_project() -> dict[str, Any]:
    """``[project]`` of ``pyproject.toml``."""
    file = Path(__file__).resolve().parents[2] / "pyproject.toml"
    project: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    return project


def find_source(project: dict[str, Any]) -> str:
    """The address of the public repository; empty while the project has none."""
    source: str = project["urls"]["Source"]
    return "" if (urlsplit(source).hostname or "").endswith(NOBODY) else source


def fill_in(text: str, project: dict[str, Any]) -> str:
    """Write the address and the version of the project into a page, once it has an address."""
    source = find_source(project)
    return text.replace(ACTION, f"{urlsplit(source).path.strip('/')}@v{project['version']}") if source else text
