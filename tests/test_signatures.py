"""Signatures of public functions: every parameter is named, and the defaults shown are those that apply."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

import treebound as tb
from treebound.distributed import Cluster
from treebound.tables._open import _reread
from treebound.tables.files.csv import Written

CLASSES = ["BayesianNetwork", "Structure", "Dataset", "ParentSetCache", "JunctionTree", "Schema", "Variable"]


def public_functions():
    for name in tb.__all__:
        found = getattr(tb, name)
        if callable(found) and not (isinstance(found, type) and issubclass(found, BaseException)):
            yield f"treebound.{name}", found
    for name in CLASSES:
        for method in dir(getattr(tb, name)):
            found = getattr(getattr(tb, name), method)
            if not method.startswith("_") and callable(found):
                yield f"treebound.{name}.{method}", found
    for name in ("open_table",):
        yield f"treebound.tables.{name}", getattr(tb.tables, name)
    for name in ("load", "open", "fit"):
        yield f"treebound.distributed.Cluster.{name}", getattr(Cluster, name)


FUNCTIONS = dict(public_functions())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_named(name):
    parameters = inspect.signature(FUNCTIONS[name]).parameters.values()
    assert [str(one) for one in parameters if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL)] == []


@pytest.mark.parametrize("function", [tb.load, tb.inspect, tb.tables.open_table])
def test_the_defaults_shown_are_those_that_apply(function):
    shown = {
        one.name: one.default
        for one in inspect.signature(function).parameters.values()
        if one.kind is one.KEYWORD_ONLY
    }
    applied = {field.name: field.default for field in dataclasses.fields(Written)} | {
        one.name: one.default for one in inspect.signature(_reread).parameters.values()
    }
    assert {name: shown[name] for name in shown if name in applied} == {
        name: applied[name] for name in shown if name in applied
    }
    assert {"encoding", "na_values", "date_parts", "skip_rows"} <= shown.keys()


def test_defaults_may_be_passed():
    table = {"a": ["x", "y", "x"], "b": ["u", "u", "v"]}
    defaults = {
        one.name: one.default
        for one in inspect.signature(tb.load).parameters.values()
        if one.kind is one.KEYWORD_ONLY
    }
    assert tb.load(table, **defaults).codes.tolist() == tb.load(table).codes.tolist()


@pytest.mark.parametrize("read", [tb.load, tb.inspect, tb.tables.open_table])
def test_an_unknown_option_is_rejected_with_the_nearest(read):
    with pytest.raises(TypeError, match=r"no option 'sep'; did you mean 'delimiter'"):
        read({"a": ["x", "y"]}, sep=";")
    with pytest.raises(TypeError, match=r"no option 'na_value'; did you mean 'na_values'"):
        read({"a": ["x", "y"]}, na_value=";")
