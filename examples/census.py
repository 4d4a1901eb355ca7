"""
From a messy CSV file to queries
================================

Real tables have IDs, constant columns, numbers, dates, and several markers for missing values.
``load(auto=True)`` fixes common problems and reports each fix. The census is made up.
"""

# %%
import csv
import datetime
import tempfile
from pathlib import Path

import numpy as np

import treebound as tb


def write_census(path: Path, num_rows: int = 3000, seed: int = 1) -> None:
    """People whose education, work, income and health depend on each other."""
    rng = np.random.default_rng(seed)
    work_of = {"school": [0.2, 0.6, 0.2], "college": [0.5, 0.4, 0.1], "university": [0.8, 0.1, 0.1]}
    level_of = {"office": 3200, "trade": 2600, "none": 900, "retired": 1700}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["id", "age", "education", "work", "income", "owns_home", "health", "moved", "country"]
        )
        for person in range(num_rows):
            age = int(rng.integers(18, 90))
            levels = [0.3, 0.4, 0.3] if age < 45 else [0.6, 0.25, 0.15]
            education = str(rng.choice(["school", "college", "university"], p=levels))
            work = (
                "retired" if age > 66 else str(rng.choice(["office", "trade", "none"], p=work_of[education]))
            )
            level = level_of[work] * (1 + 0.35 * (education == "university"))
            income = round(float(level * rng.lognormal(0, 0.3)), 2)
            owns = "yes" if rng.random() < 0.1 + 0.4 * (age > 40) + 0.35 * (income > 3000) else "no"
            poor = 0.03 + 0.004 * max(0, age - 30) + 0.08 * (work == "none")
            health = str(rng.choice(["good", "fair", "poor"], p=[1 - 2.5 * poor, 1.5 * poor, poor]))
            moved = datetime.date(2015 + int(rng.integers(0, 10)), 1, 1)
            cells = [age, education, work, income, owns, health, moved]
            markers = ["?", "", "NA"]
            shown = [markers[i % 3] if rng.random() < 0.02 else cell for i, cell in enumerate(cells)]
            writer.writerow([f"P{person:05}", *shown, "Freedonia"])


# %%
# Read the file. What happened to each column is part of the dataset.

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "census.csv"
    write_census(path)
    print("".join(path.read_text().splitlines(keepends=True)[:4]))
    data = tb.load(path, auto=True)

print(data.schema.preparation)

# %%
# Learn a network and check it.

result = tb.learn(data, max_treewidth=3, budget=tb.Budget(steps=50))
print(result.structure)
print(result.verdict)
tb.plot.plot_structure(result.structure)

# %%
# Who owns a home?

network = result.network
for age, work in ((25, "office"), (25, "none"), (60, "office"), (60, "none")):
    owns = network.posterior("owns_home", {"age": age, "work": work})
    print(f"{age} years, {work:6} {owns['yes']:4.0%}")

# %%
# The income of a university graduate in an office. Evidence and results are in terms of the file.

print(network.posterior("income", {"education": "university", "work": "office"}))

# %%
# Complete a person of whom some values are known:

known = {"age": 33, "education": "college", "work": "trade", "income": None, "health": None}
print(network.impute(known))
