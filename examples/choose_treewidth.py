"""
Choose the treewidth limit
==========================

A larger treewidth limit fits the data better and makes queries more expensive. Held-out rows show how large
it has to be. The table is scikit-learn's digits: 1,797 handwritten digits of 8 by 8 pixels.
"""

# %%
from sklearn.datasets import load_digits

import treebound as tb

digits = load_digits(as_frame=True)
pixels = digits.data.loc[:, digits.data.nunique() > 8].assign(digit=digits.target.astype(str))

# %%
# For every limit, learn from 70 % of the rows and compute the log-likelihood of the others. The recommended
# limit is the smallest one that is not clearly worse than the best.

choice = tb.resampling.choose_treewidth(
    pixels,
    range(1, 6),
    discretise="width:2",
    validation=tb.resampling.Split(0.3),
    budget=tb.Budget(steps=10),
)
print(choice)

# %%
tb.plot.plot_treewidths(choice.table, recommended=choice.recommended)
