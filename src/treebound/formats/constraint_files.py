"""Constraints on disk: our own TOML and JSON, Tetrad's knowledge and the edge constraints of benchpress."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from treebound._arguments import check_type
from treebound._files import MAX_UNPACKED_TEXT_MB
from treebound.constraints import Constraints
from treebound.formats._text_files import format_of, load_text, save_text
from treebound.formats.benchpress import format_benchpress, is_benchpress, parse_benchpress
from treebound.formats.tetrad import format_knowledge, parse_knowledge

CONSTRAINT_ENDINGS = (".toml", ".json", ".txt", ".prior", ".knowledge")


class ConstraintFileError(ValueError):
    """A file that does not hold constraints."""


def load_constraints(
    path: str | os.PathLike[str], *, max_unpacked_mb: int = MAX_UNPACKED_TEXT_MB
) -> Constraints:
    """Read constraints.

    Parameters
    ----------
    path : str or path-like
        A ``.toml`` or ``.json`` file with the arguments of :class:`treebound.Constraints`, the JSON of
        benchpress, or a knowledge file of Tetrad (``.txt``, ``.prior``, ``.knowledge``).
    max_unpacked_mb : int
        Reject files that unpack to more than this.

    Returns
    -------
    Constraints

    Raises
    ------
    ConstraintFileError
        If the file does not hold constraints.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from treebound import Constraints
    >>> from treebound.formats import load_constraints, save_constraints
    >>> save_constraints(Constraints(required=["age -> pain"]), "knowledge.toml")
    >>> print(Path("knowledge.toml").read_text())
    required = [["age", "pain"]]
    <BLANKLINE>
    >>> load_constraints("knowledge.toml")
    <Constraints: 1 required>
    """
    ending = _ending(path)
    return load_text(path, lambda text: _parsed(text, ending), ConstraintFileError, max_unpacked_mb)


def save_constraints(
    constraints: Constraints,
    path: str | os.PathLike[str],
    *,
    names: Sequence[str] | None = None,
    format: Literal["treebound", "benchpress"] = "treebound",
) -> None:
    """Write constraints.

    Parameters
    ----------
    constraints : Constraints
        What to write.
    path : str or path-like
        The file; ``.toml`` and ``.json`` keep everything, ``.txt``, ``.prior`` and ``.knowledge`` are
        Tetrad's.
    names : sequence of str, optional
        The names of all variables, which Tetrad's and benchpress' files need in place of patterns.
    format : str
        ``"benchpress"`` writes the JSON of benchpress.

    Raises
    ------
    ValueError
        If the format cannot express the constraints.

    Examples
    --------
    >>> from treebound import Constraints
    >>> from treebound.formats import save_constraints
    >>> save_constraints(Constraints(tiers=[["age"], ["pain"]]), "knowledge.txt")
    """
    check_type("constraints", constraints, Constraints, "Constraints")
    ending = _ending(path)
    if format == "benchpress":
        text = format_benchpress(constraints, names)
    elif ending == ".toml":
        text = "".join(_toml(constraints.to_dict()))
    elif ending == ".json":
        text = json.dumps(constraints.to_dict(), indent=2) + "\n"
    else:
        text = format_knowledge(constraints, names)
    save_text(text, path)


def _ending(path: str | os.PathLike[str]) -> str:
    return format_of(path, {ending: ending for ending in CONSTRAINT_ENDINGS}, ConstraintFileError)


def _parsed(text: str, ending: str) -> Constraints:
    try:
        if ending not in (".toml", ".json"):
            return parse_knowledge(text)
        fields = tomllib.loads(text) if ending == ".toml" else json.loads(text)
        if not isinstance(fields, dict):
            raise ConstraintFileError("expected an object with the fields of constraints.")
        return parse_benchpress(fields) if is_benchpress(fields) else Constraints.from_dict(fields)
    except (TypeError, KeyError, tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        raise ConstraintFileError(f"expected constraints: {error}") from error


def _toml(fields: dict[str, Any]) -> Iterator[str]:
    """TOML of the few shapes that constraints have; strings and lists are written as in JSON."""
    tables = {key: value for key, value in fields.items() if isinstance(value, dict)}
    for key, value in fields.items():
        if key not in tables and key != "tiers":
            yield f"{key} = {json.dumps(value, ensure_ascii=False)}\n"
    for tiers in fields.get("tiers", []):
        yield "\n[[tiers]]\n"
        yield from (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in tiers.items())
    for name, table in tables.items():
        yield f"\n[{name}]\n"
        yield from (
            f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(value, ensure_ascii=False)}\n"
            for key, value in table.items()
        )
