"""Old names work and warn for two minor releases, and a name that is kept for longer fails a test."""

from __future__ import annotations

import importlib

import pytest

import cranfield
from cranfield import _lazy
from cranfield._lazy import FORMER, Former


@pytest.mark.parametrize(
    ("package", "old", "new"),
    [
        ("cranfield", "pick_topics", "cranfield.trust.select_topics"),
        ("cranfield.trust", "pick_topics", "cranfield.trust.select_topics"),
        ("cranfield.fusion", "blend", "cranfield.fuse"),
    ],
)
def test_an_old_name_works_and_says_what_to_write(
    package: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMER, f"{package}.{old}", Former(new, "0.2"))
    for _ in range(2):  # it is not kept as if it were a name: the second use warns as the first
        with pytest.warns(DeprecationWarning) as caught:
            value = getattr(importlib.import_module(package), old)
        module, _, name = new.rpartition(".")
        assert value is getattr(importlib.import_module(module), name)
        (warning,) = caught
        assert str(warning.message) == (
            f"{package}.{old} is deprecated since cranfield 0.2 and removed in 0.4: write {new}"
        )
        assert warning.filename == __file__, "the line at fault is the caller's"
    assert old not in dir(importlib.import_module(package))


@pytest.mark.parametrize("package", ["cranfield", "cranfield.trust"])
def test_other_names_are_refused_as_before(package: str) -> None:
    with pytest.raises(AttributeError, match="pick_topics"):
        importlib.import_module(package).pick_topics  # noqa: B018


def test_a_parameter_warns_where_it_is_given() -> None:
    def summarize(**given: object) -> None:
        _lazy.warn("summarize(by=)", Former("summarize(over=)", "1.9"))

    with pytest.warns(DeprecationWarning, match=r"summarize\(by=\) .* removed in 1\.11: write summarize") as caught:
        summarize(by="topic")
    assert caught[0].filename == __file__


def overdue(version: str) -> list[str]:
    """Old names that a release should not have any more."""

    def number(text: str) -> tuple[int, ...]:
        return tuple(int(part) for part in text.split(".")[:2])

    return [old for old, former in FORMER.items() if number(version) >= number(former.removed_in)]


def test_no_old_name_is_kept_for_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert overdue(cranfield.__version__) == []
    monkeypatch.setitem(FORMER, "cranfield.old", Former("cranfield.fuse", "0.9"))
    assert overdue("0.10.3") == []
    assert overdue("0.11.0") == overdue("1.0.0") == ["cranfield.old"]
