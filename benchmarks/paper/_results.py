"""What follows from the runs of a record: medians, W-scores and victories, as the paper computes them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks.paper._measure import Row

from treebound.experiments import SignTest, sign_test, w_score


class Results:
    """The runs of one experiment; each copy or split of a source counts as one, over all seeds."""

    def __init__(self, runs: Sequence[Row]) -> None:
        self.runs = runs
        self.sources = list(dict.fromkeys(run["source"] for run in runs))
        self.methods = list(dict.fromkeys(run["method"] for run in runs))
        self.bounded = list(dict.fromkeys(run["method"] for run in runs if run["k"] is not None))
        self.bounds = sorted({run["k"] for run in runs if run["k"] is not None})
        self._scores: dict[tuple[str, str, int | None], list[float]] = {}
        for run in runs:
            if run["score"] is not None:
                self._scores.setdefault((run["source"], run["method"], run["k"]), []).append(run["score"])

    def runs_of(self, source: str, method: str, k: int | None) -> list[Row]:
        """The runs of a method on a source that have a structure."""
        asked = (source, method, k)
        return [
            run
            for run in self.runs
            if (run["source"], run["method"], run["k"]) == asked and run["score"] is not None
        ]

    def score(self, source: str, method: str, k: int | None) -> float | None:
        """The median over the seeds."""
        found = self._scores.get((source, method, k))
        return median(found) if found else None

    def unbounded(self, source: str) -> float | None:
        """The best score without a bound: the G of the W-score."""
        found = [
            score
            for (name, _, k), scores in self._scores.items()
            if (name, k) == (source, None)
            for score in scores
        ]
        return max(found, default=None)

    def w(self, source: str, method: str, k: int) -> float | None:
        """The W-score of the median."""
        score, best = self.score(source, method, k), self.unbounded(source)
        return None if score is None or not best else w_score(score, best)

    def w_scores(self, method: str, k: int) -> list[float]:
        """One per source that has one."""
        found = [self.w(source, method, k) for source in self.sources]
        return [w for w in found if w is not None]

    def victories(self, method: str, rival: str, k: int, sources: Sequence[str] | None = None) -> SignTest:
        """How often a method has the higher median, with the sign test."""
        pairs = [
            (self.score(source, method, k), self.score(source, rival, k))
            for source in sources or self.sources
        ]
        both = [(ours, theirs) for ours, theirs in pairs if ours is not None and theirs is not None]
        return sign_test([ours for ours, _ in both], [theirs for _, theirs in both])

    def count(self, method: str, name: str) -> int | None:
        """The sum of a statistic of the solver over all runs of a method; None if it has none such."""
        found = [(run.get("statistics") or {}).get(name) for run in self.runs if run["method"] == method]
        known = [int(value) for value in found if value is not None]
        return sum(known) if known else None

    def share_made(self, method: str, k: int | None = None) -> float | None:
        """The median share of its allowed constructions that a method made; None if they were not limited."""
        shares = [
            run["steps"] / run["budget_steps"]
            for run in self.runs
            if run["method"] == method and run.get("budget_steps") and run["steps"] and k in (None, run["k"])
        ]
        return median(shares) if shares else None

    def failures(self) -> list[Row]:
        """Runs without a structure that the checker accepts."""
        return [run for run in self.runs if run["status"] != "ok"]


def family(source: str) -> str:
    """The name of a source without the number of its copy or split."""
    return source.split(" #")[0]
