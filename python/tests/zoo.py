"""Models of every kind, fitted once, and what they say of people in their own words."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy
from lightgbm import LGBMClassifier
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from xgboost import XGBClassifier

from data import categories, load

KINDS: dict[str, Any] = {
    "LogisticRegression": LogisticRegression(max_iter=300),
    "RidgeClassifier": RidgeClassifier(),
    "LinearSVC": LinearSVC(random_state=0),
    "SGDClassifier": SGDClassifier(random_state=0),
    "Perceptron": Perceptron(random_state=0),
    "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis(),
    "MLPClassifier": MLPClassifier((8, 8), max_iter=100, random_state=0),
    "DecisionTreeClassifier": DecisionTreeClassifier(max_depth=8, random_state=0),
    "ExtraTreeClassifier": ExtraTreeClassifier(max_depth=8, random_state=0),
    # Even numbers of trees have ties.
    "RandomForestClassifier": RandomForestClassifier(20, max_depth=6, random_state=0),
    "ExtraTreesClassifier": ExtraTreesClassifier(20, max_depth=6, random_state=0),
    "GradientBoostingClassifier": GradientBoostingClassifier(n_estimators=20, random_state=0),
    "HistGradientBoostingClassifier": HistGradientBoostingClassifier(max_iter=20, random_state=0),
    "XGBClassifier": XGBClassifier(n_estimators=20, max_depth=4),
    "LGBMClassifier": LGBMClassifier(n_estimators=20, num_leaves=15, verbose=-1),
}
SCALERS = {
    "standard": StandardScaler(),
    "minmax": MinMaxScaler(),
    "maxabs": MaxAbsScaler(),
    "robust": RobustScaler(),
}


@functools.lru_cache(maxsize=None)
def fitted(kind: str, data_set: str, scaler: str = "standard", encoder: str = "onehot"):
    """A model of a kind behind scalers and encoders, fitted to a data set; and the classes in the form it takes."""
    columns, classes = load(data_set)
    if kind == "XGBClassifier":
        classes = classes.astype("category").cat.codes
    texts = categories(columns)
    numbers = [name for name in columns if name not in texts]
    encode = OneHotEncoder(sparse_output=False) if encoder == "onehot" else OrdinalEncoder()
    front = make_column_transformer((clone(SCALERS[scaler]), numbers), (encode, texts))
    return fit(make_pipeline(front, clone(KINDS[kind])), columns, classes)


@functools.lru_cache(maxsize=None)
def fitted_bare(kind: str, data_set: str):
    """The same without anything in front, on the columns that are numbers."""
    columns, classes = load(data_set)
    if kind == "XGBClassifier":
        classes = classes.astype("category").cat.codes
    return fit(clone(KINDS[kind]), columns.drop(columns=categories(columns)), classes)


def fit(model, columns, classes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(columns, classes)


def own_scores(model, columns) -> numpy.ndarray:
    """A model's scores as its library gives them, in mindrel's form: one for two classes, otherwise one for each."""
    front, last = (model[:-1], model[-1]) if hasattr(model, "steps") else (None, model)
    columns = columns if front is None else front.transform(columns)
    name = type(last).__name__
    if name == "XGBClassifier":
        return last.predict(columns, output_margin=True)
    if name == "LGBMClassifier":
        return last.predict(columns, raw_score=True)
    if name == "MLPClassifier":
        return own_logits(last, columns)
    if hasattr(last, "decision_function"):
        return last.decision_function(columns)
    votes = last.predict_proba(columns)
    return votes[:, 1] - votes[:, 0] if votes.shape[1] == 2 else votes


def own_logits(network, columns) -> numpy.ndarray:
    """The last layer of a network before its last function, from its probabilities."""
    probabilities = network.predict_proba(columns)
    with numpy.errstate(divide="ignore"):
        logs = numpy.log(probabilities)
    return logs[:, 1] - logs[:, 0] if probabilities.shape[1] == 2 else logs
