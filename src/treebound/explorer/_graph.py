"""What the page needs to draw a network: sent once."""

from __future__ import annotations

from typing import Any

import numpy as np

from treebound.data import Variable, label_of
from treebound.explorer._model import Model
from treebound.explorer._packing import doubles, floats, integers
from treebound.explorer._parts import MOST_CARDS, drawing
from treebound.inference import offsets
from treebound.structure import spelled_bytes


def graph(model: Model) -> dict[str, Any]:
    """Variables, places, arcs with their strengths, communities, bags and the facts of the guarantee."""
    network = model.network
    witness = network.structure.witness
    return {
        "name": model.name,
        "variables": [_variable(variable) for variable in network.schema],
        "starts": integers(offsets(network.flat_tables.cardinalities)),
        "prior": doubles(model.prior),
        "points": floats(model.points),
        "arcs": integers(model.arcs),
        "strengths": floats(model.strengths),
        "communities": integers(model.communities),
        "bags": {
            "members": integers(np.concatenate([np.array(bag) for bag in witness.bags])),
            "starts": integers(np.cumsum([0, *map(len, witness.bags)])),
            "points": floats(model.bag_points),
            "links": integers(model.bag_links),
        },
        "facts": _facts(model),
        "rows": None if model.rows is None else model.rows.data.num_rows,
        "cards": drawing(network, list(range(network.num_variables)))
        if network.num_variables <= MOST_CARDS
        else None,
    }


def _variable(variable: Variable) -> dict[str, Any]:
    """A variable; where it has numbers, the range that was seen."""
    range_seen = None if variable.edges is None else [label_of(variable.edges[i]) for i in (0, -1)]
    return {
        "name": variable.name,
        "states": variable.states,
        "numeric": variable.kind in ("integer", "float", "binned"),
        "range": range_seen,
        "hidden": variable.is_hidden,
    }


def _facts(model: Model) -> dict[str, Any]:
    network, tree = model.network, model.network.junction_tree
    return {
        "variables": network.num_variables,
        "arcs": network.num_arcs,
        "parameters": network.num_parameters,
        "treewidth": network.structure.treewidth,
        "width": tree.width,
        "cells": tree.num_cells,
        "memory": spelled_bytes(tree.num_bytes),
    }
