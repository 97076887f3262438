"""Other tools under the conformance suite: a case becomes the call that their users make.

Run as a program, ``python adapters.py TOOL``: a case a line in, an answer a line out. Only the tool and NumPy or pandas
have to be installed beside it. No adapter chooses a default in favour of its tool; what a tool's call cannot say is not
offered. A list reaches a tool as its usual call takes it: as a mapping, in which a document listed twice is there once
with its last score, or as a list in the order of falling scores where the tool takes ranked lists.
"""

from __future__ import annotations

import json
import math
import sys
import traceback
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

ConformanceCase = dict[str, Any]
Answer = dict[str, Any]


class NotOfferedError(Exception):
    """The tool's call cannot say this."""


def flat(case: ConformanceCase) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, float]]]:
    """Judgments and runs as mappings."""
    if any(isinstance(entry, dict) for entries in case["qrels"].values() for entry in entries.values()):
        raise NotOfferedError("no intents")
    return case["qrels"], {topic: dict(map(tuple, lines)) for topic, lines in case["run"].items()}


def ranked(case: ConformanceCase) -> dict[str, list[str]]:
    """Lists in the order of falling scores, equal ones as in the file."""
    return {
        topic: [name for name, _ in sorted(lines, key=lambda line: -line[1])] for topic, lines in case["run"].items()
    }


def relevant(case: ConformanceCase) -> dict[str, list[str]]:
    """The relevant documents of each topic, for tools without grades."""
    level = case["measure"].get("rel", 1)
    return {
        topic: [name for name, label in labels.items() if label >= level] for topic, labels in case["qrels"].items()
    }


def of(measure: dict[str, Any], *allowed: dict[str, Any]) -> None:
    """Refuse what is none of some settings."""
    if not any(all(measure.get(key) == value for key, value in settings.items()) for settings in allowed):
        raise NotOfferedError("a setting that it does not have")


def averaged(topics: dict[str, Any]) -> Answer:
    """The mean of the topics that a tool gives, where it leaves the mean to its user."""
    topics = {topic: None if value is None or math.isnan(value) else float(value) for topic, value in topics.items()}
    known = [value for value in topics.values() if value is not None]
    return {"topics": topics, "mean": sum(known) / len(known) if known else None}


LINEAR = {"gain": "linear", "discount": "log2(rank+1)"}
K = {"denominator": "k"}
R = {"denominator": "R"}
RETRIEVED = {"denominator": "retrieved"}


def ir_measures(case: ConformanceCase) -> Answer:
    import ir_measures as peer

    qrels, _ = flat(case)
    measure = _ir_measure(case["measure"])
    # The program behind ERR takes numbers as topics.
    number = {topic: str(index) for index, topic in enumerate(dict.fromkeys([*qrels, *case["run"]]), 1)}
    judged = [peer.Qrel(number[topic], name, label) for topic in qrels for name, label in qrels[topic].items()]
    run = [peer.ScoredDoc(number[topic], name, score) for topic in case["run"] for name, score in case["run"][topic]]
    named = {index: topic for topic, index in number.items()}
    topics = {named[metric.query_id]: metric.value for metric in peer.iter_calc([measure], judged, run)}
    mean = peer.calc_aggregate([measure], judged, run)[measure]
    return {"topics": topics, "mean": None if math.isnan(mean) else mean}


def _ir_measure(m: dict[str, Any]) -> Any:
    """The measure as ir_measures has it."""
    import ir_measures as peer

    rel = m.get("rel", 1)
    numerator, _, denominator = m.get("p", "1/2").partition("/")
    persistence = int(numerator) / int(denominator)
    exponential = {"gain": "exp", "discount": LINEAR["discount"]}
    known: dict[str, tuple[Any, tuple[dict[str, Any], ...]]] = {
        "ap": (peer.AP(rel=rel), (R,)),
        "bpref": (peer.Bpref(rel=rel), ({"reading": "min(N,R)"},)),
        "err": (peer.ERR, ({"stop": "exp"},)),
        "hit_rate": (peer.Success(rel=rel), ({},)),
        "inf_ap": (peer.infAP(rel=rel), ({},)),
        "iprec": (peer.IPrec(rel=rel) @ 0.4, ({"rounding": "nearest"},)),
        "judged": (peer.Judged, ({},)),
        "ndcg": (peer.nDCG(dcg="exp-log2") if m.get("gain") == "exp" else peer.nDCG, (LINEAR, exponential)),
        "num_rel_ret": (peer.NumRelRet(rel=rel), ({},)),
        "precision": (peer.P(rel=rel), (K,)),
        "r_precision": (peer.Rprec(rel=rel), ({},)),
        "rbp": (peer.RBP(rel=rel, p=persistence), ({"max_grade": None},)),
        "recall": (peer.R(rel=rel), (R,)),
        "rr": (peer.RR(rel=rel), ({},)),
        "set_f": (peer.SetF(rel=rel), ({},)),
        "set_precision": (peer.SetP(rel=rel), ({},)),
        "set_recall": (peer.SetR(rel=rel), ({},)),
    }
    if m["name"] not in known:
        raise NotOfferedError("no such measure")
    measure, settings = known[m["name"]]
    of(m, *settings)
    return measure if m.get("cutoff") is None else measure @ m["cutoff"]


def pytrec_eval(case: ConformanceCase) -> Answer:
    import pytrec_eval as peer

    qrels, run = flat(case)
    m = case["measure"]
    k = m.get("cutoff")
    cut = "" if k is None else f"_{k}"
    names = {
        "precision": ("P", f"P{cut}"), "recall": ("recall", f"recall{cut}"), "hit_rate": ("success", f"success{cut}"),
        "ap": ("map_cut", f"map_cut{cut}") if k else ("map", "map"), "rr": ("recip_rank", "recip_rank"),
        "ndcg": ("ndcg_cut", f"ndcg_cut{cut}") if k else ("ndcg", "ndcg"), "r_precision": ("Rprec", "Rprec"),
        "set_precision": ("set_P", "set_P"), "set_recall": ("set_recall", "set_recall"), "set_f": ("set_F", "set_F"),
        "bpref": ("bpref", "bpref"), "inf_ap": ("infAP", "infAP"), "ap11": ("11pt_avg", "11pt_avg"),
        "iprec": ("iprec_at_recall", "iprec_at_recall_0.40"), "num_rel_ret": ("num_rel_ret", "num_rel_ret"),
        "gmap": ("gm_map", "gm_map"),
    }  # fmt: skip
    if m["name"] not in names or (m["name"] == "rr" and k):
        raise NotOfferedError("no such measure")
    of(m, *{"precision": [K], "recall": [R], "ap": [R], "ndcg": [LINEAR], "bpref": [{"reading": "min(N,R)"}],
            "iprec": [{"rounding": "nearest"}], "ap11": [{"rounding": "nearest"}]}.get(m["name"], [{}]))  # fmt: skip
    family, name = names[m["name"]]
    asked = f"{family}.{'0.40' if m['name'] == 'iprec' else k}" if name != family else family
    evaluator = peer.RelevanceEvaluator(qrels, {asked}, relevance_level=m.get("rel", 1))
    values = {topic: row[name] for topic, row in evaluator.evaluate(run).items()}
    mean = peer.compute_aggregated_measure(name, list(values.values())) if values else None
    # Of gm_map it gives logarithms of topics, which are exponentiated in the mean alone.
    return {"mean": mean} if family == "gm_map" else {"topics": values, "mean": mean}


def ranx(case: ConformanceCase) -> Answer:
    from ranx import Qrels, Run, evaluate

    qrels, run = flat(case)
    m = case["measure"]
    names = {
        "precision": "precision", "recall": "recall", "f": "f1", "hit_rate": "hit_rate", "rr": "mrr", "ap": "map",
        "ndcg": "ndcg", "r_precision": "r-precision", "bpref": "bpref", "rbp": "rbp",
    }  # fmt: skip
    if m["name"] not in names:
        raise NotOfferedError("no such measure")
    of(m, *{"precision": [K], "recall": [R], "ap": [R], "bpref": [{"reading": "min(N,R)"}],
            "ndcg": [LINEAR, {"gain": "exp", "discount": LINEAR["discount"]}],
            "rbp": [{"max_grade": None}]}.get(m["name"], [{}]))  # fmt: skip
    name = names[m["name"]]
    if m.get("gain") == "exp":
        name = "ndcg_burges"
    if name == "rbp":
        name += {"4/5": ".80", "1/2": ".50"}[m["p"]]
    name += "" if m.get("cutoff") is None else f"@{m['cutoff']}"
    name += "" if m.get("rel", 1) == 1 else f"-l{m['rel']}"
    judged, retrieved = Qrels(qrels), Run(run)
    mean = evaluate(judged, retrieved, name, make_comparable=True)
    scores = {topic: float(value) for topic, value in dict(retrieved.scores[name]).items()}
    return {"topics": scores, "mean": float(mean)}


def scikit_learn(case: ConformanceCase) -> Answer:
    import numpy as np
    from sklearn.metrics import average_precision_score, dcg_score, ndcg_score

    qrels, run = flat(case)
    m = case["measure"]
    topics = {}
    for topic, labels in qrels.items():
        lines = run.get(topic, {})
        names = [*labels, *(name for name in lines if name not in labels)]
        below = min(lines.values(), default=0.0) - 1.0
        truth = np.array([[labels.get(name, 0) for name in names]])
        scores = np.array([[lines.get(name, below) for name in names]])
        match m["name"]:
            case "ndcg":
                of(m, LINEAR)
                topics[topic] = ndcg_score(truth, scores, k=m["cutoff"])
            case "dcg":
                of(m, LINEAR)
                topics[topic] = dcg_score(truth, scores, k=m["cutoff"])
            case "ap":
                of(m, {"denominator": "R", "cutoff": None})
                topics[topic] = average_precision_score(truth[0] >= m["rel"], scores[0])
            case _:
                raise NotOfferedError("no such measure")
    return averaged(topics)


def pyndeval(case: ConformanceCase) -> Answer:
    import pyndeval as peer

    m = case["measure"]
    if not any(isinstance(entry, dict) for entries in case["qrels"].values() for entry in entries.values()):
        raise NotOfferedError("intents only")
    if case.get("intent_weights"):
        raise NotOfferedError("no weights of intents")
    k = m.get("cutoff")
    names = {
        "alpha_dcg": f"alpha-DCG@{k}", "alpha_ndcg": f"alpha-nDCG@{k}", "err_ia": f"ERR-IA@{k}",
        "nerr_ia": f"nERR-IA@{k}", "p_ia": f"P-IA@{k}", "i_rec": f"strec@{k}", "ap_ia": "MAP-IA", "nrbp": "NRBP",
        "nnrbp": "nNRBP",
    }  # fmt: skip
    if m["name"] not in names:
        raise NotOfferedError("no such measure")
    judged = [
        peer.SubtopicQrel(topic, intent, name, label)
        for topic, intents in case["qrels"].items()
        for intent, labels in intents.items()
        for name, label in labels.items()
    ]
    run = [peer.ScoredDoc(topic, name, score) for topic, lines in case["run"].items() for name, score in lines]
    found = peer.ndeval(judged, run, measures=[names[m["name"]]])
    return averaged({topic: row[names[m["name"]]] for topic, row in found.items()})


def trectools(case: ConformanceCase) -> Answer:
    import pandas as pd
    from trectools import TrecEval, TrecQrel, TrecRun

    flat(case)
    m, k = case["measure"], case["measure"].get("cutoff")
    rows = [(topic, "Q0", name, rank, score, "run") for topic, lines in case["run"].items()
            for rank, (name, score) in enumerate(sorted(lines, key=lambda line: -line[1]), 1)]  # fmt: skip
    labels = [(topic, "0", name, label) for topic, entries in case["qrels"].items() for name, label in entries.items()]
    run, qrels = TrecRun(), TrecQrel()
    run.run_data = pd.DataFrame(rows, columns=["query", "q0", "docid", "rank", "score", "system"])
    qrels.qrels_data = pd.DataFrame(labels, columns=["query", "q0", "docid", "rel"])
    evaluation = TrecEval(run, qrels)
    of(m, {"rel": 1}, {"gain": "linear"})
    depth = 1000 if k is None else k
    match m["name"]:
        case "precision":
            of(m, K)
            table = evaluation.get_precision(depth, per_query=True, trec_eval=True)
        case "recall":
            of(m, R)
            table = evaluation.get_recall(depth, per_query=True)
        case "ap":
            of(m, R)
            table = evaluation.get_map(depth, per_query=True)
        case "ndcg":
            of(m, LINEAR)
            table = evaluation.get_ndcg(depth, per_query=True, trec_eval=True)
        case "rr":
            of(m, {"cutoff": None})
            table = evaluation.get_reciprocal_rank(depth=1000, per_query=True)
        case "bpref":
            of(m, {"reading": "min(N,R)"})
            table = evaluation.get_bpref(depth=1000, per_query=True)
        case "r_precision":
            table = evaluation.get_rprec(depth=1000, per_query=True)
        case "rbp":
            of(m, {"max_grade": None})
            numerator, _, denominator = m["p"].partition("/")
            table = evaluation.get_rbp(p=int(numerator) / int(denominator), depth=1000, per_query=True)[0]
        case _:
            raise NotOfferedError("no such measure")
    return averaged({str(topic): float(value) for topic, value in table.iloc[:, 0].items()})


def rectools(case: ConformanceCase) -> Answer:
    import pandas as pd
    from rectools.metrics import MAP, MRR, NDCG, HitRate, Precision, Recall

    flat(case)
    m, k = case["measure"], case["measure"].get("cutoff")
    known = {"precision": (Precision, K), "recall": (Recall, R), "ap": (MAP, R), "rr": (MRR, {}),
             "hit_rate": (HitRate, {}), "ndcg": (NDCG, {"gain": "binary", "discount": LINEAR["discount"]})}  # fmt: skip
    if m["name"] not in known or k is None:
        raise NotOfferedError("no such measure")
    of(m, known[m["name"]][1])
    rows = [(topic, name, rank) for topic, names in ranked(case).items() for rank, name in enumerate(names, 1)]
    truth = [(topic, name) for topic, names in relevant(case).items() for name in names]
    values = known[m["name"]][0](k=k).calc_per_user(
        pd.DataFrame(rows, columns=["user_id", "item_id", "rank"]), pd.DataFrame(truth, columns=["user_id", "item_id"])
    )
    return averaged({str(topic): float(value) for topic, value in values.items()})


def rs_metrics(case: ConformanceCase) -> Answer:
    import rs_metrics as peer

    flat(case)
    m, k = case["measure"], case["measure"].get("cutoff")
    known = {"precision": (peer.precision, RETRIEVED), "recall": (peer.recall, R), "rr": (peer.mrr, {}),
             "hit_rate": (peer.hitrate, {}), "ap": (peer.mapr, {"denominator": "min(k,R)"}),
             "ndcg": (peer.ndcg, {"gain": "binary", "discount": LINEAR["discount"]})}  # fmt: skip
    if m["name"] not in known or k is None:
        raise NotOfferedError("no such measure")
    of(m, known[m["name"]][1])
    return {"mean": float(known[m["name"]][0](relevant(case), ranked(case), k=k))}


def cornac(case: ConformanceCase) -> Answer:
    import numpy as np
    from cornac.metrics import NDCG, FMeasure, HitRatio, Precision, Recall

    flat(case)
    m, k = case["measure"], case["measure"].get("cutoff")
    lists, truth = ranked(case), relevant(case)
    known = {"precision": (Precision, K), "recall": (Recall, R), "f": (FMeasure, {}), "hit_rate": (HitRatio, {}),
             "ndcg": (NDCG, {"gain": "binary", "discount": LINEAR["discount"]})}  # fmt: skip
    if m["name"] not in known or k is None:
        raise NotOfferedError(
            "no such measure, or it takes scores of all items" if m["name"] in ("ap", "rr") else "no such measure"
        )
    of(m, known[m["name"]][1])
    topics = {}
    for topic in case["qrels"]:
        names = {
            name: number for number, name in enumerate([*dict.fromkeys([*lists.get(topic, []), *case["qrels"][topic]])])
        }
        order = np.array([names[name] for name in lists.get(topic, [])], dtype=int)
        positives = np.array([names[name] for name in truth[topic]], dtype=int)
        topics[topic] = float(known[m["name"]][0](k=k).compute(gt_pos=positives, pd_rank=order))
    return averaged(topics)


def lenskit(case: ConformanceCase) -> Answer:
    import pandas as pd
    from lenskit import topn

    flat(case)
    m, k = case["measure"], case["measure"].get("cutoff")
    level = m.get("rel", 1)
    lists = ranked(case)
    topics = {}
    for topic, labels in case["qrels"].items():
        recs = pd.DataFrame({"item": lists.get(topic, [])})
        recs["rank"] = range(1, len(recs) + 1)
        graded = {name: label for name, label in labels.items() if label > 0}
        binary = [name for name, label in labels.items() if label >= level]
        match m["name"]:
            case "precision":
                of(m, RETRIEVED)
                topics[topic] = topn.precision(recs, pd.DataFrame(index=pd.Index(binary, name="item")), k=k)
            case "recall":
                of(m, {"denominator": "min(k,R)"})
                topics[topic] = topn.recall(recs, pd.DataFrame(index=pd.Index(binary, name="item")), k=k)
            case "rr":
                topics[topic] = topn.recip_rank(recs, pd.DataFrame(index=pd.Index(binary, name="item")), k=k)
            case "hit_rate":
                topics[topic] = topn.hit(recs, pd.DataFrame(index=pd.Index(binary, name="item")), k=k)
            case "ndcg":
                of(m, LINEAR)
                truth = pd.DataFrame({"rating": graded.values()}, index=pd.Index(list(graded), name="item"))
                topics[topic] = topn.ndcg(recs, truth, k=k)
            case _:
                raise NotOfferedError("no such measure")
    return averaged({topic: math.nan if value is None else float(value) for topic, value in topics.items()})


def recommenders(case: ConformanceCase) -> Answer:
    import pandas as pd
    from recommenders.evaluation import python_evaluation as peer

    flat(case)
    m, k = case["measure"], case["measure"].get("cutoff")
    known = {"precision": (peer.precision_at_k, K), "recall": (peer.recall_at_k, R),
             "ap": (peer.map_at_k, {"denominator": "min(k,R)"}),
             "ndcg": (peer.ndcg_at_k, {"gain": "binary", "discount": LINEAR["discount"]})}  # fmt: skip
    if m["name"] not in known or k is None:
        raise NotOfferedError("no such measure")
    of(m, known[m["name"]][1])
    truth = pd.DataFrame(
        [(t, n, 1.0) for t, names in relevant(case).items() for n in names], columns=["userID", "itemID", "rating"]
    )
    lists = pd.DataFrame(
        [(t, n, s) for t, lines in case["run"].items() for n, s in lines], columns=["userID", "itemID", "prediction"]
    )
    value = known[m["name"]][0](truth, lists, k=k, col_prediction="prediction", relevancy_method="top_k")
    return {"mean": float(value)}


TOOLS: dict[str, tuple[Callable[[ConformanceCase], Answer], str]] = {
    "ir_measures": (ir_measures, "ir_measures"),
    "pytrec_eval": (pytrec_eval, "pytrec_eval-terrier"),
    "ranx": (ranx, "ranx"),
    "scikit-learn": (scikit_learn, "scikit-learn"),
    "pyndeval": (pyndeval, "pyndeval"),
    "trectools": (trectools, "trectools"),
    "rectools": (rectools, "rectools"),
    "rs_metrics": (rs_metrics, "rs-metrics"),
    "cornac": (cornac, "cornac"),
    "lenskit": (lenskit, "lenskit"),
    "recommenders": (recommenders, "recommenders"),
}
"""Tool -> its adapter, and the package that has its version."""


def main(tool: str) -> None:
    """Answer cases a line; the first line is the tool's version where the tool is asked for it."""
    import warnings

    warnings.simplefilter("ignore")
    adapter, package = TOOLS[tool]
    if sys.argv[2:] == ["--version"]:
        print(version(package))
        return
    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer = adapter(case)
            answer["mean"] = None if answer["mean"] is None or math.isnan(answer["mean"]) else float(answer["mean"])
        except NotOfferedError as reason:
            answer = {"unsupported": str(reason)}
        except Exception as error:
            if Path(traceback.extract_tb(error.__traceback__)[-1].filename) == Path(__file__):
                raise  # a fault of the adapter is not a refusal of the tool
            answer = {"refused": f"{type(error).__name__}: {str(error)[:150]}"}
        print(json.dumps({"id": case["id"], **answer}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
