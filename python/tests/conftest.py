"""The data sets and models that the tests share."""

from __future__ import annotations

import os

import pytest

from data import DATA_SETS, load


def pytest_addoption(parser):
    parser.addoption("--write-table", action="store_true", help="write the table of estimators in docs/import.md anew")


def pytest_runtest_logreport(report):
    """Adds a skipped test to the file named by MINDREL_SKIPPED, from which `make test` prints them at its end."""
    if report.skipped and "MINDREL_SKIPPED" in os.environ:
        reason = report.longrepr[2].removeprefix("Skipped: ")
        with open(os.environ["MINDREL_SKIPPED"], "a") as skipped:
            skipped.write(f"SKIPPED {report.nodeid}: {reason}\n")


@pytest.fixture(scope="session")
def loan():
    """The loan applications of the repository, rows without missing cells: columns and classes."""
    return load("loan")


@pytest.fixture(scope="session", params=DATA_SETS)
def people(request):
    """Each data set: its name, columns and classes."""
    return (request.param, *load(request.param))
