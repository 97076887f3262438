"""Names of files as a page may publish them: without the folders of the machine that made it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from cranfield._message import Message, for_sentence, message
from cranfield._sanitize import remove_credentials
from cranfield._text import shown


class PathRedactor:
    """Text in which absolute paths of the given files become relative to the working directory, or names alone.

    Args:
        paths: of files, as they were given; relative ones stay as they are.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = dict.fromkeys(path for path in paths if os.path.isabs(path))  # noqa: PTH117  (any name is answered)
        here = Path.cwd()
        self._instead: dict[str, str] = {}
        for folder in {os.path.dirname(path) for path in self._paths}:  # noqa: PTH120  (written as it was given)
            if folder.strip("/"):
                near = Path(folder).is_relative_to(here)
                relative = Path(folder).relative_to(here).as_posix() if near else "."
                for written in (folder, str(Path(folder)), shown(folder, len(folder))):
                    self._instead[written.rstrip("/") + "/"] = "" if relative == "." else f"{relative}/"
        folders = sorted(self._instead, key=len, reverse=True)
        # A folder begins where a path does: /a is no part of runs/a/b.
        self._pattern = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, folders))})") if folders else None

    def __bool__(self) -> bool:
        """Whether anything is to be left out."""
        return self._pattern is not None

    def __call__(self, text: str) -> str:
        """Text without folders and credentials; a message stays one."""
        if isinstance(text, Message):
            return message(self(for_sentence(text)))
        text = remove_credentials(text)
        return text if self._pattern is None else self._pattern.sub(lambda match: self._instead[match[0]], text)

    def argument(self, text: str) -> str:
        """A word of a command, in which a path may stand right behind its option."""
        for path in self._paths if text.startswith("-") else ():
            if text.endswith(path):
                return text.removesuffix(path) + self(path)
        return self(text)
