"""Measures that count pairs of judged documents in the right order: bpref and its kind.

trec_eval's ``prefs_*`` for judgments of one group (``-R qrels_prefs``) are among them: there ``prefs_simp``,
``prefs_pair`` and ``prefs_avgjg`` are one number.
"""

import math
from typing import Annotated, Literal

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.collection.segments import distinct, list_numbers, list_positions, list_sums, running_counts
from cranfield.engine.kernels import kernel
from cranfield.measures._declaration import Trec
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, Meaning, Rel
from cranfield.measures.gain import Gains, MaxRel, scale, useful_gain
from cranfield.measures.laws import COUNTED, FEW, LEVEL, OF_BEST, OF_R, ZERO, because
from cranfield.measures.ric import counts_down_to, unequal_pairs
from cranfield.statistics.numeric import ratio

BELOW = because("it adds nothing below too many others that are not relevant", "convergence")
COSTLY = because("one of little gain that comes in costs better ones below it more", "convergence")
AT_FIRST = because("a document at rank 1 counts 0", "convergence", "realizability")
OVERTAKEN = because(
    "a promoted document can overtake a better one, which is then ranked below one of less gain", "exchange"
)
HARMLESS = because("an unjudged document above a relevant one does no harm", "top-weightedness")

COMPARED = "Sakai 2007, doi:10.1145/1277741.1277756"
GRADED = "De Beer & Moens 2006, doi:10.1145/1148170.1148293; Sakai 2007, doi:10.1145/1277741.1277756"


def others_above(view: Rankings) -> Ints:
    """Documents above each row that are not among the rows, int64 [rows]: judged ones in a condensed list."""
    return view.rank - view.position


def nonrelevant(rankings: Rankings, rel: float) -> PerRanking:
    """Judged non-relevant documents of the topic, float64 [segments]."""
    total: PerRanking = rankings.per_topic(rankings.pool.count(below=rel))
    return total


@kernel
def bpref_sums(starts: Ints, rank: Ints, most: Floats, limit: Floats) -> Floats:
    """Sum over the rows of each list of 1 - min(n, most) / limit, with n others above; all float64 [lists]."""
    segment = list_numbers(starts)
    above = np.minimum(rank - list_positions(starts), most[segment])
    return list_sums(1 - above / limit[segment], starts)


@kernel
def bpref_relative_sums(starts: Ints, rank: Ints) -> Floats:
    """Sum over the rows below the first rank r of 1 - n / (r - 1), with n others above, float64 [lists]."""
    preferred = 1 - (rank - list_positions(starts)) / np.maximum(rank - 1, 1)
    return list_sums((rank > 1) * preferred, starts)


@measure(
    "Bpref",
    aliases=["BPref"],
    trec=[Trec("bpref")],
    reference="Buckley & Voorhees 2004, doi:10.1145/1008992.1009000",
    declines=BELOW | HARMLESS | OF_R | FEW | LEVEL,
)
def Bpref(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Mean share of judged non-relevant documents that a relevant one is ranked above; unjudged ones are ignored.

    Bpref = (1/R) * sum over retrieved relevant documents of 1 - min(n, R) / min(N, R), with n judged non-relevant
    documents above it and N in the topic; a document with none above it counts 1.
    """
    total = rankings.n_relevant(rel)
    relevant = rankings.only(rel, judged_only=True)

    limit = np.maximum(np.minimum(nonrelevant(rankings, rel), total), 1.0)
    return ratio(
        relevant.shared(("Bpref", rel), lambda: bpref_sums(relevant.starts, relevant.rank, total, limit)), total
    )


@measure(
    "GMBpref",
    trec=[Trec("gm_bpref")],
    summary="geometric mean",
    reference="Buckley 2008, in: trec_eval; Buckley & Voorhees 2004, doi:10.1145/1008992.1009000",
    declines=BELOW | HARMLESS | OF_R | FEW | LEVEL,
)
def GMBpref(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Geometric mean of Bpref over topics, which weighs improvements of poor topics more.

    GMBpref = exp(mean over topics of log max(Bpref, 1e-5)). A topic alone has none: what stands for a topic is its
    Bpref.
    """
    return Bpref.declaration.function(rankings, rel=rel)


@measure(
    "bpref_R",
    reference="Buckley & Voorhees 2004, doi:10.1145/1008992.1009000",
    declines=BELOW | HARMLESS | OF_R | FEW | LEVEL,
)
def bpref_R(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Bpref as first defined, over the first R judged non-relevant documents.

    bpref_R = (1/R) * sum over retrieved relevant documents of 1 - min(n, R) / R, n as in Bpref.
    """
    total = rankings.n_relevant(rel)
    relevant = rankings.only(rel, judged_only=True)
    limit = np.maximum(total, 1.0)
    return ratio(bpref_sums(relevant.starts, relevant.rank, limit, limit), total)


@measure("bpref_N", reference=COMPARED, declines=BELOW | HARMLESS | OF_R | FEW | LEVEL)
def bpref_N(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Bpref over all judged non-relevant documents.

    bpref_N = (1/R) * sum over retrieved relevant documents of 1 - n / N, with n judged non-relevant documents above it
    and N in the topic.
    """
    relevant = rankings.only(rel, judged_only=True)
    limit = np.maximum(nonrelevant(rankings, rel), 1.0)
    return ratio(
        bpref_sums(relevant.starts, relevant.rank, np.full(len(limit), np.inf), limit), rankings.n_relevant(rel)
    )


@measure("bpref_relative", reference=COMPARED, declines=AT_FIRST | HARMLESS | OF_R | LEVEL)
def bpref_relative(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Bpref relative to the judged documents above each relevant one.

    bpref_relative = (1/R) * sum over relevant documents at rank r > 1 among the judged of 1 - n / (r - 1), with n
    judged non-relevant documents above it; as in NTCIREVAL, one at rank 1 has nothing above it and counts 0.
    """
    relevant = rankings.only(rel, judged_only=True)
    return ratio(bpref_relative_sums(relevant.starts, relevant.rank), relevant.n_relevant(rel))


def graded_preference(rankings: Rankings, gains: Gains, limit: Floats | None = None, above: int = 0) -> PerRanking:
    """sum over judged documents of gain * (1 - penalty / limit) / sum of the gains of the topic, float64 [segments].

    The penalty of a document with gain g is the sum of (g - g') / g over the documents above it with a gain g' < g. The
    limit is that of each list, float64 [segments], or max(r - above, 1) at rank r; the first ranks, as many as
    ``above``, are left out.
    """
    gain = useful_gain(rankings, gains)
    useful = rankings.only(gain.least, judged_only=True)
    value = gain.on(useful)
    labels = rankings.pool.labels
    penalty: Floats = useful.shared(("penalty", gain.key), lambda: _penalties(useful, value, gain.of(labels)))
    best = rankings.ideal(("gain", gain.key), gain.of, lambda lists: lists.sum(gain.on(lists)))
    return ratio(rpref_sums(useful.starts, useful.rank, value, penalty, limit, above), best)


def _penalties(useful: Rankings, value: Floats, levels: Floats) -> Floats:
    return rpref_penalties(useful.starts, useful.rank, value, distinct(levels[levels > 0]))


@kernel
def rpref_sums(
    starts: Ints, rank: Ints, value: Floats, penalty: Floats, limit: Floats | None = None, above: int = 0
) -> Floats:
    """Sum over each list of value * (1 - penalty / limit) below the first ranks, float64 [lists]."""
    most = np.maximum(rank - above, 1) if limit is None else limit[list_numbers(starts)]
    return list_sums((rank > above) * value * (1 - penalty / most), starts)


@kernel
def rpref_penalties(starts: Ints, rank: Ints, value: Floats, levels: Floats) -> Floats:
    """The sum of (g - g') / g over the documents above each of gain g, g' < g being their gain, float64 [rows].

    ``levels`` are the gains above 0, ascending; documents without a row have no gain.
    """
    penalty = np.zeros(len(value))
    count, gain = rank - list_positions(starts) + running_counts(value == 0, starts), np.zeros(len(value))
    for level in levels:
        same = value == level
        here = np.flatnonzero(same)
        penalty[here] = count[here] - gain[here] / level
        here_or_above = running_counts(same, starts)
        count += here_or_above
        gain += level * here_or_above
    return penalty


@measure(
    "rpref_N",
    reference=GRADED,
    declines=BELOW | HARMLESS | OF_BEST | FEW | ZERO | OVERTAKEN,
)
def rpref_N(rankings: Rankings, *, gains: Gains = None, max_rel: MaxRel = None) -> PerRanking:
    """Graded bpref: how rarely judged documents are ranked above others of higher gain, over all judged documents.

    rpref_N = sum over retrieved documents of g (1 - e / E) / sum of g over the topic, e = sum of (g - g') / g over the
    judged documents above it with a gain g' < g, E = sum of (max_rel - g') / max_rel over all judged documents.
    """
    gain = useful_gain(rankings, gains)
    top = scale(rankings, max_rel, "rpref_N", gains)
    pool = rankings.pool

    def worst() -> Floats:
        whole = np.bincount(pool.topic, 1 - gain.of(pool.grade) / (top or 1.0), minlength=len(pool.size))
        return np.where(whole > 0, whole, 1.0).astype(np.float64)

    limit = rankings.per_topic(pool.shared(("rpref_N", gain.key, top), worst))
    return graded_preference(rankings, gains, limit)


@measure(
    "rpref_relative",
    reference=GRADED,
    declines=AT_FIRST | HARMLESS | OF_BEST | ZERO | OVERTAKEN,
)
def rpref_relative(rankings: Rankings, *, gains: Gains = None) -> PerRanking:
    """Graded bpref relative to the judged documents above each document.

    rpref_relative = sum over documents at rank r > 1 among the judged of g (1 - e / (r - 1)) / sum of g over the topic,
    e = sum of (g - g') / g over the judged documents above it with a gain g' < g; as in NTCIREVAL, rank 1 counts 0.
    """
    return graded_preference(rankings, gains, above=1)


@measure(
    "rpref_relative2",
    reference=GRADED,
    declines=COSTLY | HARMLESS | OF_BEST | FEW | ZERO | OVERTAKEN,
)
def rpref_relative2(rankings: Rankings, *, gains: Gains = None) -> PerRanking:
    """Graded bpref relative to the rank of each document among the judged, so that rank 1 counts.

    rpref_relative2 = sum over documents at rank r among the judged of g (1 - e / r) / sum of g over the topic,
    e = sum of (g - g') / g over the judged documents above it with a gain g' < g.
    """
    return graded_preference(rankings, gains)


@measure(
    "Accuracy",
    undefined=math.nan,
    reference="ir_measures (MacAvaney et al. 2022)",
    declines=(
        because("a newly included document may be ranked below non-relevant ones", "monotonicity")
        | because("where all documents are relevant, one more changes nothing", "convergence")
        | because("it is undefined where no relevant document is retrieved", "completeness")
        | LEVEL
        | because("unjudged documents count as not relevant", "appending")
        | because("documents below the relevant ones are in the right order", "padding")
        | because("a document promoted into the cutoff may be ranked below others", "promotion", "swap", "exchange")
    ),
)
def Accuracy(rankings: Rankings, *, rel: Rel = 1, cutoff: Cutoff = None) -> PerRanking:
    """Probability that a retrieved relevant document is ranked above one that is not relevant or not judged.

    Accuracy = 1 - (1/(m n)) * sum over the m relevant documents of the others above them, with n others at ranks 1..k;
    1 where all are relevant, undefined where none is.
    """
    view = rankings.top(cutoff)
    relevant, count = view.only(rel), view.retrieved(rel)
    # Whole numbers, which are added up without a rounding: the ranks, minus the places among the relevant.
    above = relevant.sum(relevant.depth) - count * (count + 1) / 2
    return 1 - ratio(above, count * np.maximum(view.length - count, 1.0))


REFERENCE = "Buckley 2008, in: trec_eval"
Among = Annotated[
    Literal["judged", "implied", "retrieved"],
    Meaning("pairs that count: all judged, those of which a document or both are retrieved, or both"),
]
KINDS: dict[str, str] = {"prefs_simp": "judged", "prefs_simp_imp": "implied", "prefs_simp_ret": "retrieved"}
SPELLINGS = [
    Trec(name.replace("simp", word), fixed={} if among == "judged" else {"among": among})
    for word in ("simp", "pair", "avgjg")
    for name, among in KINDS.items()
]
PAIRS = (
    because("it counts the pairs of all judged documents", "localization")
    | because("unjudged documents make no pairs, and may change places with any", "convergence", "top-weightedness")
    | because("a document without relevance that changes places with an unjudged one changes pairs", "exchange")
)


def _in_order(rankings: Rankings) -> Floats:
    """Pairs with the better document above the other, or alone retrieved, float64 [segments]."""
    filled = np.flatnonzero(rankings.sizes)
    pairs = np.zeros(len(rankings.length))
    pairs[filled] = counts_down_to(rankings, rankings.starts[filled + 1] - 1, filled).concordant
    return pairs


def _compare_retrieved(rankings: Rankings) -> tuple[Floats, Floats, Floats]:
    """Pairs in the right order with both documents retrieved, all with both, and all with at least one retrieved.

    float64 [segments] each.
    """
    right, both, either = np.zeros((3, len(rankings.length)))
    better_found, better_all = np.zeros((2, len(rankings.length)))
    for label in rankings.pool.labels[::-1]:
        here = rankings.grade == label
        known = rankings.per_topic(rankings.pool.count(low=label, below=np.nextafter(label, np.inf)))
        retrieved = rankings.count(here)
        missed = known - retrieved
        above = (rankings.running_count(rankings.grade > label)).astype(np.float64)
        right += rankings.sum(above * here)
        both += better_found * retrieved
        either += better_all * known - (better_all - better_found) * missed
        better_found += retrieved
        better_all += known
    return right, both, either


def _all_pairs(rankings: Rankings) -> Floats:
    """Pairs of judged documents of different labels, float64 [segments]."""
    return rankings.per_topic(unequal_pairs(rankings.pool))


@measure(
    "prefs_simp",
    graded=True,
    trec=SPELLINGS,
    reference=REFERENCE,
    declines=PAIRS
    | because("where all labels are equal there are no pairs", "completeness")
    | because("a list of few documents leaves pairs of others undecided", "realizability"),
)
def prefs_simp(rankings: Rankings, *, among: Among = "judged") -> PerRanking:
    """Share of the pairs of judged documents with different labels that the list puts in the right order.

    prefs_simp = pairs with the better document above the other, or alone retrieved / pairs that count.
    """
    if among == "judged":
        return ratio(_in_order(rankings), _all_pairs(rankings))
    right, both, either = _compare_retrieved(rankings)
    return ratio(right, both) if among == "retrieved" else ratio(_in_order(rankings), either)


@measure(
    "NumPrefs",
    effectiveness=False,
    graded=True,
    summary="sum",
    range=(0.0, math.inf),
    trec=[
        Trec("prefs_num_prefs_ful"),
        Trec("prefs_num_prefs_ful_ret", fixed={"which": "retrieved"}),
        Trec("prefs_num_prefs_poss", fixed={"which": "all"}),
    ],
    reference=REFERENCE,
    declines=PAIRS | COUNTED,
)
def NumPrefs(
    rankings: Rankings,
    *,
    which: Annotated[
        Literal["right", "retrieved", "all"],
        Meaning("pairs in the right order, those of them with both documents retrieved, or all there are"),
    ] = "right",
) -> PerRanking:
    """Number of pairs of judged documents with different labels that the list puts in the right order.

    NumPrefs = pairs with the better document above the other, or alone retrieved.
    """
    if which == "all":
        return _all_pairs(rankings)
    return _compare_retrieved(rankings)[0] if which == "retrieved" else _in_order(rankings)
