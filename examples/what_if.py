"""Seeing is not doing
===================

Seeing is not doing: a treatment that looks worse, and is better.

    python examples/what_if.py

The table is that of Charig, Webb, Payne and Wickham (1986, British Medical Journal 292): two treatments of
kidney stones. Open surgery was given to the harder cases, the large stones. So its patients did worse on the
whole, although it is better for small stones and for large ones: Simpson's paradox. An intervention cuts the
arc from the size of the stone to the treatment, and tells what the treatment does.
"""

from __future__ import annotations

import pandas as pd

import treebound as tb

# size of the stone, treatment, patients, of them cured
TRIAL = [
    ("small", "surgery", 87, 81),
    ("small", "puncture", 270, 234),
    ("large", "surgery", 263, 192),
    ("large", "puncture", 80, 55),
]


def patients() -> pd.DataFrame:
    rows = []
    for size, treatment, number, cured in TRIAL:
        rows += [(size, treatment, "cured")] * cured + [(size, treatment, "not cured")] * (number - cured)
    return pd.DataFrame(rows, columns=["size", "treatment", "outcome"])


def main() -> None:
    # Rows cannot tell causes from effects: who knows the arrows says so.
    arcs = {"size": [], "treatment": ["size"], "outcome": ["size", "treatment"]}
    network = tb.fit(arcs, patients(), smoothing=tb.MaximumLikelihood())

    print("share of patients that were cured     seen    done")
    for treatment in ("surgery", "puncture"):
        seen = network.posterior("outcome", {"treatment": treatment})["cured"]
        done = network.do({"treatment": treatment}).posterior("outcome")["cured"]
        print(f"  {treatment:35} {seen:6.1%}  {done:6.1%}")

    print("\nby size of the stone, where both agree")
    for size in ("small", "large"):
        for treatment in ("surgery", "puncture"):
            known = {"size": size, "treatment": treatment}
            print(
                f"  {size + ' stones, ' + treatment:35} {network.posterior('outcome', known)['cured']:6.1%}"
            )

    large = network.posterior("size", {"treatment": "surgery"})["large"]
    print(f"\nOf those who had surgery {large:.0%} had large stones, of all patients", end=" ")
    print(f"{network.posterior('size')['large']:.0%}: what we see mixes both.")


if __name__ == "__main__":
    main()
