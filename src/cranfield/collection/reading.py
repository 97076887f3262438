"""How files and runs are read, as one object or as keyword arguments: the same in every function that reads runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypedDict, get_args

from cranfield._message import name_value
from cranfield._validation import is_number, one_or_more, word
from cranfield.collection.column_names import check_roles
from cranfield.collection.input_formats import AUTO, InputFormat, input_formats
from cranfield.collection.intent_weights import IntentWeightsLike, load_weights
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

if TYPE_CHECKING:
    from cranfield.collection.qrels import Qrels

ColumnsLike: TypeAlias = Mapping[str, str] | None
"""Role -> column, such as ``{"topic": "user_id"}``."""


class FileOptions(TypedDict, total=False):
    """Options for files, see ``Reading``."""

    input_format: InputFormat
    columns: ColumnsLike


class JudgmentOptions(FileOptions, total=False):
    """Options for files of judgments, see ``Reading``."""

    exclude: str | os.PathLike[str] | Qrels | None


class RunOptions(FileOptions, total=False):
    """Options for runs that are ordered, see ``Reading`` and ``Policy``."""

    names: Names
    ties: Ties
    missing: Missing
    on_duplicate: OnDuplicate
    own_document: OwnDocument
    passages: str


class JudgedOptions(RunOptions, JudgmentOptions, total=False):
    """Options for runs that are seen through judgments, see ``Reading`` and ``Policy``."""

    unjudged: Unjudged
    negative: Negative
    undefined: Undefined
    compat: Compat


class LevelOptions(JudgedOptions, total=False):
    """Options for runs seen through judgments with a level of relevance, see ``Reading`` and ``Policy``."""

    rel: float | None


class IntentOptions(JudgedOptions, total=False):
    """Options for runs seen through judgments with intents, see ``Reading`` and ``Policy``."""

    intent_weights: IntentWeightsLike
    weight_sum: WeightSum
    keep_empty_intents: bool


class ReadingOptions(LevelOptions, IntentOptions, total=False):
    """All options of a reading, see ``Reading`` and ``Policy``."""


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
        exclude: judgments, or their file: the documents that they judge are removed from judgments and runs, topic by
            topic, as in the residual collection after relevance feedback; see ``Qrels.excluding``.
        only_topics: the judged topics that are looked at, where something is repeated on groups of topics, whose
            signature names them; all where None. Not one of the words.

    Raises:
        InputError: intent weights in memory that cannot be used.
        UsageError: a word that is not one of these, or a level that is not a number.

    >>> import cranfield
    >>> reading = cranfield.Reading(cranfield.Policy(ties="docid"), input_format="beir")
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
    exclude: str | os.PathLike[str] | Qrels | None = None
    only_topics: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.policy, Policy):
            raise UsageError(f"policy={name_value(self.policy)} is not a Policy: write cranfield.Policy(ties=...)")
        word("input_format", self.input_format, input_formats())
        word("names", self.names, get_args(Names))
        word("weight_sum", self.weight_sum, get_args(WeightSum))
        if self.rel is not None and not is_number(self.rel):
            raise UsageError(f"rel={name_value(self.rel)} should be a number")
        for name, normalize in _NORMALIZED.items():
            if getattr(self, name) is not None:
                object.__setattr__(self, name, normalize(getattr(self, name)))

    @classmethod
    def of(
        cls,
        reading: Reading | None,
        policy: Policy | None,
        options: Mapping[str, Any],
        known: type[Any] = ReadingOptions,
    ) -> Reading:
        """One reading from all arguments of a call.

        Args:
            reading: all options as one object.
            policy: its policies alone.
            options: single ones, by name.
            known: the options that the caller takes: ``ReadingOptions`` or a part of it.

        Raises:
            InputError: intent weights in memory that cannot be used.
            UsageError: an option that does not exist, or one that contradicts the object given.
        """
        for name in options:
            if name not in known.__annotations__:
                _refuse_unknown(name, options[name], tuple(known.__annotations__))
        for name, value, kind in (("reading", reading, cls), ("policy", policy, Policy)):
            if value is not None and not isinstance(value, kind):
                raise UsageError(
                    f"{name}={name_value(value)} is not a {kind.__name__}: write cranfield.{kind.__name__}(...)"
                )
        if reading is not None:
            if policy is not None:
                _refuse_contradiction(policy.as_dict(), reading, "the policy given has ")
            if options:
                _refuse_contradiction(options, reading)
            return reading
        policies = {name: value for name, value in options.items() if name in POLICIES}
        others = {name: value for name, value in options.items() if name not in POLICIES}
        if policy is None:
            return cls(Policy(**policies), **others)
        reading = cls(policy, **others)
        if policies:
            _refuse_contradiction(policies, reading, owner="policy")
        return reading

    @property
    def of_files(self) -> dict[str, Any]:
        """The options of files: ``input_format`` and ``columns``."""
        return {"input_format": self.input_format, "columns": dict(self.columns or {})}

    @property
    def judgment_options(self) -> dict[str, Any]:
        """The options of judgments: those of files, and what is looked at."""
        return {**self.of_files, "only_topics": self.only_topics, "exclude": self.exclude}

    @property
    def level(self) -> float:
        """Smallest relevant label where one is needed; 1 by default."""
        return 1 if self.rel is None else self.rel

    def with_policy(self, **policies: Any) -> Reading:
        """The same reading with other policies."""
        return replace(self, policy=replace(self.policy, **policies))

    @property
    def weighed(self) -> Reading:
        """The same reading for judgments that have their P(i|q) already."""
        return replace(self, intent_weights=None, weight_sum="renormalise", keep_empty_intents=False)

    def as_dict(self) -> dict[str, Any]:
        """Option -> value, of the policies too, and without the topics of a group."""
        return self.policy.as_dict() | {
            option.name: getattr(self, option.name)
            for option in fields(self)
            if option.name not in ("policy", "only_topics")
        }


_NORMALIZED: dict[str, Callable[[Any], Any]] = {
    "intent_weights": load_weights,
    "columns": lambda columns: check_roles(columns) or None,
    "only_topics": lambda topics: tuple(map(str, one_or_more(topics))),
}
"""Options that a reading holds in another form than they are given in."""


def _refuse_unknown(name: str, value: object, known: tuple[str, ...]) -> NoReturn:
    """Raises: UsageError: the option does not exist, or the caller has no use for it."""
    if name in ReadingOptions.__annotations__:
        raise UsageError(f"{name}={name_value(value)} means nothing here; what can be said is {', '.join(known)}")
    import difflib

    if name in ("measure", "measures"):
        text = "functions of several measures take measures=, functions of one take measure="
        raise UsageError(f"there is no option {name_value(name)} here: {text}")
    near = difflib.get_close_matches(name, known, 1)
    guess = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    raise UsageError(f"there is no option {name_value(name)}; {guess}")


def _refuse_contradiction(
    options: Mapping[str, Any], reading: Reading, source: str = "", owner: str = "reading"
) -> None:
    """Raises: UsageError: the first option that differs from the object that is given too."""
    current = reading.as_dict()
    for name, value in options.items():
        normalize = _NORMALIZED.get(name)
        if (value if normalize is None or value is None else normalize(value)) != current[name]:
            raise UsageError(
                f"{source}{name}={name_value(value)}, which contradicts {name}={name_value(current[name])} of the "
                f"{owner} given: say it once"
            )
