"""Provenance: the command, versions, policies and seed behind every number, and files with their hashes."""

from __future__ import annotations

from dataclasses import replace

from cranfield._text import shown
from cranfield.collection.policy import POLICIES
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import Column, Section, Table


def fill_provenance(command: str, analyses: Analyses, section: Section) -> Section:
    """Fill the last section."""
    signature, redact = analyses.origin.signature, analyses.redact
    settings = [("cranfield", str(signature["cranfield"]))]
    settings += [("engine", str(signature["engine"]))] if "engine" in signature else []
    settings += [("measures", ", ".join(signature["measures"]))]
    settings += [(name, str(signature[name])) for name in POLICIES if signature.get(name)]
    settings += [("largest label", f"{signature['max_rel']:g}")] if "max_rel" in signature else []
    settings += [("seed", str(analyses.request.seed))]
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
    columns = tuple(Column(name, "text") for name in ("kind", "name", "tag", "sha256"))
    paragraphs = ["The same files, version, policies and seed reproduce the same numbers."]
    paragraphs += ["Files outside the working directory are listed by name only."] if redact else []
    return replace(
        section,
        paragraphs=tuple(paragraphs),
        tables=(
            Table(
                "settings", "Versions and policies", (Column("what", "text"), Column("value", "text")), tuple(settings)
            ),
            Table("files", "Files", columns, tuple(files)),
            *_make_metadata(headers),
        ),
        command=shown(redact(command), 1_000_000),
    )


def _make_metadata(headers: list[tuple[str, str]]) -> list[Table]:
    """Make a table of the metadata in the headers of runs; none without any."""
    columns = (Column("run", "text"), Column("line", "text"))
    title = "What the runs say of themselves (ir_metadata)"
    return [Table("metadata", title, columns, tuple(headers))] if headers else []
