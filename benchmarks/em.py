"""EM for the CPTs of published networks, next to the EM of pgmpy and pyAgrum in the same run.

Rows are sampled, cells removed completely at random, and the structure is the true one. All start from
available cases or what each takes by default, and stop by their own rule; the log-likelihood of the
observed cells under each result is computed by treebound. munin is too wide for the others: seconds per
step, next to the seconds of as many passes over its junction tree.

A peer has TREEBOUND_EM_LIMIT seconds (120 by default), in a process that ends there. Then `times_faster` is
the least that it can be, and there is no likelihood to compare.

Apart from benchmarks.paper: the paper has complete rows only.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection

import numpy as np

import treebound as tb
from _common import Expect, Row, Skip
from _holes import at_random, published_network

QUESTION = "How long does EM take, and how likely are the observed cells, next to pgmpy and pyAgrum?"
EXPECTED = [
    Expect("times_faster", at_least=20),
    Expect("log_likelihood_lead", at_least=-1e-3),
]
NETWORKS = os.environ.get("TREEBOUND_EM_NETWORKS", "alarm,hepar2,andes").split(",")
SHARES = (0.1, 0.3, 0.5)
ROWS = int(os.environ.get("TREEBOUND_EM_ROWS", "5000"))
LIMIT = float(os.environ.get("TREEBOUND_EM_LIMIT", "120"))


def measure() -> Iterator[Row | Skip]:
    """One row for each network and share, and one for munin."""
    for name in NETWORKS:
        truth = published_network(name)
        if isinstance(truth, Skip):
            yield truth
            continue
        for share in SHARES:
            yield from compared(name, truth, share)
    munin = published_network("munin")
    yield munin if isinstance(munin, Skip) else step_of(munin)


def compared(name: str, truth: tb.BayesianNetwork, share: float) -> Iterator[Row | Skip]:
    """Our EM and that of others on the same rows."""
    data = at_random(truth.sample(ROWS, seed=1), share, seed=2)
    began = time.perf_counter()
    own = tb.fit(truth, data, missing="em")
    seconds = time.perf_counter() - began
    log = mean_log(own, data)
    for peer in PEERS:
        theirs = limited(peer, truth, data)
        if isinstance(theirs, str):
            yield Skip(f"{name}, {share:.0%}: {peer}: {theirs}")
            continue
        row: Row = {
            "network": name,
            "missing": share,
            "peer": peer,
            "seconds": seconds,
            "steps": own.provenance["em"]["steps"],
            "log_likelihood": log,
            "peer_seconds": theirs[0],
            "times_faster": theirs[0] / seconds,
            "ended": theirs[1] is not None,
        }
        if theirs[1] is not None:
            row |= {"peer_log_likelihood": theirs[1], "log_likelihood_lead": log - theirs[1]}
        yield row


def limited(peer: str, truth: tb.BayesianNetwork, data: tb.Dataset) -> tuple[float, float | None] | str:
    """Seconds and log-likelihood of a peer, None where it did not end in time; or why it has none."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=in_process, args=(peer, truth, data, sender))
    process.start()
    sender.close()
    found: tuple[float, float | None] | str = (LIMIT, None)
    if receiver.poll(LIMIT):
        try:
            found = receiver.recv()
        except EOFError:
            found = "its process died"
    process.kill()
    process.join()
    return found


def in_process(peer: str, truth: tb.BayesianNetwork, data: tb.Dataset, sender: Connection) -> None:
    """Send what ``limited`` returns."""
    try:
        began = time.perf_counter()
        theirs = PEERS[peer](truth, data)
        seconds = time.perf_counter() - began
        sender.send((seconds, mean_log(theirs, data)))
    except ImportError:
        sender.send("not installed")
    except Exception as error:  # whatever a peer raises is its result
        sender.send(f"{type(error).__name__}: {str(error)[:200]}")


def mean_log(network: tb.BayesianNetwork, data: tb.Dataset) -> float:
    """The mean log-likelihood of the observed cells; a peer may have put states into another order."""
    rows = tb.load(data.to_frame(), schema=network.schema, missing="keep")
    return float(network.log_likelihood_rows(rows).mean())


def with_pyagrum(truth: tb.BayesianNetwork, data: tb.Dataset) -> tb.BayesianNetwork:
    """EM of pyAgrum, from its own start."""
    import pandas as pd
    import pyagrum as gum

    template = tb.formats.to_pyagrum(truth)
    frame = pd.DataFrame(data.to_dict()).astype(object)
    frame = frame.where(frame.notna(), "?")
    learner = gum.BNLearner(frame, template, ["?"])
    learner.useSmoothingPrior(0.1)
    learner.useEM(1e-4)
    return tb.formats.from_pyagrum(learner.learnParameters(template.dag()))


def with_pgmpy(truth: tb.BayesianNetwork, data: tb.Dataset) -> tb.BayesianNetwork:
    """EM of pgmpy, which knows latent columns but no missing cells; whatever it raises is reported."""
    import pandas as pd
    from pgmpy.estimators import ExpectationMaximization

    model = tb.formats.to_pgmpy(truth)
    estimator = ExpectationMaximization(model, pd.DataFrame(data.to_dict()))
    model.cpds = []
    model.add_cpds(*estimator.get_parameters(max_iter=20))
    return tb.formats.from_pgmpy(model)


PEERS: dict[str, Callable[[tb.BayesianNetwork, tb.Dataset], tb.BayesianNetwork]] = {
    "pyAgrum": with_pyagrum,
    "pgmpy": with_pgmpy,
}


def step_of(network: tb.BayesianNetwork) -> Row:
    """Seconds of an E-step with 20 % of the cells missing, and of as many passes over the whole tree."""
    data = at_random(network.sample(ROWS, seed=1), 0.2, seed=2)
    began = time.perf_counter()
    expected = tb.inference.ExpectedCounts(
        network.parent_indices, data, elimination_order=network.elimination_order
    )
    preparing = time.perf_counter() - began
    began = time.perf_counter()
    expected.count(network.flat_tables.tables)
    step = time.perf_counter() - began
    first = network.schema[0]
    passes = []
    for state in (first.states[0], first.states[-1]) * 3:
        began = time.perf_counter()
        network.marginals({first.name: state})
        passes.append(time.perf_counter() - began)
    return {
        "network": "munin",
        "missing": 0.2,
        "rows": ROWS,
        "preparing_seconds": preparing,
        "step_seconds": step,
        "seconds_of_as_many_passes": float(np.median(passes)) * ROWS,
    }
