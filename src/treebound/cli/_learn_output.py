"""What ``learn`` writes: the ending of OUT decides.

Where there are rows, the endings of networks get the fitted network, and ``.json`` the structure with its
witness and scores in the same file. All other endings get the structure alone. While the search runs, OUT
holds the best structure so far, if its format can; what was found is never lost to tables that do not fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from treebound._files import check_folder, lower_name
from treebound.formats.cache_files import CACHE_ENDINGS, is_cache_path, load_cache, save_cache
from treebound.formats.network_files import WRITTEN_ENDINGS, save_network
from treebound.formats.structure_files import STRUCTURE_ENDINGS, load_structure, save_structure
from treebound.learning import LearnResult, Wanted
from treebound.scoring import ParentSetCache, Score, check_score
from treebound.structure import Structure

# A structure of ten thousand variables takes part of a second.
_WRITING_PER_VARIABLE = 1e-4
LEARNED_ENDINGS = tuple(dict.fromkeys(WRITTEN_ENDINGS + STRUCTURE_ENDINGS))


@dataclass(frozen=True)
class LearnOutput:
    """The file that ``learn`` writes; a cache has no rows to fit tables to."""

    path: Path
    cache: Path | None
    has_rows: bool

    def __post_init__(self) -> None:
        if self.cache is not None:
            if not is_cache_path(self.cache):
                raise ValueError(f"{self.cache}: expected a file that ends in {', '.join(CACHE_ENDINGS)}.")
            check_folder(self.cache)
        allowed = LEARNED_ENDINGS if self.has_rows else STRUCTURE_ENDINGS
        if not lower_name(self.path).endswith(allowed):
            why = "" if self.has_rows else ", since a cache has no rows to fit tables to"
            raise ValueError(f"{self.path}: expected a file that ends in {', '.join(allowed)}{why}.")
        check_folder(self.path)

    @property
    def is_network(self) -> bool:
        """Whether the tables are fitted."""
        return self.has_rows and lower_name(self.path).endswith(WRITTEN_ENDINGS)

    @property
    def keeps_structure(self) -> bool:
        """Whether the file can hold a structure alone."""
        return lower_name(self.path).endswith(STRUCTURE_ENDINGS)

    def resumed(self, wanted: Wanted, limit: dict[str, Any]) -> Wanted:
        """Continue from the files, where they exist."""
        if self.cache is not None and self.cache.exists():
            cache = load_cache(self.cache, **limit)
            if isinstance(wanted.score, Score):
                check_score(cache, wanted.score)
                cache = replace(cache, score=wanted.score)
            wanted = replace(wanted, score=cache)
        start = load_structure(self.path, **limit) if self.path.exists() else None
        return replace(wanted, start=start)

    def checkpoint(self, found: ParentSetCache | Structure) -> None:
        """Save what was found so far; a run that is killed can be resumed from it."""
        if isinstance(found, Structure):
            if self.keeps_structure:
                save_structure(found, self.path)
        elif self.cache is not None:
            save_cache(found, self.cache)

    def seconds(self, num_variables: int, checking: float) -> float:
        """About how long writing takes; the tables take as long to count as the check."""
        return _WRITING_PER_VARIABLE * num_variables + (checking if self.is_network else 0.0)

    def write(self, result: LearnResult) -> None:
        """Write the network, if the format stores one, or else the structure."""
        if not self.is_network:
            save_structure(result.structure, self.path)
            return
        with self._keeping(result.structure):
            network = result.network
        save_network(network, self.path)

    @contextmanager
    def _keeping(self, structure: Structure) -> Iterator[None]:
        """Write the structure alone if its tables cannot be had, for whatever reason."""
        try:
            yield
        except BaseException as error:
            with suppress(OSError):
                self.checkpoint(structure)
            if not isinstance(error, ValueError | MemoryError):
                raise
            kept = (
                "holds the structure alone" if self.keeps_structure else "is not written; .json would keep it"
            )
            reason = str(error) or "there is not enough memory."
            raise ValueError(f"the tables cannot be fitted, and {self.path} {kept}: {reason}") from error
