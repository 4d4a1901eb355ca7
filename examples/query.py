"""
Query a network and explain the result
======================================

A network gives the probability of any variable, given evidence on any others. This one is learned from the
wine table that scikit-learn ships: a chemical analysis of 178 wines from three growers.
"""

# %%
from sklearn.datasets import load_wine

import treebound as tb

source = load_wine(as_frame=True)
wines = source.data.rename(columns=lambda name: name.split("/")[0].replace("_", " "))
wines["grower"] = source.target.map({0: "first", 1: "second", 2: "third"})

data = tb.load(wines, discretise="quantile:3")
network = tb.learn(data, max_treewidth=2, budget=tb.Budget(steps=200)).network
print(network)

# %%
# The variables that the grower depends on directly:

tb.plot.plot_structure(network, around="grower", distance=1)

# %%
# Without evidence, and with two measurements of a wine. Numbers fall into their bins.

print(network.posterior("grower"))
print(network.posterior("grower", {"alcohol": 13.6, "flavanoids": 2.9}))

# %%
# Queries work in every direction. What do the wines of the third grower look like?

print(network.marginals({"grower": "third"}))

# %%
# Which findings support the result, and which contradict it?

print(network.explain("grower", {"alcohol": 13.6, "flavanoids": 1.4, "hue": 0.7}))

# %%
# The alcohol alone does not settle the grower. Which measurement should you take next?

for value in network.value_of_information("grower", {"alcohol": 13.6})[:5]:
    print(f"{value.variable:18} removes {value.share:4.0%} of the uncertainty")

# %%
# The most probable complete wine of the second grower:

print(network.most_probable({"grower": "second"}))
