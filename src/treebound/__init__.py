"""Bayesian networks of bounded treewidth: learn them from wide categorical tables, ask them exact questions.

Public names load on first use, so that ``import treebound`` stays quick.
"""

from __future__ import annotations

import importlib
import logging
from typing import Any

# A library stays silent unless the program that uses it asks to hear from it.
logging.getLogger("treebound").addHandler(logging.NullHandler())

# Public name -> module that defines it, in pipeline order.
_HOME: dict[str, str] = {
    "load": "treebound.data",
    "load_schema": "treebound.data",
    "encode_rows": "treebound.data",
    "Dataset": "treebound.data",
    "Schema": "treebound.data",
    "Variable": "treebound.data",
    "Discretise": "treebound.data",
    "DataError": "treebound.data",
    "Budget": "treebound._budget",
    "score": "treebound.scoring",
    "Exhaustive": "treebound.scoring",
    "Independence": "treebound.scoring",
    "Bic": "treebound.scoring",
    "Bdeu": "treebound.scoring",
    "ScoringResult": "treebound.scoring",
    "ScoringReport": "treebound.scoring",
    "ScoringProgress": "treebound.scoring",
    "ParentSetCache": "treebound.scoring.cache",
    "ParentSet": "treebound.scoring.cache",
    "CacheError": "treebound.scoring.cache",
    "load_cache": "treebound.formats.cache_files",
    "save_cache": "treebound.formats.cache_files",
    "Structure": "treebound.structure",
    "StructureError": "treebound.structure",
    "KTree": "treebound.structure",
    "TreeDecomposition": "treebound.structure",
    "Guarantee": "treebound.structure",
    "check": "treebound.structure",
    "Verdict": "treebound.structure",
    "treewidth_bounds": "treebound.structure",
    "load_structure": "treebound.formats.structure_files",
    "save_structure": "treebound.formats.structure_files",
    "to_networkx": "treebound.formats.networkx",
    "from_networkx": "treebound.formats.networkx",
    "learn": "treebound._learn",
    "LearnResult": "treebound._learn",
    "Regrow": "treebound.search",
    "KGreedy": "treebound.search",
    "KAStar": "treebound.search",
    "KMax": "treebound.search",
    "SearchResult": "treebound.search",
    "solve_order": "treebound.search",
    "fit": "treebound.network",
    "MarginalPrior": "treebound.network",
    "BdeuPrior": "treebound.network",
    "PseudoCount": "treebound.network",
    "MaximumLikelihood": "treebound.network",
    "BayesianNetwork": "treebound.network",
    "random_network": "treebound.network",
    "inverted_tree": "treebound.network",
    "load_network": "treebound.formats.network_files",
    "save_network": "treebound.formats.network_files",
    "NetworkFileError": "treebound.formats.network_files",
    "load_evidence": "treebound.formats.uai_answers",
    "save_evidence": "treebound.formats.uai_answers",
    "load_answer": "treebound.formats.uai_answers",
    "save_answer": "treebound.formats.uai_answers",
    "network_from_networkx": "treebound.formats.networkx",
    "to_pgmpy": "treebound.formats.pgmpy",
    "from_pgmpy": "treebound.formats.pgmpy",
    "to_pyagrum": "treebound.formats.pyagrum",
    "from_pyagrum": "treebound.formats.pyagrum",
    "JunctionTree": "treebound.inference",
    "Posterior": "treebound.inference",
    "MostProbable": "treebound.inference",
    "Sensitivity": "treebound.inference",
    "InferenceError": "treebound.inference",
    "ImpossibleEvidence": "treebound.inference",
    "kl_divergence": "treebound.inference",
    "plot_structure": "treebound.plot",
    "plot_clique_tree": "treebound.plot",
    "plot_trace": "treebound.plot",
    "save_figure": "treebound.plot",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("treebound")
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'treebound' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, "__version__"])
