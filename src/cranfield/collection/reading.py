"""How files and runs are read, as one object and as single words: the same in every function that reads runs.

The names of the formats of files: one for each file of ``cranfield.io.formats``, none of which is imported here.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias, TypedDict, get_args

from cranfield._validation import is_number, word
from cranfield.collection.column_names import check_roles
from cranfield.collection.intent_weights import IntentWeightsLike, check_weight_sum, held
from cranfield.collection.policy import (
    POLICIES,
    Compat,
    Missing,
    Names,
    Negative,
    OnDuplicate,
    OwnDocument,
    Policy,
    Ties,
    Undefined,
    Unjudged,
    WeightSum,
)
from cranfield.errors import UsageError

InputFormat: TypeAlias = str
"""One of ``input_formats()``."""
AUTO: InputFormat = "auto"
"""The format is told by the content of a file."""
_FOLDER = os.path.join(os.path.dirname(__file__), "..", "io", "formats")  # noqa: PTH118, PTH120  (help waits for no more)


@functools.cache
def input_formats() -> tuple[InputFormat, ...]:
    """``auto``, TREC's, and the others in the order of their names."""
    files = sorted(os.listdir(_FOLDER))  # noqa: PTH208
    names = [file.removesuffix(".py").replace("_", "-") for file in files if file.endswith(".py") and file[0] != "_"]
    return tuple(dict.fromkeys((AUTO, "trec", *names)))


ColumnsLike: TypeAlias = Mapping[str, str] | None
"""Role -> column, such as ``{"topic": "user_id"}``."""


class FileWords(TypedDict, total=False):
    """What can be said of files, see ``Reading``."""

    input_format: InputFormat
    columns: ColumnsLike


class RunWords(FileWords, total=False):
    """What can be said of runs that are ordered, see ``Reading`` and ``Policy``."""

    names: Names
    ties: Ties
    missing: Missing
    on_duplicate: OnDuplicate
    own_document: OwnDocument
    passages: str


class SeenWords(RunWords, total=False):
    """What can be said of runs that are seen through judgments, see ``Reading`` and ``Policy``."""

    unjudged: Unjudged
    negative: Negative
    undefined: Undefined
    compat: Compat


class LevelWords(SeenWords, total=False):
    """The same with a level of relevance, see ``Reading`` and ``Policy``."""

    rel: float | None


class IntentWords(SeenWords, total=False):
    """The same with intents, but without a level of relevance, see ``Reading`` and ``Policy``."""

    intent_weights: IntentWeightsLike
    weight_sum: WeightSum
    keep_empty_intents: bool


class ReadingWords(LevelWords, IntentWords, total=False):
    """Everything that can be said of a reading in single words, see ``Reading`` and ``Policy``."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How files and runs are read, as one object. Whatever takes it also takes its words one by one.

    Args:
        policy: how documents are ordered and odd cases are read: ``ties``, ``missing``, ``unjudged``, ``negative``,
            ``undefined``, ``compat``, ``on_duplicate``, ``own_document`` and ``passages``, see ``Policy``.
        input_format: of files: ``auto`` tells it by their content, see the documentation of formats.
        columns: role -> column, such as ``{"topic": "user_id", "document": "item_id"}``, of files whose columns are
            called otherwise than usual.
        names: systems are called by their ``file`` or by their run ``tag``.
        rel: smallest relevant label, for binary measures that do not set it themselves.
        intent_weights: P(i|q) for measures of diversity: a file, a frame, topic -> intent -> probability, or the word
            ``"uniform"`` (all intents of a topic alike, the default) or ``"simulated"`` (2^(n-j+1), Sakai et al. 2010).
        weight_sum: probabilities that do not add up to 1, see ``Qrels.with_intents``.
        keep_empty_intents: whether intents without relevant documents count, see ``Qrels.with_intents``.

    Raises:
        InputError: intent weights in memory that cannot be used.
        UsageError: a word that is not one of these, or a level that is no number.

    >>> reading = Reading(Policy(ties="docid"), input_format="beir")
    >>> reading.policy.ties, reading.rel
    ('docid', None)
    """

    policy: Policy = field(default_factory=Policy)
    input_format: InputFormat = AUTO
    names: Names = "file"
    rel: float | None = None
    intent_weights: IntentWeightsLike = None
    weight_sum: WeightSum = "renormalise"
    keep_empty_intents: bool = False
    columns: ColumnsLike = None

    def __post_init__(self) -> None:
        if not isinstance(self.policy, Policy):
            raise UsageError(f"policy={self.policy!r} is no Policy: write cranfield.Policy(ties=...)")
        word("input_format", self.input_format, input_formats())
        word("names", self.names, get_args(Names))
        check_weight_sum(self.weight_sum)
        if self.rel is not None and not is_number(self.rel):
            raise UsageError(f"rel={self.rel!r} should be a number")
        object.__setattr__(self, "intent_weights", held(self.intent_weights))
        object.__setattr__(self, "columns", _columns(self.columns))

    @classmethod
    def of(
        cls,
        reading: Reading | None,
        policy: Policy | None,
        words: Mapping[str, Any],
        takes: type[Any] = ReadingWords,
    ) -> Reading:
        """One reading from all that a call was given.

        Args:
            reading: the whole.
            policy: its policies alone.
            words: single ones.
            takes: the words that mean something to the caller: ``ReadingWords`` or a part of it.

        Raises:
            InputError: intent weights in memory that cannot be used.
            UsageError: a word that does not exist, or one that contradicts the object given.
        """
        _refuse_unknown(words, takes)
        for name, given, kind in (("reading", reading, cls), ("policy", policy, Policy)):
            if given is not None and not isinstance(given, kind):
                raise UsageError(f"{name}={given!r} is no {kind.__name__}: write cranfield.{kind.__name__}(...)")
        if reading is not None:
            of_policy = {} if policy is None else policy.as_dict()
            _refuse_other({**of_policy}, reading, "the policy given has ")
            _refuse_other(words, reading, "")
            return reading
        apart = {name: value for name, value in words.items() if name not in POLICIES}
        decided = {name: value for name, value in words.items() if name in POLICIES}
        if policy is None:
            return cls(Policy(**decided), **apart)
        made = cls(policy, **apart)
        _refuse_other(decided, made, "", "policy")
        return made

    @property
    def of_files(self) -> dict[str, Any]:
        """What readers of files are told: ``input_format`` and ``columns``."""
        return {"input_format": self.input_format, "columns": dict(self.columns or {})}

    @property
    def level(self) -> float:
        """Smallest relevant label where one is needed; 1 by default."""
        return 1 if self.rel is None else self.rel

    def with_policy(self, **words: Any) -> Reading:
        """The same with other policies."""
        return replace(self, policy=replace(self.policy, **words))

    @property
    def weighed(self) -> Reading:
        """The same for judgments that have their P(i|q) already."""
        return replace(self, intent_weights=None, weight_sum="renormalise", keep_empty_intents=False)

    def words(self) -> dict[str, Any]:
        """Word -> value, of the policies too."""
        return self.policy.as_dict() | {
            option.name: getattr(self, option.name) for option in fields(self) if option.name != "policy"
        }


def _columns(given: ColumnsLike) -> Mapping[str, str] | None:
    return check_roles(given) or None


_AS_HELD: dict[str, Callable[[Any], Any]] = {"intent_weights": held, "columns": _columns}
"""Words that a reading holds otherwise than they are given."""


def _refuse_unknown(words: Mapping[str, Any], takes: type[Any]) -> None:
    names = tuple(takes.__annotations__)
    for name in words:
        if name in names:
            continue
        if name in ReadingWords.__annotations__:
            raise UsageError(f"{name}={words[name]!r} means nothing here; what can be said is {', '.join(names)}")
        import difflib

        near = difflib.get_close_matches(name, names, 1)
        guess = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
        raise UsageError(f"there is no option {name!r}; {guess}")


def _refuse_other(words: Mapping[str, Any], reading: Reading, by: str, of: str = "reading") -> None:
    """Raises: UsageError: the first word that says something else than the object that was given too."""
    has = reading.words()
    for name, value in words.items():
        told = _AS_HELD.get(name, lambda value: value)(value)
        if told != has[name]:
            raise UsageError(
                f"{by}{name}={value!r}, which contradicts {name}={has[name]!r} of the {of} given: say it once"
            )
