"""
Learn from rows with missing values
===================================

Most tables have missing values. Dropping every incomplete row wastes data; expectation maximisation uses
all observed values. Here a quarter of the cells of scikit-learn's wine table is removed, so we can compare
with the truth.
"""

# %%
import numpy as np
from sklearn.datasets import load_wine

import treebound as tb

source = load_wine(as_frame=True)
wines = source.data[["alcohol", "malic_acid", "flavanoids", "color_intensity", "hue", "proline"]]
wines = wines.rename(columns=lambda name: name.replace("_", " "))
schema = tb.load(wines, discretise="quantile:3").schema

rng = np.random.default_rng(1)
holes = wines.mask(rng.random(wines.shape) < 0.25)
print(holes.head(4).to_string())

# %%
# Few rows are complete:

print(f"{len(holes.dropna())} of {len(holes)} rows are complete.")

# %%
# Learn from all of them, with ``missing="em"``, and from the complete rows alone.

data = tb.load(holes, schema=schema, missing="keep")
budget = tb.Budget(steps=50)
with_em = tb.learn(data, max_treewidth=2, missing="em", budget=budget).network
complete_only = tb.learn(data.complete(), max_treewidth=2, budget=budget).network

# %%
# The structure that was learned from all rows:

tb.plot.plot_structure(with_em.structure)

# %%
# Compare on the complete table, which neither has seen: the mean log-likelihood of a row, higher is better.

truth = tb.load(wines, schema=schema)
for name, network in (("all rows, EM", with_em), ("complete rows", complete_only)):
    print(f"{name:14} {network.score_samples(truth).mean():.3f}")

# %%
# Fill in the missing values, each given all observed values of its row.

filled = with_em.impute(holes)
print(filled.head(4).round(2).to_string())

# %%
# How often is the right bin among those that were removed? Guessing would give one third.

missing = holes.isna().to_numpy()
is_right = tb.load(filled, schema=schema).codes == truth.codes
print(f"{is_right[missing.T].mean():.0%} of {missing.sum()} removed values are in the right bin.")
