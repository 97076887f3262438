"""A small evaluation whose names are what strangers may write, in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

HOSTILE = (
    "<script>document.title='owned'</script>",
    '"onmouseover="document.title=1',
    "=HYPERLINK(1)",
    "bidi\u202egnp.exe",
    "x" * 4000,
    "</script><img/src=x/onerror=document.title=2>",
)
"""Tags and topics; a file is not called so, which is why systems are named by their tags."""
PLAIN = ("bm25", "ql", "-minus", "neural", "../../x", "last")
TOPICS = ("<b>1</b>", "2", "=3", "4\u202e", "5", "6", "7", "8", "9", "10", "11", "12")


def write_collection(folder: Path, *, topics: int = 12, systems: int = 12) -> tuple[Path, list[Path]]:
    """Qrels and runs, always the same: later systems retrieve fewer relevant documents."""
    rng = np.random.default_rng(8)
    names = (HOSTILE + PLAIN)[:systems]
    folder.mkdir(parents=True, exist_ok=True)
    lines, qrels = {name: [] for name in names}, []  # type: ignore[var-annotated]
    for topic in TOPICS[:topics]:
        labels = rng.integers(0, 3, 40)
        qrels += [f"{topic} 0 d{number} {label}" for number, label in enumerate(labels)]
        for at, name in enumerate(names):
            score = labels + rng.normal(0, 0.5 + 0.3 * at, 40)
            lines[name] += [f"{topic} Q0 d{number} 1 {score[number]:.6f} {name}" for number in range(40)]
            lines[name].append(f"{topic} Q0 unjudged 1 {1.5:.6f} {name}")
    (folder / "qrels.txt").write_text("\n".join(qrels) + "\n", encoding="utf-8")
    runs = []
    for at, name in enumerate(names):
        path = folder / f"run{at}.txt"
        path.write_text("\n".join(lines[name]) + "\n", encoding="utf-8")
        runs.append(path)
    return folder / "qrels.txt", runs
