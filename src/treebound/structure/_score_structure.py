"""The score of any structure on any table: every family is counted from the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from treebound._arguments import check_type
from treebound.data import DataError, Dataset, Schema, not_found
from treebound.scoring import DEFAULT_SCORE, SCORE_IN_WORDS, Score
from treebound.structure._recount import recount
from treebound.structure._structure import Structure
from treebound.structure._structure_of import StructureLike, structure_of
from treebound.tables import load


def score_structure(
    structure: StructureLike | Mapping[str, Iterable[str]], table: Any, *, score: Score = DEFAULT_SCORE
) -> Structure:
    """Score a structure on a table.

    Compare it with the score of any other structure on the same table.

    Parameters
    ----------
    structure : Structure, LearnResult, SearchResult or BayesianNetwork, or mapping
        A structure, or the names of the parents of each variable by name.
    table : Dataset or anything that ``load`` takes
        Its columns are found by name, and read with the states and bins of the structure if it has a schema.
    score : Bic or Bdeu
        The score.

    Returns
    -------
    Structure
        With ``score``, and ``local_scores`` by variable.
    """
    check_type("score", score, Score, SCORE_IN_WORDS)
    if isinstance(structure, Mapping):
        structure = Structure.from_parents(structure)
    graph = structure_of(structure, also=", or a dict of parents by name")
    data = rows_for(graph, table)
    data.require_countable("scoring")
    scores = tuple(recount(data, score, child, family) for child, family in enumerate(graph.parent_indices))
    return replace(
        graph,
        local_scores=scores,
        score=None,
        score_rounding=0.0,
        schema=data.schema,
        provenance={**graph.provenance, "score": repr(score), "rows": data.num_rows},
    )


def rows_for(graph: Structure, table: Any) -> Dataset:
    """The columns of a table that a structure is about, in its order."""
    if graph.schema is not None:
        is_same = isinstance(table, Dataset) and table.schema.variables == graph.schema.variables
        return table if is_same else load(table, schema=graph.schema)
    data = table if isinstance(table, Dataset) else load(table)
    if absent := not_found("absent", graph.names, data.schema.names):
        raise DataError(absent)
    positions = [data.schema.position(name) for name in graph.names]
    return Dataset(Schema(tuple(data.schema[v] for v in positions)), data.codes[positions], data.weights)
