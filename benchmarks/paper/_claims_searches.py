"""The claims of the paper about searches, and ours, tested on a record."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks.paper._cells import shown
from benchmarks.paper._claim import FAILS, HOLDS, IN_PART, OPEN, Claim, spelled, verdict
from benchmarks.paper._contest import Contest, judged
from benchmarks.paper._definitions import load_methods
from benchmarks.paper._record import Record
from benchmarks.paper._results import Results, family


def small(record: Record) -> list[Claim]:
    """Table 1."""
    found = Results(record.runs["small"])
    if not found.bounds:
        return []
    (k,) = found.bounds
    claims = []
    for method, name in (("ka", "k-A\\*"), ("kg", "k-G")):
        contests = [Contest(found, method, rival, k) for rival in ("s2", "s2plus")]
        claim = f"{name} is above both S2 and S2+ on almost all small data sets"
        note = f"{contests[0]} over S2, {contests[1]} over S2+"
        claims.append(
            Claim("4.2", claim, note, judged(contests, [one.test.is_significant for one in contests]))
        )
    claims.append(_level(found, k))
    for method, name in (("ka", "k-A\\*"), ("ka-back", "k-A\\* solved from the back (ours)")):
        if method in found.methods:
            one, proved = Contest(found, method, "kg", k), proved_share(found, method)
            claim, note = f"{name} has a slight advantage over k-G", f"{one}; {proved}"
            claims.append(Claim("4.2", claim, note, judged([one], [one.test.wins > one.test.losses])))
    best = [found.victories("regrow", rival, k) for rival in ("kg", "ka")]
    note = f"{spelled(best[0])} over k-G, {spelled(best[1])} over k-A\\*"
    claims.append(
        Claim(
            "ours",
            "Regrow is never below k-G and k-A\\* on small data sets",
            note,
            verdict([t.losses == 0 for t in best]),
        )
    )
    return claims


def _level(found: Results, k: int) -> Claim:
    """Where all four methods of the paper have the same score. Sources come by size."""
    rivals = ("s2", "s2plus", "kg")
    tests = {one: [found.victories("ka", rival, k, [one]) for rival in rivals] for one in found.sources}
    level = [one for one, of_one in tests.items() if all(test.ties for test in of_one)]
    note = f"level on {', '.join(level)}" if level else "level nowhere"
    is_so = bool(level) and level == found.sources[: len(level)]
    return Claim(
        "4.2", "S2, S2+, k-G and k-A\\* are level on the smallest data sets only", note, verdict([is_so])
    )


def proved_share(found: Results, method: str) -> str:
    """How many of its orders a method proved, and how many it left for want of memory."""
    steps = sum(run["steps"] or 0 for run in found.runs if run["method"] == method)
    proved, lost = (found.count(method, name) for name in ("num_proved", "num_out_of_memory"))
    if not steps or proved is None:
        return "the record does not count its proofs"
    shares = 100 * proved / steps, 100 * (lost or 0) / steps
    limit = f"{load_methods()[method].record.memory_mb:,} MB of " if lost else ""
    return f"{shares[0]:.0f} % of its orders are proved, {shares[1]:.0f} % ran out of {limit}memory"


def inverted(record: Record) -> list[Claim]:
    """The figure of inverted trees."""
    found = Results(record.runs["inverted"])
    claims = []
    for k in found.bounds:
        families = list(dict.fromkeys(family(source) for source in found.sources if f"k={k} " in source))
        holds, ours = [], []
        for name in families:
            w = {
                m: _mean([found.w(s, m, k) for s in found.sources if family(s) == name])
                for m in ("s2", "s2plus", "kg", "ka", "regrow")
            }
            holds.append(max(w["kg"], w["ka"]) < min(w["s2"], w["s2plus"]))
            ours.append(w["regrow"] <= min(w["kg"], w["ka"], w["s2"], w["s2plus"]))
        claim = f"k-G and k-A\\* are above S2 and S2+ for each n (k = {k})"
        pairs = [Contest(found, method, rival, k) for method in ("kg", "ka") for rival in ("s2", "s2plus")]
        late = sorted({loser for one in pairs if (loser := one.cut_short) is not None})
        note = f"for {sum(holds)} of {len(holds)} numbers of variables"
        if late:
            shares = (f"{shown(m)} had time for {100 * (found.share_made(m, k) or 0):.0f} %" for m in late)
            note += f", but of their constructions {', '.join(shares)}"
        claims.append(Claim("4.1", claim, note, OPEN if late else verdict(holds)))
        claim = f"Regrow is above all four (k = {k})"
        claims.append(Claim("ours", claim, f"for {sum(ours)} of {len(ours)}", verdict(ours)))
    return claims


def large(record: Record) -> list[Claim]:
    """The table of victories."""
    found, claims = Results(record.runs["large"]), []
    pairs = [("kg", "ka"), ("kg", "s2"), ("kg", "s2plus"), ("ka", "s2"), ("ka", "s2plus")]
    names = {"kg": "k-G", "ka": "k-A\\*", "s2": "S2", "s2plus": "S2+", "regrow": "Regrow"}
    if "ka-back" in found.methods:
        pairs.insert(1, ("kg", "ka-back"))
        names["ka-back"] = "k-A\\* solved from the back (ours)"
    for method, rival in (*pairs, ("regrow", "kg")):
        contests = [Contest(found, method, rival, k) for k in found.bounds]
        claim = f"{names[method]} is significantly better than {names[rival]} for every treewidth"
        note = ", ".join(f"k = {one.k}: {one}" for one in contests)
        if rival in ("ka", "ka-back"):
            note += f"; {proved_share(found, rival)}"
        place = "ours" if method == "regrow" else "4.3"
        claims.append(Claim(place, claim, note, judged(contests, [c.test.is_significant for c in contests])))
    return [*claims, *_many_orders(found)]


def _many_orders(found: Results) -> list[Claim]:
    """The conclusion that the paper draws from the victories of k-G over k-A*."""
    claim = "It is more important to explore many orders than to find the best DAG of each"
    rival = "ka-back" if "ka-back" in found.methods else "ka"
    contests = [Contest(found, "kg", rival, k) for k in found.bounds]
    steps = sum(run["steps"] or 0 for run in found.runs if run["method"] == rival)
    proved = found.count(rival, "num_proved") or 0
    if not contests or 2 * proved < steps:
        note = f"only {proved:,} of {steps:,} orders are proved: k-G was not compared with orders solved well"
        return [Claim("4.3", claim, note, OPEN)]
    note = ", ".join(f"k = {one.k}: {one}" for one in contests)
    return [Claim("4.3", claim, note, judged(contests, [c.test.is_significant for c in contests]))]


def very_large(record: Record) -> list[Claim]:
    """The box plots."""
    found = Results(record.runs["very_large"])
    contests = [Contest(found, "kg", "s2", k) for k in found.bounds]
    note = ", ".join(f"k = {one.k}: {one}" for one in contests)
    every = [one.test.wins and not one.test.losses for one in contests]
    claims = [Claim("4.4", "k-G wins every time against S2", note, judged(contests, every))]
    filled = [
        share
        for k in found.bounds
        for source in found.sources
        if (share := _filled(found, source, k)) is not None
    ]
    if filled:
        average = sum(filled) / len(filled)
        claim = "k-G fills about 60 % of the gap between S2 and the unbounded solver on average"
        note = f"{100 * average:.0f} % on average, median {100 * median(filled):.0f} %"
        is_near = 0.5 <= average <= 0.7
        claims.append(Claim("4.4", claim, note, HOLDS if is_near else IN_PART if average > 0.7 else FAILS))
    claims += _over_treewidths(found)
    claim = "Only k-G and S2 cope with very large data"
    note = "k-A\\* and S2+ are not run on these sets: an order or a k-tree of theirs has no limit on its time"
    claims.append(Claim("4.4", claim, note, OPEN))
    tests = [found.victories("regrow", "kg", k) for k in found.bounds]
    note = ", ".join(f"k = {k}: {spelled(test)}" for k, test in zip(found.bounds, tests, strict=True))
    claims.append(
        Claim(
            "ours",
            "Regrow wins every time against k-G",
            note,
            verdict([t.wins and not t.losses for t in tests]),
        )
    )
    return claims


def _over_treewidths(found: Results) -> list[Claim]:
    """Whether W-scores fall with the treewidth, and those of k-G more sharply."""
    claims, left = [], {}
    for method, name in (("kg", "k-G"), ("s2", "S2")):
        medians = [median(ws) for k in found.bounds if (ws := found.w_scores(method, k))]
        if not medians or medians[0] <= 0:
            return []
        note = f"medians {' / '.join(f'{100 * value:.2f}' for value in medians)} %"
        falls = medians == sorted(medians, reverse=True)
        claims.append(Claim("4.4", f"The W-score of {name} falls with the treewidth", note, verdict([falls])))
        left[method] = medians[-1] / medians[0]
    shares = f"{100 * left['kg']:.0f} % of its median at the smallest, that of S2 {100 * left['s2']:.0f} %"
    note = f"at the largest treewidth that of k-G is {shares}"
    claim = "The W-score of k-G falls more sharply than that of S2"
    return [*claims, Claim("4.4", claim, note, verdict([left["kg"] < left["s2"]]))]


def _filled(found: Results, source: str, k: int) -> float | None:
    """How much of the gap between S2 and the unbounded solver k-G fills."""
    greedy, sampled, best = (
        found.score(source, "kg", k),
        found.score(source, "s2", k),
        found.unbounded(source),
    )
    if greedy is None or sampled is None or best is None or best <= sampled:
        return None
    return (greedy - sampled) / (best - sampled)


def _mean(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else float("nan")
