"""
Find unusual rows and cells
===========================

A network gives the probability of each row, and shows which cells do not fit the others. The table is
scikit-learn's wine data with one deliberate mistake.
"""

# %%
import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

import treebound as tb

wines = load_wine(as_frame=True).data.rename(columns=lambda name: name.split("/")[0].replace("_", " "))
data = tb.load(wines, discretise="width:6")
network = tb.learn(data, max_treewidth=2, budget=tb.Budget(steps=100)).network

entered = wines.head(60).copy()
entered.loc[41, "flavanoids"] = 0.5  # in place of 2.7

# %%
# The anomaly score of a row is its negative log-probability. Each of the strangest rows is shown with its
# strangest cell.

scores = network.anomaly_scores(entered)
print(scores)

_, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.scatter(range(len(scores)), scores, c=["C1" if row == 41 else "C0" for row in range(len(scores))])
ax.set(xlabel="row", ylabel="anomaly score")

# %%
# What the cells of row 41 contribute to its score: the flavanoids do not fit the columns that depend on
# them.

print(scores.contributions.loc[41].sort_values(ascending=False).head(4).round(2).to_string())
