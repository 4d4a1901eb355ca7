"""The queries of the page: each takes what is set on the page and returns plain values and arrays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from treebound.explorer import _rows
from treebound.explorer._case import (
    BadRequest,
    Case,
    case_of,
    integer_in,
    name_in,
    names_in,
    row_of,
    table_of,
    text_in,
)
from treebound.explorer._export import exported
from treebound.explorer._graph import graph
from treebound.explorer._model import Model
from treebound.explorer._packing import doubles, integers
from treebound.explorer._parts import part
from treebound.inference import ImpossibleEvidence, beyond_range, encode_finding, parse_evidence
from treebound.network import BayesianNetwork

Question: TypeAlias = Callable[[Model, Mapping[str, Any]], dict[str, Any]]
# To name the findings that contradict each other takes a query for each of them.
_MOST_FINDINGS = 60
_MOST_LISTED = 20
_KINDS = ("whole", "neighbourhood", "blanket", "path")


def _shown(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    """The marginals of a few variables, one after the other: those whose bars are on the screen.

    In a large junction tree they take a fraction of the time for all marginals, and no message is computed
    twice when all are asked for next.
    """
    case, names = case_of(model, body), names_in(model, body, "names")
    start = time.perf_counter()
    network, log_probability = _asked(model, case)
    found = [network.posterior(name, case.evidence).array for name in names]
    return {
        "posterior": doubles(np.concatenate([[], *found])),
        "log_probability": log_probability,
        "milliseconds": 1000 * (time.perf_counter() - start),
    }


def _posterior(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    """All marginals, the probability of the evidence, and the milliseconds that they took."""
    case = case_of(model, body)
    start = time.perf_counter()
    network, log_probability = _asked(model, case)
    flat = network.marginals(case.evidence).flat
    milliseconds = 1000 * (time.perf_counter() - start)
    targets = names_in(model, body, "targets")
    wanted = [*targets, *case.evidence] if targets else None
    uncertain = model.network.uncertain_arcs(case.settings, wanted) if case.settings else ()
    return {
        "posterior": doubles(flat),
        "log_probability": log_probability,
        "milliseconds": milliseconds,
        "uncertain_arcs": uncertain[:_MOST_LISTED],
    }


def _asked(model: Model, case: Case) -> tuple[BayesianNetwork, float]:
    """The network to query and the logarithm of the probability of the evidence, which must be possible."""
    network = model.after(case.settings)
    log_probability = network.log_probability(case.evidence)
    if log_probability == -np.inf and len(case.evidence) > _MOST_FINDINGS:
        raise ImpossibleEvidence("The evidence has probability zero under this network.", findings=())
    return network, log_probability


def _most_probable(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    case = case_of(model, body)
    start = time.perf_counter()
    network, _ = _asked(model, case)
    best = network.most_probable(case.evidence)
    codes = [variable.code(best[variable.name]) for variable in network.schema]
    return {
        "codes": integers(codes),
        "log_probability": best.log_probability,
        "milliseconds": 1000 * (time.perf_counter() - start),
    }


def _explain(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    """The distribution of the target after the strongest finding, the strongest two, and so on."""
    case, target = case_of(model, body), name_in(model, body, "target")
    evidence = {name: finding for name, finding in case.evidence.items() if name != target}
    if len(evidence) > _MOST_FINDINGS:
        raise BadRequest(f"Explain at most {_MOST_FINDINGS} findings at a time, got {len(evidence)}.")
    network, _ = _asked(model, Case(evidence, case.settings))
    found = network.explain(target, evidence)
    return {
        "prior": found.prior.tolist(),
        "posterior": found.posterior.tolist(),
        "steps": [
            {"finding": one.finding, "after": step.tolist()}
            for one, step in zip(found.influences, found.steps, strict=True)
        ],
    }


def _next(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    """What to observe next for a target."""
    case, target = case_of(model, body), name_in(model, body, "target")
    network, _ = _asked(model, case)
    start = time.perf_counter()
    found = network.value_of_information(target, case.evidence, most=_MOST_LISTED)
    return {
        "milliseconds": 1000 * (time.perf_counter() - start),
        "values": [
            {"variable": one.variable, "information": one.information, "share": one.share} for one in found
        ],
    }


def _find(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    """The code of a typed state or the likelihoods of a typed list or range, and a note if there is one."""
    schema = model.network.schema
    variable = schema[name_in(model, body, "variable")]
    typed = parse_evidence(text_in(body, "text").strip(), variable.name, schema)
    found = encode_finding(typed, variable)
    return {
        "finding": found if isinstance(found, int) else found.tolist(),
        "note": beyond_range(typed, variable),
    }


def _part(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    kind, names = text_in(body, "kind"), names_in(model, body, "names")
    if kind not in _KINDS or not (names or kind == "whole"):
        raise BadRequest(f"A part must be one of {', '.join(_KINDS)}, with names, got {kind[:40]!r}.")
    return part(model.network, kind, names, integer_in(body, "distance", 1, 10, default=1))


def _rows_listed(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    rows = table_of(model)
    target = None if body.get("target") is None else name_in(model, body, "target")
    position = None if target is None else model.network.schema.position(target)
    first = integer_in(body, "first", 0, max(rows.data.num_rows - 1, 0), default=0)
    return _rows.listed(rows, text_in(body, "order"), first, position)


def _row(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    return _rows.cells(table_of(model), row_of(model, body))


def _export(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    case = case_of(model, body)
    _asked(model, case)
    selected = [] if body.get("selected") is None else [name_in(model, body, "selected")]
    return {**exported(model, case, names_in(model, body, "targets"), selected)}


QUESTIONS: dict[str, Question] = {
    "graph": lambda model, _: graph(model),
    "shown": _shown,
    "posterior": _posterior,
    "most_probable": _most_probable,
    "explain": _explain,
    "next": _next,
    "find": _find,
    "part": _part,
    "rows": _rows_listed,
    "row": _row,
    "export": _export,
}
