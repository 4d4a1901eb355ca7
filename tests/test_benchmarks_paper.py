"""The parts of the paper's experiments: definitions, rows, the smoothed score, and what follows from runs."""

from __future__ import annotations

import gzip
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from benchmarks.paper._blocks import Heading, Table, Text, as_html, as_markdown
from benchmarks.paper._claim import FAILS, HOLDS, IN_PART, OPEN, verdict
from benchmarks.paper._contest import Contest, judged
from benchmarks.paper._data import instances, lacking, size_of, split
from benchmarks.paper._definitions import (
    FOLDER,
    ORDER,
    DefinitionError,
    SourceDefinition,
    load_experiment,
    load_experiments,
    load_methods,
)
from benchmarks.paper._lemma import lemma_row, log_likelihood
from benchmarks.paper._plan import Settings, source_of, specs_of
from benchmarks.paper._results import Results
from benchmarks.paper._smoothed import smoothed_cache, smoothed_score
from hypothesis import given
from hypothesis import strategies as st

from treebound import Exhaustive, Local, random_network, save_cache, save_network, score

WORDS = 'title = ""\npaper = ""\nquestion = ""\nexpected = ""\n'


def test_all_definitions_can_be_read():
    assert [experiment.name for experiment in load_experiments()] == list(ORDER)
    assert all(method.record is not None for method in load_methods().values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('kind = "search"\n', "expected|required|missing"),
        (WORDS + 'kind = "other"\n[[sources]]\nname = "a"\nfile = "a"', "kind"),
        ('colour = "red"', "colour"),
        ("[[sources]]\nname = 'a'", "expected one of file"),
        ("[[sources]]\nname = 'a'\nfile = 'a'\nparts = 'b'", "got \\['file', 'parts'\\]"),
        ("kind = ", "TOML"),
    ],
)  # fmt: skip
def test_a_wrong_definition_is_refused(tmp_path: Path, text: str, message: str):
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(DefinitionError, match=message):
        load_experiment(path)


def test_every_benchmark_beside_the_paper_says_why_it_is_apart():
    paths = [path for path in FOLDER.parents[1].glob("[a-z]*.py") if "\nQUESTION = " in path.read_text()]
    lacking_words = [path.name for path in paths if "\nApart from benchmarks.paper: " not in path.read_text()]
    assert paths
    assert not lacking_words


@pytest.mark.core
def test_the_lemma_is_computed_as_printed():
    data = random_network(6, seed=2).sample(200, seed=1)
    codes = data.codes.astype(np.int64)
    scored = score(data, parent_sets=Exhaustive(2), pruning=(), budget=None, where=Local(threads=1)).cache
    for child, parents in ((0, [1]), (3, [2, 5]), (4, [])):
        states = [data.schema.cardinalities[v] for v in (child, *parents)]
        penalty = math.log(200) / 2 * (states[0] - 1) * math.prod(states[1:])
        names = [data.schema.names[v] for v in parents]
        known = scored.score_of(data.schema.names[child], names)
        if known is not None:
            assert log_likelihood(codes, child, parents) == pytest.approx(known + penalty)
    row = lemma_row(data, 3)
    assert (row["draws"], row["broken"]) == (200, 0)
    assert 0 <= row["share"] <= 1


@pytest.mark.core
def test_sizes_are_known_without_rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("TREEBOUND_DATA", str(tmp_path))
    for folder in ("dat", "jkl", "networks"):
        (tmp_path / folder).mkdir()
    network = random_network(5, seed=1)
    data = network.sample(20, seed=1)
    data.to_frame("pandas").to_csv(tmp_path / "a.csv.gz", index=False)
    save_network(network, tmp_path / "networks" / "a.bif.gz")
    save_cache(score(data, parent_sets=Exhaustive(1), budget=None).cache, tmp_path / "jkl" / "a.jkl.gz")
    with gzip.open(tmp_path / "dat" / "a-5000.dat.gz", "wt") as file:
        file.write("x y z\n2 2 2\n0 1 0\n")
    known = {"file": "a", "cache": "a", "network": {"name": "a", "rows": 9}}
    known |= {"inverted_tree": {"variables": 5, "parents": 2, "rows": 9}}
    assert {size_of(SourceDefinition("a", **{origin: value})) for origin, value in known.items()} == {5}
    assert size_of(SourceDefinition("a", file="a-5000")) == 3


def test_missing_files_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    source = SourceDefinition("Audio", parts="baudio", splits=3)
    monkeypatch.delenv("TREEBOUND_DATA", raising=False)
    assert "TREEBOUND_DATA is not set" in str(lacking(source))
    monkeypatch.setenv("TREEBOUND_DATA", str(tmp_path))
    (tmp_path / "baudio.train.csv.gz").write_bytes(b"")
    assert lacking(source) == "Audio: baudio.valid.csv.gz, baudio.test.csv.gz not in TREEBOUND_DATA."
    assert lacking(SourceDefinition("R", random_network={"variables": 5, "rows": 9})) is None


@pytest.mark.core
@given(rows=st.integers(1, 40), count=st.integers(1, 4), seed=st.integers(0, 9))
def test_splits_are_the_rows_each_once(rows: int, count: int, seed: int):
    data = random_network(3, seed=1).sample(rows, seed=1)
    parts = [split(data, number, count, seed).codes for number in range(count)]
    together = np.concatenate(parts, axis=1)
    assert sorted(together.T.tolist()) == sorted(data.codes.T.tolist())
    assert max(part.shape[1] for part in parts) - min(part.shape[1] for part in parts) <= 1


@pytest.mark.core
def test_copies_differ_and_come_again():
    source = SourceDefinition("tree", inverted_tree={"variables": 7, "parents": 2, "rows": 50}, copies=3)
    first, second = ([one.open() for one in instances(source)] for _ in range(2))
    assert first == second
    assert first[0] != first[1]
    assert [one.name for one in instances(source, 2)] == ["tree #1", "tree #2"]


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=6))
def test_the_smoothed_score_is_its_formula(counts: list[list[int]]):
    total = sum(map(sum, counts))
    if total == 0:
        counts[0][0] = total = 1
    states, score = len(counts), 0.0
    for row in counts:
        for count in row:
            if count and states == 1:
                score += count * math.log(count / total)
            elif count:
                score += count * (math.log(count + 1 / (3 * states)) - math.log(sum(row) + 1 / 3))
    score -= math.log(total) if states == 1 else (states // 2) * math.log(total) * 2
    assert smoothed_score(np.array(counts)) == pytest.approx(score, abs=1e-9)


@pytest.mark.core
def test_the_smoothed_cache_keeps_what_beats_its_subsets():
    data = random_network(4, seed=3).sample(60, seed=1)
    cache = smoothed_cache(data, 2)
    for child, name in enumerate(data.schema.names):
        others = [v for v in range(4) if v != child]
        scores = {
            parents: smoothed_score(counted(data.codes, data.schema.cardinalities, child, parents))
            for size in range(3)
            for parents in combinations(others, size)
        }
        kept = {
            parents
            for parents, score in scores.items()
            if all(
                score > scores[below] for size in range(len(parents)) for below in combinations(parents, size)
            )
        }
        assert cache.score_of(name, ()) == pytest.approx(scores[()])
        assert cache.best(name).score == pytest.approx(max(scores[parents] for parents in kept))


def counted(codes: np.ndarray, states: tuple[int, ...], child: int, parents: tuple[int, ...]) -> np.ndarray:
    counts = np.zeros([*(states[p] for p in parents), states[child]], dtype=np.int64)
    for row in codes.T:
        counts[tuple(row[[*parents, child]])] += 1
    return counts.reshape(-1, states[child])


def test_first_seeds_come_first_and_once_is_once(tmp_path: Path):
    (small,) = load_experiments(("small",))
    source = SourceDefinition("tree", inverted_tree={"variables": 7, "parents": 2, "rows": 50})
    specs = specs_of(small, instances(source), Settings(0.02, tmp_path, repeats=2))
    assert [spec.seed for spec in specs] == sorted(spec.seed for spec in specs)
    assert [spec.seed for spec in specs if spec.label == "gobnilp"] == [0]
    assert {spec.budget.seconds for spec in specs if spec.label == "kg"} == {12.0}
    assert {spec.max_treewidth for spec in specs if spec.label == "gobnilp"} == {None}
    least = specs_of(small, instances(source), Settings(0.001, tmp_path, share=0.01))
    assert {spec.budget.seconds for spec in least} == {8.0}
    assert {spec.budget.steps for spec in least if spec.label == "ka"} == {
        9
    }  # a tenth of 87, not a hundredth


def test_very_large_caches_are_scored_by_a_count_for_every_variable(tmp_path: Path):
    (experiment,) = load_experiments(("very_large",))
    (network,) = (source for source in experiment.sources if source.name == "R2")
    scoring = source_of(experiment, instances(network, 1)[0], Settings(0.001, tmp_path)).scoring
    assert scoring.budget is not None
    assert scoring.budget.seconds is None
    assert scoring.budget.steps == 2000 * size_of(network)


def test_w_scores_and_victories_are_those_of_medians():
    rows = [("a", "g", None, -100.0), ("a", "x", 2, -110.0), ("a", "x", 2, -130.0), ("a", "y", 2, -119.0),
            ("b", "x", 2, None), ("b", "y", 2, -5.0)]  # fmt: skip
    found = Results([{"source": s, "method": m, "k": k, "score": score} for s, m, k, score in rows])
    assert found.w("a", "x", 2) == pytest.approx(0.2)
    assert found.w("b", "y", 2) is None
    test = found.victories("y", "x", 2)
    assert (test.wins, test.losses, test.p_value) == (1, 0, 0.5)


@pytest.mark.parametrize(
    ("made", "cut_short", "said"), [(100, None, HOLDS), (50, None, HOLDS), (49, "s2", OPEN)]
)
def test_a_victory_over_a_method_without_time_is_not_one(made: int, cut_short: str | None, said: str):
    rows = [(s, "kg", -1.0, 100) for s in "abcdef"] + [(s, "s2", -2.0, made) for s in "abcdef"]
    columns = ("source", "method", "score", "steps")
    found = Results([{"k": 2, "budget_steps": 100, **dict(zip(columns, row, strict=True))} for row in rows])
    won, lost = Contest(found, "kg", "s2", 2), Contest(found, "s2", "kg", 2)
    assert (won.test.wins, lost.test.losses) == (6, 6)
    assert won.cut_short == lost.cut_short == cut_short
    assert judged([won], [True]) == said
    assert judged([lost], [False]) == (FAILS if said == HOLDS else OPEN)
    assert ("S2 had time for 49 % of its constructions" in str(won)) == (cut_short == "s2")


@pytest.mark.parametrize(("parts", "said"), [([], OPEN), ([1, 1], HOLDS), ([0, 1], IN_PART), ([0, 0], FAILS)])
def test_verdicts(parts: list[int], said: str):
    assert verdict(parts) == said


def test_blocks_as_markdown_and_html(tmp_path: Path):
    blocks = [
        Heading("A < B", 1),
        Text("see `x` and **y**, k-A\\*"),
        Text("- one\n- two"),
        Table(["a", "b"], [["c", "1"]]),
    ]
    assert as_markdown(blocks).splitlines()[0] == "# A < B"
    assert "| c | 1 |" in as_markdown(blocks)
    page = as_html(blocks, "t", tmp_path)
    for words in ("A &lt; B", "<code>x</code>", "<b>y</b>", "k-A&#42;", "<li>two</li>", "<td>1</td>"):
        assert words in page
