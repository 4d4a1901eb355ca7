"""Small files that announce or unpack to much: refused in one sentence, in little memory.

Each is read in a process of its own, whose memory and processor time are limited, and which tells the most
memory that it took.
"""

from __future__ import annotations

import bz2
import gzip
import inspect
import io
import json
import subprocess
import sys
import zipfile
import zlib

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

import treebound as tb

# Not marked as core: sanitizers reserve more address space than the limits allow.
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="limits and peaks are read as Linux tells them"
)

# What a process takes that only imports what the readers need, and what reading may add.
IMPORTS_MB, READING_MB = 200, 200

CHILD = """
import json, operator, resource, sys
gb = 1 << 30
resource.setrlimit(resource.RLIMIT_AS, (6 * gb, 6 * gb))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
import treebound as tb
verb, path, options = json.loads(sys.argv[1])
try:
    operator.attrgetter(verb)(tb)(path, **options)
    words = "was read"
except ValueError as error:
    words = f"{type(error).__name__}: {error}"
# The peak that getrusage tells is that of the parent too.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([words, int(peak.split()[1]) >> 10]))
"""

TABLES = [".csv", ".tsv", ".dat"]
NETWORKS = [".bif", ".xmlbif", ".xml", ".uai", ".net", ".xdsl", ".dsc", ".json"]
STRUCTURES = [".res", ".dot", ".gv", ".graphml", ".modelstring", ".json"]
ERRORS = {
    "load": "DataError",
    "load_cache": "CacheError",
    "load_network": "NetworkFileError",
    "load_structure": "StructureError",
}


def read_in_child(verb, path, **options):
    """The words of the error and the megabytes that it took to come to it."""
    asked = json.dumps([verb, str(path), options])
    done = subprocess.run([sys.executable, "-c", CHILD, asked], capture_output=True, text=True, check=True)
    words, peak_mb = json.loads(done.stdout)
    return words, peak_mb


def assert_refused(verb, path, reason, **options):
    words, peak_mb = read_in_child(verb, path, **options)
    assert words.startswith(f"{ERRORS[verb]}: {path}"), words
    assert reason in words
    assert peak_mb < IMPORTS_MB + READING_MB


@pytest.fixture(scope="module")
def packed():
    """Gzip of 3 GB of zeros, of which it announces only the last byte."""
    member = gzip.compress(b"0" * (64 << 20), 1)
    return member * 48 + gzip.compress(b"0")


@pytest.mark.parametrize(
    ("verb", "ending"),
    [
        *(("load", ending) for ending in TABLES),
        *(("load_network", ending) for ending in NETWORKS),
        *(("load_structure", ending) for ending in STRUCTURES),
        ("load_cache", ".jkl"),
    ],
)
def test_gzip_that_unpacks_to_more_than_the_limit(tmp_path, packed, verb, ending):
    path = tmp_path / f"x{ending}.gz"
    path.write_bytes(packed)
    assert_refused(verb, path, "unpacks to more than 32 MB", max_unpacked_mb=32)


@pytest.mark.parametrize(("verb", "ending"), [("load_network", ".bif"), ("load_structure", ".res")])
def test_nothing_is_kept_of_a_file_that_announces_more_than_the_limit(tmp_path, packed, verb, ending):
    path = tmp_path / f"x{ending}.gz"
    path.write_bytes(packed[:-4] + (3 << 30).to_bytes(4, "little"))
    assert_refused(verb, path, "unpacks to more than 256 MB")


@pytest.mark.parametrize("read", [tb.tables.open_table, tb.load_cache, tb.load_network, tb.load_structure])
def test_every_reader_has_a_limit(read):
    default = inspect.signature(read).parameters["max_unpacked_mb"].default
    assert default == (256 if read in (tb.load_network, tb.load_structure) else 2048)


ANNOUNCED = {
    "uai states": (
        "x.uai",
        "BAYES\n200\n" + "65536 " * 200 + "\n200\n" + "1 0\n" * 200,
        "numbers after this",
    ),
    "uai variables": ("x.uai", "BAYES 999999999 2 2", "numbers after this one"),
    "uai table": ("x.uai", "BAYES 1 2 1 1 0 999999999 0.5", "numbers after this one"),
    "bif default": (
        "x.bif",
        "".join(f"variable v{i} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for i in range(26))
        + "".join(f"probability ( v{i} ) {{ table 0.5, 0.5; }}\n" for i in range(1, 26))
        + f"probability ( v0 | {', '.join(f'v{i}' for i in range(1, 26))} ) {{ default 0.5, 0.5; }}\n",
        "default rows may stand for",
    ),
    "bif parents": (
        "x.bif",
        "".join(f"variable v{i} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for i in range(20_000))
        + f"probability ( v0 | {', '.join(f'v{i}' for i in range(1, 20_000))} ) {{ table 0.5, 0.5; }}\n",
        "expected more than 10^18 probabilities",
    ),
    "bif states": (
        "x.bif",
        "variable v { type discrete [ 999999999 ] { a, b }; }",
        "expected 999999999 states",
    ),
    "net brackets": ("x.net", "net { x = " + "(" * 500_000 + ";}", "expected a network"),
    "xml entities": (
        "x.xmlbif",
        '<!DOCTYPE BIF [<!ENTITY a "' + "x" * 9999 + '">]><BIF><NETWORK>' + "&a;" * 9999 + "</NETWORK></BIF>",
        "entities of a document's own",
    ),
    "xml depth": ("x.xdsl", "<smile>" + "<a>" * 200_000, "expected XML"),
    "network json depth": ("x.json", "[" * 1_000_000, "expected JSON"),
}


@pytest.mark.parametrize(("name", "text", "reason"), ANNOUNCED.values(), ids=ANNOUNCED)
def test_a_network_that_announces_more_than_it_shows(tmp_path, name, text, reason):
    (tmp_path / name).write_text(text)
    assert_refused("load_network", tmp_path / name, reason)


DAT = f"{' '.join(f'v{i}' for i in range(5000))}\n" + "65536 " * 5000 + "\n" + "0 " * 5000


@pytest.mark.parametrize(
    ("verb", "name", "text", "reason"),
    [
        ("load", "x.dat", DAT, "declare 327,680,000 states in all"),
        ("load_cache", "x.jkl", "999999999999\na 1\n-1 0\n", "expected 999999999999 variables, got 1"),
        ("load_cache", "x.jkl", "1\na 999999999999\n-1 0\n", "expected 999999999999 sets"),
        ("load_cache", "x.jkl", "1\na 1\n-1 999999999999 b\n", "expected the name of one of the variables"),
        ("load_structure", "x.res", "# names " + "[" * 2000, "brackets without end"),
        ("load_structure", "x.json", '{"a": ' + "[" * 1_000_000, "expected JSON"),
        ("load_structure", "x.graphml", '<!DOCTYPE a [<!ENTITY a "x">]><graphml>&a;</graphml>', "entities"),
        ("load_structure", "x.dot", "digraph " + "{" * 500_000, "expected a name"),
    ],
)  # fmt: skip
def test_other_files_that_announce_more_than_they_show(tmp_path, verb, name, text, reason):
    (tmp_path / name).write_text(text)
    assert_refused(verb, tmp_path / name, reason)


def zipped(path, members, packing=zipfile.ZIP_DEFLATED):
    header = {"format": "treebound parent-set cache", "version": 2, "names": ["a"]}
    header |= {"schema": None, "score": None, "coverage": None, "provenance": {}}
    with zipfile.ZipFile(path, "w", packing, compresslevel=1) as archive:
        archive.writestr("header.json", json.dumps(header))
        for name, data in members.items():
            archive.writestr(name, data)


def npy(shape, data=b"", dtype="<f8"):
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": dtype, "fortran_order": False, "shape": shape})
    return stream.getvalue() + data


def cache_members(**changes):
    members = {
        "set_counts": npy((1,), b"\1", "|u1"),
        "sizes": npy((1,), b"\0", "|u1"),
        "scores": npy((1,), bytes(8)),
        "parents": npy((0,), b"", "|u1"),
        "complete": npy((1,), b"\1", "|b1"),
    }
    return {f"{name}.npy": data for name, data in (members | changes).items()}


def test_the_archive_that_the_others_are_made_of_is_a_cache(tmp_path):
    zipped(tmp_path / "x.tbc", cache_members())
    assert read_in_child("load_cache", tmp_path / "x.tbc")[0] == "was read"


def test_an_archive_that_announces_more_than_the_limit(tmp_path):
    path = tmp_path / "x.tbc"
    zipped(path, cache_members(scores=npy((32 << 20,), bytes(256 << 20))))
    assert_refused("load_cache", path, "unpacks to more than 64 MB", max_unpacked_mb=64)


def test_an_archive_that_unpacks_to_more_than_it_announces(tmp_path):
    path = tmp_path / "x.tbc"
    big = npy(((64 << 20) + 77,), bytes((512 << 20) + 616))
    zipped(path, cache_members(scores=big))
    data = path.read_bytes()
    assert data.count(len(big).to_bytes(4, "little")) == 2  # before the member, and in the directory
    path.write_bytes(data.replace(len(big).to_bytes(4, "little"), (1000).to_bytes(4, "little")))
    assert_refused("load_cache", path, "")


@pytest.mark.parametrize("shape", [(2**50,), (2**31, 2**31), (2**62, 4)])
def test_an_array_that_announces_more_than_it_holds(tmp_path, shape):
    zipped(tmp_path / "x.tbc", cache_members(scores=npy(shape, bytes(8))))
    assert_refused("load_cache", tmp_path / "x.tbc", "")


def test_many_sizes_for_few_scores(tmp_path):
    zipped(tmp_path / "x.tbc", cache_members(sizes=npy((100 << 20,), bytes(100 << 20), "|u1")))
    assert_refused("load_cache", tmp_path / "x.tbc", "expected sizes to have 1 entries")


def test_packing_that_cannot_be_undone_in_pieces_is_refused(tmp_path):
    assert len(bz2.compress(bytes(1 << 20))) < 1000
    zipped(tmp_path / "x.tbc", cache_members(), zipfile.ZIP_BZIP2)
    assert_refused("load_cache", tmp_path / "x.tbc", "stored or deflated")


def test_parquet_of_one_long_run(tmp_path):
    table = pyarrow.table({"a": pyarrow.repeat(pyarrow.scalar(7, "int64"), 32 << 20)})
    pyarrow.parquet.write_table(table, tmp_path / "x.parquet", compression="zstd")
    assert_refused("load", tmp_path / "x.parquet", "unpacks to more than 64 MB", max_unpacked_mb=64)


def test_parquet_that_announces_its_rows(tmp_path):
    table = pyarrow.table({"a": pyarrow.repeat(pyarrow.scalar(True), 32 << 20)})
    pyarrow.parquet.write_table(table, tmp_path / "x.parquet")
    assert_refused("load", tmp_path / "x.parquet", "unpacks to more than 1 MB", max_unpacked_mb=1)


def test_packed_feather(tmp_path):
    table = pyarrow.table({"a": pyarrow.repeat(pyarrow.scalar(7, "int64"), 8 << 20)})
    pyarrow.feather.write_feather(table, tmp_path / "x.feather", compression="zstd", chunksize=1 << 16)
    assert_refused("load", tmp_path / "x.feather", "unpacks to more than 16 MB", max_unpacked_mb=16)


def test_an_honest_file_of_equal_cells_is_read(tmp_path):
    rows = b"a,b\n" + b"0,1\n" * 200_000
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(rows))
    assert len(zlib.compress(rows)) * 200 < len(rows)
    assert tb.load(path).num_rows == 200_000


def test_commands_have_the_limit_too(run, tmp_path):
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"0,1\n" * 500_000))
    code, _, err = run("score", tmp_path / "x.csv.gz", "-o", tmp_path / "x.tbc", "--max-unpacked-mb", 1)
    assert code == 1
    assert "x.csv.gz: unpacks to more than 1 MB" in err
    (tmp_path / "x.jkl.gz").write_bytes(gzip.compress(b"# " + bytes(2 << 20) + b"\n1\na 1\n-1 0\n"))
    code, _, err = run("convert", tmp_path / "x.jkl.gz", tmp_path / "y.jkl", "--max-unpacked-mb", 1)
    assert code == 1
    assert "x.jkl.gz: unpacks to more than 1 MB" in err
