"""Arguments of wrong type and range over the whole public interface, found by its signatures.

A call returns, or raises ``TypeError``, ``ValueError`` or an error of ours, and what we raise is a whole
sentence. A raw message of the bindings, any other exception, a hang or a crash is a finding.
"""

from __future__ import annotations

import inspect
import traceback
import warnings
from collections.abc import Iterator
from contextlib import chdir
from enum import Enum
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, gettempdir
from typing import Any, NamedTuple

from ._laws import Broken, expect

SECONDS = 30.0
MEMORY_MB = 8000

#: Values that are wrong nearly everywhere, as Python writes them.
WRONG = [
    "None", "True", "False", "0", "-1", "1", "2**31", "2**32", "2**63", "2**64", "-2**63", "10**30", "1.5",
    "-0.0", "1e308", "float('nan')", "float('inf')", "-float('inf')", "''", "'x'", "'\\0'", "'a'*10000",
    "'\\ud800'", "b'x'", "object()", "[]", "[None]", "[1, 2]", "['x']", "()", "{}", "{'x': 1}", "{1: 2}",
    "set()", "np.float64(1.5)", "np.int8(-1)", "np.uint64(2**64-1)", "np.bool_(True)", "np.array([])",
    "np.array(1.0)", "np.zeros((2, 2))", "np.array(['x'])", "np.array([None])", "np.array([np.nan])", "int",
    "lambda: 0", "range(3)", "iter([])", "1j", "Path('nowhere')", "Ellipsis", "slice(0)", "tb.Budget",
    "2**64-1", "2**63-1", "'0'", "np.datetime64('2020-01-01')", "memoryview(b'x')", "type('T', (), {})()",
    "{'a': [], 'b': []}", "{'a': [0]}", "{'a': [None, 1]}", "network", "tree", "cache", "structure",
    "dataset",
]  # fmt: skip

#: Sound values by the name of the parameter; what is not here gets a wrong value or its default.
SOUND = {
    "table": "rows", "source": "rows", "cache": "cache", "structure": "structure", "network": "network",
    "data": "dataset", "dataset": "dataset", "max_treewidth": "1", "budget": "tb.Budget(steps=2)",
    "score": "tb.Bic()",
    "solver": "tb.solvers.KGreedy()", "threads": "1", "seed": "0", "path": "folder / 'x.json'",
    "evidence": "{'a': 'x'}", "variables": "'a'", "variable": "'a'", "target": "'a'", "num_rows": "2",
    "rows": "codes",
    "a": "'a'", "b": "'b'", "name": "'a'", "names": "('a', 'b')", "states": "('x', 'y')", "schema": "schema",
    "codes": "codes", "parents": "((), (0,))", "parent_indices": "((), (0,))",
    "tables": "([.5, .5], [.5, .5, .5, .5])", "order": "[0, 1]",
    "steps": "2", "seconds": "0.01", "num_variables": "4", "graph": "structure", "answer": "0.5",
    "p": "network", "q": "network", "first": "network", "second": "network",
    "max_parents": "1", "strategy": "'draw'", "parent_sets": "tb.Exhaustive(1)",
    "k": "1", "insertion_order": "(0, 1)", "separators": "()", "bags": "((0, 1),)", "edges": "()",
    "result": "result", "trace": "result.search.trace", "figure": "None", "value": "'x'", "values": "['x']",
    "label": "'x'", "labels": "('x', 'y')", "tree": "tree", "smoothing": "tb.PseudoCount()",
    "method": "tb.resampling.Bootstrap(2)", "max_treewidths": "[1]", "validation": "tb.resampling.Split()",
    "state": "'x'",
    "settings": "{'a': 'x'}", "weight": "2.0", "arcs": "strength.arcs", "networks": "(structure,)",
    "weights": "(1.0,)", "trials": "choice.trials", "backend": "'polars'",
}  # fmt: skip

#: Names of subpackages that users call; the rest of what these export is for other packages.
CALLED = {
    "data": """
        Preparation
    """,
    "tables": """
        open_table Inspection AbsentColumnWarning
    """,
    "scoring": """
        ScoringReport MemoryEstimate ParentSet
    """,
    "structure": """
        KTree Guarantee score_structure cpdag Cpdag markov_equivalent shd diff StructureDiff Verdict
        treewidth_bounds TreewidthBounds
    """,
    "formats": """
        to_networkx from_networkx network_from_networkx to_pgmpy from_pgmpy to_pyagrum from_pyagrum
        load_evidence save_evidence load_answer save_answer LossySave
    """,
    "solvers": """
        Regrow Gobnilp ExactIlp ExactDp KGreedy KAStar KMax HcEt OrderSearch ElidanGould ChowLiu S2
        S2Plus Empty CliquePolicy OrderSampling Improvement StopReason WithinKTree best_in_ktree
        solve_order
    """,
    "network": """
        random_inverted_tree kl_divergence
    """,
    "inference": """
        Posterior Marginals MostProbable Sensitivity ParameterSensitivity UnknownLabel
    """,
    "plot": """
        plot_structure plot_tree_decomposition plot_trace plot_curves plot_victories
        plot_arc_strength plot_treewidths plot_w_scores save_figure
    """,
    "resampling": """
        arc_strength ArcStrength Bootstrap ModelAveraging choose_treewidth TreewidthChoice
        CrossValidation Split
    """,
    "experiments": """
        compare ComparisonResult Scoring RunRecord ChangedSettings load_comparison save_comparison
        w_score sign_test
    """,
}

#: Objects whose methods are called, by name in ``_world``.
OBJECTS = [
    "network",
    "tree",
    "dataset",
    "schema",
    "cache",
    "structure",
    "result",
    "posterior",
    "marginals",
    "strength",
    "choice",
]

#: What the bindings, and Python itself, say of an argument that nobody looked at.
_RAW = ["incompatible function arguments", "nanobind", "_core.", "object is not iterable", "has no len()"]

_SLOW = {"tb.formats.to_pgmpy", "tb.formats.from_pgmpy"}  # pgmpy takes seconds to import


class Case(NamedTuple):
    """What is called, and its arguments as Python writes them."""

    called: str
    arguments: tuple[tuple[str, str], ...]


# So many rows can be drawn: it takes minutes, not an error.
_WRONG_BY_NAME = {"num_rows": [value for value in WRONG if value not in ("2**31", "2**32")]}


def make(random: Random) -> Case:
    """Draw a function or a method; most arguments are sound."""
    called, names = random.choice(_callables())
    if called in _SLOW and random.random() < 0.9:
        return make(random)
    wrong = set(random.sample(names, min(len(names), random.choice([1, 1, 1, 2, 3]))))
    arguments = []
    for name in names:
        if name in wrong:
            arguments.append((name, random.choice(_WRONG_BY_NAME.get(name, WRONG))))
        elif name in SOUND and random.random() < 0.9:
            arguments.append((name, SOUND[name]))
    return Case(called, tuple(arguments))


_found: list[tuple[str, list[str]]] = []


def _callables() -> list[tuple[str, list[str]]]:
    """Everything public that takes arguments, with the names of its parameters."""
    if not _found:
        import treebound as tb

        for name in sorted(tb.__all__):
            _add(f"tb.{name}", getattr(tb, name))
        for part, names in CALLED.items():
            for name in sorted(names.split()):
                _add(f"tb.{part}.{name}", getattr(getattr(tb, part), name))
        here = _world(Path(gettempdir()))
        for name in OBJECTS:
            for method in dir(here[name]):
                if not method.startswith("_"):
                    _add(f"{name}.{method}", getattr(here[name], method))
    return _found


def _add(called: str, function: Any) -> None:
    # How errors and enumerations are called is Python's affair.
    if not callable(function) or (isinstance(function, type) and issubclass(function, BaseException | Enum)):
        return
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return
    names = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    if names:
        _found.append((called, names))


_worlds: list[dict[str, Any]] = []


def _world(folder: Path) -> dict[str, Any]:
    """The objects that sound arguments name."""
    if not _worlds:
        import numpy as np

        import treebound as tb

        rows = {"a": ["x", "y", "x", "y", "x"], "b": ["u", "v", "u", "v", "v"], "c": [0, 1, 1, 0, 1]}
        dataset = tb.load(rows)
        result = tb.learn(dataset, 1, budget=tb.Budget(steps=2), where=tb.Local(threads=1))
        network = tb.fit(result, dataset)
        tree = tb.JunctionTree(network)
        _worlds.append(
            {
                "rows": rows,
                "dataset": dataset,
                "schema": dataset.schema,
                "codes": np.array(dataset.codes),
                "result": result,
                "structure": result.structure,
                "cache": result.cache,
                "network": network,
                "tree": tree,
                "posterior": tree.posterior("a"),
                "marginals": tree.marginals(),
                "strength": tb.resampling.arc_strength(
                    dataset, 1, method=tb.resampling.Bootstrap(2), budget=tb.Budget(steps=2), threads=1
                ),
                "choice": tb.resampling.choose_treewidth(
                    dataset, [1], validation=tb.resampling.Split(), budget=tb.Budget(steps=2), threads=1
                ),
                "tb": tb,
                "np": np,
                "__name__": "attack",
                "Path": Path,
            }
        )
    return {**_worlds[0], "folder": folder}


def check(case: Case) -> None:
    """Call it."""
    with TemporaryDirectory() as folder, chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        here = _world(Path(folder))
        function = eval(case.called, here)
        arguments = {name: eval(value, here) for name, value in case.arguments}
        _call(case, function, arguments)


def _call(case: Case, function: Any, arguments: dict[str, Any]) -> None:
    import treebound as tb

    try:
        function(**arguments)
    except (TypeError, ValueError, OSError, ImportError, KeyError, IndexError, tb.NotEnoughMemory) as error:
        told, is_ours = str(error.args[0] if error.args else error), _is_ours(error)
        is_raw = any(words in told for words in _RAW)
        expect(not is_raw, f"{case.called} gives no raw message from inside", told[:300])
        is_plain = is_ours or not isinstance(error, KeyError | IndexError)
        expect(
            is_plain, f"{case.called} raises TypeError or ValueError", f"{type(error).__name__}: {told[:300]}"
        )
        # A DataError may be a list of problems.
        is_whole = not is_ours or isinstance(error, tb.DataError | OSError) or told.endswith((".", "?"))
        expect(is_whole, f"{case.called} refuses by a whole sentence", told[:300])
    except Exception as error:
        told = f"{type(error).__name__}: {str(error)[:300]}"
        if "Unable to allocate" in told:
            return  # numpy's own words for a number of rows that no machine holds
        raise Broken(f"{case.called} raises TypeError or ValueError", told) from error


def _is_ours(error: BaseException) -> bool:
    """Whether a ``raise`` of the package made the error, not something beneath it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return "treebound" in Path(last.filename).parts and (last.line or "").startswith("raise")


def shrink(case: Case) -> Iterator[Case]:
    """Fewer arguments, and sound ones."""
    for i, (name, value) in enumerate(case.arguments):
        less = case.arguments[:i] + case.arguments[i + 1 :]
        yield case._replace(arguments=less)
        if name in SOUND and value != SOUND[name]:
            sound = (*case.arguments[:i], (name, SOUND[name]), *case.arguments[i + 1 :])
            yield case._replace(arguments=sound)
