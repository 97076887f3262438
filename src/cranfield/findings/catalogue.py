"""Every kind of finding, declared once: severity, sentence, meaning and remedy.

Warnings while files are read, the rows of ``cranfield check``, its documentation and the findings of a report all come
from these declarations. A fact that an engine notices has the code of its finding, and the parts of its sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cranfield._message import setting
from cranfield._text import counted, listed, percent, quoted, shown
from cranfield.findings.declaration import KINDS, FindingKind, declared, others


@declared(
    "left-out",
    "error",
    meaning="The run is refused and was left out, as `--keep-going` asks; the others were evaluated.",
    remedy="Correct what is named, and evaluate again.",
)
def _left_out(reason: str) -> str:
    return f"left out: {reason}"


@declared(
    "empty-lists",
    "note",
    meaning="Topics of the run, or of the judgments, without a document: they are read as topics that are absent.",
)
def _empty_lists(count: int, topic: str) -> str:
    return f"topic {quoted(topic)} has no document and is read as absent{others(count)}"


@declared(
    "tool-ties",
    "warning",
    meaning="Predictions of sentence-transformers with equal scores, which it orders by document id, ascending.",
    remedy="Evaluate with `--ties docid` to get its numbers.",
)
def _tool_ties(count: int) -> str:
    return (
        f"{counted(count, 'list')} {'have' if count > 1 else 'has'} equal scores, which sentence-transformers orders "
        f"by document id, ascending: {setting('ties=docid')} gives its numbers"
    )


@declared(
    "metadata",
    "warning",
    meaning="The header of ir_metadata at the head of a run is not well formed; the scores do not depend on it.",
    remedy="Correct the YAML between the two markers.",
)
def _metadata(count: int, reason: str) -> str:
    return f"the header of ir_metadata is not well formed: {shown(reason)}"


@declared(
    "ranks-alone",
    "warning",
    meaning="A table of a run with ranks and no scores: the score of each document is minus its rank.",
    remedy="None needed if smaller ranks are better.",
)
def _ranks_alone(count: int) -> str:
    return f"there are ranks and no scores: the score of each of the {counted(count, 'document')} is minus its rank"


@declared(
    "ranks-as-scores",
    "warning",
    meaning="A column that was named as the scores holds ranks: the documents are read in the opposite order.",
    remedy="Leave the scores out (`--columns rank=COLUMN`): ranks are then read as ranks.",
)
def _ranks_as_scores(count: int, value: str) -> str:
    return (
        f"the column {quoted(value)} is named as the score, of which larger is better, and holds ranks; to read it as "
        f"ranks, name it as such: columns rank={shown(value)}, without a score"
    )


@declared(
    "no-labels",
    "warning",
    meaning="Judgments without a column of labels: every document that is listed has label 1.",
    remedy="None needed if all of them are relevant.",
)
def _no_labels(count: int) -> str:
    return f"the file has no labels: each of the {counted(count, 'document')} listed has label 1"


@declared(
    "ids-in-cells",
    "warning",
    meaning="A table without scores or labels, a row a topic, whose cells list several documents in order.",
    remedy="None needed if the cells are ranked lists, or list the relevant documents.",
)
def _ids_in_cells(count: int, column: str) -> str:
    return f"cells of {quoted(column)} list {counted(count, 'document')}: read in their order (runs), or with label 1"


@declared(
    "unrated",
    "warning",
    meaning="Documents of an export of judgments without a rating: they are not judged.",
    remedy="None needed if nobody rated them.",
)
def _unrated(count: int) -> str:
    return f"{counted(count, 'document')} without a rating left out: not judged"


@declared(
    "no-topic-in-common",
    "warning",
    meaning="A run that is fused with others has no topic of theirs.",
    remedy="Compare the topic ids; they are text, so leading zeros count.",
)
def _no_topic_in_common(topic: str) -> str:
    return f"the run shares no topic with the others; it has {quoted(topic)}"


@declared(
    "no-document-in-common",
    "warning",
    meaning="A run that is fused with others has no document of theirs.",
    remedy="Compare the documents' ids.",
)
def _no_document_in_common(example: str) -> str:
    return f"none of its documents is in another run; are they named as there? It has {quoted(example)}"


@declared(
    "topics-of-others",
    "warning",
    meaning="Topics of the runs that are fused are missing from one of them; it adds nothing there.",
    remedy="Retrieve documents for them, or refuse such runs with `--missing error`.",
    degree="topics",
)
def _describe_other_topics(topics: list[str]) -> str:
    empty = "counted as an empty list" if len(topics) == 1 else "counted as empty lists"
    return f"{listed(topics)} of the other runs missing from the run, {empty}"


@declared("extra-weights", "warning", meaning="Intent weights for topics that are not judged; they are ignored.")
def _extra_weights(topics: list[str]) -> str:
    return f"{listed(topics)} not judged: ignored"


@declared(
    "weight-sums",
    "warning",
    meaning="The probabilities of a topic's intents do not sum to 1.",
    remedy="Correct them, or choose `--weight-sum`.",
)
def _weight_sums(topics: list[str], fate: str) -> str:
    return f"probabilities of {listed(topics)} do not add up to 1 and are {fate}"


@declared(
    "idle-weights",
    "warning",
    meaning="Intent weights were given, and no measure uses them.",
    remedy="Request a diversity measure, or omit the weights.",
)
def _idle_weights() -> str:
    return "no requested measure uses intents, so their weights change nothing"


TABLE: Mapping[str, FindingKind] = MappingProxyType(KINDS)
"""Code -> kind, in the order in which findings are documented and told."""
DEPTH = 10
"""Ranks that the checks of ties and judgments look at."""
MANY = 10
"""This many retrieved documents are not all unjudged, or in no other run, by chance."""


@declared(
    "unreadable",
    "error",
    meaning="The file cannot be read; evaluation refuses it.",
    remedy="Correct the line named.",
    refuses=True,
)
@declared(
    "not-opened", "error", meaning="The file is not there, or not readable.", remedy="Correct the call.", refuses=True
)
def _refused(reason: str) -> str:
    return reason


@declared(
    "duplicate",
    "error",
    meaning="A document occurs twice in a topic; evaluation refuses the run.",
    remedy="Keep one line of each document, or evaluate with `--on-duplicate first`.",
    refuses=True,
)
def _duplicate(count: int, topic: str, document: str) -> str:
    return (
        f"document {quoted(document)} occurs twice in topic {quoted(topic)}{others(count)}; "
        f"{setting('on_duplicate=first')} keeps "
        "only its better-ranked line"
    )


@declared(
    "duplicate-kept",
    "warning",
    meaning="A document occurs twice in a topic, and its better-ranked line is kept, as `--on-duplicate first` says.",
    remedy="Keep one line of each document.",
)
def _duplicate_kept(count: int, topic: str, document: str) -> str:
    more = others(count)
    return f"document {quoted(document)} occurs twice in topic {quoted(topic)}{more}; its better-ranked line is kept"


@declared(
    "equal-names",
    "error",
    meaning="Two runs would have the same name, or a run is given twice; evaluation refuses them together.",
    remedy="Rename a file, leave one out, or evaluate with `--names tag`.",
)
def _equal_names(reason: str) -> str:
    return reason


@declared(
    "no-shared-topic",
    "error",
    meaning="The run has none of the judged topics.",
    remedy="Compare the topic ids; they are text, so leading zeros count.",
    refuses=True,
)
def _no_shared_topic(reason: str) -> str:
    return reason


@declared(
    "too-deep",
    "error",
    meaning="A topic has more documents than the task allows (`--depth`).",
    remedy="Cut the lists.",
)
def _too_deep(limit: int, topics: list[str], longest: int) -> str:
    return f"more than {counted(limit, 'document')} in {listed(topics)}; the longest list has {longest:,}"


@declared(
    "unknown-document",
    "error",
    meaning="An id is not in the collection's list (`--docids`).",
    remedy="Compare the ids with the list.",
)
def _unknown_document(documents: list[str]) -> str:
    names = ", ".join(map(quoted, documents[:3]))
    which = "document is" if len(documents) == 1 else "documents are"
    return f"{len(documents):,} retrieved {which} not in the list of ids (first {names})"


@declared(
    "missing-topics",
    "warning",
    meaning="Judged topics are missing from the run; they count as empty rankings.",
    remedy="Retrieve documents for them, or choose `--missing skip` deliberately.",
    degree="topics",
    rule=True,
)
def _missing_topics(topics: list[str], fate: str = "") -> str:
    if not fate:
        return f"judged but missing from the run: {listed(topics)}"
    return f"{listed(topics, 'judged topic')} missing from the run, {fate}"


@declared(
    "absent-topics",
    "warning",
    meaning="Topics of the task (`--topics`) are missing from the run.",
    remedy="Retrieve documents for them.",
    degree="topics",
    rule=True,
)
def _absent_topics(topics: list[str]) -> str:
    return f"missing from the run: {listed(topics)} of the task"


@declared(
    "other-topics",
    "warning",
    meaning="The run has topics that the task (`--topics`) does not have.",
    remedy="Compare the topic ids; they are text, so leading zeros count.",
    degree="topics",
    rule=True,
)
def _other_topics(topics: list[str]) -> str:
    return f"the task does not have {listed(topics)} of the run"


@declared(
    "same-file",
    "warning",
    meaning="Two files are the same, byte for byte.",
    remedy="Ask whether both are meant, and leave one out.",
)
def _same_file(other: str) -> str:
    return f"is the same file as {other}"


@declared(
    "same-rankings",
    "warning",
    meaning="Two runs rank the same documents, or judged ones, in the same order, whatever their scores and tags.",
    remedy="Ask whether both are meant, and leave one out.",
)
def _same_rankings(other: str, which: str = "documents in the same order") -> str:
    return f"ranks the same {which} as {other}"


@declared(
    "other-tag",
    "error",
    meaning="The run tag is not the name of the file (`--strict`).",
    remedy="Write the name as the tag, or rename the file.",
    rule=True,
)
def _other_tag(tag: str, name: str) -> str:
    return f"the run tag is {quoted(tag)}, and the file's name {quoted(name)}"


@declared("extra-topics", "warning", meaning="Topics of the run that are not judged; they are ignored.", degree="count")
def _extra_topics(count: int, names: list[str]) -> str:
    which = f" ({', '.join(map(shown, names))}{', ...' if count > len(names) else ''})" if names else ""
    verdict = "are not judged, so they are ignored" if count > 1 else "is not judged, so it is ignored"
    return f"{counted(count, 'topic')}{which} {verdict}"


@declared(
    "ties",
    "warning",
    meaning="Equal scores among the first ranks, as doubles or as trec_eval 9 reads them (float32): the "
    "tie policy decides their order, and tools differ.",
    remedy="Write scores with enough digits to order the list as intended.",
)
@declared(
    "harmless-ties",
    "note",
    meaning="Equal scores among the first ranks that change no printed digit.",
    remedy="None needed, unless other measures or systems are close.",
)
def _ties(lists: int, tied: int, only_rounded: int, effect: str, depth: int) -> str:
    only = f", in {only_rounded:,} of them only as trec_eval 9 reads scores (float32)" if only_rounded else ""
    some = f"{tied:,} of {lists:,} lists ({percent(tied / lists)})"
    first = "at rank 1" if depth == 1 else f"among the first {depth:,} ranks"
    return f"equal scores {first} in {some}{only}; {effect}"


@declared(
    "constant-scores",
    "warning",
    meaning="All scores of a list are equal: only document ids order it.",
    remedy="Write the system's scores, or negated ranks.",
)
def _constant_scores(topics: list[str]) -> str:
    return f"all scores are equal in {listed(topics)}"


@declared(
    "rank-contradicts-score",
    "warning",
    meaning="The rank column disagrees with the scores; scores decide.",
    remedy="Sort by score and renumber the ranks, or evaluate with `--ties rank`.",
)
def _rank_contradicts_score(count: int, topic: str) -> str:
    topics = f"{counted(count, 'topic')} (first {quoted(topic)})"
    return f"ranks contradict scores in {topics}; the tie policy decides the order"


@declared(
    "rank-text",
    "warning",
    meaning="Some ranks are not whole numbers of at most 18 digits; ranks are not used.",
    remedy="Number the ranks.",
)
def _rank_text(count: int, value: str) -> str:
    return f"the rank {quoted(value)} is not a whole number of at most 18 digits{others(count)}; ranks are not used"


@declared(
    "mixed-tags",
    "warning",
    meaning="The file has different run tags: does it contain two runs?",
    remedy="Use one tag.",
    rule=True,
)
def _mixed_tags(value: str, first: str) -> str:
    return f"the run tag is {quoted(value)} here and {quoted(first)} above"


@declared(
    "commented-rows",
    "warning",
    meaning="Lines that begin with `#` are comments, but these have the fields of a row: does a topic begin with `#`?",
    remedy="Give the file as JSON or CSV, or rename the topic; a row that is meant to be left out can be deleted.",
)
def _commented_rows(count: int, value: str) -> str:
    return (
        f"the line is skipped as a comment, but has the fields of a row of topic {quoted(value)}{others(count)}; "
        "a topic that begins with # can be read from JSON or CSV"
    )


@declared("scattered-topics", "note", meaning="A topic's lines are not contiguous; they are read together.")
def _scattered_topics(count: int, topic: str) -> str:
    return f"topic {quoted(topic)} continues here after lines of another topic ({count:,} such returns in all)"


@declared(
    "unjudged",
    "note",
    meaning="Share of the first retrieved documents that are unjudged: scores may be too low.",
    remedy="Use measures for incomplete judgments, or judge more documents.",
    degree="share",
)
def _unjudged(share: float, depth: int) -> str:
    first = "first documents" if depth == 1 else f"first {depth:,} documents"
    return f"{percent(share)} of the {first} are not judged"


@declared(
    "all-unjudged",
    "warning",
    meaning="None of the first retrieved documents is judged, in any topic: the scores say nothing of the run.",
    remedy="Compare the documents' ids with those of the qrels, or judge them.",
)
def _all_unjudged(depth: int) -> str:
    first = "the first documents" if depth == 1 else f"the first {depth:,} documents"
    return f"none of {first} is judged, in any topic"


@declared(
    "open-order",
    "note",
    meaning="Neighbours whose order judging unjudged documents could reverse, as the ranges of their scores overlap.",
    remedy="Evaluate with `--unjudged estimate`, or judge what `cranfield pool settle` lists.",
    degree="count",
)
def _open_order(count: int, neighbours: int, measure: str, better: str, other: str, falls_below: int) -> str:
    # Such a score falls though none of its first documents is unjudged.
    below = "the first document" if falls_below == 1 else f"the first {falls_below:,}"
    may_fall = f"; scores could be lower, as relevant documents below {below} would raise the ideal" * (falls_below > 0)
    return (
        f"unjudged documents could reverse the order of {count:,} of {counted(neighbours, 'pair')} of neighbours "
        f"by {measure}: {better} and {other}{others(count)}{may_fall}"
    )


@declared(
    "own-document",
    "note",
    meaning="Many topics retrieve the document of their own id first: is the query a document of the collection?",
    remedy="If it is (ArguAna, Quora), evaluate with `--drop-own-document`, as BEIR and MTEB do.",
    degree="count",
)
def _own_document(count: int, topics: int, topic: str) -> str:
    which = f"{count:,} of {counted(topics, 'topic')} ({percent(count / topics)})"
    return f"the first document is the topic's own in {which}, such as {quoted(topic)}"


@declared(
    "negative-labels",
    "note",
    meaning="Labels below zero mean not relevant, gain 0; trec_eval reads them as unjudged.",
    remedy="See `--negative` and `--compat`.",
)
def _negative_labels(count: int, labels: int) -> str:
    return f"{count:,} of {counted(labels, 'label')} {'is' if count == 1 else 'are'} below zero"


@declared(
    "fractional-labels",
    "warning",
    meaning="Labels that are not whole numbers are kept; trec_eval truncates them.",
    remedy="None needed if they are intended.",
)
def _fractional_labels(count: int, value: str) -> str:
    return f"the label {shown(value)} is not a whole number and is kept as it is{others(count)}"


@declared(
    "no-relevant",
    "warning",
    meaning="Topics without any document of label 1 or more; most measures give every system 0 there.",
    remedy="Remove the topics from the qrels, or choose `--undefined keep`.",
)
def _no_relevant(topics: list[str]) -> str:
    return f"no document of label 1 or more in {listed(topics)}"


@declared(
    "judged-twice", "warning", meaning="The same judgment occurs twice; the second is ignored.", remedy="Remove it."
)
def _judged_twice(count: int, topic: str, document: str) -> str:
    return (
        f"document {quoted(document)} of topic {quoted(topic)} is judged again with the same label, which is ignored"
        f"{others(count)}"
    )


@declared(
    "several-labels",
    "warning",
    meaning="A document is judged under several values of field 2; measures without intents use the largest label.",
    remedy="None needed if field 2 holds intents or rounds.",
)
def _several_labels(count: int, differing: int, topic: str, document: str) -> str:
    which = f"{quoted(document)} of topic {quoted(topic)}"
    who = f"document {which} is" if count == 1 else f"{count:,} documents (first {which}) are"
    labels = {0: "equal labels", count: "different labels"}.get(differing, f"different labels for {differing:,}")
    return (
        f"{who} judged under several values of field 2, with {labels}; measures without intents use the largest label "
        "of a document"
    )


@declared("preferred-twice", "warning", meaning="A preference occurs twice; it counts once.", remedy="Remove it.")
def _preferred_twice(count: int) -> str:
    return f"{counted(count, 'line')} of preferences repeated from an earlier line, ignored"


@declared(
    "parts-of-a-run",
    "warning",
    meaning="No topic is in two of the runs, as if these were parts of one run: each is scored as a run of its own, "
    "and lacks the topics of the others.",
    remedy="Give the folder of the parts as one run, with `--dataset`, or join the files.",
)
def _parts_of_a_run(runs: int) -> str:
    return (
        f"no topic is in two of these {runs} runs, which are scored as {runs} systems: if they are parts of one run, "
        "give their folder as a data set (--dataset, cranfield.partitions.evaluate_partitions)"
    )


@declared(
    "none-judged",
    "error",
    meaning="None of the retrieved documents is judged.",
    remedy="Compare the documents' ids with those of the qrels.",
)
def _none_judged(example: str, own: str, separator: str) -> str:
    if separator:
        return (
            f"none of its documents is judged, and {quoted(own)} has {quoted(separator)} behind the judged "
            f"{quoted(example)}: if these are passages of documents, give {setting('passages', separator)}"
        )
    named = f", such as {quoted(own)}," if own else ""
    return f"none of its documents{named} is judged; are they named as in the qrels, such as {quoted(example)}?"


@declared(
    "no-value",
    "warning",
    meaning="A measure is undefined for a topic, whatever is retrieved; its mean is over the others.",
)
def _no_value(measure: str, topics: list[str]) -> str:
    return f"{measure} has no value in {listed(topics)}, left out of its mean"


@declared(
    "nothing-to-find",
    "warning",
    meaning="A topic has no document that measures could reward: they have the same value for every system.",
    remedy="Remove the topics from the qrels, or choose `--undefined keep`.",
)
def _nothing_to_find(topics: list[str], what: str, fate: str) -> str:
    which = f"{listed(topics)} without any document" if topics else "no topic has a document"
    return f"{which} {what}: measures that need one {fate}"


@declared(
    "rewarding-variant",
    "warning",
    meaning="The measure is computed as another tool does, and rewards what the usual form of it does not.",
    remedy="Compare systems by the usual form of the measure.",
)
@declared(
    "low-labels",
    "warning",
    meaning="Documents have labels above 0 and below the level from which a measure counts documents as relevant.",
    remedy="Give the level with `--rel`.",
)
@declared(
    "high-labels",
    "warning",
    meaning="Labels that look like counts, of clicks for instance, or like percentages, and not like a few grades.",
    remedy="Map them to a few grades, unless gains are meant to be proportional to them.",
)
@declared("odd-judgments", "warning", meaning="A measure had to make a choice about the judgments.")
@declared("other-level", "warning", meaning="Its data set's page has other labels relevant.", remedy="Give `--rel`.")
def _use_message(message: str) -> str:
    return message
