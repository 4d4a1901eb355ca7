"""Inference against enumeration in exact fractions, magnitudes from 5e-324 to 1e308 included."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from . import truth
from ._laws import expect

SECONDS = 60.0
MEMORY_MB = 6000

_USUAL = [0.0, 0.0, 1.0, 1.0, 2.0, 5.0, 1e-3]
_TINY = [1e-300, 1e-200, 1e-160, 1e-100, 1e-308, 5e-324, 1e-17]
_EXTREME = [*_TINY, 1e200, 2e200, 1e300, 1.7e308, 1.0, 0.0]
_NEAR = 1e-9
_WRONG_CODES = [2**32, -(2**32), 2**32 - 1, 2**31, 2**40 + 1, -2, 100, 2**63 - 1, 256, 2**16]


class Case(NamedTuple):
    """A network, findings (a code, or likelihoods), rows of codes (-1: not known), variables to ask for."""

    cards: tuple[int, ...]
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[tuple[float, ...], ...]
    findings: tuple[tuple[int, Any], ...]
    rows: tuple[tuple[int, ...], ...]  # one tuple for each row of the table
    asked: tuple[int, ...]
    wrong_code: int  # no code of any variable


def make(random: Random) -> Case:
    """Draw a network of up to 6 variables; half of the cases are of extreme magnitudes."""
    n = random.randint(1, 6)
    most = 3 if n < 6 else 2
    cards = tuple(random.randint(1, most) for _ in range(n))
    order = random.sample(range(n), n)
    is_extreme = random.random() < 0.5
    parents = [()] * n
    for place, v in enumerate(order):
        parents[v] = tuple(random.sample(order[:place], random.randint(0, min(3, place))))
    tables = tuple(
        tuple(
            number
            for _ in range(math.prod(cards[p] for p in parents[v]))
            for number in _table_row(random, cards[v], is_extreme)
        )
        for v in range(n)
    )
    findings = tuple((v, _finding(random, cards[v], is_extreme)) for v in range(n) if random.random() < 0.5)
    rows = tuple(
        tuple(random.choice([-1, *range(card)]) for card in cards) for _ in range(random.choice([0, 1, 4]))
    )
    asked = tuple(random.sample(range(n), random.randint(1, n)))
    return Case(cards, tuple(parents), tables, findings, rows, asked, random.choice(_WRONG_CODES))


def _table_row(random: Random, card: int, is_extreme: bool) -> list[float]:
    """Probabilities that sum to one up to rounding, tiny ones among them."""
    row = [random.choice(_USUAL) for _ in range(card)]
    row[random.randrange(card)] = 1.0
    row = [weight / sum(row) for weight in row]
    if is_extreme:
        return [random.choice(_TINY) if number == 0 and random.random() < 0.7 else number for number in row]
    return row


def _finding(random: Random, card: int, is_extreme: bool) -> int | tuple[float, ...]:
    if random.random() < 0.5:
        return random.randrange(card)
    weights = [random.choice(_EXTREME if is_extreme else _USUAL) for _ in range(card)]
    weights[random.randrange(card)] = random.choice([w for w in (_EXTREME if is_extreme else _USUAL) if w])
    return tuple(weights)


def network_of(case: Case) -> Any:
    """The network as the package holds it."""
    import treebound

    schema = treebound.Schema(
        tuple(
            treebound.Variable(f"v{v}", tuple(f"s{state}" for state in range(card)))
            for v, card in enumerate(case.cards)
        )
    )
    return treebound.BayesianNetwork.from_indices(schema, case.parents, case.tables)


def check(case: Case) -> None:
    """Ask everything."""
    import numpy as np

    import treebound

    tree = treebound.JunctionTree(network_of(case))
    evidence = {f"v{v}": f"s{found}" if isinstance(found, int) else list(found) for v, found in case.findings}
    likelihoods = {
        v: [float(state == found) for state in range(case.cards[v])] if isinstance(found, int) else found
        for v, found in case.findings
    }
    distribution = truth.joint(case.parents, case.tables, case.cards)
    given = truth.weighted(distribution, likelihoods)
    total = sum(given.values())
    near_log("log-probability of evidence", tree.log_probability(evidence), total)
    if total == 0:
        _expect_impossible(tree, evidence)
    else:
        check_answers(case, tree, evidence, given, total)
    if case.rows:
        codes = np.array(case.rows, dtype=np.int64).T
        check_rows(case, tree, distribution, codes)
        check_refusals(case, tree, codes)


def _expect_impossible(tree: Any, evidence: dict[str, Any]) -> None:
    import treebound

    for ask in (lambda: tree.posterior("v0", evidence), lambda: tree.most_probable(evidence)):
        try:
            ask()
        except treebound.ImpossibleEvidence:
            continue
        expect(False, "impossible evidence is refused")


def check_answers(
    case: Case, tree: Any, evidence: dict[str, Any], given: truth.Joint, total: Fraction
) -> None:
    """Posteriors and most probable states, given possible evidence."""
    names = [f"v{v}" for v in case.asked]
    for v in range(len(case.cards)):
        near_distribution("posterior", tree.posterior(f"v{v}", evidence).array, given, [v], case.cards)
    near_distribution("joint posterior", tree.posterior(names, evidence).array, given, case.asked, case.cards)
    for asked, found in [
        (range(len(case.cards)), tree.most_probable(evidence)),
        (case.asked, tree.most_probable_of(names, evidence)),
    ]:
        marginal = truth.marginal(given, list(asked))
        best = max(marginal.values())
        states = tuple(int(found.assignment[f"v{v}"].removeprefix("s")) for v in asked)
        is_best = marginal[states] >= best * (1 - Fraction(_NEAR))
        expect(is_best, "no state is more probable", (states, float(marginal[states] / best)))
        near_log("most probable state with the evidence", found.log_joint, best)
        near_log("most probable state given the evidence", found.log_probability, best / total)
    for row in tree.sample(3, evidence=evidence).codes.T:
        expect(given[tuple(int(code) for code in row)] > 0, "samples are possible", row)


def check_rows(case: Case, tree: Any, distribution: truth.Joint, codes: Any) -> None:
    """Questions about rows with gaps."""
    target = case.asked[0]
    import treebound

    rows = treebound.Dataset(tree.network.schema, codes)
    logs = tree.log_likelihood_rows(rows)
    posteriors = tree.posterior_rows(target, rows, impossible="nan")
    completed = tree.most_probable_rows(rows, impossible="nan").codes
    for i, row in enumerate(case.rows):
        given = truth.given_row(distribution, row)
        near_log("log-likelihood of a row", logs[i], sum(given.values()))
        if any(given.values()):
            filled = tuple(int(code) for code in completed[:, i])
            is_best = given.get(filled, Fraction()) >= max(given.values()) * (1 - Fraction(_NEAR))
            expect(is_best, "no completion of a row is more probable", (row, filled))
        without = truth.given_row(distribution, [-1 if v == target else code for v, code in enumerate(row)])
        if any(without.values()):
            near_distribution("posterior of a row", posteriors[i], without, [target], case.cards)
        else:
            is_nan = all(math.isnan(number) for number in posteriors[i])
            expect(is_nan, "an impossible row has no posterior", (row, posteriors[i]))


def check_refusals(case: Case, tree: Any, codes: Any) -> None:
    """A code that is none is refused, whatever its low bits are, and so are rows of too few variables."""
    import treebound

    wrong = codes.copy()
    wrong[case.asked[0], 0] = case.wrong_code
    try:
        treebound.Dataset(tree.network.schema, wrong)
    except ValueError:
        return
    expect(False, "a code that is none is refused", case.wrong_code)


def near_log(law: str, found: float, true: Fraction) -> None:
    """A logarithm within 1e-9, relative where it is large."""
    wanted = truth.log(true)
    is_near = found == wanted or abs(found - wanted) <= _NEAR * max(1.0, abs(wanted))
    expect(is_near, f"{law} is that of enumeration", (found, wanted))


def near_distribution(
    law: str, found: Any, given: truth.Joint, variables: Sequence[int], cards: Sequence[int]
) -> None:
    """Every probability within 1e-9."""
    total = sum(given.values())
    marginal = truth.marginal(given, variables)
    flat = found.reshape(-1).tolist()
    wanted = [float(value / total) for _, value in sorted(marginal.items())]
    expect(found.size == math.prod(cards[v] for v in variables), f"{law} has one cell per state", found.shape)
    is_near = all(abs(a - b) <= _NEAR for a, b in zip(flat, wanted, strict=True))
    expect(is_near, f"{law} is that of enumeration", (flat, wanted))


def shrink(case: Case) -> Iterator[Case]:
    """Fewer findings, rows, variables; rounder numbers."""
    for i in range(len(case.findings)):
        yield case._replace(findings=case.findings[:i] + case.findings[i + 1 :])
    for i in range(len(case.rows)):
        yield case._replace(rows=case.rows[:i] + case.rows[i + 1 :])
    for i in range(len(case.asked)):
        if len(case.asked) > 1:
            yield case._replace(asked=case.asked[:i] + case.asked[i + 1 :])
    for v in range(len(case.cards)):
        if len(case.cards) > 1 and not any(v in chosen for chosen in case.parents) and case.asked != (v,):
            yield _without(case, v)
    for v, family in enumerate(case.parents):
        if family:
            yield _orphaned(case, v)


def _without(case: Case, gone: int) -> Case:
    """The network without a childless variable."""

    def drop(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return items[:gone] + items[gone + 1 :]

    def moved(v: int) -> int:
        return v - (v > gone)

    return Case(
        drop(case.cards),
        drop(tuple(tuple(map(moved, family)) for family in case.parents)),
        drop(case.tables),
        tuple((moved(v), found) for v, found in case.findings if v != gone),
        tuple(drop(row) for row in case.rows),
        tuple(moved(v) for v in case.asked if v != gone),
        case.wrong_code,
    )


def _orphaned(case: Case, v: int) -> Case:
    """The network with the first row of a table alone."""
    parents = (*case.parents[:v], (), *case.parents[v + 1 :])
    tables = (*case.tables[:v], case.tables[v][: case.cards[v]], *case.tables[v + 1 :])
    return case._replace(parents=parents, tables=tables)
