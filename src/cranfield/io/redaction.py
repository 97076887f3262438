"""Removes the folders of the machine from the names of files that a page publishes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from cranfield._message import Message, for_sentence, message, remove_credentials
from cranfield._text import shown


class PathRedactor:
    """Rewrites absolute paths in texts: relative to the working directory, or the name of the file alone.

    Args:
        paths: of files, as the caller wrote them; relative ones are not changed.
        names_only: whether every path, also a relative one, is replaced by the name of its file.
    """

    def __init__(self, paths: Iterable[str], *, names_only: bool = False) -> None:
        self._paths = dict.fromkeys(path for path in paths if names_only or os.path.isabs(path))  # noqa: PTH117  (any name is accepted)
        working_directory = Path.cwd()
        self._replacements: dict[str, str] = {}
        for folder in {os.path.dirname(path) for path in self._paths}:  # noqa: PTH120  (as the caller wrote it)
            if folder.strip("/"):
                inside = not names_only and Path(folder).is_relative_to(working_directory)
                relative = Path(folder).relative_to(working_directory).as_posix() if inside else "."
                for spelling in (folder, str(Path(folder)), shown(folder, len(folder))):
                    self._replacements[spelling.rstrip("/") + "/"] = "" if relative == "." else f"{relative}/"
        folders = sorted(self._replacements, key=len, reverse=True)
        # A folder begins where a path does: /a is not a part of runs/a/b.
        self._pattern = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, folders))})") if folders else None

    def __bool__(self) -> bool:
        """Return whether any folder is removed."""
        return self._pattern is not None

    def __call__(self, text: str) -> str:
        """Remove folders and credentials from a text; a message stays one."""
        if isinstance(text, Message):
            return message(self(for_sentence(text)))
        text = remove_credentials(text)
        return text if self._pattern is None else self._pattern.sub(lambda match: self._replacements[match[0]], text)

    def argument(self, text: str) -> str:
        """Redact a word of a command, in which a path may follow its option without a space."""
        for path in self._paths if text.startswith("-") else ():
            if text.endswith(path):
                return text.removesuffix(path) + self(path)
        return self(text)
