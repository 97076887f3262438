"""netCDF files of scores: what they declare is looked at first, and refused before a value is read.

netCDF-4 is HDF5, whose files may name other files of the machine to be read as their own, and filters whose code is
loaded from the machine. Both versions may declare far more than they hold.
"""

from __future__ import annotations

import io
import math
import re
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._optional import import_optional
from cranfield._text import quoted, shown
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.source import USUAL_RATIO
from cranfield.memory import budget, require
from cranfield.scores.dataset import DIMS, as_dataset, read_labels
from cranfield.scores.labels import known_attributes
from cranfield.scores.scale import Scale

if TYPE_CHECKING:
    import xarray as xr

CLASSIC = (b"CDF\1", b"CDF\2")
"""The first bytes of netCDF-3."""
HDF5 = b"\x89HDF\r\n\x1a\n"
"""The first bytes of netCDF-4."""
TEXT = 64
"""The bytes, about, that a text takes as an object of Python, beside its letters."""


def is_netcdf(data: bytes) -> bool:
    """Tell whether a file begins as one of classic NetCDF or of HDF5."""
    return data.startswith((*CLASSIC, HDF5))


def from_netcdf(file: Location, data: bytes) -> xr.Dataset:
    """Scores, with all else that the file says of them.

    Unlike the text formats this gives a Dataset rather than a ``ScoreTable``, which has no room for what a netCDF file
    may hold beside scores: titles, and coordinates such as the text of each topic. They stay in ``read_scores``.

    Args:
        file: that it is read from.
        data: the whole of it.

    Raises:
        InputError: it is damaged, names other files, is larger than the budget, or holds no scores by topic and system.
    """
    dataset = _load(file, data)
    try:
        as_dataset(dataset)
    except UsageError as error:
        raise InputError(str(error), file, code="layout") from None
    dataset = dataset.assign_coords({dim: np.array(_names(dataset, dim, file), dtype=object) for dim in DIMS})
    dataset.attrs = known_attributes(dataset.attrs, str(file))
    for measure, variable in dataset.data_vars.items():
        if variable.dtype.kind not in "fiu" or np.isinf(variable.to_numpy()).any():
            raise InputError(f"{shown(str(measure))} holds values that are not finite numbers", file, code="score")
        own = known_attributes(variable.attrs, f"{file}: {shown(str(measure))}")
        variable.attrs = dict(Scale.from_metadata(str(measure), own, file).attributes)
    return dataset.astype(np.float64).transpose(*DIMS)


def as_netcdf(dataset: xr.Dataset) -> bytes:
    """netCDF-3 of all that the scores say.

    Raises:
        InputError: it cannot hold them.
    """
    texts = {name: coordinate.astype(str) for name, coordinate in dataset.coords.items() if coordinate.dtype == object}
    try:
        return bytes(dataset.assign_coords(texts).to_netcdf(engine="scipy", format="NETCDF3_64BIT"))
    except (ValueError, TypeError) as error:
        raise InputError(f"netCDF cannot hold these scores: {error}", code="unfit-name") from None


def _load(file: Location, data: bytes) -> xr.Dataset:
    """All that a file holds, in memory."""
    import xarray as xr

    engine: Any = "scipy" if data.startswith(CLASSIC) else "h5netcdf"
    if engine == "h5netcdf":
        import_optional("h5netcdf", location=file)
        import_optional("h5py", location=file)
    try:
        _require(file, sum(_classic_sizes(data)) if data.startswith(CLASSIC) else _hdf5_size(file, data), len(data))
        return xr.load_dataset(io.BytesIO(data), engine=engine)
    except InputError:
        raise
    except Exception as error:  # of bytes that nobody has looked at, libraries raise what they like
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"is damaged, or no netCDF ({shown(reason)})", file, code="damaged") from None


def _require(file: Location, needed: int, size: int) -> None:
    """Raises: InputError: what a file of this size declares takes more than the budget, and many times its size."""
    require(needed, "what the file declares", "give it in parts", location=file, usual=USUAL_RATIO * size)


def _names(dataset: xr.Dataset, dim: str, file: Location) -> tuple[str, ...]:
    """Names along a dim; those of a file whose texts are characters without a named encoding are UTF-8."""
    if dim in dataset.coords and dataset[dim].dtype.kind in "SO":
        names = [name.rstrip(b"\0") if isinstance(name, bytes) else name for name in dataset[dim].values.tolist()]
        try:
            texts = [name.decode() if isinstance(name, bytes) else name for name in names]
        except UnicodeDecodeError:
            raise InputError(f"a name of a {dim} is not UTF-8 text", file, code="utf8") from None
        dataset = dataset.assign_coords({dim: np.array(texts, dtype=object)})
    return read_labels(dataset, dim, file)


def _estimate_bytes(count: int, size: int, *, text: bool) -> int:
    """The bytes, about, that values take while they are read: as they are, and as doubles or as objects."""
    return count * (2 * size + TEXT if text else size + 16)


# ---- netCDF-3: variables may overlap in the file


SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8}
"""The number of a type -> bytes of a value."""
CHARACTERS = 2
ABSENT, DIMENSIONS, VARIABLES, ATTRIBUTES = 0, 10, 11, 12
"""The tags that begin a list of a header."""


def _classic_sizes(data: bytes) -> Iterator[int]:
    """The bytes that each variable declared in a header takes.

    Raises:
        ValueError, KeyError, IndexError, struct.error: the header is broken.
    """
    header = _Header(data)
    records = max(0, header.integer())
    lengths: list[int] = []
    for _ in range(header.count(DIMENSIONS)):
        header.name()
        lengths.append(header.integer())
    header.skip_attributes()
    for _ in range(header.count(VARIABLES)):
        header.name()
        dims = [header.integer() for _ in range(header.integer())]
        header.skip_attributes()
        kind = header.integer()
        header.skip(8 if data.startswith(CLASSIC[0]) else 12)  # its size and where it begins
        sizes = [lengths[dim] or records for dim in dims]
        if kind == CHARACTERS:
            yield _estimate_bytes(math.prod(sizes[:-1]), sizes[-1] if sizes else 1, text=True)
        else:
            yield _estimate_bytes(math.prod(sizes), SIZES[kind], text=False)


class _Header:
    """The integers and names of a header, one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 4

    def integer(self) -> int:
        (value,) = struct.unpack_from(">i", self.data, self.at)
        self.at += 4
        return int(value)

    def count(self, kind: int) -> int:
        """The number of the members of a list."""
        found, count = self.integer(), self.integer()
        if count < 0 or found not in (kind, ABSENT) or (found == ABSENT and count):
            raise ValueError("a list of its header is wrong")
        return count

    def skip(self, size: int) -> None:
        """Skip bytes, which are padded to four."""
        if not 0 <= size <= len(self.data) - self.at:
            raise ValueError("its header ends too early")
        self.at += size + -size % 4

    def name(self) -> None:
        self.skip(self.integer())

    def skip_attributes(self) -> None:
        for _ in range(self.count(ATTRIBUTES)):
            self.name()
            size = SIZES[self.integer()]
            self.skip(size * self.integer())


# ---- netCDF-4


SMALL = 64
"""Texts of an attribute that may share the bytes of the file."""


HEAP_ENTRY = 16
"""Bytes before each text of a heap: its number, 0 where what follows is free, and its size."""


def _hdf5_size(file: Location, data: bytes) -> int:
    """The bytes that all variables of a file take.

    Of numbers nothing is read. Texts of any length may share their bytes, so that these are counted, to the budget.

    Raises:
        InputError: it names other files, or a filter whose code would be loaded; or its texts are too long.
    """
    h5py = import_optional("h5py")

    _refuse_endless_heaps(data)
    with h5py.File(io.BytesIO(data), "r") as opened:
        found = list(_datasets(file, opened.id))
        total = sum(_attributes_size(named, len(data)) for _, named in [("/", opened), *found])
        texts = []
        for name, variable in found:
            count, text = math.prod(variable.shape or ()), h5py.check_string_dtype(variable.dtype)
            if text is None and variable.dtype.kind not in "fiub":
                raise InputError(f"{quoted(name)} holds neither numbers nor texts", file, code="layout")
            total += _estimate_bytes(count, variable.dtype.itemsize, text=text is not None)
            if text is not None and text.length is None and count:
                texts.append(variable)
        for variable in texts:
            _require(file, total, len(data))
            for length in _text_lengths(variable, len(data)):
                total += length
                _require(file, total, len(data))
    return total


def _refuse_endless_heaps(data: bytes) -> None:
    """Refuse free space of no bytes among the texts of a file: HDF5 would look for its end forever, and hear no signal.

    Raises:
        ValueError: there is such a place.
    """
    seen: set[int] = set()
    for heap in re.finditer(rb"GCOL\x01\0\0\0(?=(.{8}))", data, re.DOTALL):
        at, end = heap.end() + 8, heap.start() + int.from_bytes(heap[1], "little")
        while at + HEAP_ENTRY <= min(end, len(data)) and at not in seen:
            seen.add(at)
            number, size = struct.unpack_from("<H6xQ", data, at)
            if not number and not size:
                raise ValueError("a heap of texts without an end")
            at += HEAP_ENTRY - -size // 8 * 8 if number else size


def _attributes_size(named: Any, size: int) -> int:
    """The bytes that attributes take; each text or list of them may be all of the file's bytes."""
    total = 0
    for key in named.attrs:
        attribute = named.attrs.get_id(key)
        count = math.prod(attribute.shape)
        total += _estimate_bytes(count, attribute.dtype.itemsize, text=True)
        total += size * count if attribute.dtype.kind == "O" and count > SMALL else 0
    return total


def _text_lengths(variable: Any, size: int) -> Iterator[int]:
    """The bytes of the texts of a variable, by blocks that fit into the budget whatever they hold."""
    block = max(1, budget() // (4 * size))
    *leading, last = variable.shape or (1,)
    for row in np.ndindex(*leading):
        for start in range(0, last, block):
            values = variable[(*row, slice(start, start + block))] if variable.shape else [variable[()]]
            yield 2 * sum(map(len, values))


def _datasets(file: Location, root: Any) -> Iterator[tuple[str, Any]]:
    """Each dataset that a file holds itself, however deep, with its name; none of its values is read.

    Raises:
        InputError: a group has links to elsewhere, or a dataset lies elsewhere.
    """
    h5py = import_optional("h5py")

    seen, groups = set(), [("", root)]
    while groups:
        path, group = groups.pop()
        _refuse_filters(file, path or "/", group.get_create_plist())
        for name in group:
            shown_name = f"{path}/{name.decode(errors='replace')}"
            if group.links.get_info(name).type != h5py.h5l.TYPE_HARD:
                raise _elsewhere(file, shown_name, "is a link")
            member = h5py.h5o.open(group, name)
            address = h5py.h5o.get_info(member).addr
            if address in seen:
                continue
            seen.add(address)
            if isinstance(member, h5py.h5g.GroupID):
                groups.append((shown_name, member))
            elif isinstance(member, h5py.h5d.DatasetID):
                # Its shape is asked for later: that of a virtual one is found out from the files it names.
                created = member.get_create_plist()
                if created.get_layout() == h5py.h5d.VIRTUAL:
                    raise _elsewhere(file, shown_name, "is made of other datasets")
                if created.get_external_count():
                    raise _elsewhere(file, shown_name, "is stored in another file")
                _refuse_filters(file, shown_name, created)
                yield shown_name, h5py.Dataset(member)


def _elsewhere(file: Location, name: str, what: str) -> InputError:
    text = f"{quoted(name)} {what}: what lies elsewhere is not read; write all values into the file itself"
    return InputError(text, file, code="outside")


def _refuse_filters(file: Location, name: str, created: Any) -> None:
    """Raises: InputError: values go through another filter than those that HDF5 itself has."""
    h5py = import_optional("h5py")

    own = range(h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SCALEOFFSET + 1)
    for number in range(created.get_nfilters() if hasattr(created, "get_nfilters") else 0):
        code = created.get_filter(number)[0]
        if code not in own:
            text = (
                f"{quoted(name)} is compressed by filter {code}, whose code would be loaded from this machine: "
                "compress it by deflate (gzip), or not at all"
            )
            raise InputError(text, file, code="outside")
