"""Every fast function has a slow twin and a test that compares them; twins do not import the package."""

from __future__ import annotations

import ast
import enum
import importlib
import re
from pathlib import Path
from typing import NamedTuple

import pytest

import treebound
from treebound import _core, _core_testing
from used_names import used_together

TESTS = Path(__file__).parent


class Pair(NamedTuple):
    """A fast function, its twin in tests/reference, the test that compares them, and its name there."""

    fast: str
    twin: str
    test: str
    called: str


# Functions and classes of the compiled core.
CORE = [
    Pair("read_csv", "data.read_csv", "test_tables_csv.py", "read_csv"),
    Pair("CsvTable", "data.read_csv", "test_tables_csv.py", "read_csv"),
    Pair("BifRows", "bif.read", "test_network_files.py", "parse_bif"),
    Pair("parse_jkl", "jkl.read", "test_cache_jkl.py", "parse_jkl"),
    Pair("format_jkl", "jkl.read", "test_cache_jkl.py", "format_jkl"),
    Pair("find_cache_fault", "cache.find_fault", "test_cache.py", "find_cache_fault"),
    Pair("Dataset", "scoring.bic", "test_scoring_scores.py", "_core.Dataset"),
    Pair("FamilyScorer", "scoring.bic", "test_scoring_scores.py", "FamilyScorer"),
    Pair("BagScores", "scoring.bic", "test_scoring_scores.py", "BagScores"),
    Pair("Bic", "scoring.bic", "test_scoring_scores.py", "Bic"),
    Pair("Bdeu", "scoring.bdeu", "test_scoring_scores.py", "Bdeu"),
    Pair("count_sets", "scoring.count_set", "test_distributed_counts.py", "count_sets"),
    Pair("set_terms", "scoring.count_set", "test_distributed_counts.py", "set_terms"),
    Pair("count_pair_rows", "scoring.bic", "test_distributed_counts.py", "count_pair_rows"),
    Pair("CountedSearch", "scoring.without_dominated", "test_distributed_counts.py", "CountedSearch"),
    Pair("ScoringJob", "scoring.without_dominated", "test_scoring_pruning.py", "score"),
    Pair("min_degree_order", "structure.min_degree_order", "test_structure_treewidth.py", "min_degree_order"),
    Pair("min_fill_order", "structure.min_fill_order", "test_structure_treewidth.py", "min_fill_order"),
    Pair("min_weight_order", "structure.min_weight_order", "test_inference_trees.py", "min_weight_order"),
    Pair(
        "weighted_min_fill_order",
        "structure.weighted_min_fill_order",
        "test_inference_trees.py",
        "weighted_min_fill_order",
    ),
    Pair(
        "best_elimination_order",
        "structure.treewidth",
        "test_structure_treewidth.py",
        "best_elimination_order",
    ),
    Pair(
        "treewidth_lower_bound", "structure.treewidth", "test_structure_treewidth.py", "treewidth_lower_bound"
    ),
    Pair("moral_graph", "structure.moral_edges", "test_structure.py", "moral_graph"),
    Pair("decompose", "structure.is_tree_decomposition", "test_structure.py", "from_elimination_order"),
    Pair("eliminate", "structure.width_of_order", "test_structure_treewidth.py", "width_of_order"),
    Pair("search_k_greedy", "search.k_greedy", "test_search_twins.py", "KGreedy"),
    Pair("search_k_astar", "search.best_for_order", "test_search_astar.py", "KAStar"),
    Pair("search_k_max", "search.k_max", "test_search_twins.py", "KMax"),
    Pair("search_regrow", "search.best_score", "test_search_regrow.py", "Regrow"),
    Pair("FamilyRules", "rules.allows", "test_search_rules.py", "in_core"),
    Pair("search_hc_et", "hill_climb.climb", "test_search_hc_et.py", "HcEt"),
    Pair("decode_dandelion", "ktrees.code_of", "test_search_ktrees.py", "decode_dandelion"),
    Pair("draw_ktrees", "ktrees.all_ktrees", "test_search_ktrees.py", "draw_ktrees"),
    Pair("best_in_ktree", "ktrees.best_in", "test_search_ktrees.py", "best_in_ktree"),
    Pair("informative_score", "ktrees.pseudo_score", "test_search_s2.py", "informative_score"),
    Pair("most_informative_ktree", "ktrees.grown_from", "test_search_s2.py", "most_informative_ktree"),
    Pair("search_s2", "ktrees.s2", "test_search_s2.py", "S2"),
    Pair("search_s2_plus", "ktrees.most_informative_clique", "test_search_s2.py", "S2Plus"),
    Pair("ClusterCuts", "exact.excess", "test_search_exact.py", "ClusterCuts"),
    Pair("round_to_acyclic", "exact.round_to_acyclic", "test_search_exact.py", "round_to_acyclic"),
    Pair("best_dag", "search.best_score", "test_search_upper_bound.py", "best_dag"),
    Pair("search_tree_dp", "search.best_score", "test_search_exact.py", "ExactDp"),
    Pair("upper_bound", "bounds.largest_cluster_loss", "test_search_upper_bound.py", "upper_bound"),
    Pair("FamilyPool", "regrow.Pool", "core_api/machines.py", "FamilyPool"),
    Pair("BoundedNetwork", "regrow.Network", "core_api/machines.py", "BoundedNetwork"),
    Pair("TreeOptimum", "regrow.best_inside", "core_api/machines.py", "TreeOptimum"),
    Pair("FamilyProposals", "search.best_score", "test_search_tree_optimum.py", "FamilyProposals"),
    Pair("EliminationTree", "elimination.separators", "test_search_elimination_tree.py", "EliminationTree"),
    Pair("ArcOrder", "elimination.reachable", "test_search_arc_order.py", "ArcOrder"),
    Pair("SlidingOrder", "order.decode", "test_search_order.py", "SlidingOrder"),
    Pair("asobs_order", "order.asobs", "test_search_order.py", "asobs_order"),
    Pair("search_order", "search.best_score", "test_search_order.py", "OrderSearch"),
    Pair("maximum_branching", "forest.best_branching_weight", "test_search_chow_liu.py", "maximum_branching"),
    Pair(
        "maximum_spanning_forest",
        "forest.spanning_forest",
        "test_search_chow_liu.py",
        "maximum_spanning_forest",
    ),
    Pair("search_chow_liu", "forest.best_forest_score", "test_search_chow_liu.py", "ChowLiu"),
    Pair("Triangulation", "triangulation.neighbours_needed", "test_search_elidan_gould.py", "Triangulation"),
    Pair("pack_paths", "triangulation.best_packing", "test_search_elidan_gould.py", "pack_paths"),
    Pair("search_elidan_gould", "search.best_score", "test_search_elidan_gould.py", "ElidanGould"),
    Pair("RandomStream", "network.RandomStream", "test_network_sample.py", "RandomStream"),
    Pair("sample_rows", "network.sample", "test_network_sample.py", "sample"),
    Pair("count_families", "network.family_counts", "test_network_fit.py", "fit"),
    Pair("CliqueTree", "inference.posterior", "test_inference_trees.py", "CliqueTree"),
    Pair("JunctionTree", "inference.posterior", "test_inference.py", "posterior"),
    Pair("ExpectedCounts", "em.expected_counts", "test_inference_expected_counts.py", "ExpectedCounts"),
    Pair("SmoothMixture", "density.log_likelihoods", "test_density.py", "slopes"),
    Pair("TrainingRows", "density.log_likelihoods", "test_density.py", "log_likelihoods"),
    Pair("Mixture", "mixture.surprise_left", "test_network_mixture.py", "log_likelihood_rows"),
]

# Fast functions of the Python packages.
PYTHON = [
    Pair("load", "data.infer_column", "test_tables_load.py", "infer_dataset"),
    Pair("Discretise", "data.histogram_length", "test_data_discretise.py", "Discretise"),
    Pair("data.Discretise", "data.modl_length", "test_data_discretise.py", "Discretise"),
    Pair("inspect", "data.same_up_to_names", "test_tables_inspect.py", "inspect"),
    Pair("check", "structure.is_structure", "test_structure_check.py", "check"),
    Pair("structure.recount", "scoring.bic", "test_structure_recount.py", "recount"),
    Pair("structure.moral_graph", "structure.moral_edges", "test_structure.py", "moral_graph"),
    Pair(
        "structure.TreeDecomposition",
        "structure.is_tree_decomposition",
        "test_structure.py",
        "TreeDecomposition",
    ),
    Pair(
        "structure.treewidth_bounds", "structure.treewidth", "test_structure_treewidth.py", "treewidth_bounds"
    ),
    Pair("BayesianNetwork.d_separated", "graphs.d_separated", "test_network_graph.py", "d_separated"),
    Pair("inference.Posterior", "inference.posterior", "test_inference_answers.py", "posterior"),
    Pair("network.Mixture", "inference.posterior", "test_network_mixture.py", "posterior"),
    Pair("network.SharedMixture", "mixture.surprise_left", "test_network_mixture.py", "cell_surprises"),
    Pair("BayesianNetwork.update", "network.updated", "test_network_update.py", "update"),
    Pair("BayesianNetwork.do", "inference.intervened", "test_network_do.py", "do"),
    Pair("BayesianNetwork.uncertain_arcs", "graphs.equivalent", "test_network_do.py", "uncertain_arcs"),
    Pair("structure.score_structure", "scoring.bic", "test_structure_score.py", "score_structure"),
    Pair("constraints.FamilyRules", "constraints.obeys", "test_constraints.py", "compile"),
    Pair("structure.cpdag", "graphs.compelled", "test_structure_cpdag.py", "cpdag"),
    Pair(
        "structure.markov_equivalent",
        "graphs.same_independencies",
        "test_structure_cpdag.py",
        "markov_equivalent",
    ),
    Pair("structure.shd", "graphs.hamming_distance", "test_structure_cpdag.py", "shd"),
    Pair("structure.diff", "graphs.hamming_distance", "test_structure_diff.py", "diff"),
    Pair(
        "BayesianNetwork.parameter_sensitivity",
        "inference.joint",
        "test_inference_parameters.py",
        "parameter_sensitivity",
    ),
    Pair(
        "BayesianNetwork.value_of_information",
        "inference.mutual_information",
        "test_inference_information.py",
        "value_of_information",
    ),
    Pair("resampling.arc_strength", "resampling.arc_shares", "test_resampling_strength.py", "arc_strength"),
    Pair(
        "resampling.ArcStrength",
        "resampling.least_mean_distance",
        "test_resampling_strength.py",
        "ArcStrength",
    ),
    Pair(
        "resampling.TreewidthChoice",
        "resampling.recommended_bound",
        "test_resampling_treewidths.py",
        "TreewidthChoice",
    ),
    Pair("network.kl_divergence", "inference.kl_divergence", "test_inference.py", "kl_divergence"),
    Pair("fit", "network.normalised", "test_network_fit.py", "fit"),
    Pair("density._backoff.smoothed", "density.left_out", "test_density_networks.py", "smoothed"),
    Pair("experiments.sign_test", "experiments.tail", "test_experiments_statistics.py", "sign_test"),
    Pair("experiments.w_score", "experiments.w_score", "test_experiments_statistics.py", "w_score"),
    Pair(
        "experiments.ComparisonResult",
        "experiments.victories",
        "test_experiments_statistics.py",
        "ComparisonResult",
    ),
]

# What computes nothing, or nothing that a twin could repeat, with the reason.
WITHOUT_TWIN = {
    "LocalScore": "base class of Bic and Bdeu",
    "PairTerms": "record",
    "RaggedRow": "record",
    "JklProblem": "record",
    "KTreeFacts": "record",
    "Found": "record",
    "SearchStart": "record",
    "SearchProblem": "record",
    "SearchTask": "record",
    "InferenceNetwork": "record",
    "Families": "record",
    "KGreedyOptions": "record",
    "KAStarOptions": "record",
    "KMaxOptions": "record",
    "RegrowOptions": "record",
    "KTreeStepOptions": "record",
    "best_dag_looks": "an estimate: test_search_upper_bound.py",
    "tree_dp_operations": "an estimate: test_search_upper_bound.py",
    "tree_dp_bytes": "a size in memory: test_search_exact.py",
    "Run": "limits and the clock: test_run.py",
    "Stopped": "exception: test_inference_interrupts.py",
    "hide_leaks": "exit of the interpreter: test_run.py",
    "ExitOnSignals": "signals: test_cli_interrupts.py",
    "prepare_to_throw": "memory of threads",
    "return_free_memory": "memory of the process",
    "simd": "which instructions the processor has: test_simd.py",
    "count_repeatedly": "for benchmarks; its count is known: test_data_popcount.py",
    "draw_tables": "compared with the moments of the Dirichlet distribution: test_network_random.py",
}


# Fields of what the core returns: nothing in the package names their types.
RECORDS = {"KTreeFacts", "RaggedRow"}


def computing_names() -> set[str]:
    """Functions and classes of the core; enumerations and constants compute nothing."""
    return {
        name
        for name, value in [*vars(_core).items(), *vars(_core_testing).items()]
        if not name.startswith("_")
        and callable(value)
        and not (isinstance(value, type) and issubclass(value, enum.Enum))
    }


def test_each_name_of_the_core_is_listed_once():
    listed = [*(pair.fast for pair in CORE), *WITHOUT_TWIN]
    assert len(set(listed)) == len(listed)
    assert set(listed) == computing_names()


def test_what_only_tests_use_is_not_in_the_wheel():
    source = "\n".join(path.read_text() for path in Path(treebound.__file__).parent.rglob("*.py"))
    used = set(re.findall(r"\w+", source))
    offered = {name for name in vars(_core) if not name.startswith("_") and name not in RECORDS}
    assert offered <= used
    assert "_core_testing" not in source


@pytest.mark.parametrize("pair", PYTHON, ids=lambda pair: pair.fast)
def test_the_fast_function_exists(pair):
    found = treebound
    for part in pair.fast.split("."):
        found = getattr(found, part)
    assert callable(found)


@pytest.mark.parametrize("pair", [*CORE, *PYTHON], ids=lambda pair: pair.fast)
def test_the_twin_exists_and_a_test_uses_both(pair):
    module, name = pair.twin.split(".")
    twin = f"reference.{module}.{name}"
    assert callable(getattr(importlib.import_module(f"reference.{module}"), name))
    using_both = [
        names
        for names in used_together(TESTS / pair.test)
        if twin in names and any(is_call_of(pair.called, used) for used in names)
    ]
    assert using_both, f"No test of {pair.test} uses both {pair.called} and {twin}."


def is_call_of(called: str, used: str) -> bool:
    """Whether a name as it is used, with its path, is that of the fast function and not of a twin."""
    return f".{used}".endswith(f".{called}") and not used.startswith("reference.")


@pytest.mark.parametrize("path", sorted((TESTS / "reference").glob("*.py")), ids=lambda path: path.name)
def test_twins_do_not_import_the_package(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        else:
            continue
        assert not [module for module in modules if module.split(".")[0] == "treebound"]
