"""Codes are checked in the type they come in: no cast takes one that is out of range for another."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import treebound

SCHEMA = treebound.Schema([treebound.Variable(name, ("0", "1")) for name in "abc"])
SCALED = treebound.Variable("n", ("low", "high"), "binned", ordered=True, edges=(0.0, 1.0, 2.0))


def column(value: int | float, dtype: type) -> np.ndarray:
    return np.array([[value], [0], [0]], dtype=dtype)


OUT_OF_RANGE = [
    column(2**32, np.int64),
    column(-(2**32), np.int64),
    column(2**31, np.uint32),
    column(2**63, np.uint64),
    column(2**64 - 1, np.uint64),
    column(256, np.int16),
    column(65536, np.int32),
    column(-2, np.int8),
]


@pytest.mark.parametrize("codes", OUT_OF_RANGE, ids=lambda codes: f"{codes[0, 0]} as {codes.dtype}")
def test_codes_out_of_range_are_rejected_before_they_wrap(codes: np.ndarray) -> None:
    with pytest.raises(ValueError, match="'a' must lie in 0 to 1"):
        treebound.Dataset(SCHEMA, codes)


@pytest.mark.parametrize("dtype", [np.float64, np.bool_, object, "U1"])
def test_codes_are_integers(dtype: type) -> None:
    with pytest.raises(ValueError, match="must be an integer array"):
        treebound.Dataset(SCHEMA, np.zeros((3, 1)).astype(dtype))


def test_rows_are_a_dataset_of_the_variables_of_the_network() -> None:
    network = treebound.BayesianNetwork.from_indices(
        SCHEMA, ((), (), ()), tuple([np.array([0.25, 0.75])] * 3)
    )
    with pytest.raises(TypeError, match="rows must be a Dataset, such as load"):
        network.junction_tree.log_likelihood_rows(np.zeros((3, 1), dtype=int))
    other = treebound.Schema([*SCHEMA.variables[:2], treebound.Variable("c", ("1", "0"))])
    with pytest.raises(treebound.InferenceError, match=r"variables of the rows differ.*, first in 'c'"):
        network.log_likelihood_rows(treebound.Dataset(other, np.zeros((3, 1), dtype=int)))
    fewer = treebound.Schema(SCHEMA.variables[:2])
    with pytest.raises(treebound.InferenceError, match=r"variables of the rows differ.*: 2 in place of 3"):
        network.log_likelihood_rows(treebound.Dataset(fewer, np.zeros((2, 1), dtype=int)))


@pytest.mark.parametrize("codes", [[-1], [2], [2**40]])
@pytest.mark.parametrize(
    "read", [SCALED.decode, SCALED.median, lambda codes: SCALED.draw_inside(codes, np.random.default_rng(1))]
)
def test_values_are_read_from_codes_of_the_variable_alone(read: object, codes: list[int]) -> None:
    with pytest.raises(ValueError, match="'n' must lie in 0 to 1"):
        read(np.array(codes))  # type: ignore[operator]


def test_an_error_about_rows_survives_pickling() -> None:
    sharp = treebound.BayesianNetwork.from_indices(SCHEMA, ((), (), ()), tuple([np.array([0.0, 1.0])] * 3))
    with pytest.raises(treebound.ImpossibleEvidence) as caught:
        sharp.junction_tree.posterior_rows(1, treebound.Dataset(SCHEMA, np.zeros((3, 2), dtype=int)))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.rows, again.findings, str(again)) == ((0, 1), (), str(caught.value))
