"""The data sets: one in the repository, one in scikit-learn, and one of the paper's where it is there."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import pandas
import pytest
from sklearn.datasets import load_wine

ROOT = Path(__file__).resolve().parents[2]
LOAN = ROOT / "crates/mindrel-cli/data/loan.csv"
DATA_SETS = ["loan", "wine", "credit"]
SENSITIVE = {
    "loan": ["Seniority", "Home", "Records", "Job", "Income"],
    "wine": ["alcohol", "flavanoids", "color_intensity", "hue", "proline"],
}


@functools.lru_cache(maxsize=None)
def load(name: str):
    """Columns and classes. The evaluation data are read from MINDREL_DATA, or ../shared/data beside the repository."""
    if name == "wine":
        columns, classes = load_wine(return_X_y=True, as_frame=True)
        return columns, classes.map(lambda label: f"cultivar {label}")
    folder = Path(os.environ.get("MINDREL_DATA", ROOT.parent / "shared/data"))
    path = LOAN if name == "loan" else folder / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{name}.csv is neither in MINDREL_DATA nor in ../shared/data beside the repository")
    table = pandas.read_csv(path).dropna().reset_index(drop=True)
    table = table.iloc[:3000]
    classes = table.pop("label")
    varying = [column for column in table if table[column].nunique() > 1]
    return table[varying], classes


def categories(columns: pandas.DataFrame) -> list[str]:
    """The columns that hold texts."""
    return [name for name in columns if not pandas.api.types.is_numeric_dtype(columns[name])]


def sensitive_of(name: str, columns: pandas.DataFrame) -> list[str]:
    """A handful of columns to be asked for."""
    return SENSITIVE.get(name, list(columns.columns[:5]))
