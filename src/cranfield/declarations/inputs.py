"""Kinds of inputs that an analysis can declare; they determine which files its command reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

DIRECTIONS = {
    "larger_is_better": "A measure of a score file of which larger values are better.",
    "smaller_is_better": "A measure of a score file of which smaller values are better.",
}
"""Options by which a call says which scores of a measure are better, and what they mean."""


@dataclass(frozen=True, slots=True)
class FromScores:
    """An analysis of scores, which the command reads from score files, or computes from judgments and runs.

    Args:
        measures: ``one`` measure, ``each`` by itself (the results are joined), or ``all`` together.
        default: the measures of runs where none is requested; those of ``cranfield evaluate`` where empty.
        ranges: whether a score may be a range.
        zero: whether the function itself can count missing scores as 0, by ``missing_scores="zero"``.
        streamed: whether scores of very many topics are read in blocks.
        preferences: those between lists that can be analysed too, as further measures, by ``--preference``.
        further: an option that names measures, whose scores are needed too; the function is then given the names of
            the others as ``measures``.
        holes: the choices of ``--unjudged`` with which another function of the command estimates the labels of
            unjudged documents.
        of_runs: whether the command computes them from judgments and runs in any case, and takes no score files.
        missing: the choices of ``--missing-scores``.
        advice: what a warning advises where many of the first documents of runs are unjudged; no warning where empty.
        directed: whether the command can be told of which measures of score files larger or smaller is better.
    """

    measures: str = "one"
    default: tuple[str, ...] = ("nDCG@10",)
    ranges: bool = True
    zero: bool = False
    streamed: bool = False
    preferences: tuple[str, ...] = ()
    further: str = ""
    holes: tuple[str, ...] = ()
    of_runs: bool = False
    missing: tuple[str, ...] = ("drop-topics", "drop-systems", "refuse")
    directed: bool = False
    advice: str = ""


@dataclass(frozen=True, slots=True)
class FromRuns:
    """An analysis of runs and their judgments: ``function(runs, qrels, measures, *, reading, progress)``.

    Where it is ``judged`` by an option of its own, if at all, it is ``function(runs, *, qrels, reading)``.

    Args:
        default: the measures where none is requested.
        measures: whether it takes ``several`` measures, ``one``, or ``none``.
        of_measures: what the option that names measures does, where it does more than say by what runs are scored.
        progress: what a progress bar calls the work.
        policies: the policies that change anything; all of them where empty.
        ties: the choices of ``--ties`` that leave the order of documents open, and that it takes.
        rel: what ``--rel`` sets, in a sentence, where that is not the level of binary measures; None where it sets
            nothing.
        judged: whether the judgments come before the runs.
        needs_all: whether it is about these very runs, so that none can be left out.
        forgiving: whether it goes on after a run that cannot be read in any case, and says what is wrong with it.
        named: whether systems have names, by ``--names``; else files are looked at, whatever they are called.
        beside_scores: whether it is a further function of a command that works on scores, and takes the judgments and
            runs of which these would be made.
        evidence: whether preferences and reference rankings may be judges beside the judgments, as ``Evidence``.
        holes: the choices of ``--unjudged`` with which other functions of the command estimate the labels of unjudged
            documents.
        further: more options of reading: ``exclude`` documents, and weights of ``intents``.
    """

    default: tuple[str, ...] = ()
    measures: str = "several"
    of_measures: str = ""
    progress: str = "reading runs"
    policies: tuple[str, ...] = ()
    ties: tuple[str, ...] = ()
    rel: str | None = ""
    judged: bool = True
    needs_all: bool = False
    forgiving: bool = False
    named: bool = True
    evidence: bool = False
    beside_scores: bool = False
    holes: tuple[str, ...] = ()
    further: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FromFiles:
    """An analysis of files that it reads itself: ``function(file)``, or ``function(files)``.

    Args:
        metavar: what the help calls a file: ``SCORES``.
        several: whether there may be several.
        read: ``module:name`` of what reads them once for all calls; the function is then given what it returns.
        reads: the options that it takes too.
    """

    metavar: str
    several: bool = False
    read: str = ""
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ByHand:
    """A command that is written by hand in ``cli``, as it writes files: its options alone are declared."""


@dataclass(frozen=True, slots=True)
class Role:
    """A file, or several, of which an analysis is told what part it has.

    Args:
        name: of the function's parameter.
        metavar: what the help calls the files: ``OLD_RUN``.
        meaning: of the option that names them; they are an argument behind QRELS where empty.
        count: how many there are.
        required: whether a call has to name them; else the function takes them by name.
        order: where there are several, what they are, in their order, for the refusal of a call.
    """

    name: str
    metavar: str
    meaning: str = ""
    count: int = 1
    required: bool = True
    order: str = ""


@dataclass(frozen=True, slots=True)
class FromRoles:
    """An analysis of files with a part each: ``function(old, new, qrels, measures, *, reading)``.

    Args:
        roles: in the order in which the function takes them.
        default: the measures where none is requested.
        measures: whether it takes ``several`` measures, or ``one``.
    """

    roles: tuple[Role, ...]
    default: tuple[str, ...]
    measures: str = "several"


@dataclass(frozen=True, slots=True)
class FromJudges:
    """An analysis of several sets of judgments, each by a judge: ``function({name: judgments})``.

    Args:
        least: how many there are at least, for the usage line.
        runs: whether runs are scored by each: ``function(runs, {name: judgments}, measure, *, reading)``.
        scored: whether it takes the scores of the runs by two judges instead: ``function(scores, scores)``.
        of_labels: tables of labels, not of scores alone, which a level of relevance changes whatever the measure.
        progress: what a progress bar calls the work, where the function takes ``progress``.
    """

    least: int = 2
    runs: bool = False
    scored: bool = False
    of_labels: tuple[str, ...] = ()
    progress: str = ""


@dataclass(frozen=True, slots=True)
class FromJudgments:
    """An analysis of one set of judgments: ``function(qrels, *, reading)``.

    Args:
        runs: whether it is about what the judgments do to runs: ``function(runs, qrels, *, reading)``.
    """

    runs: bool = False


@dataclass(frozen=True, slots=True)
class FromVerdicts:
    """An analysis of pairwise verdicts: ``function(verdicts)``, which the command reads from a file.

    Args:
        scores: whether scores are ``compared`` with them, ``function(verdicts, scores)``; or whether verdicts may be
            ``converted`` from scores or preferences in place of a file: ``function(source)``.
    """

    scores: str = ""


@dataclass(frozen=True, slots=True)
class FromSources:
    """An analysis of several sources of scores of the same systems: ``function({name: scores})``.

    The command reads one file of several measures, which are the sources, or several files of one measure.
    """


Inputs: TypeAlias = (
    FromScores | FromRuns | FromRoles | FromJudges | FromJudgments | FromVerdicts | FromSources | FromFiles | ByHand
)
