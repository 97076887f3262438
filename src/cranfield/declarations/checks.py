"""Checks that refuse a wrong call of an analysis, in the same words from Python and from the shell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield import _validation
from cranfield._message import name_value, setting
from cranfield.declarations.option import OptionFacts, name_options
from cranfield.errors import UsageError

TRUTH = {"True": True, "False": False}
GIVEN = "\0given"
"""In a rule: any value but the default."""
UNSET = "\0unset"
"""In a rule: the default, whatever it is."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Options that exclude or need each other.

    Args:
        where: option -> the value, or the values, with which the rule holds; ``GIVEN`` is any but the default. The call
            is refused where all of them hold. Of the shell alone, ``table`` is the name of the view that is chosen, and
            ``across_groups`` the correction over groups of topics.
        why: the sentence, with options in braces: what cannot be, and what to do.
    """

    where: Mapping[str, Any]
    why: str

    def holds(self, options: Mapping[str, OptionFacts], values: Mapping[str, Any]) -> bool:
        """True if the call's options match ``where``, so that the rule refuses it."""
        return are_all(self.where, options, values)

    def refuse(self) -> UsageError:
        """The error."""
        return UsageError(
            name_options(
                self.why, lambda name, value: setting(name, *() if value is None else (TRUTH.get(value, value),))
            )
        )


@dataclass(frozen=True, slots=True)
class Idle:
    """Options that change nothing where others have certain values. The shell refuses them where they are typed.

    Args:
        options: their names.
        where: option -> the value, or the values, as in a rule.
        why: the end of the sentence "... changes nothing ...", with options in braces.
    """

    options: tuple[str, ...]
    where: Mapping[str, Any]
    why: str


def are_all(where: Mapping[str, Any], options: Mapping[str, OptionFacts], values: Mapping[str, Any]) -> bool:
    """True if each option in ``where`` has the value, or one of the values, given there."""
    return all(_holds(options.get(name), values.get(name), wanted) for name, wanted in where.items())


def _holds(option: OptionFacts | None, value: Any, wanted: Any) -> bool:
    if wanted is None:
        return value is None
    if wanted == UNSET:
        return option is None or not option.is_set(value)
    if wanted == GIVEN:
        return option.is_set(value) if option is not None else value not in (None, False, ())
    return value in wanted if isinstance(wanted, (tuple, frozenset)) else bool(value == wanted)


def check_options(options: Mapping[str, OptionFacts], rules: Iterable[Rule], values: Mapping[str, Any]) -> None:
    """Check the options of a call.

    Args:
        options: name -> what is known of it.
        rules: those between options.
        values: name -> value, of all options.

    Raises:
        UsageError: a value is none of the choices, or outside its range; or two options exclude each other.
    """
    for name, option in options.items():
        if name in values:
            _check_value(option, values[name])
    for rule in rules:
        if rule.holds(options, values):
            raise rule.refuse()


def _check_value(option: OptionFacts, value: Any) -> None:
    """Raise UsageError for a value that an option does not take; None stands for a default."""
    if value is None and option.default is None:
        return
    if option.named and isinstance(value, Mapping):
        for one in value.values():
            _check_value(replace(option, named=False, single=True), one)
        return
    if not option.several:
        _check_one(option, value)
        return
    if isinstance(value, str) or (option.single and not isinstance(value, Iterable)):
        value = (value,)
    if not isinstance(value, Iterable):
        what = {"integer": "a list of whole numbers", "number": "a list of numbers"}.get(option.kind, "a list")
        raise UsageError(f"{setting(option.name, value)} should be {what}")
    if isinstance(value, (Sequence, set, frozenset)):
        for one in value:
            _check_one(option, one)


def _check_one(option: OptionFacts, value: Any) -> None:
    """Raise UsageError for a value that is none of the choices, or outside its range."""
    name, declared = option.name, option.option
    is_object = (option.functions and callable(value)) or (option.takes_objects and not isinstance(value, str))
    if option.kind == "choice" and not is_object:
        _validation.word(name, value, option.choices)
    elif option.kind == "integer" and declared.low is not None:
        if declared.high is None:
            _validation.check_integer(int(declared.low), **{name: value})
        else:
            _validation.between(int(declared.low), int(declared.high), **{name: value})
    elif option.kind == "number":
        _check_number(name, value, declared.low, declared.high, open_=declared.open)


def _check_number(name: str, value: Any, low: float | None, high: float | None, *, open_: bool) -> None:
    number = {name: value}
    if (low, high, open_) == (0, 1, True):
        _validation.share(**number)
    elif low is not None and high is None and open_:
        _validation.above(low, **number)
    elif (low, high) == (0, None):
        _validation.not_negative(**number)
    elif not _validation.is_number(value):
        raise UsageError(f"{setting(name, value)} should be a number")
    elif low is not None and high is not None and not low <= value <= high:
        raise UsageError(f"{setting(name, value)} should be a number from {name_value(low)} to {name_value(high)}")
