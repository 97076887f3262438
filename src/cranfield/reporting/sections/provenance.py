"""Where every number comes from: command, versions, policies, seed, and files with their hashes."""

from __future__ import annotations

from dataclasses import replace

from cranfield._text import shown
from cranfield.collection.policy import POLICIES
from cranfield.reporting.collection import Analyses
from cranfield.reporting.content import Column, Section, Table


def provenance(command: str, analyses: Analyses, empty: Section) -> Section:
    """The last section."""
    signature, public = analyses.origin.signature, analyses.public
    settings = [("cranfield", str(signature["cranfield"]))]
    settings += [("engine", str(signature["engine"]))] if "engine" in signature else []
    settings += [("measures", ", ".join(signature["measures"]))]
    settings += [(name, str(signature[name])) for name in POLICIES if signature.get(name)]
    settings += [("largest label", f"{signature['max_rel']:g}")] if "max_rel" in signature else []
    settings += [("seed", str(analyses.question.seed))]
    runs = signature.get("runs", ())
    files = [("scores", public(one["name"]), "", one["sha256"]) for one in signature.get("scores", ()) if "name" in one]
    files += [("qrels", public(one["name"]), "", one["sha256"]) for one in (signature.get("qrels"),) if one]
    files += [("run", public(run["name"]), run["tag"], run["sha256"]) for run in runs]
    files += [(kind, analyses.public(path), "", digest) for kind, path, digest in analyses.others]
    headers = [
        (analyses.public(run["name"]), shown(line, 500))
        for run in runs
        for line in run.get("ir_metadata", "").splitlines()
    ]
    columns = tuple(Column(name, "text") for name in ("kind", "name", "tag", "sha256"))
    words = ["The same files, version, policies and seed reproduce the same numbers."]
    words += ["Files outside the working directory are listed by name only."] if analyses.public else []
    return replace(
        empty,
        words=tuple(words),
        tables=(
            Table(
                "settings", "Versions and policies", (Column("what", "text"), Column("value", "text")), tuple(settings)
            ),
            Table("files", "Files", columns, tuple(files)),
            *_metadata(headers),
        ),
        command=shown(analyses.public(command), 1_000_000),
    )


def _metadata(headers: list[tuple[str, str]]) -> list[Table]:
    """What runs say of themselves, in a table of its own; none where they say nothing."""
    columns = (Column("run", "text"), Column("line", "text"))
    title = "What the runs say of themselves (ir_metadata)"
    return [Table("metadata", title, columns, tuple(headers))] if headers else []
