"""Five means of a run in many files of Parquet by windows of DuckDB: `peer_duckdb.py RUN QRELS`, folders."""

import json
import sys

import duckdb

QUERY = """
with ranked as (
    select topic, document, row_number() over (partition by topic order by score desc) as rank
    from read_parquet('{run}/*.parquet')
), judged as (
    select topic, document, label from read_parquet('{qrels}/*.parquet')
), hits as (
    select topic, label, rank, row_number() over (partition by topic order by rank) as hit
    from ranked join judged using (topic, document) where label > 0
), found as (
    select topic, sum(case when rank <= 10 then label / log2(rank + 1) end) as dcg, sum(hit / rank) as precisions,
        1 / min(rank) as best, count(*) filter (rank <= 100) as at_100, count(*) filter (rank <= 10) as at_10
    from hits group by topic
), best as (
    select topic, label, row_number() over (partition by topic order by label desc) as rank from judged
), ideal as (
    select topic, sum(case when rank <= 10 then label / log2(rank + 1) end) as ideal,
        count(*) filter (label > 0) as relevant
    from best group by topic
)
select avg(coalesce(dcg / nullif(ideal, 0), 0)), avg(coalesce(precisions / relevant, 0)), avg(coalesce(best, 0)),
    avg(coalesce(at_100 / relevant, 0)), avg(coalesce(at_10 / 10, 0))
from ideal left join found using (topic)
"""
MEASURES = ("nDCG@10", "AP", "RR", "R@100", "P@10")


def means(run: str, qrels: str) -> dict[str, float]:
    """Topics of which nothing relevant was retrieved count 0."""
    row = duckdb.execute(QUERY.format(run=run, qrels=qrels)).fetchone()
    assert row is not None
    return dict(zip(MEASURES, row, strict=True))


if __name__ == "__main__":
    print(json.dumps({"means": means(*sys.argv[1:])}))
