"""
Sample synthetic rows
=====================

A network can sample rows that resemble the table. The table is scikit-learn's digits
in black and white: 1,797 rows, one column for each pixel, and the digit.
"""

# %%
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import treebound as tb

digits = load_digits(as_frame=True)
pixels = digits.data.ge(8).astype(int)
pixels = pixels.loc[:, pixels.nunique() > 1].assign(digit=digits.target.astype(str))

network = tb.learn(tb.load(pixels), max_treewidth=5, budget=tb.Budget(steps=30)).network
print(network)

# %%
# Sample 200 rows and draw two of each digit. No one wrote these.

rows = network.sample(200, seed=1).to_frame().astype(int)
_, axes = plt.subplots(2, 10, figsize=(8, 1.9))
for digit in range(10):
    drawn = rows[rows["digit"] == digit].reindex(columns=digits.data.columns, fill_value=0)
    for row, ax in enumerate(axes[:, digit]):
        ax.imshow(drawn.iloc[row].to_numpy().reshape(8, 8), cmap="Greys")
        ax.axis("off")

# %%
# Synthetic rows keep the dependencies: how often is the middle pixel black in a 0, and in an 8?

for name, table in (("data", pixels), ("synthetic", rows)):
    share = table.groupby(table["digit"].astype(int))["pixel_3_3"].mean()
    print(f"{name:10} 0: {share[0]:.2f}   8: {share[8]:.2f}")
