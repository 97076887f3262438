"""What the site holds and in which order: paths from the project's root, and what is generated (``api.rst``, ...)."""

HOME = "docs/index.md"

SECTIONS: dict[str, tuple[str, ...]] = {
    "First steps": (
        HOME,
        "docs/install.md",
        "docs/tutorial.md",
        "docs/notebooks/tour.ipynb",
        "docs/moving.md",
        "docs/glossary.md",
        "docs/vocabulary.md",
    ),
    "Questions": (
        "docs/questions/is-this-difference-real.md",
        "docs/questions/my-board-has-ten-tasks.md",
        "docs/questions/which-test.md",
        "docs/questions/my-topics-are-turns-of-conversations.md",
        "docs/questions/i-ran-five-seeds.md",
        "docs/questions/how-many-topics.md",
        "docs/questions/which-measure.md",
        "docs/questions/can-another-measure-reverse-it.md",
        "docs/questions/how-probable-is-it.md",
        "docs/questions/does-the-scale-matter.md",
        "docs/questions/which-list-is-preferred.md",
        "docs/questions/what-does-a-change-risk.md",
        "docs/questions/has-it-been-reproduced.md",
        "docs/questions/are-these-runs-different.md",
        "docs/questions/can-i-trust-a-language-model-judge.md",
        "docs/questions/can-i-trust-pairwise-verdicts.md",
        "docs/questions/is-my-topic-hard.md",
        "docs/questions/can-i-reuse-a-collection.md",
        "docs/questions/my-system-was-not-judged.md",
        "docs/questions/how-many-judgments.md",
        "docs/questions/which-documents-to-judge.md",
        "docs/questions/when-should-a-system-abstain.md",
        "docs/questions/which-answer-states-the-facts.md",
    ),
    "How to": (
        "docs/how-to/shared-task.md",
        "docs/how-to/paper.md",
        "docs/how-to/gate.md",
        "docs/how-to/statement.md",
        "docs/how-to/what-changed.md",
        "docs/how-to/protocol.md",
        "docs/how-to/topic-groups.md",
        "docs/documents-left-out.md",
        "docs/recommenders.md",
        "docs/cluster.md",
    ),
    "Measures": (
        "docs/measures-table.md",
        "measure-reference.md",
        "docs/measure-facts.md",
        "measure-properties.md",
        "docs/negative-labels.md",
        "docs/diversity.md",
        "docs/cwl.md",
        "docs/intervals.md",
        "docs/write-a-measure.md",
    ),
    "Results and charts": (
        "docs/report.md",
        "docs/results.md",
        "docs/plots.md",
    ),
    "Analyses: commands, then theory": (
        "docs/trust.md",
        "docs/comparison.md",
        "docs/topic-difficulty.md",
        "docs/standardization.md",
        "docs/information.md",
        "docs/fusion.md",
    ),
    "Background": (
        "docs/testing-the-tests.md",
        "docs/rank-correlation.md",
    ),
    "Data": (
        "docs/formats.md",
        "docs/memory.md",
        "docs/partitions.md",
        "docs/how-far.md",
        "docs/check.md",
        "docs/scores.md",
        "src/cranfield/datasets/cranfield_1400/README.md",
        "docs/strangers-files.md",
        "docs/data.md",
    ),
    "Compatibility and speed": (
        "docs/compatibility.md",
        "docs/conformance.md",
        "docs/performance.md",
        "benchmarks/README.md",
        "reproductions/README.md",
    ),
    "Reference": (
        "docs/command-line.md",
        "command-reference.md",
        "api.rst",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "docs/releasing.md",
        "docs/architecture.md",
        "docs/decisions/README.md",
    ),
}
"""Caption -> pages, in order; other pages of ``docs/`` follow below ``OTHERS``."""
OTHERS = "More"

GALLERY = "reproductions/README.md"
BELOW = (GALLERY, "docs/decisions/README.md")
"""Pages that carry all other pages of their folders, which need no mention."""
