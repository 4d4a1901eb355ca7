"""What ``learn`` writes: the ending of OUT decides.

Where there are rows, the endings of networks get the fitted network, and ``.json`` the structure with its
witness and scores in the same file. All other endings get the structure alone. While the search runs, OUT
holds the best structure so far, if its format can; what was found is never lost to tables that do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from treebound._files import check_folder, lower_name
from treebound._learn import LearnResult
from treebound.formats.network_files import WRITTEN_ENDINGS, save_network
from treebound.formats.structure_files import STRUCTURE_ENDINGS, save_structure
from treebound.network import BayesianNetwork
from treebound.structure import Structure

LEARNED_ENDINGS = tuple(dict.fromkeys(WRITTEN_ENDINGS + STRUCTURE_ENDINGS))


@dataclass(frozen=True)
class Learned:
    """The file that ``learn`` writes; a cache has no rows to fit tables to."""

    path: Path
    has_rows: bool

    def __post_init__(self) -> None:
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

    def checkpoint(self, structure: Structure) -> None:
        """Keep a structure on the way; a run that is killed can go on from it."""
        if self.keeps_structure:
            save_structure(structure, self.path)

    def write(
        self, result: LearnResult, fitted: Callable[[LearnResult], BayesianNetwork]
    ) -> BayesianNetwork | None:
        """Write what was learned, with tables if the ending is one of networks; return that network."""
        if not self.is_network:
            self.write_structure(result)
            return None
        with self._keeping(result.structure):
            network = fitted(result)
        save_network(network, self.path)
        return network

    def write_structure(self, result: LearnResult) -> None:
        """Write the structure alone."""
        save_structure(result.structure, self.path)

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
