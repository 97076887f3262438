"""trec_eval's names for lists of measures, and names of others that are no measures here."""

from __future__ import annotations

from cranfield.errors import MeasureError

_COUNTS = ("num_q", "num_ret", "num_rel", "num_rel_ret")
_FIRST = (*_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P")
_SETS = ("set_P", "set_relative_P", "set_recall", "set_map", "set_F")

NICKNAMES = {
    "official": ("runid", *_FIRST),
    "set": ("runid", *_COUNTS, "utility", *_SETS),
    "all_trec": (
        *("runid", *_FIRST, "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG"),
        *("G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success"),
        *(*_SETS, "num_nonrel_judged_ret", "rbp", "rbp_resid", "unj"),
    ),
}
"""Nickname -> what trec_eval 10 prints for it, in its order."""

TEXTS = {
    "runid": "it is the run's tag, which every table names",
    "relstring": "it is a text of the labels of the first documents of a topic, which `cranfield evaluate` prints with "
    "-m relstring -f trec -q",
}
"""Name -> why it is no number."""
WITHOUT_JUDGMENTS = ("coverage", "catalogcoverage", "novelty")
"""Names of recommenders, in small letters, of what looks at no judgment of relevance."""


def check_judged(name: str) -> None:
    """Refuse what recommenders compute without judgments of relevance.

    Args:
        name: of the measure that was asked for, without parameters.

    Raises:
        MeasureError: it is one of these.
    """
    if name.lower() in WITHOUT_JUDGMENTS:
        raise MeasureError(
            f"{name!r} looks at what is shown and not at judgments of relevance, so that it is no measure here; two "
            "lines of docs/recommenders.md compute it (of intents, coverage is I-rec)"
        )


def check_number(name: str) -> None:
    """Refuse what trec_eval prints among its measures and is no number.

    Args:
        name: without what sets its parameter: ``relstring`` of ``relstring_10``.

    Raises:
        MeasureError: it is such a text.
    """
    if name in TEXTS:
        raise MeasureError(f"{name} of trec_eval is no number, so that it has no mean and no table here: {TEXTS[name]}")
