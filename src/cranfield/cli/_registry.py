"""What commands there are: the question that each answers, and what the help says of it, without importing any."""

from __future__ import annotations

QUESTIONS = {
    "score": "Score: how good is each system?",
    "check": "Check: are the files what they should be?",
    "compare": "Compare: is a difference more than chance?",
    "trust": "Trust: would other topics, measures or judges say the same?",
    "explain": "Explain: what is behind the scores?",
    "combine": "Combine: what do systems reach together?",
    "make": "Make: pages, pools and collections",
}
"""What commands are for, in the order of the help."""

COMMANDS = {
    "abstention": ("explain", "Ask whether systems know which topics to leave unanswered (nAUC)."),
    "agreement": ("trust", "Compare conclusions about runs under several judgments."),
    "audit": ("trust", "Say which measure to trust and whether topics suffice."),
    "bayes": ("compare", "Say how probable it is that one system is better than another."),
    "budget": ("trust", "Judge again with fewer judgments and compare the order."),
    "check": ("check", "Report what is wrong or odd in judgments and runs."),
    "compare": ("compare", "Test which differences between systems are not chance."),
    "diff": ("explain", "Show what changed between two runs, by topic and document."),
    "difficulty": ("explain", "Print how hard each topic is for these systems."),
    "evaluate": ("score", "Score runs against judgments and print a leaderboard."),
    "fuse": ("combine", "Fuse runs into one, and write it as TREC text."),
    "gate": ("compare", "Fail where a new run is worse than a baseline."),
    "headroom": ("combine", "Show what a fusion of these systems could achieve."),
    "information": ("explain", "Measure the information of systems about relevance."),
    "labels": ("check", "Print the shares of labels and what spam does to nDCG."),
    "measures": ("score", "List the measures, or explain one."),
    "pool": ("make", "Choose what to judge: a pool in order, or a sample of it."),
    "prefer": ("compare", "Compare lists without a measure: whose are preferred."),
    "protocol": ("score", "Write down how runs are evaluated, and repeat it."),
    "reliability": ("trust", "Split the variance of scores: systems, topics, the rest."),
    "report": ("make", "Write one page on an evaluation that opens anywhere."),
    "reproduce": ("trust", "Compare a baseline and an advanced run with their reproductions."),
    "reusability": ("trust", "Leave each team out of the pool and see what its runs lose."),
    "risk": ("compare", "Weigh losses against a baseline more than gains: URisk, TRisk, GeoRisk."),
    "scales": ("trust", "Compare conclusions by values with those by ranks of all attainable values."),
    "select-topics": ("trust", "Choose topics that order systems as all topics do."),
    "sensitivity": ("trust", "Show the share of pairs that each measure distinguishes."),
    "simulate": ("make", "Make collections and scores whose truth is known."),
    "stability": ("trust", "Print error and tie rates by number of topics."),
    "standardize": ("score", "Put scores on a scale that hard and easy topics share."),
    "study-tests": ("trust", "Simulate how often each test errs, and what it finds."),
    "table": ("compare", "Print systems by measures as a paper does, with significance."),
    "trec_eval": ("score", "Print what trec_eval prints, by its own arguments."),
}
"""Command -> the question that it answers, and what it does in a line."""
