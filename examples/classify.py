"""
Classify with Bayesian networks
===============================

The classifier follows scikit-learn. It averages several kinds of network, returns probabilities, and
predicts with missing values.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treebound.sklearn import TreeboundClassifier

TABLES = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}

# %%
# Accuracy on held-out rows, a third of the table. In the last column a third of their cells is missing.

print(f"{'':14} logistic   forest  treebound  treebound, cells missing")
for name, load in TABLES.items():
    X, y = load(return_X_y=True, as_frame=True)
    train, test, known, truth = train_test_split(X, y, test_size=1 / 3, random_state=0, stratify=y)
    logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(train, known)
    forest = RandomForestClassifier(50, random_state=0).fit(train, known)
    networks = TreeboundClassifier(steps=10).fit(train, known)
    holes = test.mask(np.random.default_rng(0).random(test.shape) < 1 / 3)
    print(
        f"{name:14} {logistic.score(test, truth):8.3f} {forest.score(test, truth):8.3f} "
        f"{networks.score(test, truth):10.3f} {networks.score(holes, truth):25.3f}"
    )

# %%
# Look inside: which kinds of network were tried on the breast cancer table, and how much does each weigh?

for kind in networks.candidates_[:4]:
    print(f"{kind.structure:20} accuracy {kind.accuracy:.3f}, weight {kind.weight:.2f}")

# %%
# Which columns does the prediction depend on?

order = np.argsort(networks.feature_importances_)[-8:]
_, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.barh(networks.feature_names_in_[order], networks.feature_importances_[order])
ax.set_xlabel("importance")
