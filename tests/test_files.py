"""Atomic writes: the target is old or new, never between."""

from __future__ import annotations

import gzip
import os

import pytest

from treebound import CacheError, load_network
from treebound._files import DamagedFileError, TooLargeError, atomic_write, read_bytes, rejecting_bad_files


def test_the_target_appears_when_the_block_ends(tmp_path):
    path = tmp_path / "x"
    with atomic_write(path) as file:
        file.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_no_other(tmp_path, error):
    path = tmp_path / "x"
    path.write_bytes(b"old")

    def fail_half_way():
        with atomic_write(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        fail_half_way()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_those_of_an_ordinary_file(tmp_path):
    old = os.umask(0o022)
    try:
        with atomic_write(tmp_path / "x") as file:
            file.write(b"")
    finally:
        os.umask(old)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o644


def test_the_umask_of_the_process_is_never_changed(tmp_path, monkeypatch):
    """Other threads make files meanwhile, and two that change the umask may leave that of each other."""

    def wrong(mask):
        pytest.fail(f"umask was set to {mask:o}")

    monkeypatch.setattr(os, "umask", wrong)
    for _ in range(2):
        with atomic_write(tmp_path / "x") as file:
            file.write(b"new")


def test_a_private_file_is_private_while_it_is_written(tmp_path):
    path = tmp_path / "x"
    path.touch(mode=0o600)
    with atomic_write(path) as file:
        file.write(b"new")
        (passing,) = set(tmp_path.iterdir()) - {path}
        assert passing.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["x" * 255, "é" * 120 + ".json", "中" * 81, "😀" * 63])
def test_names_may_be_as_long_as_the_system_allows(tmp_path, name):
    assert 240 < len(os.fsencode(name)) <= 255
    with atomic_write(tmp_path / name) as file:
        file.write(b"new")
    assert (tmp_path / name).read_bytes() == b"new"


def test_errors_name_the_target_and_not_the_temporary_file(tmp_path):
    too_long, absent = tmp_path / ("x" * 256), tmp_path / "absent" / "x"
    for path, error in ((too_long, OSError), (absent, FileNotFoundError)):
        with pytest.raises(error) as rejected, atomic_write(path) as file:
            file.write(b"new")
        assert str(path) in str(rejected.value)
        assert ".part" not in str(rejected.value)
        assert list(tmp_path.iterdir()) == []


def test_gzip_by_name_and_equal_contents_give_equal_files(tmp_path):
    for name in ("x.gz", "y.gz"):
        with atomic_write(tmp_path / name) as file:
            file.write(b"text" * 100)
    assert (
        gzip.decompress((tmp_path / "x.gz").read_bytes()) == b"text" * 100 == read_bytes(tmp_path / "y.gz", 1)
    )
    assert (tmp_path / "x.gz").read_bytes() == (tmp_path / "y.gz").read_bytes()


def test_gzip_cut_short_is_reported(tmp_path):
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"text" * 100)[:-5])
    with pytest.raises(DamagedFileError, match="cut short"):
        read_bytes(tmp_path / "x.gz", 1)


def test_unpacking_stops_at_the_limit_whatever_the_file_says_about_its_size(tmp_path):
    # The size that a file of two members announces is that of the second.
    for number, ending in enumerate([b"", gzip.compress(b"x")]):
        path = tmp_path / f"{number}.gz"
        path.write_bytes(gzip.compress(bytes((1 << 20) + 1)) + ending)
        with pytest.raises(TooLargeError, match=r"more than 1 MB.*max_unpacked_mb= or --max-unpacked-mb"):
            read_bytes(path, 1)
    assert len(read_bytes(tmp_path / "0.gz", 2)) == (1 << 20) + 1
    (tmp_path / "plain").write_bytes(bytes(2 << 20))
    assert len(read_bytes(tmp_path / "plain", 1)) == 2 << 20


@pytest.mark.parametrize(("limit", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError)])
def test_a_limit_that_is_none_is_refused(tmp_path, limit, error):
    with pytest.raises(error, match="max_unpacked_mb must be"):
        read_bytes(tmp_path / "x", limit)


@pytest.mark.parametrize("is_dangling", [False, True])
def test_a_link_is_followed_and_stays(tmp_path, is_dangling):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    if not is_dangling:
        target.write_bytes(b"old")
    link.symlink_to("folder/target")
    with atomic_write(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert list((tmp_path / "folder").iterdir()) == [target]


def test_a_link_named_gz_is_packed(tmp_path):
    (tmp_path / "x.gz").symlink_to("target")
    with atomic_write(tmp_path / "x.gz") as file:
        file.write(b"text")
    assert gzip.decompress((tmp_path / "target").read_bytes()) == b"text"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_that_was_there_keeps_its_permissions(tmp_path, mode):
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(mode)
    with atomic_write(path) as file:
        file.write(b"new")
    assert path.stat().st_mode & 0o777 == mode


def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with atomic_write(pipe) as file:
        file.write(b"text")
    assert os.read(reader, 10) == b"text"
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    "stray", [IndexError("x"), KeyError("x"), OverflowError("x"), RecursionError("x"), UnicodeError("x")]
)
def test_whatever_a_parser_raises_becomes_one_error_that_names_the_file(stray):
    expected = pytest.raises(CacheError, match=r"^a\.jkl: damaged, cut short or of another format \(")
    with expected, rejecting_bad_files("a.jkl", CacheError):
        raise stray
    expected = pytest.raises(CacheError, match=r"^a\.jkl: there is not enough memory")
    with expected, rejecting_bad_files("a.jkl", CacheError):
        raise MemoryError
    with pytest.raises(FileNotFoundError), rejecting_bad_files("a.jkl", CacheError):
        raise FileNotFoundError


def test_only_files_that_are_named_alike_are_proposed(tmp_path):
    for name in ("wine.json", "wine.csv", "other.json"):
        (tmp_path / name).touch()
    with pytest.raises(FileNotFoundError, match=r"similar names: wine\.csv, wine\.json\.$"):
        load_network(tmp_path / "wines.json")
    with pytest.raises(FileNotFoundError, match=r"nofile\.json\.$"):
        load_network(tmp_path / "nofile.json")


def test_errors_name_the_file_that_is_written_not_the_temporary_one(tmp_path, monkeypatch):
    path = tmp_path / "no" / "x.json"
    with pytest.raises(FileNotFoundError) as caught, atomic_write(path):
        pytest.fail("there is no such folder")
    assert str(caught.value) == f"[Errno 2] No such file or directory: {str(path)!r}"

    def refused(source, target):
        raise PermissionError(1, "Operation not permitted", source, None, os.fspath(target))

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(PermissionError) as caught, atomic_write(tmp_path / "y") as file:
        file.write(b"new")
    assert str(caught.value) == f"[Errno 1] Operation not permitted: {str(tmp_path / 'y')!r}"
    assert list(tmp_path.iterdir()) == []
