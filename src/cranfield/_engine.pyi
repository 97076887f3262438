"""The compiled engine (``engine/src/python/module.rs``).

``cranfield.engine`` hands it out as ``protocol.Engine``, and ``engine.kernels`` calls its kernels, whose parameters are
those of their twins: a test compares all signatures.
"""

NAME: str

def ask_for_numpy() -> None: ...

# Of benchmarks alone: what reading a file takes before anything is made of it.
def count_bytes(path: str) -> int: ...
def count_fields(path: str, threads: int) -> tuple[int, ...]: ...
