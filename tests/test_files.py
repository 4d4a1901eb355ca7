"""Atomic writes: the target is old or new, never between."""

from __future__ import annotations

import gzip
import os

import pytest

from treebound._files import DamagedFileError, atomic_write, read_bytes


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


def test_gzip_by_name_and_equal_contents_give_equal_files(tmp_path):
    for name in ("x.gz", "y.gz"):
        with atomic_write(tmp_path / name) as file:
            file.write(b"text" * 100)
    assert gzip.decompress((tmp_path / "x.gz").read_bytes()) == b"text" * 100 == read_bytes(tmp_path / "y.gz")
    assert (tmp_path / "x.gz").read_bytes() == (tmp_path / "y.gz").read_bytes()


def test_gzip_cut_short_is_reported(tmp_path):
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"text" * 100)[:-5])
    with pytest.raises(DamagedFileError, match="cut short"):
        read_bytes(tmp_path / "x.gz")
