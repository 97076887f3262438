"""Options of reading files and runs, as one object or as keyword arguments, alike in every function that reads runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypedDict, get_args

from cranfield._message import name_value
from cranfield._signatures import DEFAULTS
from cranfield._validation import is_number, one_or_more, word
from cranfield.collection.column_names import check_roles
from cranfield.collection.input_formats import AUTO, InputFormat, input_formats
from cranfield.collection.intent_weights import IntentWeightsLike, load_weights
from cranfield.collection.policy import (
    POLICIES,
    CompatPolicy,
    MissingPolicy,
    NamesPolicy,
    NegativePolicy,
    OnDuplicate,
    OwnDocument,
    Policy,
    TiesPolicy,
    Undefined,
    UnjudgedPolicy,
    WeightSum,
)
from cranfield.collection.word_labels import WordLabels, check_word_labels
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.collection.qrels import Qrels

ColumnsLike: TypeAlias = Mapping[str, str] | None
"""Role -> column, such as ``{"topic": "user_id"}``."""


class FileOptions(TypedDict, total=False):
    """Options for files, see ``InputOptions``."""

    input_format: InputFormat
    columns: ColumnsLike


class LabelOptions(FileOptions, total=False):
    """Options for files and the labels in them, see ``InputOptions``."""

    labels: WordLabels


class JudgmentOptions(LabelOptions, total=False):
    """Options for judgments, see ``InputOptions``."""

    exclude: str | os.PathLike[str] | Qrels | None


class RunOptions(FileOptions, total=False):
    """Options for runs that are ordered, see ``InputOptions``."""

    names: NamesPolicy
    ties: TiesPolicy
    missing: MissingPolicy
    on_duplicate: OnDuplicate
    own_document: OwnDocument
    passages: str


class JudgedOptions(RunOptions, JudgmentOptions, total=False):
    """Options for runs that are seen through judgments, see ``InputOptions``."""

    unjudged: UnjudgedPolicy
    negative: NegativePolicy
    undefined: Undefined
    compat: CompatPolicy


class LevelOptions(JudgedOptions, total=False):
    """Options for runs seen through judgments with a level of relevance, see ``InputOptions``."""

    rel: float | None


class IntentOptions(JudgedOptions, total=False):
    """Options for runs seen through judgments with intents, see ``InputOptions``."""

    intent_weights: IntentWeightsLike
    weight_sum: WeightSum
    keep_empty_intents: bool


class ReadingOptions(LevelOptions, IntentOptions, total=False):
    """All options, see ``InputOptions``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOptions(Policy):
    """Options of reading files and runs, as one object. Whatever takes it also takes its words one by one.

    Args:
        ties: order of documents with equal scores, see ``Policy`` for this and the next eight.
        missing: the fate of a judged topic absent from a run.
        unjudged: the fate of unjudged documents.
        negative: the gain of labels below zero.
        undefined: a value that has no definition.
        compat: a peer's reading where ours differs.
        on_duplicate: the fate of a document that is twice in a topic of a run.
        own_document: the fate of a retrieved document whose id is its topic's.
        passages: what separates a document's id from the number of its passage.
        input_format: of files: ``auto`` tells it by their content, see the documentation of formats.
        columns: role -> column, such as ``{"topic": "user_id", "document": "item_id"}``, of files whose columns are
            called otherwise than usual.
        labels: words that stand for labels -> their numbers, such as ``{"relevant": 2, "partial": 1}``; a word that is
            not among them is refused.
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
    >>> run, qrels = {"q1": {"d1": 1.0, "d2": 1.0}}, {"q1": {"d1": 1, "d2": 0}}
    >>> reading = cranfield.InputOptions(ties="docid")
    >>> float(cranfield.evaluate(run, qrels, "RR", reading=reading)["RR"][0, 0])
    1.0
    """

    input_format: InputFormat = AUTO
    names: NamesPolicy = "file"
    rel: float | None = None
    intent_weights: IntentWeightsLike = None
    weight_sum: WeightSum = "renormalise"
    keep_empty_intents: bool = False
    columns: ColumnsLike = None
    labels: WordLabels = None
    exclude: str | os.PathLike[str] | Qrels | None = None
    only_topics: Sequence[str] | None = None

    def __post_init__(self) -> None:
        Policy.__post_init__(self)  # a class with slots is made anew, and super() knows the first one only
        word("input_format", self.input_format, input_formats())
        word("names", self.names, get_args(NamesPolicy))
        word("weight_sum", self.weight_sum, get_args(WeightSum))
        if self.rel is not None and not is_number(self.rel):
            raise UsageError(f"rel={name_value(self.rel)} should be a number")
        for name, normalize in _NORMALIZED.items():
            if getattr(self, name) is not None:
                object.__setattr__(self, name, normalize(getattr(self, name)))

    @classmethod
    def of(
        cls, reading: InputOptions | None, options: Mapping[str, Any], known: type[Any] = ReadingOptions
    ) -> InputOptions:
        """One object from all arguments of a call.

        Args:
            reading: all options as one object.
            options: single ones, by name.
            known: the options that the caller takes: ``ReadingOptions`` or a part of it.

        Raises:
            InputError: intent weights in memory that cannot be used.
            UsageError: an option that does not exist, or one that contradicts the object given.
        """
        for name in options:
            if name not in known.__annotations__:
                _refuse_unknown(name, options[name], tuple(known.__annotations__))
        if reading is None:
            return cls(**options)
        if not isinstance(reading, cls):
            raise UsageError(f"reading={name_value(reading)} is not InputOptions: write cranfield.InputOptions(...)")
        _refuse_contradiction(options, reading)
        return reading

    def as_dict(self) -> dict[str, Any]:
        """Option -> value, without the topics of a group."""
        return {name: value for name, value in Policy.as_dict(self).items() if name != "only_topics"}

    @property
    def policy(self) -> Policy:
        """The part of them that decides how lists are ordered and scored."""
        return Policy(**{name: getattr(self, name) for name in POLICIES})

    @property
    def of_files(self) -> dict[str, Any]:
        """The options of files: ``input_format`` and ``columns``."""
        return {"input_format": self.input_format, "columns": dict(self.columns or {})}

    @property
    def file_judgment_options(self) -> dict[str, Any]:
        """The options of files of judgments: ``labels``, too."""
        return {**self.of_files, "labels": self.labels}

    @property
    def judgment_options(self) -> dict[str, Any]:
        """The options of judgments: those of files, and what is looked at."""
        return {**self.file_judgment_options, "only_topics": self.only_topics, "exclude": self.exclude}

    @property
    def list_options(self) -> InputOptions:
        """The options of lists that are read already: the policies and the level of relevance."""
        return InputOptions(**self.policy.as_dict(), rel=self.rel)

    @property
    def level(self) -> float:
        """Smallest relevant label where one is needed; 1 by default."""
        return 1 if self.rel is None else self.rel

    @property
    def weighed(self) -> InputOptions:
        """The same options for judgments that have their P(i|q) already."""
        return replace(self, intent_weights=None, weight_sum="renormalise", keep_empty_intents=False)


DEFAULTS.update({option.name: option.default for option in fields(InputOptions)})

_NORMALIZED: dict[str, Callable[[Any], Any]] = {
    "intent_weights": load_weights,
    "columns": lambda columns: check_roles(columns) or None,
    "labels": lambda labels: check_word_labels(labels) or None,
    "only_topics": lambda topics: tuple(map(str, one_or_more(topics))),
}
"""Options that are held in another form than they are given in."""


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


def _refuse_contradiction(options: Mapping[str, Any], reading: InputOptions) -> None:
    """Raises: UsageError: the first option that differs from the object that is given too."""
    for name, value in options.items():
        normalize, held = _NORMALIZED.get(name), getattr(reading, name)
        if (value if normalize is None or value is None else normalize(value)) != held:
            raise UsageError(
                f"{name}={name_value(value)}, which contradicts {name}={name_value(held)} of the reading given: "
                "say it once"
            )
