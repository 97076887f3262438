"""cranfield as a provider of ir_measures: ``use()``, then ir_measures' own functions compute with this engine.

    import ir_measures
    from cranfield.integrations.ir_measures import use

    with use():
        ir_measures.calc_aggregate([nDCG @ 10, AP], qrels, run)

``use()`` alone lasts until ``stop()``. What calls ir_measures, as PyTerrier's experiments do, computes here too.
ir_measures itself is imported by the first ``use()``.
"""

from __future__ import annotations

from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Literal, Self, TypedDict, Unpack

from cranfield._message import name_value
from cranfield._optional import import_optional
from cranfield._signatures import Default, show_options
from cranfield.collection.policy import CompatPolicy, NegativePolicy, OnDuplicate, OwnDocument, Policy, UnjudgedPolicy
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.integrations.provider import CranfieldProvider

OneOrder = Literal["trec", "trec9", "docid", "rank", "file", "expected"]


class UseOptions(TypedDict, total=False):
    """Options of ``use``, see ``Policy``."""

    ties: Annotated[OneOrder, Default("trec9")]
    unjudged: UnjudgedPolicy
    negative: NegativePolicy
    compat: Annotated[CompatPolicy, Default("trec_eval9")]
    on_duplicate: OnDuplicate
    own_document: OwnDocument
    passages: str


_lock = Lock()
_uses: list[Use] = []
"""The active ones, the latest last: its provider is in ir_measures."""


class Use:
    """Lets ir_measures compute with this engine until ``stop()``, or until the end of a ``with`` block."""

    def __init__(self, provider: CranfieldProvider) -> None:
        self.provider = provider

    @property
    def policy(self) -> Policy:
        """Return how documents are ordered and odd cases are read."""
        return self.provider.policy

    def stop(self) -> None:
        """Restore the previous state; no effect the second time."""
        with _lock:
            if self in _uses:
                _uses.remove(self)
                _show()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        state = "ir_measures computes with cranfield" if self in _uses else "stopped"
        return f"<{state}: ties={self.policy.ties}, compat={self.policy.compat}>"


@show_options
def use(**options: Unpack[UseOptions]) -> Use:
    """Let ir_measures compute with this engine every measure that it and cranfield have.

    The defaults are those of trec_eval 9, with which ir_measures computes most measures itself. Other orders of its own
    providers: ``ties="docid"`` (RR@k, Judged, Compat); ``compat="gdeval"`` with ``ties="trec"`` (ERR). Topics that a
    run lacks have ir_measures' default value, and topics of a run without judgments are ignored, as everywhere in
    ir_measures. A later ``use`` replaces an earlier one until it is stopped; measures that cranfield lacks, and those
    that ``ir_measures.define`` made, are computed as before.

    Args:
        options: words of ``InputOptions`` about the order of documents and odd cases.

    Returns:
        A handle with ``stop()``, and a context manager.

    Raises:
        MissingPackageError: ir_measures is not installed.
        UsageError: an unknown word.
    """
    unknown = sorted(options.keys() - UseOptions.__annotations__.keys())
    if unknown:
        known = ", ".join(UseOptions.__annotations__)
        why = "ir_measures decides that itself" if unknown[0] in ("missing", "undefined") else "there is no such word"
        raise UsageError(f"use() takes {known}, and not {name_value(unknown[0])}: {why}")
    if str(options.get("ties")) == "bounds":
        raise UsageError("use(ties='bounds') gives intervals, for which ir_measures has no place: use(ties='expected')")
    import_optional("ir_measures")
    from cranfield.integrations.provider import CranfieldProvider

    policy_options: UseOptions = {"ties": "trec9", "compat": "trec_eval9", **options}
    started = Use(CranfieldProvider(Policy(**policy_options)))
    with _lock:
        _uses.append(started)
        _show()
    return started


def stop() -> None:
    """Let ir_measures compute as it did before every ``use()`` that still lasts; no effect where there is none."""
    with _lock:
        if _uses:
            _uses.clear()
            _show()


def _show() -> None:
    """Put the provider of the latest use, and no other of ours, among those of ir_measures, where it comes first.

    Only what ``ir_measures.define`` made comes before it, which no other provider computes.
    """
    from cranfield.integrations.provider import CranfieldProvider

    ir_measures = import_optional("ir_measures")
    providers = ir_measures.DefaultPipeline.providers
    remaining = [provider for provider in providers if not isinstance(provider, CranfieldProvider)]
    if _uses:
        remaining.insert(
            remaining.index(ir_measures.runtime) + 1 if ir_measures.runtime in remaining else 0, _uses[-1].provider
        )
    providers[:] = remaining
