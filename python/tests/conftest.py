"""The data sets and models that the tests share."""

from __future__ import annotations

import pytest

from data import DATA_SETS, load


@pytest.fixture(scope="session")
def loan():
    """The loan applications of the repository, rows without missing cells: columns and classes."""
    return load("loan")


@pytest.fixture(scope="session", params=DATA_SETS)
def people(request):
    """Each data set: its name, columns and classes."""
    return (request.param, *load(request.param))
