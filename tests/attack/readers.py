"""Every reader on damaged files: a documented error with the file's name, or a sound value, in bounds."""

from __future__ import annotations

import gzip
import io
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ._corpus import corpus
from ._laws import expect

SECONDS = 40.0
MEMORY_MB = 2500

_COUNTS = [
    b"65536",
    b"4294967296",
    b"99999999999",
    b"-1",
    b"0",
    b"1e999",
    b"nan",
    b"1" + b"0" * 30,
    b"1000000",
]
_SIGNS = [b"(", b"[", b"{", b"<", b'"', b"'", b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"&", b"~", b"#", b"|"]
_TABLES = (".csv", ".tsv", ".dat", ".parquet", ".feather", ".arrow")
_CACHES = (".jkl", ".jaa", ".tbc")
_ANSWERS = (".MAR", ".MPE", ".PR")
_BINARY = (".parquet", ".feather", ".arrow", ".tbc")
_TEXT_BOMB = b"0,0\n"


class Case(NamedTuple):
    """The ending and the bytes of a file; ``bomb_mb`` of filler follow the bytes inside a gzip."""

    ending: str
    data: bytes
    bomb_mb: int = 0


def make(random: Random) -> Case:
    """Damage one of the small files."""
    ending, data = random.choice(corpus())
    kind = random.random()
    if kind < 0.004 and ending not in _BINARY:
        return Case(f"{ending}.gz", data, 6000)
    if ending == ".tbc" and kind < 0.5:
        return Case(ending, _rebuilt(random, data))
    if kind < 0.05:
        return Case(ending, _nested(random, data))
    if ending in (".uai", ".dat", ".dsc") and kind < 0.08:
        return Case(ending, _false_promise(random, ending))
    damaged = _damaged(random, data, is_binary=ending in _BINARY)
    if ending not in _BINARY and random.random() < 0.1:
        packed = gzip.compress(damaged, mtime=0)
        return Case(f"{ending}.gz", random.choice([packed, _damaged(random, packed, is_binary=True)]))
    return Case(ending, damaged)


def _damaged(random: Random, data: bytes, *, is_binary: bool) -> bytes:
    pieces = (
        [data[i : i + 1] for i in range(len(data))] if is_binary else re.findall(rb"\w+|\s+|[^\w\s]", data)
    )
    for _ in range(random.randint(1, 4)):
        at = random.randint(0, len(pieces))
        match random.choice(["delete", "double", "swap", "put", "cut", "count", "byte"]):
            case "delete":
                del pieces[at : at + random.randint(1, 6)]
            case "double":
                pieces[at:at] = pieces[at : at + random.randint(1, 12)]
            case "swap" if pieces:
                other = random.randrange(len(pieces))
                at = min(at, len(pieces) - 1)
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case "put":
                pieces.insert(at, random.choice([*_SIGNS, *_COUNTS, random.randbytes(random.randint(1, 3))]))
            case "cut" if random.random() < 0.5:
                del pieces[at:]
            case "count":
                places = [i for i, piece in enumerate(pieces) if piece.isdigit()]
                if places:
                    pieces[random.choice(places)] = random.choice(_COUNTS)
            case "byte" if pieces:
                pieces[min(at, len(pieces) - 1)] = random.randbytes(1)
    return b"".join(pieces)


def _nested(random: Random, data: bytes) -> bytes:
    """An opening sign again and again: too deep for a reader that calls itself."""
    at = random.randint(0, len(data))
    sign = random.choice([b"[", b"(", b"{", b"<a>", b'{"a":', b"((", b"[a|"])
    return random.choice([data[:at], b""]) + sign * random.choice([2_000, 100_000]) + data[at:]


def _false_promise(random: Random, ending: str) -> bytes:
    """A few bytes that announce a lot."""
    n, states = random.choice([(200, 65536), (100_000, 2), (3, 60_000), (30, 4_000_000_000), (50, 65536)])
    if ending == ".uai":
        return f"BAYES\n{n}\n{' '.join([str(states)] * min(n, 300))}\n{n}\n1 0\n".encode()
    if ending == ".dat":
        n = min(n, 2000)
        lines = [[f"v{v}" for v in range(n)], [str(states)] * n, ["0"] * n]
        return "".join(" ".join(line) + "\n" for line in lines).encode()
    return f'belief network "x"\nnode A {{ type : discrete[{states}] = {{"a"}}; }}\n'.encode()


def _rebuilt(random: Random, data: bytes) -> bytes:
    """The zip archive again, with a member damaged, blown up, doubled or left out."""
    members = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = random.choice(sorted(members))
    how = random.random()
    if how < 0.6:
        members[name] = _damaged(
            random, members[name], is_binary=name.endswith(".npy") and random.random() < 0.5
        )
    elif how < 0.62:
        members[name] += bytes(random.choice([10, 400]) << 20)
    elif how < 0.7:
        del members[name]
    elif how < 0.8:
        members["more/" + name] = members[name]
    else:
        members[name] = re.sub(rb"\(\d+,\)", b"(%s,)" % random.choice(_COUNTS), members[name])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(zipfile.ZipInfo(member), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def check(case: Case) -> None:
    """Read, and look at what was read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"odd näme{case.ending}"
        _write(case, path)
        for read, errors, use in _readers(case.ending):
            _attempt(read, errors, use, path, Path(folder))


def _write(case: Case, path: Path) -> None:
    if not case.bomb_mb:
        path.write_bytes(case.data)
        return
    member = gzip.compress(_TEXT_BOMB * ((10 << 20) // len(_TEXT_BOMB)), mtime=0)
    with path.open("wb") as file:
        file.write(gzip.compress(case.data, mtime=0))
        for _ in range(case.bomb_mb // 10):
            file.write(member)


def _readers(
    ending: str,
) -> Iterator[tuple[Callable[[Path], Any], type[Exception], Callable[[Any, Path], None]]]:
    """Reader, documented error and use of what was read, of files with this ending."""
    import treebound as tb

    plain = ending.removesuffix(".gz")
    if plain in _TABLES:
        yield tb.load, tb.DataError, _use_table
    elif plain in _CACHES:
        yield tb.load_cache, tb.CacheError, _use_cache
    elif plain == ".evid":
        yield (lambda path: tb.formats.load_evidence(path, _schema())), tb.NetworkFileError, _ignore
    elif plain in _ANSWERS:
        yield (lambda path: tb.formats.load_answer(path, _schema())), tb.NetworkFileError, _ignore
    else:
        yield tb.load_structure, tb.StructureError, _use_structure
        yield tb.load_network, tb.NetworkFileError, _use_network


def _attempt(
    read: Callable[[Path], Any],
    documented: type[Exception],
    use: Callable[[Any, Path], None],
    path: Path,
    folder: Path,
) -> None:
    try:
        found = read(path)
    except documented as error:
        words = str(error)
        expect(path.name in words, f"errors name the file ({type(error).__name__})", words[:300])
        is_short = len(words) < 3000 and "\0" not in words
        expect(is_short, "errors are short", words[:3000])
        return
    use(found, folder)


def _schema() -> Any:
    import treebound as tb

    return tb.Schema(tuple(tb.Variable(f"v{v}", ("a", "b")) for v in range(3)))


def _use_table(dataset: Any, folder: Path) -> None:
    expect(dataset.codes.shape == (dataset.num_variables, dataset.num_rows), "codes fit the schema")
    for codes, variable in zip(dataset.codes, dataset.schema, strict=True):
        expect(codes.max(initial=0) < variable.cardinality, "codes are states", variable.name)


def _use_cache(cache: Any, folder: Path) -> None:
    import treebound as tb

    n = cache.num_variables
    for v in range(n):
        for found in cache[v]:
            is_sound = all(0 <= p < n and p != v for p in found.parent_indices) and found.score == found.score
            expect(is_sound, "sets of a cache are sound", (v, found))
    tb.save_cache(cache, folder / "again.tbc")


def _use_structure(structure: Any, folder: Path) -> None:
    import treebound as tb

    # A file may hold a wrong witness: the checker says so, and nothing else relies on it.
    with suppress(tb.StructureError):
        str(structure.guarantee)
    str(tb.check(structure))
    tb.save_structure(structure, folder / "again.json")


def _use_network(network: Any, folder: Path) -> None:
    import treebound as tb

    try:
        found = tb.JunctionTree(network, max_bytes=1 << 28).log_probability()
    except tb.InferenceError:
        return
    expect(abs(found) < 1e-6, "what is read is a distribution", found)


def _ignore(found: Any, folder: Path) -> None:
    return


def shrink(case: Case) -> Iterator[Case]:
    """Fewer bytes."""
    size = len(case.data) // 2
    while size:
        for at in range(0, len(case.data), size):
            yield case._replace(data=case.data[:at] + case.data[at + size :])
        size //= 2
