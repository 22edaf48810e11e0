"""The tables that models are trained on."""

import pandas
import pytest

from imported import DATA, MINDREL, ROOT, SCORES, Table


@pytest.fixture(scope="session", autouse=True)
def programs():
    if not (MINDREL.exists() and SCORES.exists()):
        pytest.fail(f"{MINDREL} and {SCORES} are not there; run `make test`, which builds them")


def _loan():
    return pandas.read_csv(ROOT / "crates/mindrel-cli/data/loan.csv").dropna().reset_index(drop=True)


def _fetal():
    path = DATA / "fetal.csv"
    if not path.exists():
        pytest.skip(f"{path} is not there; name the folder of the evaluation data in MINDREL_DATA")
    frame = pandas.read_csv(path)
    # Constant and nearly constant columns make no question.
    return frame.drop(columns=[column for column in frame if frame[column].nunique() < 3 and column != "label"])


@pytest.fixture(scope="session")
def loan(tmp_path_factory):
    """Two classes; numbers, categories, no and yes."""
    sensitive = ["Seniority", "Home", "Age", "Marital", "Income"]
    return Table(tmp_path_factory.mktemp("loan") / "loan.csv", _loan(), "label", sensitive)


@pytest.fixture(scope="session")
def loan_numbers(tmp_path_factory):
    """The numbers of the loan table."""
    frame = _loan().select_dtypes("number")
    sensitive = ["Seniority", "Age", "Expenses", "Income", "Assets"]
    return Table(
        tmp_path_factory.mktemp("numbers") / "loan.csv", frame.assign(label=_loan()["label"]), "label", sensitive
    )


@pytest.fixture(scope="session")
def loan_scaled(tmp_path_factory):
    """The same between 0 and 1, for models that need it and have no scaler."""
    numbers = _loan().select_dtypes("number")
    frame = (numbers / numbers.max()).round(4).assign(label=_loan()["label"])
    sensitive = ["Seniority", "Age", "Expenses", "Income", "Assets"]
    return Table(tmp_path_factory.mktemp("scaled") / "loan.csv", frame, "label", sensitive)


@pytest.fixture(scope="session")
def fetal(tmp_path_factory):
    """Three classes; numbers."""
    sensitive = ["baseline value", "accelerations", "uterine_contractions", "histogram_mean", "histogram_variance"]
    frame = _fetal().assign(label=lambda table: table["label"].astype(int))
    return Table(tmp_path_factory.mktemp("fetal") / "fetal.csv", frame, "label", sensitive)


@pytest.fixture(scope="session")
def fetal_scaled(tmp_path_factory, fetal):
    numbers = fetal.X
    frame = ((numbers - numbers.min()) / (numbers.max() - numbers.min())).round(4).assign(label=fetal.y)
    return Table(tmp_path_factory.mktemp("fetal-scaled") / "fetal.csv", frame, "label", fetal.sensitive)
