"""The findings of a record, first in its report: every figure is computed, or printed in the paper."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.paper._blocks import Block, Heading, Table, Text
from benchmarks.paper._cells import shown
from benchmarks.paper._claim import FAILS, HOLDS, IN_PART, OPEN, Claim
from benchmarks.paper._claims import all_claims
from benchmarks.paper._definitions import load_experiments
from benchmarks.paper._measure import Row
from benchmarks.paper._record import Record
from benchmarks.paper._results import Results

HOW_TO_READ = """\
Victories are wins:losses of medians over seeds; p is that of the one-sided sign test."""
SCORE = """\
- The GOBNILP column of Table 1 has no bound on the treewidth, so it identifies score and files. The
authors' Java package computes sum n_xp (log(n_xp + 1/(|X||P|)) - log(n_p + 1/|X|)) - (|P| // 2) log N
(|X| - 1) and calls it BIC. For binary variables only the likelihood differs; with an odd number of
parent states the penalty is too small.
- That package keeps at most 1,024 open states in k-A\\* and drops the worst, so its k-A\\* is not
exact. Whether the program of the paper did so is not known. The row "k-A\\*, 1,024 open" does the same.
- That package takes at most k - 1 parents: its networks "of treewidth 2" are trees. Ours take up to k.
- The inverted tree of the paper's table of statistics cannot have 10,000 rows: a probability drawn from
Beta(1,1) has an entropy of half a nat on average, so 100 binary variables and 10,000 rows give
scores near -500,000.
- W-scores below zero: G is the best network without a bound from the *same cache*. Regrow and hc-ET
score further families from the rows.
- The paper does not give the rows of sampled networks, the time of scoring, the treewidth of the table
for Munin, or its inverted trees. R2, R4 and R10 are networks like those of the paper, not the same
ones."""
ERRORS = """\
- Inverted trees are called "DAGs with indegree equal to one" (section 3.3); the example has indegree
two and *outdegree* one.
- The caption of the table of victories has "all the 40 data sets"; there are 30 experiments.
- h(S) is printed as a second g(S), and as a cost to be minimised, while scores are maximised (section
3.1).
- The W-score is defined as (G - T) / G with both negative, which is below zero when T is worse. Its
figures use the opposite sign, as we do: 0 is best, larger is worse.
- The proof of Corollary 1 bounds the mutual information by log |X|, which is per row, and adds it to
log-likelihoods over all rows; in one unit w(X, Y) is at most 2 N log |X|.
- Y' of Theorem 1 is defined as a maximum and used as the variable that attains it."""


def findings(record: Record) -> list[Block]:
    """Verdicts on the paper's claims, what they rest on, and errors of the paper."""
    every = all_claims(record)
    paper, ours = [c for c in every if c.place != "ours"], [c for c in every if c.place == "ours"]
    return [
        Heading("Claims of the paper"),
        Text(f"{counted(paper)} {HOW_TO_READ}"),
        claim_table(paper),
        Heading("What the contest was"),
        Text("\n".join(contest(record)) or "- The record has no searches."),
        Heading("Why figures differ from the paper's"),
        *files(record),
        Text(unwrapped(SCORE)),
        Heading("Errors in the paper"),
        Text(unwrapped(ERRORS)),
        Heading("Beyond the paper"),
        claim_table(ours),
    ]


def unwrapped(words: str) -> str:
    """A list with one line for each item."""
    lines: list[str] = []
    for line in words.splitlines():
        if line.startswith("- ") or not lines:
            lines.append(line)
        else:
            lines[-1] += f" {line}"
    return "\n".join(lines)


def counted(claims: Iterable[Claim]) -> str:
    """How many claims have each verdict."""
    verdicts = [claim.verdict for claim in claims]
    words = {HOLDS: "hold", IN_PART: "hold in part", FAILS: "do not hold", OPEN: "are not tested"}
    parts = [f"{verdicts.count(verdict)} {word}" for verdict, word in words.items()]
    return f"Of {len(verdicts)} claims, {', '.join(parts)}."


def claim_table(claims: Iterable[Claim]) -> Table:
    """One row for each claim, with the figures that its verdict rests on."""
    rows = [[claim.words, claim.place, f"**{claim.verdict}**", claim.found] for claim in claims]
    return Table(["claim", "section", "verdict", "found"], rows)


def contest(record: Record) -> list[str]:
    """How much each method made of what it was allowed, by experiment."""
    lines = []
    for experiment in load_experiments(tuple(record.runs)):
        if not experiment.constructions or not record.runs[experiment.name]:
            continue
        found = Results(record.runs[experiment.name])
        parts = [part for method in found.bounded if (part := made(found, method)) is not None]
        if parts:
            lines.append(f"- {experiment.title}: {'; '.join(parts)}.")
    return [*lines, *speeds(record)]


def made(found: Results, method: str) -> str | None:
    """The share of its constructions that a method made, in words."""
    runs = [run for run in found.runs if run["method"] == method and run.get("budget_steps") and run["steps"]]
    if not runs:
        return None
    share = found.share_made(method) or 0.0
    name = shown(method)
    steps = sum(run["steps"] for run in runs)
    skipped = found.count(method, "num_skipped")
    given_up = f", {100 * skipped / steps:.0f} % of them given up early" if skipped else ""
    return f"{name} made {100 * share:.0f} % of its constructions as a median{given_up}"


def speeds(record: Record) -> list[str]:
    """How quick our methods are against the paper's, by the tables of statistics."""
    rows = [row for row in record.rows.get("candidates", []) if "iterations" in row]
    lines = []
    for source in dict.fromkeys(row["source"] for row in rows):
        parts = [f"{shown(row['method'])} {speed(row):,.1f}" for row in rows if row["source"] == source]
        lines.append(
            f"- Constructions per second, as multiples of the paper's, on {source}: {', '.join(parts)}."
        )
    return lines


def speed(row: Row) -> float:
    """Constructions per second as a multiple of the paper's."""
    return float(row["drawn"] / max(row["seconds"], 1e-9) / (row["printed"][0] / row["printed_seconds"]))


def files(record: Record) -> list[Block]:
    """Which files and which score reproduce the printed optimum."""
    rows = [row for row in record.rows.get("variants", []) if "score" in row]
    if not rows:
        return []
    cells = []
    for source in dict.fromkeys(row["source"] for row in rows):
        best = min((row for row in rows if row["source"] == source), key=off)
        proof = "proved" if best["is_optimal"] else "not proved"
        name, score = best["variant"], best["score_name"]
        cells.append(
            [
                source,
                name,
                score,
                f"{best['score']:,.1f}",
                f"{best['printed']:,}",
                f"{100 * off(best):.2f}",
                proof,
            ]
        )
    header = ["data", "nearest file", "score", "ours", "paper, GOBNILP", "off by %", "optimum"]
    words = "The file and the score that come nearest to each optimum of Table 1 without a limit:"
    return [Text(words), Table(header, cells)]


def off(row: Row) -> float:
    """The relative distance from the printed figure."""
    return float(abs(row["score"] - row["printed"]) / abs(row["printed"]))
