"""Models in files, and boosters without an estimator around them."""

from __future__ import annotations

import json

import lightgbm
import numpy
import onnx
import onnx.numpy_helper
import pytest
import xgboost
from mindrel import BlackBoxWarning, Minimizer
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier
from skl2onnx import to_onnx

from zoo import fit, fitted_bare

NUMBERS = ["Seniority", "Time", "Age", "Expenses", "Income", "Amount"]


@pytest.fixture(scope="module")
def table(loan):
    return loan[0][NUMBERS].astype(numpy.float32), (loan[1] == "good").astype(int)


@pytest.mark.parametrize("kind", ["LogisticRegression", "RandomForestClassifier", "GradientBoostingClassifier"])
def test_an_onnx_file_decides_as_the_model_it_was_written_from(kind, loan, tmp_path):
    columns, _ = loan
    model = fitted_bare(kind, "loan")
    columns = columns[list(model.feature_names_in_)].astype(numpy.float32)
    path = tmp_path / "model.onnx"
    path.write_bytes(to_onnx(model, columns.to_numpy()[:1], options={"zipmap": False}).SerializeToString())
    minimizer = Minimizer(path, public=["Time", "Amount", "Price"]).fit(columns)
    assert minimizer.certifiable_ and list(minimizer.classes_) == ["bad", "good"]
    some = columns.iloc[:100]
    assert (minimizer.predict(some) == model.predict(some)).mean() > 0.99, "the file is in single precision"


def graph_of(network) -> onnx.ModelProto:
    """A network with tanh as other libraries write it: products, sums and functions, and a probability at the end."""
    nodes, parts, last = [], [], "x"
    for place, (weights, biases) in enumerate(zip(network.coefs_, network.intercepts_)):
        for kind, part in (("w", weights), ("b", biases)):
            parts.append(onnx.numpy_helper.from_array(part.astype(numpy.float32), f"{kind}{place}"))
        function = "Tanh" if place + 1 < len(network.coefs_) else "Sigmoid"
        nodes.append(onnx.helper.make_node("Gemm", [last, f"w{place}", f"b{place}"], [f"sum{place}"]))
        nodes.append(onnx.helper.make_node(function, [f"sum{place}"], [f"out{place}"]))
        last = f"out{place}"
    tensor = onnx.helper.make_tensor_value_info
    ends = [tensor("x", onnx.TensorProto.FLOAT, [None, 6])], [tensor(last, onnx.TensorProto.FLOAT, [None, 1])]
    graph = onnx.helper.make_graph(nodes, "network", *ends, initializer=parts)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])


def test_a_graph_of_no_known_family_is_run(table, tmp_path):
    """A network with tanh: nothing can be certified, and its labels are still its own."""
    columns, classes = table
    scaled = ((columns - columns.mean()) / columns.std()).astype(numpy.float32)
    model = fit(MLPClassifier((4,), activation="tanh", max_iter=200, random_state=0), scaled, classes)
    path = tmp_path / "tanh.onnx"
    path.write_bytes(graph_of(model).SerializeToString())
    with pytest.warns(BlackBoxWarning, match="tanh.onnx"):
        minimizer = Minimizer(path, delta=0.05, sensitive=[0, 1]).fit(scaled)
    assert not minimizer.certifiable_
    agrees = (minimizer.scores(scaled) >= 0) == (model.predict(scaled) == 1)
    assert agrees.mean() > 0.99, "the graph is in single precision"
    assert set(minimizer.decide(scaled.iloc[:20]).guarantees) <= {"probable", "complete"}
    minimizer.save(tmp_path / "tanh.plan")
    assert (Minimizer.load(tmp_path / "tanh.plan").scores(scaled) == minimizer.scores(scaled)).all()
    with pytest.raises(ValueError, match="nothing can be certified about this model"):
        Minimizer(path, certify="require").fit(scaled)


def test_boosters_come_in_as_their_estimators_do(table, tmp_path):
    columns, classes = table
    booster = xgboost.train({"objective": "binary:logistic", "max_depth": 3}, xgboost.DMatrix(columns, classes), 10)
    expected = booster.predict(xgboost.DMatrix(columns), output_margin=True)
    booster.save_model(tmp_path / "model.json")
    for model in (booster, tmp_path / "model.json"):
        minimizer = Minimizer(model).fit(columns)
        assert list(minimizer.classes_) == [0, 1]
        assert (minimizer.scores(columns) == expected).all()
    booster = lightgbm.train({"objective": "binary", "verbose": -1}, lightgbm.Dataset(columns, classes), 10)
    booster.save_model(tmp_path / "model.txt")
    for model in (booster, tmp_path / "model.txt"):
        assert (Minimizer(model).fit(columns).scores(columns) == booster.predict(columns, raw_score=True)).all()


def test_early_stopping_stops_here_too(table):
    columns, classes = table
    model = xgboost.XGBClassifier(n_estimators=60, max_depth=3, early_stopping_rounds=2)
    model.fit(columns, classes, eval_set=[(columns.iloc[::3], 1 - classes.iloc[::3])], verbose=False)
    assert model.best_iteration < 5 < model.get_booster().num_boosted_rounds() or model.best_iteration < 3
    assert (Minimizer(model).fit(columns).scores(columns) == model.predict(columns, output_margin=True)).all()


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "sklearn"])
def test_categories_of_the_library_itself_come_in(library, loan):
    from sklearn.ensemble import HistGradientBoostingClassifier

    columns, classes = loan[0], (loan[1] == "good").astype(int)
    columns = columns[["Home", "Marital", "Job", "Age", "Income"]].astype(
        {"Home": "category", "Marital": "category", "Job": "category"}
    )
    model = {
        "xgboost": lambda: xgboost.XGBClassifier(n_estimators=10, max_depth=4, enable_categorical=True),
        "lightgbm": lambda: lightgbm.LGBMClassifier(n_estimators=10, verbose=-1, min_data_per_group=5, cat_smooth=1),
        "sklearn": lambda: HistGradientBoostingClassifier(max_iter=10, categorical_features="from_dtype"),
    }[library]()
    fit(model, columns, classes)
    minimizer = Minimizer(model, public=["Age"]).fit(columns)
    assert minimizer.certifiable_
    own = {
        "xgboost": lambda: model.predict(columns, output_margin=True),
        "lightgbm": lambda: model.predict(columns, raw_score=True),
        "sklearn": lambda: model.decision_function(columns),
    }[library]()
    assert (minimizer.scores(columns) == own).all()


def test_the_best_model_of_a_search_comes_in(table):
    columns, classes = table
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [2, 4]}, cv=2).fit(columns, classes)
    minimizer = Minimizer(search).fit(columns)
    assert minimizer.certifiable_ and (minimizer.predict(columns) == search.predict(columns)).all()


def test_a_file_that_is_no_model_is_named(tmp_path, table):
    path = tmp_path / "junk.onnx"
    path.write_bytes(b"this is no model at all")
    with pytest.raises(ValueError, match="junk.onnx"):
        Minimizer(path).fit(table[0])
    with pytest.raises(FileNotFoundError):
        Minimizer(tmp_path / "none.onnx").fit(table[0])
    path.write_text(json.dumps({"learner": {}}))
    with pytest.raises(ValueError, match="junk.onnx"):
        Minimizer(path).fit(table[0])
