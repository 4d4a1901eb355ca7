"""From a CSV file to queries
==========================

From a CSV file as people have them to answers: ages, incomes, words, dates, and cells that are missing.

    python examples/census.py

The table is made up here, so that nothing has to be downloaded. It has what real ones have: an id, a column
that says the same in every row, numbers, dates, and three marks for what is not known.
"""

from __future__ import annotations

import csv
import datetime
import tempfile
from pathlib import Path

import numpy as np

import treebound as tb


def write_census(path: Path, num_rows: int = 3000, seed: int = 1) -> None:
    """People whose education, work, income and health hang together."""
    rng = np.random.default_rng(seed)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["id", "age", "education", "work", "income", "owns_home", "health", "moved", "country"]
        )
        for person in range(num_rows):
            age = int(rng.integers(18, 90))
            education = rng.choice(["school", "college", "university"], p=education_of(age))
            work = (
                "retired" if age > 66 else str(rng.choice(["office", "trade", "none"], p=work_of(education)))
            )
            level = {"office": 3200, "trade": 2600, "none": 900, "retired": 1700}[work]
            income = round(float(level * (1 + 0.35 * (education == "university")) * rng.lognormal(0, 0.3)), 2)
            owns = "yes" if rng.random() < 0.1 + 0.4 * (age > 40) + 0.35 * (income > 3000) else "no"
            health = str(rng.choice(["good", "fair", "poor"], p=health_of(age, work)))
            moved = datetime.date(2015 + int(rng.integers(0, 10)), 1, 1)
            cells = [age, education, work, income, owns, health, moved]
            marks = ["?", "", "NA"]
            shown = [marks[i % 3] if rng.random() < 0.02 else cell for i, cell in enumerate(cells)]
            writer.writerow([f"P{person:05}", *shown, "Freedonia"])


def education_of(age: int) -> list[float]:
    return [0.3, 0.4, 0.3] if age < 45 else [0.6, 0.25, 0.15]


def work_of(education: str) -> list[float]:
    return {"school": [0.2, 0.6, 0.2], "college": [0.5, 0.4, 0.1], "university": [0.8, 0.1, 0.1]}[education]


def health_of(age: int, work: str) -> list[float]:
    poor = 0.03 + 0.004 * max(0, age - 30) + 0.08 * (work == "none")
    return [1 - 2.5 * poor, 1.5 * poor, poor]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "census.csv"
        write_census(path)
        answer_questions(path)


def answer_questions(path: Path) -> None:
    print("The first lines of the file:")
    print("".join(path.read_text().splitlines(keepends=True)[:4]))

    data = tb.load(path, auto=True)
    print("What became of its columns:")
    for note in data.schema.preparation.columns:
        print(f"  {note.name:9} {note.done:8} {note.words}")
    print(f"{data.summary}; {data.schema.preparation.rows_dropped} rows lacked a value.\n")

    result = tb.learn(data, max_treewidth=3, budget=tb.Budget(steps=50))
    print(result.structure.guarantee)
    print(f"The checker says: {result.verdict}\n")

    network = result.network
    print("Who owns a home?")
    for age, work in ((25, "office"), (25, "none"), (60, "office"), (60, "none")):
        owns = network.posterior("owns_home", {"age": age, "work": work})
        print(f"  {age} years, {work:8} {owns['yes']:4.0%} {'#' * round(40 * owns['yes'])}")

    print("\nThe income of a university graduate in an office:")
    print(network.posterior("income", {"education": "university", "work": "office"}))

    print("\nThe most probable person with poor health:")
    for name, state in network.most_probable({"health": "poor"}).assignment.items():
        print(f"  {name:10} {state}")

    known = {"age": 33, "education": "college", "work": "trade", "income": None, "health": None}
    filled = network.impute(known)
    income, health = filled["income"], filled["health"]
    print(f"\nA tradesman of 33 from college probably earns {income:,.0f}, and his health is {health}.")


if __name__ == "__main__":
    main()
