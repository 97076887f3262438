"""The sections of the page: a file each in ``sections``, which declares itself as ``SECTION``.

The id of a section is the name of its file. To add one, add a file: the page, the order of its sections and
``--sections`` find the files that are there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cranfield.reporting.options import ALWAYS, section_ids

if TYPE_CHECKING:
    from cranfield.reporting.content import Head, Section
    from cranfield.reporting.inputs import PageScores, ScoredRuns
    from cranfield.reporting.request import Request, RunsRequest
    from cranfield.reporting.runner import AnalysisRunner

EXPLAINING = ("checks", "provenance")
"""The sections to which the notices of the first lines lead: on a page for organisers, and on a public one."""


@dataclass(frozen=True, slots=True)
class PageSection:
    """A section, as its file declares it.

    Args:
        title: its heading.
        place: sections stand in the order of their places.
        fill: fills the empty section from ``Analyses``; None where there is nothing to show.
        needs: why there is nothing to show, a clause: a page on which the section is requested by name states it.
        of_scores: runs the analyses of scores that this section alone shows; ``Analyses.own`` has what it returns.
        of_rankings: the same of rankings; not called for scores alone.
        appendix: whether it belongs to the appendix.
        organisers: whether a public page leaves it out: it is for whoever organises the evaluation.
        keeps_runs: whether its analyses take the runs that were read, which are held in memory for it.
    """

    title: str
    place: int
    fill: Callable[[Any, Section], Section | None]
    needs: str = ""
    of_scores: Callable[[AnalysisRunner, PageScores, Request], Any] | None = None
    of_rankings: Callable[[AnalysisRunner, ScoredRuns, RunsRequest], Any] | None = None
    appendix: bool = False
    organisers: bool = False
    keeps_runs: bool = False


@functools.cache
def page_sections() -> dict[str, PageSection]:
    """Every section by its id, in their order on the page."""
    found = {name: import_module(f"cranfield.reporting.sections.{name}").SECTION for name in section_ids()}
    return dict(sorted(found.items(), key=lambda section: section[1].place))


def find_shown(request: Request) -> dict[str, PageSection]:
    """The sections that the page of a request may show: all, or those that are requested by name."""
    chosen, every = request.chosen_sections, page_sections().items()
    if chosen:
        return {name: section for name, section in every if name in chosen or name == ALWAYS}
    return {name: section for name, section in every if not (request.options["public"] and section.organisers)}


def add_explanation(shown: dict[str, PageSection], head: Head, *, public: bool) -> dict[str, PageSection]:
    """Add the section to which the notices of the first lines lead, where it is not shown."""
    if not head.notices or any(name in shown for name in EXPLAINING):
        return shown
    added = EXPLAINING[public]
    return {name: section for name, section in page_sections().items() if name in shown or name == added}
