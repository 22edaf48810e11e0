"""Ensembles of different models, as people make them: each part behind its own preprocessing."""

from __future__ import annotations

from typing import Any

import pandas
from lightgbm import LGBMClassifier
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from data import categories


def _front(columns: pandas.DataFrame, encoder: Any) -> Any:
    texts = categories(columns)
    numbers = [name for name in columns if name not in texts]
    return make_column_transformer((StandardScaler(), numbers), (encoder, texts))


def models(columns: pandas.DataFrame) -> dict[str, Any]:
    """The ensembles, over columns of a table."""

    def onehot(model: Any) -> Any:
        return make_pipeline(_front(columns, OneHotEncoder(sparse_output=False)), model)

    def ordinal(model: Any) -> Any:
        return make_pipeline(_front(columns, OrdinalEncoder()), model)

    logistic = onehot(LogisticRegression(max_iter=300))
    vectors = onehot(LinearSVC(random_state=0))
    forest = ordinal(RandomForestClassifier(8, max_depth=4, random_state=0))
    tree = ordinal(DecisionTreeClassifier(max_depth=4, random_state=0))
    bayes = onehot(GaussianNB(var_smoothing=1e-2))
    network = onehot(MLPClassifier((5,), max_iter=60, random_state=0))
    boosting = ordinal(GradientBoostingClassifier(n_estimators=8, random_state=0))
    histogram = ordinal(HistGradientBoostingClassifier(max_iter=8, random_state=0))
    leaves = ordinal(LGBMClassifier(n_estimators=8, num_leaves=7, verbose=-1))
    two = [("a", logistic), ("b", forest)]
    final = RandomForestClassifier(6, max_depth=3, random_state=0)
    return {
        "calibrated by sigmoids": CalibratedClassifierCV(logistic, cv=3),
        "calibrated by steps": CalibratedClassifierCV(vectors, method="isotonic", cv=3),
        "calibrated once": CalibratedClassifierCV(forest, method="isotonic", cv=3, ensemble=False),
        "calibrated trees": CalibratedClassifierCV(boosting, cv=2),
        "hard vote": VotingClassifier([*two, ("c", bayes)]),
        "even hard vote": VotingClassifier([*two, ("c", tree), ("d", vectors)]),
        "weighted hard vote": VotingClassifier([*two, ("c", bayes)], weights=[2, 1.5, 1]),
        "soft vote": VotingClassifier([*two, ("c", bayes)], voting="soft"),
        "weighted soft vote": VotingClassifier(
            [("a", network), ("b", histogram), ("c", leaves)], voting="soft", weights=[1, 2, 1]
        ),
        "soft vote of one-against-rest": VotingClassifier(
            [
                ("a", onehot(SGDClassifier(loss="log_loss", random_state=0))),
                ("b", onehot(LinearDiscriminantAnalysis())),
            ],
            voting="soft",
        ),
        "stack": StackingClassifier(two, cv=2),
        "stack with columns": ordinal(
            StackingClassifier(
                [("a", LogisticRegression(max_iter=300)), ("b", DecisionTreeClassifier(max_depth=3, random_state=0))],
                make_pipeline(LogisticRegression(max_iter=300)),
                passthrough=True,
                cv=2,
            )
        ),
        "stack of votes": StackingClassifier(two, stack_method="predict", cv=2),
        "stack under a tree": StackingClassifier(two, DecisionTreeClassifier(max_depth=3, random_state=0), cv=2),
        "stack under a forest": StackingClassifier([("a", logistic), ("c", bayes)], final, cv=2),
        "stack under boosting": StackingClassifier(
            two, GradientBoostingClassifier(n_estimators=6, max_depth=2, random_state=0), cv=2
        ),
        "bag of trees": ordinal(BaggingClassifier(n_estimators=6, max_features=0.7, random_state=0)),
        "bag of linear models": onehot(
            BaggingClassifier(LogisticRegression(), n_estimators=4, max_features=0.7, random_state=0)
        ),
        "bag without probabilities": onehot(BaggingClassifier(LinearSVC(), n_estimators=4, random_state=0)),
        "boosted stumps": ordinal(AdaBoostClassifier(n_estimators=12, random_state=0)),
        "boosted naive Bayes": onehot(
            AdaBoostClassifier(GaussianNB(var_smoothing=1e-2), n_estimators=4, random_state=0)
        ),
        "one against the rest": OneVsRestClassifier(logistic),
        "one tree against the rest": OneVsRestClassifier(tree),
        "one against one": onehot(OneVsOneClassifier(LogisticRegression(max_iter=300))),
        "one tree against one": ordinal(OneVsOneClassifier(DecisionTreeClassifier(max_depth=4, random_state=0))),
        "naive Bayes": bayes,
        "an ensemble of ensembles": VotingClassifier(
            [("a", CalibratedClassifierCV(logistic, cv=2)), ("b", ordinal(AdaBoostClassifier(n_estimators=5)))],
            voting="soft",
        ),
        "a search among votes": GridSearchCV(VotingClassifier(two, voting="soft"), {"weights": [[1, 2]]}, cv=2),
    }


NAMES = list(models(pandas.DataFrame({"number": [0.0]})))


def model(name: str, columns: pandas.DataFrame) -> Any:
    """One of them, not fitted."""
    return clone(models(columns)[name])
