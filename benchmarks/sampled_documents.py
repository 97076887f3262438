"""How often intervals from a sample of documents hold the scores by all labels: DL 2019, DL 2023 and TREC-COVID.

    python benchmarks/sampled_documents.py ../shared/data [trials]

A random part of the documents in the first ten of any run keeps its people's labels; all of the pool has a model's.
The truth is the score by all people's labels of this pool. DL 2023 has no runs here: its systems are the rankings by
twelve other models. TREC-COVID has no model: labels are drawn, given people's, as often as a good judge errs.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np

import cranfield
from cranfield.pooling import estimate_powered_scores, sample_pool

DEPTH, MEASURES = 10, ["P@10", "nDCG@10"]
SHARES = (0.1, 0.2, 0.4)
FEW = ((2, 0.1), (2, 0.3), (4, 0.1), (4, 0.2), (8, 0.1), (8, 0.2), (16, 0.05), (16, 0.1), (16, 0.2))
"""How many topics of DL 2019, and which share of their documents, for what few sampled documents do."""
SYSTEMS_2023 = (
    *("Olz-gpt4o", "RMITIR-GPT4o", "RMITIR-llama38b", "RMITIR-llama70B", "TREMA-4prompts", "TREMA-CoT"),
    *(
        "TREMA-direct",
        "TREMA-nuggets",
        "TREMA-questions",
        "h2oloo-fewself",
        "prophet-setting1",
        "NISTRetrieval-instruct0",
    ),
)
ERRORS = ((0.75, 0.2, 0.05), (0.25, 0.5, 0.25), (0.1, 0.3, 0.6))
"""How often the drawn judge gives 0, 1 and 2 to a document of label 0, 1 and 2."""
Labels = dict[str, dict[str, float]]
Runs = dict[str, dict[str, dict[str, float]]]


def read_top(path: Path) -> dict[str, dict[str, float]]:
    """The first documents of each topic of a run."""
    run = cranfield.read_run(path).to_dict()
    return {topic: dict(sorted(ranked.items(), key=lambda pair: -pair[1])[:DEPTH]) for topic, ranked in run.items()}


def dl_2019(data: Path) -> tuple[Runs, Labels, Labels]:
    """Every third run, and the labels of Thomas et al."""
    folder = data / "trec-dl-2019-passage"
    runs = {path.stem: read_top(path) for path in sorted((folder / "runs").iterdir())[::3]}
    people = cranfield.read_qrels(folder / "qrels.dl19-passage.txt.gz").to_dict()
    return runs, people, cranfield.read_qrels(data / "llm-qrels-dl19-dl20/dl19/Thomas.qrel.gz").to_dict()


def dl_2023(data: Path) -> tuple[Runs, Labels, Labels]:
    """Rankings by the labels of twelve models, ties at random, and those of UMBRELA."""
    scores = data / "llmjudge-dl23/submissions/scores"
    runs = {}
    for name in SYSTEMS_2023:
        rng = np.random.default_rng(5)
        labels = cranfield.read_qrels(scores / f"{name}.txt").to_dict()
        drawn = {t: {d: label + 0.9 * rng.random() for d, label in docs.items()} for t, docs in labels.items()}
        runs[name] = {t: dict(sorted(docs.items(), key=lambda pair: -pair[1])[:DEPTH]) for t, docs in drawn.items()}
    people = cranfield.read_qrels(data / "llmjudge-dl23/data/llmjudge_test_qrel_idx.txt").to_dict()
    return runs, people, cranfield.read_qrels(scores / "willia-umbrela1.txt").to_dict()


def trec_covid(data: Path) -> tuple[Runs, Labels, Labels]:
    """Every ninth run, and a judge who errs as often as good ones do."""
    folder = data / "trec-covid-round5"
    runs = {path.stem: read_top(path) for path in sorted((folder / "runs").iterdir())[::9]}
    people = cranfield.read_qrels(folder / "qrels.covid-round5.txt.gz").to_dict()
    rng = np.random.default_rng(3)
    drawn = {
        t: {d: float(rng.choice(3, p=ERRORS[max(int(label), 0)])) for d, label in docs.items()}
        for t, docs in people.items()
    }
    return runs, people, drawn


def count_covered(runs: Runs, people: Labels, model: Labels, share: float, trials: int) -> Mapping[str, list[float]]:
    """Coverage and half widths by people alone and with the model, of systems and of pairs: measure -> numbers."""
    found: dict[str, list[list[float]]] = {measure: [] for measure in MEASURES}
    words = {"qrels": people, "only_judged": True}
    every = sample_pool(runs, strata={DEPTH: 1}, **words).to_qrels()
    pool = {(topic, document) for topic, _, document, _, _ in every.sampled_rows()}
    inside = {
        n: {t: {d: s for d, s in docs.items() if (t, d) in pool} for t, docs in run.items()} for n, run in runs.items()
    }
    truth = estimate_powered_scores(inside, every, MEASURES)
    for trial in range(trials):
        drawn = sample_pool(inside, strata={DEPTH: share}, seed=trial, **words).to_qrels()
        estimates = estimate_powered_scores(inside, drawn, MEASURES, predicted=model)
        for measure in MEASURES:
            row = []
            for table in ("systems", "pairs"):
                true = getattr(truth, table).query("measure == @measure")["mean_reference"].to_numpy()
                frame = getattr(estimates, table).query("measure == @measure")
                for low, high in (("mean_reference_low", "mean_reference_high"), ("low", "high")):
                    ends = frame[low].to_numpy(), frame[high].to_numpy()
                    row += [
                        float(((ends[0] <= true) & (true <= ends[1])).mean()),
                        float((ends[1] - ends[0]).mean() / 2),
                    ]
            found[measure].append(row)
    return {measure: np.mean(rows, axis=0).tolist() for measure, rows in found.items()}


def print_few(data: Path) -> None:
    """Print the coverage of P@10 with few sampled documents: three random sets of topics, twenty samples each."""
    runs, people, model = dl_2019(data)
    for topics, share in FEW:
        covered, sampled = [], []
        for seed in range(3):
            chosen = set(np.random.default_rng(seed).choice(sorted(people), topics, replace=False))
            few_runs = {name: {t: docs for t, docs in run.items() if t in chosen} for name, run in runs.items()}
            few_people, few_model = ({t: docs for t, docs in of.items() if t in chosen} for of in (people, model))
            drawn = sample_pool(few_runs, strata={DEPTH: share}, qrels=few_people, only_judged=True, seed=1).to_qrels()
            sampled.append(sum(label is not None and label >= 0 for *_, label in drawn.sampled_rows()))
            covered.append(count_covered(few_runs, few_people, few_model, share, 20)["P@10"])
        by_people, _, with_model, *_ = np.mean(covered, axis=0)
        what = f"{topics} topics, {min(sampled)} to {max(sampled)} documents"
        print(f"{what}: {by_people:.2f}, {with_model:.2f} with the model")


def main(data: Path, trials: int) -> None:
    """Print the table of docs/questions/which-documents-to-judge.md."""
    warnings.simplefilter("ignore")
    print_few(data)
    heads = ("people: covered", "±", "with the model", "±")
    columns = ("collection", "judged", "measure", *heads, *(f"differences, {head}" for head in heads))
    print(f"| {' | '.join(columns)} |")
    print("|---" * len(columns) + "|")
    for collection in (dl_2019, dl_2023, trec_covid):
        runs, people, model = collection(data)
        for share in SHARES:
            for measure, numbers in count_covered(runs, people, model, share, trials).items():
                cells = " | ".join(f"{number:.3f}" for number in numbers)
                print(f"| {collection.__name__} | {share:.0%} | {measure} | {cells} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100)
