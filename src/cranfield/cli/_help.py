"""Help that fits a screen: a command's own options in full, and of those that many commands share the names."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import click

from cranfield.cli._registry import DECLARED, subcommands

OWN = "Options"
TEST = "Test"
OUTPUT = "Output"
TOPICS = {
    "reading": (
        "Reading files",
        "How files are read: format, columns, labels in words, names of systems, duplicates, passages; what is left "
        "out.",
    ),
    "policies": (
        "Relevance policies",
        "What counts as relevant, and how ties, missing topics, unjudged documents and negative labels are treated.",
    ),
    "groups": (
        "Groups of topics",
        "Results separately for each group of topics, and how tests of groups are corrected.",
    ),
    "clusters": (
        "Clusters",
        "What counts as one observation: clusters of topics, and systems with several runs.",
    ),
    "holes": (
        "Unjudged documents",
        "What --unjudged estimate and bootstrap assume about documents that nobody judged (holes).",
    ),
    "intents": ("Intents", "Probabilities of intents, for measures of diversity."),
    "page": ("Page", "The head and the last line of the page that -o FILE.html writes."),
    "datasets": ("Data sets", "Runs and judgments larger than memory, and clusters."),
}
"""Help topic -> its heading, and what its options are about."""

HEADINGS = {
    **dict.fromkeys(("test", "tests", "correction", "corrections", "alpha", "margin", "interval", "resamples"), TEST),
    **dict.fromkeys(("format_", "output", "statement", "also", "limit", "digits", "flat"), OUTPUT),
    **dict.fromkeys(("names", "input_format", "columns", "on_duplicate", "own_document", "passages"), "reading"),
    **dict.fromkeys(("labels", "exclude", "missing_scores", "protocol", "protocol_outside", "keep_going"), "reading"),
    **dict.fromkeys(("larger_is_better", "smaller_is_better"), "reading"),
    **dict.fromkeys(("ties", "missing", "unjudged", "negative", "undefined", "compat", "rel"), "policies"),
    **dict.fromkeys(("topic_groups", "across_groups", "no_topic_groups", "no_across_groups"), "groups"),
    **dict.fromkeys(("topic_clusters", "mean_over", "replicates", "topic_weights"), "clusters"),
    **dict.fromkeys(("n_clusters", "topics_in_each", "cluster_cost", "n_replicates"), "clusters"),
    **dict.fromkeys(
        ("contributors", "teams", "predicted", "learn_from", "hole_offset", "draws", "topic_sample"), "holes"
    ),
    **dict.fromkeys(("intent_weights", "weight_sum", "keep_empty_intents"), "intents"),
    **dict.fromkeys(("dataset", "memory", "slices", "resume", "topic_layout", "executor"), "datasets"),
}
"""Parameter -> the heading that it stands below, or the help topic that explains it; others are the command's own."""


class FoldedHelp(click.Command):
    """A command whose help has its own options first, and of those that many commands share only the names.

    Args:
        examples: calls of it, without its name; a declared analysis has them in its declaration.
    """

    def __init__(self, *arguments: Any, examples: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write options below their headings, and the subcommands."""
        rows = _rows_by_heading(self, ctx)
        for heading in (OWN, TEST, OUTPUT):
            _write_rows(formatter, heading, rows.get(heading))
        for topic, (heading, _) in TOPICS.items():
            if topic in rows:
                flags = ", ".join(name for name, _ in rows[topic])
                text = f"{heading} (cranfield help {topic}): {flags}"
                formatter.write(
                    textwrap.fill(text, formatter.width, subsequent_indent="  ", break_on_hyphens=False) + "\n"
                )
        _write_rows(formatter, "Subcommands", list(subcommands(ctx.command_path.partition(" ")[2]).items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write examples, then what the epilog says."""
        path = ctx.command_path.partition(" ")[2]
        if examples := list_examples(path, self):
            with formatter.section("Examples"):
                for line in examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
        super().format_epilog(ctx, formatter)


def _rows_by_heading(command: click.Command, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
    """Heading -> options with what they do; help topic -> the long names of its options."""
    rows: dict[str, list[tuple[str, str]]] = {}
    for parameter in _sort_params(command, ctx):
        record = parameter.get_help_record(ctx)
        if record is None or isinstance(parameter, click.Argument):
            continue
        heading = _heading(parameter, command)
        row = (max(parameter.opts, key=len), "") if heading in TOPICS else _shorten(record)
        rows.setdefault(heading, []).append(row)
    return rows


def _sort_params(command: click.Command, ctx: click.Context) -> list[click.Parameter]:
    """Sort parameters as they are declared, but for --seed, which few calls need, and --help: these are last."""
    last = {"--seed": 1, "--help": 2}
    return sorted(command.get_params(ctx), key=lambda parameter: last.get(parameter.opts[-1], 0))


def _heading(parameter: click.Parameter, command: click.Command) -> str:
    """The heading or topic of an option; --teams and --draws are about holes only beside --unjudged estimate."""
    heading = getattr(parameter, "heading", "") or HEADINGS.get(parameter.name or "", OWN)
    estimates = any(
        other.name == "unjudged" and "estimate" in getattr(other.type, "choices", ()) for other in command.params
    )
    return OWN if heading == "holes" and not estimates else heading


def _shorten(record: tuple[str, str]) -> tuple[str, str]:
    """Write N for a whole number and X for a number, as in formulas; a default and a limit stand in one bracket.

    That N has to be positive is left out.
    """
    flags, meaning = record
    for limit in ("x>=0", "x>=1"):
        meaning = meaning.replace(f"; {limit}]", "]").replace(f"  [{limit}]", "")
    for kind, letter in (("INTEGER RANGE", "N"), ("INTEGER", "N"), ("FLOAT RANGE", "X"), ("FLOAT", "X")):
        flags = flags.replace(f" {kind}", f" {letter}")
    return flags, meaning.replace("]  [", "; ")


def _write_rows(formatter: click.HelpFormatter, heading: str, rows: Sequence[tuple[str, str]] | None) -> None:
    if rows:
        with formatter.section(heading):
            formatter.write_dl(rows)


def list_examples(path: str, command: click.Command) -> list[str]:
    """List calls of a command, each as it is typed."""
    examples = DECLARED[path].facts.examples if path in DECLARED else getattr(command, "examples", ())
    return [f"cranfield {path} {arguments}" for arguments in examples]


def list_options(command: click.Command, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
    """List every option with what it does, by the headings of the help, the command's own first."""
    rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (OWN, TEST, OUTPUT, *TOPICS)}
    for parameter in _sort_params(command, ctx):
        record = parameter.get_help_record(ctx)
        if record is not None and isinstance(parameter, click.Option):
            rows[_heading(parameter, command)].append(_shorten(record))
    return {TOPICS[heading][0] if heading in TOPICS else heading: found for heading, found in rows.items() if found}


def full_help(command: click.Command, ctx: click.Context) -> str:
    """The help of a command with every option in full, the command's own first."""
    formatter = ctx.make_formatter()
    command.format_usage(ctx, formatter)
    command.format_help_text(ctx, formatter)
    for heading, records in list_options(command, ctx).items():
        _write_rows(formatter, heading, records)
    command.format_epilog(ctx, formatter)
    return formatter.getvalue().rstrip("\n")


def topic_help(topic: str, commands: Iterable[click.Command], ctx: click.Context) -> str:
    """Describe the options of a help topic, each in the words of the first command that has it."""
    formatter = ctx.make_formatter()
    heading, about = TOPICS[topic]
    formatter.write_text(about)
    records: dict[str, tuple[str, str]] = {}
    for command in commands:
        for parameter in command.params:
            record = parameter.get_help_record(ctx)
            if record is not None and _heading(parameter, command) == topic:
                records.setdefault(parameter.name or "", _shorten(record))
    _write_rows(formatter, heading, [records[name] for name in dict.fromkeys([*HEADINGS, *records]) if name in records])
    return formatter.getvalue().rstrip("\n")
