"""Five means of a run in many files of Parquet by Polars' streaming engine: `peer_polars.py RUN QRELS`, folders."""

import json
import sys

import polars as pl


def means(run: str, qrels: str) -> dict[str, float]:
    """Windows over topics find ranks; topics of which nothing relevant was retrieved count 0."""
    rank, label = pl.col("rank"), pl.col("label")
    judged = pl.scan_parquet(f"{qrels}/*.parquet")
    ranked = pl.scan_parquet(f"{run}/*.parquet").with_columns(
        rank=pl.col("score").rank("ordinal", descending=True).over("topic")
    )
    found = (
        ranked.join(judged.filter(label > 0), on=["topic", "document"])
        .group_by("topic")
        .agg(
            dcg=(label / (rank + 1).log(2)).filter(rank <= 10).sum(),
            precisions=(pl.int_range(1, pl.len() + 1) / rank.sort()).sum(),
            best=1 / rank.min(),
            at_100=(rank <= 100).sum(),
            at_10=(rank <= 10).sum(),
        )
    )
    best = label.sort(descending=True).head(10)
    ideal = judged.group_by("topic").agg(
        ideal=(best / pl.int_range(2, best.len() + 2).log(2)).sum(), relevant=(label > 0).sum()
    )

    def mean(value: pl.Expr) -> pl.Expr:
        return pl.when(pl.col("relevant") > 0).then(value).otherwise(0.0).fill_null(0.0).mean()

    values = {
        "nDCG@10": pl.col("dcg") / pl.col("ideal"),
        "AP": pl.col("precisions") / pl.col("relevant"),
        "RR": pl.col("best"),
        "R@100": pl.col("at_100") / pl.col("relevant"),
        "P@10": pl.col("at_10") / 10,
    }
    plan = ideal.join(found, on="topic", how="left").select(**{name: mean(value) for name, value in values.items()})
    return plan.collect(engine="streaming").row(0, named=True)


if __name__ == "__main__":
    print(json.dumps({"means": means(*sys.argv[1:])}))
