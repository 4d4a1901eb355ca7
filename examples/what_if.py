"""
Compute the effect of an intervention
=====================================

Seeing is not doing. In a study of two treatments of kidney stones (Charig, Webb, Payne and Wickham, 1986,
British Medical Journal 292), patients with open surgery did worse, although surgery is better for small
stones and for large ones: it was given to the harder cases. This is Simpson's paradox.
"""

# %%
import pandas as pd

import treebound as tb

TRIAL = [  # size of the stone, treatment, patients, of them cured
    ("small", "surgery", 87, 81),
    ("small", "puncture", 270, 234),
    ("large", "surgery", 263, 192),
    ("large", "puncture", 80, 55),
]
rows = []
for size, treatment, number, cured in TRIAL:
    rows += [(size, treatment, "cured")] * cured + [(size, treatment, "not cured")] * (number - cured)
patients = pd.DataFrame(rows, columns=["size", "treatment", "outcome"])

# %%
# Data alone do not show what causes what. If you know the arrows, write them down and fit the network.

arrows = {"size": [], "treatment": ["size"], "outcome": ["size", "treatment"]}
network = tb.fit(arrows, patients, smoothing=tb.MaximumLikelihood())
tb.plot.plot_structure(network)

# %%
# ``posterior`` conditions on the treatment that we *see*. ``do`` removes the arrow into the treatment and
# computes what happens if we *choose* it.

for treatment in ("surgery", "puncture"):
    seen = network.posterior("outcome", {"treatment": treatment})["cured"]
    done = network.do({"treatment": treatment}).posterior("outcome")["cured"]
    print(f"{treatment:10} cured if seen {seen:.1%}, cured if chosen {done:.1%}")

# %%
# Within each size, surgery is better.

for size in ("small", "large"):
    for treatment in ("surgery", "puncture"):
        cured = network.posterior("outcome", {"size": size, "treatment": treatment})["cured"]
        print(f"{size} stones, {treatment:10} {cured:.1%}")

# %%
# The reason: most patients with surgery had large stones.

for treatment in ("surgery", "puncture"):
    print(f"{treatment:10} {network.posterior('size', {'treatment': treatment})['large']:.0%} large stones")
