"""The folder of a comparison, where every finished run is a file that appears complete or not at all.

sources/NAME.tbc       the cache that all solvers share
sources/NAME.npy       the rows of a table, encoded by the schema in its cache
sources/NAME.json      how these were made; written last, so it says that they are there
scoring/NAME.json      what scoring a table came to: seconds, sets, memory
runs/NAME/SOLVER/...   one record per finished run
structures/...         the structure of each run, with its witness
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

from treebound._files import atomic_write
from treebound._json import Json
from treebound.experiments._records import RunRecord
from treebound.experiments._runs import RunSpec


class ChangedSettings(ValueError):
    """What is in the folder was made with other settings than those requested."""


class Store:
    """Where things are in the folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep all others from working in the folder; the system lets go of it with the process."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / ".lock", "wb") as file:
            try:
                if sys.platform != "win32":  # which cannot lock the folder
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise BlockingIOError(
                    f"{self.folder}: another comparison is at work in this folder."
                ) from error
            yield

    def cache_path(self, source: str) -> Path:
        """The cache of a source."""
        return self.folder / "sources" / f"{source}.tbc"

    def rows_path(self, source: str) -> Path:
        """The codes of a table."""
        return self.folder / "sources" / f"{source}.npy"

    def settings_path(self, source: str) -> Path:
        """How the cache of a source was made."""
        return self.folder / "sources" / f"{source}.json"

    def scoring_path(self, source: str) -> Path:
        """What scoring a table came to."""
        return self.folder / "scoring" / f"{source}.json"

    def record_path(self, spec: RunSpec) -> Path:
        """The record of a run."""
        return self.folder / "runs" / f"{spec.name}.json"

    def structure_path(self, spec: RunSpec) -> Path:
        """The structure that a run has found."""
        return self.folder / "structures" / f"{spec.name}.json.gz"

    def record_of(self, spec: RunSpec) -> RunRecord | None:
        """The record of a run, if there is one; ChangedSettings if it is of a run of another kind."""
        plain = self.read(self.record_path(spec))
        if plain is None:
            return None
        self.reject_changes(f"the run {spec.name}", plain["spec"], spec.to_json())
        return RunRecord.from_json(plain)

    def num_records(self) -> int:
        """How many runs have a record."""
        return sum(1 for _ in (self.folder / "runs").rglob("*.json"))

    def reject_changes(self, what: str, before: Mapping[str, Json], now: Mapping[str, Json]) -> None:
        """Raise ChangedSettings unless both are equal, and name every difference."""
        changed = [
            f"{name} {before.get(name)!r} before, {now.get(name)!r} now"
            for name in {**before, **now}
            if before.get(name) != now.get(name)
        ]
        if changed:
            raise ChangedSettings(
                f"{self.folder}: {what} was made with other settings ({'; '.join(changed)}). Give the "
                "settings of before, or another folder."
            )

    def keep(self, record: RunRecord) -> None:
        """Write the record of a run."""
        self.write(self.record_path(record.spec), record.to_json())

    def read(self, path: Path) -> dict[str, Json] | None:
        """A file of plain data, or None if it is not there."""
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            return None
        try:
            plain: dict[str, Json] = json.loads(text)
        except ValueError as error:
            raise ValueError(f"{path}: expected JSON as `treebound compare` writes it ({error}).") from error
        return plain

    def write(self, path: Path, plain: Json) -> None:
        """Write a file of plain data in one step."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as file:
            file.write(json.dumps(plain, allow_nan=False).encode())
