"""Groups of topics, such as easy and hard ones, or those of a kind: read, checked against scores, and split by."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cranfield._message import name_value
from cranfield._text import counted, cut, decode_name, listed, quoted, shown, warn
from cranfield._validation import first_repeated, is_missing
from cranfield.collection.frames import FrameTable, is_frame, read_table
from cranfield.errors import FormatError, InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.delimited import BLANKS, delimited_lines, explain_semicolons, split_at_blanks
from cranfield.io.source import COMMENT, as_text, decode_lines, read_whole, warn_of_comments
from cranfield.io.system_names import split_part, warn_of_lookalikes
from cranfield.scores.dataset import ScoresLike, as_dataset, read_labels
from cranfield.scores.layout import TOPIC_COLUMN

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from narwhals.typing import IntoFrame

FEW, MANY = 10, 5
"""Topics of a group from which on means and tests say something, and groups up to which a reader looks at all."""
MEMBER_COLUMN = {"topic": TOPIC_COLUMN, "run": ("run", "run_id", "runid", "tag")}
"""Members of groups, topics or runs -> headers of their column, in any case."""
GroupLines: TypeAlias = Iterator[tuple[int, str, str]]


@dataclass(frozen=True)
class TopicGroups:
    """The group of each topic.

    Args:
        of_topic: topic -> group, in the order of the file.
        location: of the file, or of data in memory.
        sha256: of the file, or of the content where it was made in memory.
        column: of the file that holds the groups; empty where it has no columns.
    """

    of_topic: Mapping[str, str]
    location: Location
    sha256: str
    column: str = ""

    @classmethod
    def from_source(cls, source: GroupsLike, unit: str = "group", member: str = "topic") -> TopicGroups:
        """Groups from whatever they were given as.

        Args:
            source: topic -> group, a Series with topics in its index, a data frame with a column of topics and one of
                groups (called as the ``unit``, or the only other), or a file: lines ``topic group``, or
                ``FILE#COLUMN`` of a tsv or csv file with a header, whose column of topics is called ``topic``,
                ``query``, ``qid`` and the like, or is the first.
            unit: what a group is called in messages.
            member: what is in groups, a ``topic``, or a ``run`` of a system.

        Raises:
            InputError: the file is refused, has no such column, or gives a topic two groups.
            UsageError: something that is not groups.
        """
        if isinstance(source, TopicGroups):
            return source
        if isinstance(source, (str, os.PathLike)):
            return read_groups(as_text(source), unit, member)
        pairs = list(_pairs_in_memory(source, unit, member))
        location = Location(name=f"{unit}s of {member}s")
        of_topic = _checked(iter(pairs), location, unit, member)
        return cls(of_topic, location, sha256(repr(sorted(of_topic.items())).encode()).hexdigest())

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the groups, in the order of their first topics."""
        return tuple(dict.fromkeys(self.of_topic.values()))

    def signature(self) -> dict[str, str]:
        """The entry of a signature on the groups: their file, its digest, and the column."""
        name = decode_name(Path(self.location.path).name) if self.location.path else self.location.name
        return {"name": name, "sha256": self.sha256, **({"column": self.column} if self.column else {})}

    def split(self, scores: ScoresLike, *, tested: bool = False) -> dict[str, xr.Dataset]:
        """The scores of each group that has any, with a warning of what a careful reader should know.

        Args:
            scores: dims (topic, system).
            tested: whether differences are tested in each group.

        Raises:
            InputError: no topic of the scores has a group.
        """
        dataset = as_dataset(scores)
        topics = read_labels(dataset, "topic", "the scores")
        number = {topic: at for at, topic in enumerate(topics)}
        return {
            name: dataset.isel(topic=[number[topic] for topic in members])
            for name, members in self.members(topics, "the scores", tested=tested).items()
        }

    def others(self, scores: ScoresLike) -> xr.Dataset:
        """The scores of the topics without a group, if there are any.

        Args:
            scores: dims (topic, system).
        """
        dataset = as_dataset(scores)
        topics = read_labels(dataset, "topic", "the scores")
        return dataset.isel(topic=[at for at, topic in enumerate(topics) if topic not in self.of_topic])

    def members(self, topics: Sequence[str], owner: str, *, tested: bool = False) -> dict[str, list[str]]:
        """Group -> those of some topics that it holds, of groups that hold any; warns as ``split`` does.

        Args:
            topics: ids.
            owner: they belong to, for messages.
            tested: whether differences are tested in each group.

        Raises:
            InputError: none of them has a group; or most have none, and most topics with a group are others.
        """
        by_group: dict[str, list[str]] = {name: [] for name in self.names}
        for topic in topics:
            if topic in self.of_topic:
                by_group[self.of_topic[topic]].append(topic)
        by_group = {name: members for name, members in by_group.items() if members}
        if not by_group:
            text = f"no topic of {owner} has a group here; {owner} have {listed(topics)}"
            raise InputError(text, self.location, code="unknown", value=cut(topics[0]))
        found = sum(map(len, by_group.values()))
        if 2 * found < len(topics) and 2 * found < len(self.of_topic):
            text = (
                f"only {found:,} of {counted(len(topics), 'topic')} of {owner} have a group here, and of "
                f"{counted(len(self.of_topic), 'topic')} with a group most are not among them: are these groups of "
                f"another collection? If not, leave the topics out that {owner} lack"
            )
            raise InputError(text, self.location, code="unknown", value=cut(topics[0]))
        sizes = {name: len(members) for name, members in by_group.items()}
        for remark in self._remarks(topics, owner, sizes, tested=tested):
            warn(f"{self.location}: {remark}")
        return by_group

    def _remarks(self, topics: Sequence[str], owner: str, sizes: Mapping[str, int], *, tested: bool) -> Iterator[str]:
        """Remark on topics without a group, unknown ones, small groups, and verdicts by chance in many groups."""
        among = set(topics)
        without = [topic for topic in topics if topic not in self.of_topic]
        if without:
            verb = "has no group and counts" if len(without) == 1 else "have no group and count"
            yield f"{listed(without)} of {owner} {verb} in none"
        unknown = [topic for topic in self.of_topic if topic not in among]
        if unknown:
            verb = "is" if len(unknown) == 1 else "are"
            yield f"{listed(unknown)} {verb} not among those of {owner} and ignored"
        small = [f"{quoted(name)} has {size:,}" for name, size in sizes.items() if size < FEW]
        if small:
            yield (
                f"{'a group has' if len(small) == 1 else f'{len(small):,} groups have'} fewer than {FEW} topics "
                f"({', '.join(small[:5])}{', ...' if len(small) > 5 else ''}): means are uncertain, tests find little"
            )
        if tested and len(sizes) > 1:
            chance = 1 - 0.95 ** len(sizes)
            yield (
                f"{counted(len(sizes), 'group')}, each tested by itself, without a correction for the number of "
                f"groups: where one errs in 5% of cases, one or more of {len(sizes)} do in up to {chance:.0%}"
            )
        elif len(sizes) > MANY:
            yield f"{counted(len(sizes), 'group')}: the largest and the smallest of many differ by chance too"


if TYPE_CHECKING:
    GroupsLike: TypeAlias = "Mapping[Any, Any] | pd.Series[Any] | IntoFrame | str | os.PathLike[str] | TopicGroups"


def _pairs_in_memory(source: Any, unit: str, member: str) -> GroupLines:
    """Raises: UsageError: something that does not hold a group for each topic."""
    if hasattr(source, "items") and not hasattr(source, "columns"):
        items = source.items()
    elif is_frame(source):
        items = _items_of_frame(read_table(source), unit, member)
    else:
        raise UsageError(
            f"{type(source).__name__} does not hold {unit}s of {member}s: give {member} -> {unit}, a Series, a data "
            "frame or a file"
        )
    for topic, group in items:
        if isinstance(group, Collection) and not isinstance(group, str):
            text = f"the {unit} of {member} {quoted(str(topic))} is {name_value(group)}, and should be one name"
            raise UsageError(text)
        if is_missing(topic):
            raise UsageError(
                f"{name_value(topic)} is not the name of a {member}, and has the {unit} {quoted(str(group))}"
            )
        if not is_missing(group):
            yield 0, str(topic), str(group)


def _items_of_frame(table: FrameTable, unit: str, member: str) -> Iterator[tuple[Any, Any]]:
    """The topic and the group of each row.

    Raises:
        UsageError: nothing says which columns hold them.
    """
    topics = [name for name in table.names if name != "" and str(name).lower() in MEMBER_COLUMN[member]]
    others = [name for name in table.names if name not in topics]
    groups = [name for name in others if str(name).lower() == unit] or others
    if len(topics) != 1 or len(groups) != 1:
        columns = ", ".join(quoted(str(name)) for name in table.names) or "none"
        raise UsageError(
            f"a frame of {unit}s has a column {quoted(member)} and a column {quoted(unit)}, and this one has {columns}"
        )
    return zip(table[topics[0]].tolist(), table[groups[0]].tolist(), strict=True)


def read_groups(path: str, unit: str = "group", member: str = "topic") -> TopicGroups:
    """Groups of a file; see ``TopicGroups.from_source``.

    Raises:
        InputError: the file is refused, has no such column, or gives a topic two groups.
    """
    path, column = split_part(path)
    location = Location(path)
    data, digest = read_whole(path, "run")
    text = decode_lines(data, location)
    pairs = _read_column(location, text, column, member) if column else _read_lines(location, text, unit, member)
    return TopicGroups(_checked(pairs, location, unit, member), location, digest, column)


def _read_lines(location: Location, text: str, unit: str, member: str) -> GroupLines:
    """``topic group``, with blanks, a tab or a comma between them."""
    lines = re.split(r"\r\n?|\n", text)
    first = next((line for line in lines if line.strip(BLANKS)), "")
    columns = [name.strip(BLANKS) for name in first.split("\t" if "\t" in first else ",")]
    if len(columns) > 2:
        message = (
            f"has {counted(len(columns), 'column')} ({', '.join(map(shown, columns))}): choose one, as FILE#COLUMN"
        )
        raise InputError(message, location, code="column")
    has_commas = "," in first and "\t" not in first
    comments = [
        (number, line.strip(BLANKS)) for number, line in enumerate(lines, 1) if line.strip(BLANKS)[:1] == COMMENT
    ]
    warn_of_comments(
        location, [(number, text) for number, text in comments if len(_split_fields(text, has_commas)) == 2]
    )
    for number, line in enumerate(lines, 1):
        bare = line.strip(BLANKS)
        if not bare or bare.startswith(COMMENT):
            continue
        fields = _split_fields(bare, has_commas)
        if len(fields) != 2 or not all(fields):
            remedy = explain_semicolons([bare]) or "; where a name holds a blank, put a tab between the two"
            message = f"{counted(len(fields), 'field')}, expected two, `{member} {unit}`: {quoted(bare)}{remedy}"
            raise FormatError(message, location.at(number), code="fields", value=cut(bare))
        if not (line == first and fields[0].lower() in MEMBER_COLUMN[member]):
            yield number, fields[0], fields[1]


def _split_fields(line: str, has_commas: bool) -> list[str]:
    if has_commas or "\t" in line:
        return [field.strip(BLANKS) for field in line.split("," if has_commas else "\t")]
    return split_at_blanks(line)


def _read_column(location: Location, text: str, column: str, member: str) -> GroupLines:
    """A column of a file with a header; topics whose cell is empty have no group."""
    lines = delimited_lines(location, text)
    header = [name.strip(BLANKS) for name in next(lines, (0, [""]))[1]]
    twice = first_repeated([name for name in header if name])
    if twice is not None:
        message = f"has two columns called {quoted(twice)}: rename one, or leave it out"
        raise InputError(message, location, code="column", value=cut(twice))
    if column not in header:
        message = f"has no column {quoted(column)}, only {', '.join(map(shown, header))}"
        raise InputError(message, location, code="column", value=cut(column))
    group = header.index(column)
    topic = next((at for at, name in enumerate(header) if name and name.lower() in MEMBER_COLUMN[member]), 0)
    if topic == group:
        raise InputError(
            f"the column {quoted(column)} holds the {member}s: name that of the groups", location, code="column"
        )
    for number, fields in lines:
        if len(fields) != len(header):
            message = f"{counted(len(fields), 'field')}, expected {len(header)} as in the header"
            raise FormatError(message, location.at(number), code="fields")
        if fields[group].strip(BLANKS):
            yield number, fields[topic].strip(BLANKS), fields[group].strip(BLANKS)


def _checked(pairs: GroupLines, location: Location, unit: str, member: str = "topic") -> dict[str, str]:
    """Raises: FormatError or InputError: a topic has two groups, or there is none."""
    of_topic: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, topic, group in pairs:
        lines.setdefault(topic, number)
        if of_topic.setdefault(topic, group) != group:
            first = f" (line {lines[topic]:,})" if number and unit != "group" else ""
            message = (
                f"{member} {quoted(topic)} is in two {unit}s, {quoted(of_topic[topic])}{first} and {quoted(group)}"
            )
            raise FormatError(message, location.at(number or None), code="conflict", value=cut(topic))
    if not of_topic:
        raise InputError(f"holds no {unit} of a {member}", location, code="empty")
    warn_of_lookalikes(dict.fromkeys(of_topic.values()), unit, location)
    return of_topic
