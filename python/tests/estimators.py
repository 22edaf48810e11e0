"""The rows of the table of estimators in docs/import.md.

To add one, add a line to ``MODELS`` or ``FRONTS``, and run ``pytest python/tests/test_estimators.py --write-table``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import numpy
import pandas
from catboost import CatBoostClassifier
from lightgbm import LGBMClassifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import (
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV, TunedThresholdClassifierCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    SplineTransformer,
    StandardScaler,
    TargetEncoder,
)
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

from data import categories, load

N_ROWS = 800


def people() -> tuple[pandas.DataFrame, pandas.Series]:
    """The loan applications: numbers, texts, and two classes."""
    columns, classes = load("loan")
    return columns.iloc[:N_ROWS], classes.iloc[:N_ROWS]


def numbers() -> tuple[pandas.DataFrame, pandas.Series]:
    columns, classes = people()
    return columns.drop(columns=categories(columns)), classes


def texts() -> tuple[pandas.DataFrame, pandas.Series]:
    columns, classes = people()
    return columns[categories(columns)], classes


def coded() -> tuple[pandas.DataFrame, pandas.Series]:
    """Numbers, and classes as numbers."""
    columns, classes = numbers()
    return columns, classes.astype("category").cat.codes


def with_categories() -> tuple[pandas.DataFrame, pandas.Series]:
    """Texts as pandas' categories; classes as numbers."""
    columns, classes = people()
    columns = columns.assign(**{name: columns[name].astype("category") for name in categories(columns)})
    return columns, classes.astype("category").cat.codes


def with_boolean_categories() -> tuple[pandas.DataFrame, pandas.Series]:
    """The same, and one of the categories is of booleans."""
    columns, classes = with_categories()
    return columns.assign(Records=(columns.Records == "yes").astype("category")), classes


def typed() -> tuple[pandas.DataFrame, pandas.Series]:
    """Categories as their codes, for a library that is told their types."""
    columns, classes = with_categories()
    return columns.assign(**{name: columns[name].cat.codes for name in columns.select_dtypes("category")}), classes


def with_holes() -> tuple[pandas.DataFrame, pandas.Series]:
    """Numbers, of which some are missing."""
    columns, classes = numbers()
    return columns.assign(Income=columns.Income.where(columns.index % 9 > 0)), classes


@dataclass(frozen=True)
class Estimator:
    """A row of the table: a model, and the people it is fitted on."""

    model: Any
    people: Callable[[], tuple[pandas.DataFrame, pandas.Series]] = numbers


def _forest(**options: Any) -> RandomForestClassifier:
    return RandomForestClassifier(10, max_depth=4, random_state=0, **options)


def _catboost(**options: Any) -> CatBoostClassifier:
    return CatBoostClassifier(iterations=10, depth=4, verbose=0, allow_writing_files=False, **options)


def _logistic() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression())


MODELS: dict[str, Estimator] = {
    "LogisticRegression": Estimator(_logistic()),
    "LogisticRegressionCV": Estimator(
        make_pipeline(StandardScaler(), LogisticRegressionCV(use_legacy_attributes=False, l1_ratios=(0.0,)))
    ),
    "RidgeClassifier": Estimator(RidgeClassifier()),
    "SGDClassifier": Estimator(make_pipeline(StandardScaler(), SGDClassifier(random_state=0))),
    "Perceptron": Estimator(make_pipeline(StandardScaler(), Perceptron(random_state=0))),
    "LinearSVC": Estimator(make_pipeline(StandardScaler(), LinearSVC())),
    "SVC(kernel=\"linear\")": Estimator(make_pipeline(StandardScaler(), SVC(kernel="linear"))),
    "SVC": Estimator(make_pipeline(StandardScaler(), SVC())),
    "LinearDiscriminantAnalysis": Estimator(LinearDiscriminantAnalysis()),
    "QuadraticDiscriminantAnalysis": Estimator(QuadraticDiscriminantAnalysis()),
    "GaussianNB": Estimator(GaussianNB()),
    "KNeighborsClassifier": Estimator(KNeighborsClassifier()),
    "DummyClassifier": Estimator(DummyClassifier()),
    "MLPClassifier": Estimator(make_pipeline(StandardScaler(), MLPClassifier((6,), max_iter=60, random_state=0))),
    "MLPClassifier(activation=\"tanh\")": Estimator(
        make_pipeline(StandardScaler(), MLPClassifier((6,), activation="tanh", max_iter=60, random_state=0))
    ),
    "DecisionTreeClassifier": Estimator(DecisionTreeClassifier(max_depth=5, random_state=0)),
    "RandomForestClassifier": Estimator(_forest()),
    "ExtraTreesClassifier": Estimator(ExtraTreesClassifier(10, max_depth=4, random_state=0)),
    "GradientBoostingClassifier": Estimator(GradientBoostingClassifier(n_estimators=10, random_state=0)),
    "HistGradientBoostingClassifier": Estimator(HistGradientBoostingClassifier(max_iter=10, random_state=0)),
    "HistGradientBoostingClassifier, pandas' categories": Estimator(
        HistGradientBoostingClassifier(max_iter=10, random_state=0, categorical_features="from_dtype"), with_categories
    ),
    "HistGradientBoostingClassifier, categories of booleans": Estimator(
        HistGradientBoostingClassifier(max_iter=10, random_state=0, categorical_features="from_dtype"),
        with_boolean_categories,
    ),
    "HistGradientBoostingClassifier, holes": Estimator(
        HistGradientBoostingClassifier(max_iter=10, random_state=0), with_holes
    ),
    "XGBClassifier": Estimator(XGBClassifier(n_estimators=10, max_depth=4), coded),
    "XGBClassifier, pandas' categories": Estimator(
        XGBClassifier(n_estimators=10, max_depth=4, enable_categorical=True), with_categories
    ),
    "XGBClassifier(feature_types=…)": Estimator(
        XGBClassifier(
            n_estimators=10,
            enable_categorical=True,
            feature_types=["c" if name in categories(load("loan")[0]) else "q" for name in load("loan")[0]],
        ),
        typed,
    ),
    "LGBMClassifier": Estimator(LGBMClassifier(n_estimators=10, verbose=-1)),
    "LGBMClassifier, pandas' categories": Estimator(LGBMClassifier(n_estimators=10, verbose=-1), with_categories),
    "LGBMClassifier, categories of booleans": Estimator(
        LGBMClassifier(n_estimators=10, verbose=-1), with_boolean_categories
    ),
    "LGBMClassifier, holes": Estimator(LGBMClassifier(n_estimators=10, verbose=-1), with_holes),
    "CatBoostClassifier": Estimator(_catboost()),
    "CatBoostClassifier(one_hot_max_size=…)": Estimator(
        _catboost(one_hot_max_size=100, cat_features=list(texts()[0])), people
    ),
    "CatBoostClassifier, categories by their statistics": Estimator(
        _catboost(one_hot_max_size=2, cat_features=list(texts()[0])), people
    ),
    "GridSearchCV": Estimator(GridSearchCV(_forest(), {"max_features": [1, 2]}, cv=2)),
    "FixedThresholdClassifier": Estimator(FixedThresholdClassifier(_logistic(), threshold=0.3, pos_label="good")),
    "FixedThresholdClassifier, of a calibrated model": Estimator(
        FixedThresholdClassifier(CalibratedClassifierCV(_forest(), cv=2), threshold=0.6, pos_label="good")
    ),
    "TunedThresholdClassifierCV": Estimator(
        TunedThresholdClassifierCV(_forest(), scoring="balanced_accuracy", cv=2, random_state=0)
    ),
    "CalibratedClassifierCV": Estimator(CalibratedClassifierCV(_logistic(), cv=2)),
    "CalibratedClassifierCV(method=\"isotonic\")": Estimator(
        CalibratedClassifierCV(_forest(), method="isotonic", cv=2)
    ),
    "CalibratedClassifierCV(method=\"temperature\")": Estimator(
        CalibratedClassifierCV(_logistic(), method="temperature", cv=2)
    ),
    "CalibratedClassifierCV, votes at a temperature": Estimator(
        CalibratedClassifierCV(_forest(), method="temperature", cv=2)
    ),
    "VotingClassifier": Estimator(VotingClassifier([("a", _logistic()), ("b", _forest())])),
    "VotingClassifier(voting=\"soft\")": Estimator(
        VotingClassifier([("a", _logistic()), ("b", _forest()), ("c", GaussianNB())], voting="soft")
    ),
    "VotingClassifier, with neighbours": Estimator(
        VotingClassifier([("a", _logistic()), ("b", KNeighborsClassifier())], voting="soft")
    ),
    "StackingClassifier": Estimator(StackingClassifier([("a", _logistic()), ("b", _forest())], cv=2)),
    "StackingClassifier(final_estimator=…)": Estimator(
        StackingClassifier([("a", _logistic()), ("b", GaussianNB())], _forest(), cv=2)
    ),
    "BaggingClassifier": Estimator(BaggingClassifier(n_estimators=4, random_state=0)),
    "AdaBoostClassifier": Estimator(AdaBoostClassifier(n_estimators=10, random_state=0)),
    "OneVsRestClassifier": Estimator(OneVsRestClassifier(_logistic())),
    "OneVsOneClassifier": Estimator(OneVsOneClassifier(_logistic())),
}


@dataclass(frozen=True)
class Front:
    """A row of the second table: a transformer, and the columns it is put in front of models for."""

    transformer: Any
    people: Callable[[], tuple[pandas.DataFrame, pandas.Series]] = numbers


def _some(transformer: Any, names: list[str]) -> Any:
    return make_column_transformer((transformer, names), remainder="passthrough")


AMOUNTS = ["Income", "Assets", "Amount"]
FRONTS: dict[str, Front] = {
    "StandardScaler": Front(StandardScaler()),
    "MinMaxScaler": Front(MinMaxScaler()),
    "MinMaxScaler(clip=True)": Front(MinMaxScaler(clip=True)),
    "RobustScaler": Front(RobustScaler()),
    "SimpleImputer": Front(SimpleImputer(), with_holes),
    "SimpleImputer(add_indicator=True)": Front(SimpleImputer(add_indicator=True), with_holes),
    "KNNImputer": Front(KNNImputer(), with_holes),
    "OneHotEncoder": Front(OneHotEncoder(), texts),
    "OneHotEncoder(drop=\"first\")": Front(OneHotEncoder(drop="first"), texts),
    "OneHotEncoder(min_frequency=…)": Front(
        OneHotEncoder(min_frequency=100, handle_unknown="infrequent_if_exist"), texts
    ),
    "OneHotEncoder(max_categories=…)": Front(OneHotEncoder(max_categories=3), texts),
    "OrdinalEncoder": Front(OrdinalEncoder(), texts),
    "OrdinalEncoder(min_frequency=…)": Front(OrdinalEncoder(min_frequency=100), texts),
    "TargetEncoder": Front(TargetEncoder(random_state=0), texts),
    "KBinsDiscretizer": Front(KBinsDiscretizer(5, quantile_method="averaged_inverted_cdf")),
    "KBinsDiscretizer(encode=\"ordinal\")": Front(
        KBinsDiscretizer(5, encode="ordinal", quantile_method="averaged_inverted_cdf")
    ),
    "QuantileTransformer": Front(QuantileTransformer(n_quantiles=50)),
    "QuantileTransformer(output_distribution=\"normal\")": Front(
        QuantileTransformer(n_quantiles=50, output_distribution="normal")
    ),
    "PowerTransformer": Front(PowerTransformer()),
    "SplineTransformer": Front(SplineTransformer(n_knots=4)),
    "FunctionTransformer(np.log1p)": Front(_some(FunctionTransformer(numpy.log1p), AMOUNTS)),
    "FunctionTransformer(np.sqrt)": Front(_some(FunctionTransformer(numpy.sqrt), AMOUNTS)),
    "FunctionTransformer(own function)": Front(
        _some(FunctionTransformer(lambda amounts: amounts / 1000), AMOUNTS)
    ),
    "PCA": Front(make_pipeline(StandardScaler(), PCA(4))),
    "TruncatedSVD": Front(TruncatedSVD(4)),
    "Normalizer": Front(Normalizer()),
    "PolynomialFeatures": Front(PolynomialFeatures(interaction_only=True)),
    "VarianceThreshold, SelectKBest": Front(make_pipeline(VarianceThreshold(), SelectKBest(k=4))),
}
BEHIND: dict[str, Any] = {
    "a linear model": make_pipeline(StandardScaler(with_mean=False), LogisticRegression(max_iter=300)),
    "a network": make_pipeline(StandardScaler(with_mean=False), MLPClassifier((4,), max_iter=40, random_state=0)),
    "trees": RandomForestClassifier(8, max_depth=4, random_state=0),
}
