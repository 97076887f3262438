"""What one evaluation of very many rows would take on a cluster: `python benchmarks/plan_cluster.py --help`.

Nothing is measured here. Parts are given to workers as they become free, the largest topics where they happen to be.
"""

import argparse
import heapq
import random


def makespan(costs: list[float], workers: int) -> float:
    """When the last part is done, if each worker takes the next part as soon as it is free."""
    free = [0.0] * workers
    for cost in costs:
        heapq.heapreplace(free, free[0] + cost)
    return max(free)


def drawn(parts: int, skew: float, seed: int) -> list[float]:
    """Relative sizes of parts, 1 on average: of one size where skew is 0, else Pareto with that share as 1 / shape."""
    draw = random.Random(seed)
    sizes = [draw.paretovariate(1 / skew) if skew else 1.0 for _ in range(parts)]
    mean = sum(sizes) / parts
    return [size / mean for size in sizes]


def main() -> None:
    """Print a line for each number of rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nanoseconds", type=float, default=100.0, help="of CPU a row, default: %(default)s")
    parser.add_argument("--bytes", type=float, default=13.3, help="of a row in its file, default: %(default)s")
    parser.add_argument("--rows-of-part", type=float, default=1e7, help="default: %(default)s")
    parser.add_argument("--workers", type=int, default=64, help="cores, default: %(default)s")
    parser.add_argument("--price", type=float, default=0.05, help="of a core for an hour, default: %(default)s")
    parser.add_argument("--overhead", type=float, default=0.02, help="seconds of the scheduler a part")
    how = parser.parse_args()
    print("| rows | parts | TB read | core hours | minutes, equal parts | minutes, skewed | Gbit/s | price |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for rows in (1e10, 1e11, 1e12):
        parts, seconds = max(1, round(rows / how.rows_of_part)), how.nanoseconds * 1e-9 * rows
        each = seconds / parts
        minutes = [
            makespan([size * each + how.overhead for size in drawn(parts, skew, 17)], how.workers) / 60
            for skew in (0.0, 0.7)
        ]
        size = rows * how.bytes
        speed = 8 * size / (60 * minutes[0]) / 1e9
        cells = [f"{rows:.0e}", f"{parts:,}", f"{size / 1e12:.2f}", f"{seconds / 3600:.2f}"]
        cells += [f"{minutes[0]:.1f}", f"{minutes[1]:.1f}", f"{speed:.1f}", f"{seconds / 3600 * how.price:.2f}"]
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
