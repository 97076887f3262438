"""Provenance: the command, versions, policies and seed behind every number, and files with their hashes."""

from __future__ import annotations

import shlex
from collections.abc import Collection
from dataclasses import replace

from cranfield._text import shown
from cranfield.collection.policy import POLICIES
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import PageColumn, Section, Table
from cranfield.reporting.page_sections import PageSection

MAX_RUNS = 5
"""Runs that the command names on the page one by one."""
RUNS = "RUN..."
"""The placeholder for more runs."""


def _fill(analyses: Analyses, section: Section) -> Section:
    """Fill the last section."""
    signature, redact = analyses.inputs.origin.signature, analyses.inputs.redact
    settings = [("cranfield", str(signature["cranfield"]))]
    settings += [("engine", str(signature["engine"]))] if "engine" in signature else []
    settings += [("measures", ", ".join(signature["measures"]))]
    settings += [(name, str(signature[name])) for name in POLICIES if signature.get(name)]
    settings += [("largest label", f"{signature['max_rel']:g}")] if "max_rel" in signature else []
    settings += [("seed", str(analyses.request.options["seed"]))]
    runs = signature.get("runs", ())
    files = [
        ("scores", redact(file["name"]), "", file["sha256"]) for file in signature.get("scores", ()) if "name" in file
    ]
    if qrels := signature.get("qrels"):
        files.append(("qrels", redact(qrels["name"]), "", qrels["sha256"]))
    files += [("run", redact(run["name"]), run["tag"], run["sha256"]) for run in runs]
    files += [(kind, redact(path), "", digest) for kind, path, digest in analyses.option_files]
    headers = [
        (redact(run["name"]), shown(line, 500)) for run in runs for line in run.get("ir_metadata", "").splitlines()
    ]
    columns = tuple(PageColumn(name, "text") for name in ("kind", "name", "tag", "sha256"))
    paragraphs = ["The same files, version, policies and seed reproduce the same numbers."]
    paragraphs += (
        ["Files outside the working directory are listed by name only."]
        if redact and not analyses.request.options["public"]
        else []
    )
    called = _shorten_call(redact(analyses.command), [redact(run["name"]) for run in runs])
    paragraphs += [f"{RUNS} in the command stands for the {len(runs):,} runs below."] if RUNS in called else []
    return replace(
        section,
        paragraphs=tuple(paragraphs),
        tables=(
            Table(
                "settings",
                "Versions and policies",
                (PageColumn("what", "text"), PageColumn("value", "text")),
                tuple(settings),
            ),
            Table("files", "Files", columns, tuple(files)),
            *_make_metadata(headers),
        ),
        command=shown(called, 1_000_000),
    )


def _shorten_call(command: str, runs: Collection[str]) -> str:
    """Return a command line in which one word stands for its runs, where these are many."""
    if len(runs) <= MAX_RUNS:
        return command
    words = shlex.split(command)
    named = [index for index, word in enumerate(words) if word in set(runs)]
    if not named:
        return command
    parts = [
        shlex.join(words[: named[0]]),
        RUNS,
        shlex.join(words[index] for index in range(named[0], len(words)) if index not in set(named)),
    ]
    return " ".join(filter(None, parts))


def _make_metadata(headers: list[tuple[str, str]]) -> list[Table]:
    """Make a table of the metadata in the headers of runs; none without any."""
    columns = (PageColumn("run", "text"), PageColumn("line", "text"))
    title = "What the runs say of themselves (ir_metadata)"
    return [Table("metadata", title, columns, tuple(headers))] if headers else []


SECTION = PageSection(
    title="Provenance",
    place=110,
    fill=_fill,
    appendix=True,
)
