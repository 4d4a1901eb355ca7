"""
Estimate the density of a table
===============================

``learn_density`` learns the joint distribution of a table as a mixture, trained and weighted on held-out
rows: how probable is a new row? The table is scikit-learn's breast cancer data.
"""

# %%
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

import treebound as tb

source = load_breast_cancer(as_frame=True)
cells = source.data.filter(like="mean").rename(columns=lambda name: name.removeprefix("mean "))
cells["diagnosis"] = source.target_names[source.target]
data = tb.load(cells, discretise="quantile:5")
train, test = data.take(range(400)), data.take(range(400, len(cells)))

# %%
# The members of the mixture, each with its weight:

density = tb.learn_density(train, budget=tb.Budget(steps=2))
print(density)

# %%
# Compare the mean log-likelihood of new rows with that of one network, and with columns that are taken as
# independent. A small table such as this one has little to gain from a mixture; wide and long tables have
# more.

network = tb.learn(train, max_treewidth=3, budget=tb.Budget(steps=50)).network
independent = tb.learn(train, solver="empty", budget=tb.Budget(steps=1)).network
models = {"mixture": density.model, "one network": network, "independent": independent}
likelihoods = {name: model.score_samples(test).mean() for name, model in models.items()}
for name, likelihood in likelihoods.items():
    print(f"{name:12} {likelihood:.2f}")

_, ax = plt.subplots(figsize=(6, 2), layout="constrained")
ax.barh(list(likelihoods), list(likelihoods.values()))
ax.set_xlabel("mean log-likelihood of a new row (nats)")

# %%
# A mixture answers the queries of a network.

print(density.model.posterior("diagnosis", {"radius": 14.0, "concavity": 0.15}))
