"""
Learn a network from a table
============================

The breast cancer table that scikit-learn ships has 569 rows: measurements of cell nuclei, and the
diagnosis.
"""

# %%
# Numeric columns are binned, here into three bins with about the same number of rows each.

from sklearn.datasets import load_breast_cancer

import treebound as tb

source = load_breast_cancer(as_frame=True)
cells = source.data.filter(like="mean").rename(columns=lambda name: name.removeprefix("mean "))
cells["diagnosis"] = source.target_names[source.target]

data = tb.load(cells, discretise="quantile:3")
print(data)
print(data.schema["radius"].states)

# %%
# Learn with a treewidth limit of 2. The result comes with the verdict of an independent checker.

result = tb.learn(data, max_treewidth=2, budget=tb.Budget(steps=200))
print(result.structure)
print(result.verdict)

# %%
# The network as a graph. The variables that are connected to the diagnosis directly are enough to predict
# it.

tb.plot.plot_structure(result.structure)

# %%
# The proof of the treewidth is a tree of bags. The largest bag determines what an exact query costs.

tb.plot.plot_tree_decomposition(result)

# %%
print(result.structure.guarantee)
