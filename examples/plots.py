"""
Draw a network
==============

All plots return matplotlib axes and take ``ax=``; notebooks display them automatically. The network is
learned from the digits that scikit-learn ships: 1,797 handwritten digits of 8 by 8 pixels.
"""

# %%
from sklearn.datasets import load_digits

import treebound as tb

digits = load_digits(as_frame=True)
pixels = digits.data.rename(columns=lambda name: name.removeprefix("pixel_").replace("_", ","))
pixels = pixels.loc[:, pixels.nunique() > 8].assign(digit=digits.target.astype(str))
data = tb.load(pixels, discretise="width:3")
result = tb.learn(data, max_treewidth=3, budget=tb.Budget(steps=30))

# %%
# The whole graph. Neighbouring pixels depend on each other, although the table does not say which are
# neighbours. Arcs lead from dark to light, and larger dots have more arcs.

tb.plot.plot_structure(result)

# %%
# The neighbourhood of one variable, at most one arc away:

tb.plot.plot_structure(result, around="digit", distance=1)

# %%
# The tree decomposition, which proves the treewidth. Each dot is a bag of at most four variables.

tb.plot.plot_tree_decomposition(result)

# %%
# The best score over time:

tb.plot.plot_trace(result)

# %%
# ``tb.plot.save_figure(result, "digits.png")`` puts graph, decomposition and search on one page.

print(result.structure.guarantee)
