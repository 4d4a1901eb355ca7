"""The reference lists every public name and every option of the command."""

from __future__ import annotations

import inspect
import re
import sys

import pytest

import treebound
from pages import ROOT
from treebound.cli import commands

sys.path.insert(0, str(ROOT / "docs" / "_extensions"))
from api_members import found, members_of, members_of_page
from command_line import append_verbs, escaped

API = ROOT / "docs" / "reference" / "api.md"
LISTED = re.findall(r"^   ([\w.]*\w)$", API.read_text("utf-8"), re.MULTILINE)
# Packages whose public names are all meant for users; those of the others also serve other packages.
OPEN = ("density", "formats", "sklearn")


def test_every_public_name_is_listed_once():
    names = {f"{package}.{name}" for package in OPEN for name in getattr(treebound, package).__all__}
    solvers = {f"solvers.{type(entry.solver).__name__}" for entry in treebound.solvers.SOLVERS.values()}
    plots = {f"plot.{name}" for name in treebound.plot.__all__ if name.startswith("plot_")}
    front = {name.rpartition(".")[2] for name in names} & set(treebound.__all__)
    names = {name for name in names if name.rpartition(".")[2] not in front}
    assert {*treebound.__all__, *names, *solvers, *plots} <= set(LISTED)
    assert len(LISTED) == len(set(LISTED))


@pytest.mark.parametrize("name", LISTED)
def test_a_listed_name_is_there_and_has_a_docstring(name):
    assert found(f"treebound.{name}").__doc__


@pytest.mark.parametrize("name", [name for name in LISTED if inspect.isfunction(found(f"treebound.{name}"))])
def test_a_function_describes_its_parameters_and_its_result(name):
    function = found(f"treebound.{name}")
    text, signature = inspect.getdoc(function), inspect.signature(function)
    heads = " ".join(re.findall(r"^([\w, ]+)(?: : .*)?\n    ", text, flags=re.MULTILINE))
    if name != "inspect":  # which refers to load
        assert set(signature.parameters) <= set(re.findall(r"\w+", heads))
    assert "\nReturns\n-------\n" in text or signature.return_annotation in ("None", None)


@pytest.mark.parametrize("name", treebound.sklearn.__all__)
def test_an_estimator_describes_its_parameters_and_those_of_its_bases(name):
    estimator = getattr(treebound.sklearn, name)
    section = re.search(r"Parameters\n-+\n(.*?)(\n\n|\Z)", inspect.getdoc(estimator), re.DOTALL)[1]
    described = re.findall(r"^(\w+) : ", section, re.MULTILINE)
    assert sorted(described) == sorted(inspect.signature(estimator).parameters)


def test_members_are_those_of_treebound():
    members = members_of_page(API)
    assert "posterior" in members["treebound.BayesianNetwork"]["methods"]  # of a base class
    assert "predict_proba" in members["treebound.sklearn.TreeboundClassifier"]["methods"]
    assert "set_params" not in members["treebound.sklearn.TreeboundClassifier"]["methods"]
    assert "OPTIMAL" in members["treebound.solvers.StopReason"]["values"]
    assert "treebound.learn" not in members
    assert members_of(int) == {"methods": [], "properties": [], "values": []}


def test_every_verb_is_shown_with_its_options():
    source = ["# Command line\n"]
    append_verbs(None, "reference/cli", source)
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", source[0], re.MULTILINE | re.DOTALL))
    assert sections.keys() == commands().keys()
    for name, verb in commands().items():
        for option in (option for param in verb.params for option in param.opts if option.startswith("-")):
            assert f"`{option}`" in sections[name], (name, option)
    assert "`--max-treewidth`, `-k` `K`\n: Treewidth limit." in sections["learn"]


def test_options_of_several_verbs_are_described_once():
    source = ["# Command line\n"]
    append_verbs(None, "reference/cli", source)
    for option in ("`--na-values` `TEXT`\n: ", "`--bins` `RULE`\n: ", "`--tier` `NAMES`\n: "):
        assert source[0].count(option) == 1
    assert "[Table options](#table-options): `--na-values`, " in source[0]


def test_other_pages_stay_as_they_are():
    source = ["# Python API\n"]
    append_verbs(None, "reference/api", source)
    assert source == ["# Python API\n"]


def test_no_character_of_a_help_text_is_markdown():
    assert escaped("A[i] *b*\n <c>") == r"A\[i\] \*b\* \<c\>"
