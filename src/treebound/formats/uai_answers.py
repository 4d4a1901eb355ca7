"""Evidence and results in the files of the UAI inference competitions.

Evidence (``.evid``) is a count and pairs of variable and state; files before 2010 start with the number of
such sets. Results start with the task: ``MAR``, the number of variables and for each its number of states and
its probabilities; ``MPE``, the number of variables and a state for each; ``PR``, the decimal logarithm of the
probability of the evidence. Old files have a line ``1``, the number of sets of evidence, after the task.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from numbers import Real
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treebound._arguments import check_type
from treebound._files import MAX_UNPACKED_TEXT_MB
from treebound.data import Schema, Value
from treebound.formats._network_draft import NetworkFileError
from treebound.formats._text_files import load_text, save_text
from treebound.formats._tokens import Tokens
from treebound.formats.uai import fitting, integer

Evidence: TypeAlias = dict[str, str]
Answer: TypeAlias = float | dict[str, str] | dict[str, NDArray[np.float64]]
Result = TypeVar("Result")
_TOKEN = re.compile(r"\S+")


def load_evidence(
    path: str | os.PathLike[str], schema: Schema, *, max_unpacked_mb: int = MAX_UNPACKED_TEXT_MB
) -> tuple[Evidence, ...]:
    """Read the sets of evidence in a ``.evid`` file, usually one.

    Parameters
    ----------
    path : str or path-like
        The file.
    schema : Schema
        The variables, in the order of the ``.uai`` file.
    max_unpacked_mb : int
        Reject files that unpack to more than this.

    Returns
    -------
    tuple of dict
        Names and labels.
    """
    check_type("schema", schema, Schema, "a Schema")
    return _load(path, max_unpacked_mb, lambda tokens: _parse_evidence(tokens, schema))


def save_evidence(evidence: Mapping[str, Value], path: str | os.PathLike[str], schema: Schema) -> None:
    """Write one set of evidence as a ``.evid`` file.

    Parameters
    ----------
    evidence : mapping of str to value
        A value for each observed variable.
    path : str or path-like
        The file.
    schema : Schema
        The variables, in the order of the ``.uai`` file.
    """
    check_type("schema", schema, Schema, "a Schema")
    check_type("evidence", evidence, Mapping, "a mapping from names to values")
    pairs = [(schema.position(name), schema[name].code(value)) for name, value in evidence.items()]
    numbers = [len(pairs), *(number for pair in pairs for number in pair)]
    save_text(" ".join(map(str, numbers)) + "\n", path)


def load_answer(
    path: str | os.PathLike[str], schema: Schema, *, max_unpacked_mb: int = MAX_UNPACKED_TEXT_MB
) -> Answer:
    """Read a result file of the UAI competitions.

    Parameters
    ----------
    path : str or path-like
        The file.
    schema : Schema
        The variables, in the order of the ``.uai`` file.
    max_unpacked_mb : int
        Reject files that unpack to more than this.

    Returns
    -------
    float or dict
        A natural logarithm (``PR``), labels by name (``MPE``) or arrays by name (``MAR``).
    """
    check_type("schema", schema, Schema, "a Schema")
    return _load(path, max_unpacked_mb, lambda tokens: _parse_answer(tokens, schema))


def save_answer(
    answer: float | Mapping[str, Value] | Mapping[str, ArrayLike],
    path: str | os.PathLike[str],
    schema: Schema,
) -> None:
    """Write a result file of the UAI competitions.

    Parameters
    ----------
    answer : float, mapping of str to value, or mapping of str to array
        A natural logarithm (``PR``), values by name (``MPE``) or arrays by name (``MAR``).
    path : str or path-like
        The file.
    schema : Schema
        The variables, in the order of the ``.uai`` file.
    """
    check_type("schema", schema, Schema, "a Schema")
    if isinstance(answer, Real):
        save_text(f"PR\n{float(answer) / math.log(10)!r}\n", path)
        return
    check_type("answer", answer, Mapping, "a number, or a mapping from names to values or arrays")
    by_name: Mapping[str, Any] = answer  # type: ignore[assignment]
    for name in by_name:
        schema.position(name)
    if len(by_name) < len(schema):
        missing = next(name for name in schema.names if name not in by_name)
        raise ValueError(f"expected a result for every variable, got none for {missing!r}.")
    is_marginals = any(map(np.ndim, by_name.values()))
    task, words = ("MAR", _marginals(by_name, schema)) if is_marginals else ("MPE", _states(by_name, schema))
    save_text(f"{task}\n{len(schema)} {' '.join(words)}\n", path)


def _marginals(by_name: Mapping[str, ArrayLike], schema: Schema) -> Iterator[str]:
    for variable in schema:
        marginal = np.asarray(by_name[variable.name], dtype=np.float64)
        if marginal.shape != (variable.cardinality,):
            raise ValueError(
                f"expected {variable.cardinality} probabilities of {variable.name!r}, "
                f"got an array of shape {marginal.shape}."
            )
        yield str(variable.cardinality)
        yield from map(repr, marginal.tolist())


def _states(by_name: Mapping[str, Value], schema: Schema) -> Iterator[str]:
    return (str(variable.code(by_name[variable.name])) for variable in schema)


def _load(path: str | os.PathLike[str], max_unpacked_mb: int, parse: Callable[[Tokens], Result]) -> Result:
    return load_text(path, lambda text: parse(Tokens(text, _TOKEN)), NetworkFileError, max_unpacked_mb)


def _parse_evidence(tokens: Tokens, schema: Schema) -> tuple[Evidence, ...]:
    count = integer(tokens, 0)
    if len(tokens.words) == 1 + 2 * count:
        return (_read_set(tokens, 0, schema),)
    sets, at = [], 1
    for _ in range(count):
        sets.append(_read_set(tokens, at, schema))
        at += 1 + 2 * integer(tokens, at)
    _expect_end(tokens, at)
    return tuple(sets)


def _read_set(tokens: Tokens, at: int, schema: Schema) -> Evidence:
    found: Evidence = {}
    for place in range(at + 1, at + 1 + fitting(tokens, at, 2 * integer(tokens, at)), 2):
        v = _below(tokens, place, len(schema), "a variable")
        found[schema.names[v]] = _label(tokens, place + 1, schema, v)
    return found


def _parse_answer(tokens: Tokens, schema: Schema) -> Answer:
    task = tokens.at(0)
    if task not in ("PR", "MPE", "MAR"):
        raise tokens.unexpected(0, "PR, MPE or MAR")
    if task == "PR":
        at = 2 if len(tokens.words) == 3 else 1
        _expect_end(tokens, at + 1)
        fitting(tokens, at - 1, 1)
        return tokens.numbers(at, at + 1)[0] * math.log(10)
    # Old files: the number of sets of evidence, then the number of variables.
    at = 2 if tokens.at(1) == "1" and tokens.at(2) == str(len(schema)) and len(tokens.words) > 3 else 1
    if integer(tokens, at) != len(schema):
        raise tokens.unexpected(at, f"{len(schema)} variables")
    return _read_states(tokens, at + 1, schema) if task == "MPE" else _read_marginals(tokens, at + 1, schema)


def _read_states(tokens: Tokens, at: int, schema: Schema) -> dict[str, str]:
    labels = {name: _label(tokens, at + v, schema, v) for v, name in enumerate(schema.names)}
    _expect_end(tokens, at + len(schema))
    return labels


def _read_marginals(tokens: Tokens, at: int, schema: Schema) -> dict[str, NDArray[np.float64]]:
    marginals = {}
    for variable in schema:
        if integer(tokens, at) != variable.cardinality:
            raise tokens.unexpected(at, f"{variable.cardinality} states of {variable.name!r}")
        fitting(tokens, at, variable.cardinality)
        marginals[variable.name] = np.array(tokens.numbers(at + 1, at + 1 + variable.cardinality))
        at += 1 + variable.cardinality
    _expect_end(tokens, at)
    return marginals


def _label(tokens: Tokens, at: int, schema: Schema, v: int) -> str:
    return schema[v].states[_below(tokens, at, schema[v].cardinality, f"a state of {schema.names[v]!r}")]


def _below(tokens: Tokens, at: int, bound: int, what: str) -> int:
    number = integer(tokens, at)
    if number >= bound:
        raise tokens.unexpected(at, f"{what} below {bound}")
    return number


def _expect_end(tokens: Tokens, at: int) -> None:
    if at < len(tokens.words):
        raise tokens.unexpected(at, "the end of the file")
