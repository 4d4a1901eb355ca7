"""All claims, each tested on a record: what is said, what we find, and whether it holds."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from benchmarks.paper._claim import FAILS, HOLDS, OPEN, Claim, verdict
from benchmarks.paper._claims_searches import inverted, large, small, very_large
from benchmarks.paper._definitions import load_experiments
from benchmarks.paper._record import Record
from benchmarks.paper._results import Results

# A bound is often tighter if it is so in this share of random sets.
OFTEN = 0.25


def all_claims(record: Record) -> list[Claim]:
    """Those that the record has runs for."""
    return [claim for name, made in MAKERS.items() if name in record.runs for claim in made(record)]


def candidates(record: Record) -> list[Claim]:
    """The three tables of statistics."""
    by_place: dict[str, dict[str, dict[str, float]]] = {}
    for row in record.rows["candidates"]:
        if "maximum" in row:
            by_place.setdefault(row["source"], {})[row["method"]] = row
    tables = [found for found in by_place.values() if {"s2", "kg"} <= set(found)]
    few = [found for found in tables if {"s2plus", "ka"} <= set(found)]
    parts = {
        "S2 has the lowest scores of all": [
            min(_of_paper(found), key=lambda m: found[m]["maximum"]) == "s2" for found in tables
        ],
        "The best of k-G and of k-A\\* is above that of S2 and S2+": [
            _best(found, "s2", "s2plus", max) < _best(found, "kg", "ka", min) for found in tables
        ],
        "S2 looks at far more solutions than the others": [
            max(_of_paper(found), key=lambda m: found[m].get("drawn", found[m]["iterations"])) == "s2"
            for found in tables
        ],
        "S2+ looks at fewer k-trees than S2, and their median is higher": [
            _fewer(found["s2plus"], found["s2"]) and found["s2plus"]["median"] > found["s2"]["median"]
            for found in few
        ],
        "k-A\\* looks at fewer orders than k-G": [_fewer(found["ka"], found["kg"]) for found in few],
        "On an inverted tree the best of k-G is above that of k-A\\*": [
            found["kg"]["maximum"] > found["ka"]["maximum"]
            for name, found in by_place.items()
            if name == "inverted tree" and "ka" in found
        ],
        "On community the best and the median of k-A\\* are above those of k-G": [
            found["ka"]["maximum"] > found["kg"]["maximum"] and found["ka"]["median"] > found["kg"]["median"]
            for name, found in by_place.items()
            if name == "community" and "ka" in found
        ],
        "The exact DAG inside a k-tree is slightly better than a sampled one": [
            found["s2"]["median"] > found["s2-sampled"]["median"] for found in tables if "s2-sampled" in found
        ],
    }
    return [
        Claim("4.1–4.4", words, f"in {sum(holds)} of {len(holds)} tables", verdict(holds))
        for words, holds in parts.items()
    ]


def _of_paper(found: dict[str, dict[str, float]]) -> list[str]:
    """The methods of the paper's tables among those that were measured."""
    return [method for method in ("s2", "s2plus", "kg", "ka") if method in found]


def _fewer(found: dict[str, float], rival: dict[str, float]) -> bool:
    return found["iterations"] < rival["iterations"]


def _best(found: dict[str, dict[str, float]], first: str, second: str, of: Callable[..., float]) -> float:
    return of(found[method]["maximum"] for method in (first, second) if method in found)


def bounds(record: Record) -> list[Claim]:
    """The first contribution."""
    rows = [row for row in record.rows["bounds"] if "removed" in row]
    removed = {(row["source"], row["rules"]): row["removed"] for row in rows}
    sources = [source for source, rules in removed if rules == "all"]
    more = [removed[source, "theorem1"] > removed[source, "de_campos_ji"] for source in sources]
    lower = [row["lower"] for row in record.rows["bounds"] if "lower" in row]
    with_both = [
        removed[source, both] > removed[source, "de_campos_ji"]
        for source in sources
        if (both := "de_campos_ji+first_condition") and (source, both) in removed
    ]
    entropy = [removed[source, "entropy"] >= removed[source, "all"] for source in sources]
    same = [row["same_best"] for row in rows]
    kept = f"the same best scores in {sum(same)} of {len(same)} runs"
    often = [share >= OFTEN for share in lower]
    note = (
        f"its bound is lower in {100 * min(lower):.0f} to {100 * max(lower):.0f} % of random sets, and in at "
        f"least {100 * OFTEN:.0f} % on {sum(often)} of {len(often)} data sets; as printed it removes more "
        f"sets on {sum(more)} of {len(more)}, and its first condition removes further sets next to de "
        f"Campos and Ji on {sum(with_both)} of {len(with_both)}"
        if lower
        else f"as printed it removes more sets on {sum(more)} of {len(more)}; bounds were not compared"
    )
    words = "The bound of Theorem 1 is often tighter than published ones (de Campos and Ji)"
    ours = "The bound by conditional entropies removes all that the others do"
    return [
        *lemma(record),
        Claim("2.1", "The bounds lose no optimal parent set", kept, verdict(same)),
        Claim(
            "2.1", words, note, (HOLDS if 2 * sum(often) >= len(often) else verdict(often)) if lower else OPEN
        ),
        *corollary(record),
        Claim("ours", ours, f"in {sum(entropy)} of {len(entropy)} cases", verdict(entropy)),
    ]


def corollary(record: Record) -> list[Claim]:
    """What the number of parents is bounded by."""
    rows = [row["most_parents"] for row in record.rows["bounds"] if "most_parents" in row]
    if not rows:
        return []
    note = (
        f"with its constant put right it allows {min(rows)} to {max(rows)} binary parents on our data; the "
        "growth with N is not tested"
    )
    return [Claim("2.1", "A node has at most O(log N - log log N) parents (Corollary 1)", note, OPEN)]


def lemma(record: Record) -> list[Claim]:
    """The bound behind the theorem, on random sets."""
    rows = [row for row in record.rows["bounds"] if "broken" in row]
    if not rows:
        return []
    broken, draws = sum(row["broken"] for row in rows), sum(row["draws"] for row in rows)
    share = 100 * median(row["share"] for row in rows)
    note = (
        f"in {draws - broken:,} of {draws:,} draws; the gain is {share:.1f} % of what it allows, as a median"
    )
    return [Claim("2.1", "Lemma 2 bounds what more parents gain", note, HOLDS if not broken else FAILS)]


def published(record: Record) -> list[Claim]:
    """The strongest published networks."""
    (experiment,) = load_experiments(("published",))
    found, claims = Results(record.runs["published"]), []
    for rival, name in (("hc-et", "hc-ET"), ("kmax", "k-MAX")):
        won = [
            ours > source.printed[rival][place]
            for source in experiment.sources
            for place, k in enumerate(found.bounds)
            if (ours := found.score(source.name, "regrow", k)) is not None
        ]
        words = f"Regrow is above the published {name}"
        claims.append(Claim("ours", words, f"{sum(won)} of {len(won)} times", verdict(won)))
    return claims


def slim(record: Record) -> list[Claim]:
    """The best of BN-SLIM's runs. Its scores are printed without decimals."""
    (experiment,) = load_experiments(("slim",))
    found = Results(record.runs["slim"])
    pairs = [
        (ours, source.printed["bn-slim"])
        for source in experiment.sources
        for k in source.treewidths or ()
        if (ours := found.score(source.name, "regrow", k)) is not None
    ]
    above = sum(ours > theirs + 0.5 for ours, theirs in pairs)
    level = sum(abs(ours - theirs) <= 0.5 for ours, theirs in pairs)
    note = f"above on {above} and level on {level} of {len(pairs)}"
    parts = [ours > theirs - 0.5 for ours, theirs in pairs]
    return [Claim("ours", "Regrow is not below the published BN-SLIM", note, verdict(parts))]


def inference(record: Record) -> list[Claim]:
    """The reason for the bound."""
    rows = [row for row in record.rows["inference"] if "width" in row]
    with_bound = [bool(row.get("answered")) for row in rows if row["k"] is not None]
    without = [bool(row.get("answered")) for row in rows if row["k"] is None]
    can, silent = "Networks learned with a treewidth limit can be queried exactly", without.count(False)
    note = f"{silent} of {len(without)} cannot be queried"
    return [
        Claim("1", can, f"{sum(with_bound)} of {len(with_bound)}", verdict(with_bound)),
        Claim(
            "1", "Networks learned without it come with no such guarantee", note, HOLDS if silent else FAILS
        ),
    ]


MAKERS: dict[str, Callable[[Record], list[Claim]]] = {
    "small": small,
    "inverted": inverted,
    "candidates": candidates,
    "large": large,
    "very_large": very_large,
    "bounds": bounds,
    "published": published,
    "slim": slim,
    "inference": inference,
}
