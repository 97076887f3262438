"""Packages that not everybody has: imported where they are first used; where one is missing, its extra is named."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from cranfield.errors import Located, MissingPackageError


class Package(NamedTuple):
    """An optional package, and what it is for."""

    purpose: str
    """The work that needs the package, where the caller names none."""
    extra: str | None = None
    """The extra of this package that brings it; None where it is installed by its own name."""


PACKAGES = {
    "altair": Package("a chart", "plot"),
    "cbor2": Package("CBOR", "formats"),
    "cloudpickle": Package("a cluster", "dask"),
    "dask": Package("a cluster", "dask"),
    "distributed": Package("a cluster", "dask"),
    "duckdb": Package("sorting rows by topic", "sort"),
    "fsspec": Package("this address"),
    "h5netcdf": Package("netCDF-4"),
    "h5py": Package("netCDF-4"),
    "hypothesis": Package("a test of a measure", "testing"),
    "ir_datasets": Package("a data set of ir_datasets", "irds"),
    "ir_measures": Package("use()", "ir_measures"),
    "lz4": Package("an LZ4 frame", "formats"),
    "pyarrow": Package("Parquet", "parquet"),
    "pyvinecopulib": Package("a vine copula", "vine"),
    "vl_convert": Package("the file of a chart", "plot"),
    "yaml": Package("the header of a run", "formats"),
}
"""Every package that is imported and is not one of our dependencies, by the name that is imported."""


def is_installed(package: str) -> bool:
    """Return whether an optional package is there; it is not imported."""
    from importlib.util import find_spec  # here, since few calls ask

    return find_spec(package) is not None


def import_optional(module: str, purpose: str = "", location: Located | str | None = None) -> Any:
    """Import an optional package, or a module of it.

    Args:
        module: its name.
        purpose: what needs it, as the beginning of a sentence.
        location: of the file that it is needed for.

    Raises:
        MissingPackageError: it is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or module).partition(".")[0]
        if missing not in PACKAGES:  # a package that is there lacks one of its own
            raise
        package = PACKAGES[missing]
        brought_by = f"'cranfield[{package.extra}]'" if package.extra else missing
        text = f"{purpose or package.purpose} needs {missing}, which is not installed: pip install {brought_by}"
        raise MissingPackageError(text, location, missing) from None


class Deferred:
    """An optional module that is imported when one of its names is used, so that a module that uses it can be imported.

    Args:
        module: its name.
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # what inspection and copying look for, which must not fail
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(import_optional(self._module), name)


pa: Any = Deferred("pyarrow")
pc: Any = Deferred("pyarrow.compute")
fs: Any = Deferred("pyarrow.fs")
pq: Any = Deferred("pyarrow.parquet")
cloudpickle: Any = Deferred("cloudpickle")
dask: Any = Deferred("dask")
distributed: Any = Deferred("distributed")
