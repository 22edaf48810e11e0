"""Every model kind, as its own library saves it, is the same model in mindrel.

Scores are the original's to 1e-6 on every row, labels are the original's, and what is certified at delta 0 is what
the original decides with everything revealed.
"""

import lightgbm
import numpy
import pytest
import xgboost
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from imported import Imported
from originals import logits, margins, network_graph, save_onnx, votes

# Scores are compared as they are, and where they are larger than 1 relative to their size: files hold single precision.
CLOSE = 1e-6
N_CERTIFIED = 150

MODELS = {
    "logistic": (lambda: LogisticRegression(max_iter=2000), margins),
    "mlp": (lambda: MLPClassifier((8, 6), max_iter=60, random_state=0), logits),
    "tree": (lambda: DecisionTreeClassifier(max_depth=6, random_state=0), votes),
    "forest": (lambda: RandomForestClassifier(20, max_depth=6, random_state=0), votes),
    "boosting": (lambda: GradientBoostingClassifier(n_estimators=20, random_state=0), margins),
    "histogram": (lambda: HistGradientBoostingClassifier(max_iter=20, random_state=0), margins),
}


def names(labels):
    return [str(label) for label in labels]


def close(found, expected, centred=False):
    if centred and expected.shape[1] > 1:
        found, expected = (scores - scores.mean(axis=1, keepdims=True) for scores in (found, expected))
    return numpy.abs(found - expected).max() <= CLOSE * max(1, numpy.abs(expected).max())


def check(imported, labels, scores, certified=True, centred=False):
    found_labels, found_scores = imported.scores()
    assert close(found_scores, scores, centred)
    assert found_labels == names(labels)
    if certified:
        decisions, guarantees = imported.certified(N_CERTIFIED)
        assert decisions == names(labels)[:N_CERTIFIED]
        assert set(guarantees) <= {"proved", "complete"}


def table_of(request, name, kind):
    scaled = kind in ("logistic", "mlp")
    return request.getfixturevalue(
        {"loan": "loan_scaled" if scaled else "loan_numbers", "fetal": "fetal_scaled" if scaled else "fetal"}[name]
    )


@pytest.mark.parametrize("data", ["loan", "fetal"])
@pytest.mark.parametrize("kind", MODELS)
def test_a_model_of_scikit_learn_comes_in_exactly(request, tmp_path, kind, data):
    table, (make, reference) = table_of(request, data, kind), MODELS[kind]
    model = make().fit(table.X.to_numpy(), table.y)
    for zipmap in (True, False):
        file = save_onnx(model, table.X, tmp_path / "model.onnx", zipmap)
        imported = Imported(file, table, tmp_path)
        check(
            imported, model.predict(table.X.to_numpy()), reference(model, table.X.to_numpy()), not zipmap, kind == "mlp"
        )


@pytest.mark.parametrize("scaler", [StandardScaler, MinMaxScaler])
@pytest.mark.parametrize("data", ["loan_numbers", "fetal"])
@pytest.mark.parametrize("kind", MODELS)
def test_a_scaler_in_front_becomes_part_of_the_encoding(request, tmp_path, kind, data, scaler):
    table, (make, reference) = request.getfixturevalue(data), MODELS[kind]
    model = make_pipeline(scaler(), make()).fit(table.X.to_numpy(), table.y)
    # A scaler of single precision moves values that lie on a threshold, so the file is not the original model.
    file = save_onnx(model, table.X, tmp_path / "model.onnx", double=kind not in ("logistic", "mlp"))
    imported = Imported(file, table, tmp_path)
    assert "scaling" in imported.said
    check(imported, model.predict(table.X.to_numpy()), reference(model, table.X.to_numpy()), centred=kind == "mlp")


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("zipmap", [True, False])
def test_encoders_in_a_column_transformer_leave_the_raw_columns_as_questions(loan, tmp_path, kind, zipmap):
    make, reference = MODELS[kind]
    numbers = loan.X.select_dtypes("number").columns.tolist()
    texts = [column for column in loan.X if column not in numbers]
    in_front = make_pipeline(SimpleImputer(), StandardScaler()) if kind in ("logistic", "mlp") else SimpleImputer()
    transformer = ColumnTransformer([
        ("numbers", in_front, numbers),
        ("texts", OneHotEncoder(handle_unknown="ignore", sparse_output=False), texts),
    ])  # fmt: skip
    model = make_pipeline(transformer, make()).fit(loan.X, loan.y)
    file = save_onnx(
        model, loan.X.astype({name: float for name in numbers}), tmp_path / "model.onnx", zipmap, by_column=True
    )
    imported = Imported(file, loan, tmp_path)
    assert "one-hot encoding" in imported.said
    check(imported, model.predict(loan.X), reference(model, loan.X), centred=kind == "mlp")


def test_categories_by_number_come_in_too(loan, tmp_path):
    numbers = loan.X.select_dtypes("number").columns.tolist()
    texts = [column for column in loan.X if column not in numbers]
    transformer = ColumnTransformer([("numbers", "passthrough", numbers), ("texts", OrdinalEncoder(), texts)])
    model = make_pipeline(transformer, RandomForestClassifier(10, max_depth=5, random_state=1)).fit(loan.X, loan.y)
    frame = loan.X.astype({name: float for name in numbers})
    imported = Imported(save_onnx(model, frame, tmp_path / "model.onnx", by_column=True), loan, tmp_path)
    check(imported, model.predict(loan.X), votes(model, loan.X))


@pytest.mark.parametrize("opset", [9, 10, 11, 12, 13, 15, 17, 18, 19, 21, 22])
def test_every_opset_comes_in(loan_scaled, tmp_path, opset):
    X, y = loan_scaled.X.to_numpy(), loan_scaled.y
    for make, reference in (MODELS["logistic"], MODELS["forest"]):
        model = make().fit(X, y)
        imported = Imported(
            save_onnx(model, loan_scaled.X, tmp_path / "model.onnx", True, opset), loan_scaled, tmp_path
        )
        check(imported, model.predict(X), reference(model, X), certified=False)


@pytest.mark.parametrize("data", ["loan_scaled", "fetal_scaled"])
@pytest.mark.parametrize("style", ["gemm", "matmul", "logits", "two-logits"])
def test_a_network_as_pytorch_writes_it_comes_in(request, tmp_path, data, style):
    table = request.getfixturevalue(data)
    if style == "two-logits" and data == "fetal_scaled":
        pytest.skip("two logits are for two classes")
    X = table.X.to_numpy()
    model = MLPClassifier((10, 6), max_iter=60, random_state=0).fit(X, table.y)
    imported = Imported(network_graph(model, tmp_path / "model.onnx", style, X.shape[1]), table, tmp_path)
    assert "does not name its classes" in imported.said
    check(imported, model.predict(X), logits(model, X), centred=True)


XGBOOST = {
    "gbtree": {},
    "dart": {"booster": "dart", "rate_drop": 0.5},
    "forest": {"num_parallel_tree": 3, "subsample": 0.6, "n_estimators": 5},
    "hinge": {"objective": "binary:hinge"},
    "raw": {"objective": "binary:logitraw"},
}


@pytest.mark.parametrize("ending", ["json", "ubj"])
@pytest.mark.parametrize("data", ["loan_numbers", "fetal"])
@pytest.mark.parametrize("kind", XGBOOST)
def test_xgboost_comes_in_to_the_last_bit(request, tmp_path, kind, data, ending):
    table = request.getfixturevalue(data)
    if data == "fetal" and "objective" in XGBOOST[kind]:
        pytest.skip("this objective is for two classes")
    classes, codes = numpy.unique(table.y, return_inverse=True)
    model = xgboost.XGBClassifier(**{"n_estimators": 20, "max_depth": 4, **XGBOOST[kind]}).fit(table.X, codes)
    file = tmp_path / f"model.{ending}"
    model.save_model(file)
    imported = Imported(file, table, tmp_path)
    scores = model.predict(table.X, output_margin=True).reshape(len(codes), -1).astype(float)
    if kind == "raw":
        scores -= 0.5
    _, found = imported.scores()
    # Where the original's margin is exactly on the boundary, only the sign counts. DART's weights are multiplied in
    # another order.
    assert kind == "dart" or (found == numpy.where(scores == 0, found, scores)).all()
    check(imported, classes[model.predict(table.X)], scores)


@pytest.mark.parametrize("ending", ["json", "ubj"])
def test_xgboosts_categories_come_in_by_name(loan, tmp_path, ending):
    X = loan.X.copy()
    for column in X.select_dtypes(exclude="number"):
        X[column] = X[column].astype("category")
    classes, codes = numpy.unique(loan.y, return_inverse=True)
    model = xgboost.XGBClassifier(
        n_estimators=20, max_depth=4, enable_categorical=True, max_cat_to_onehot=2
    ).fit(X, codes)
    file = tmp_path / f"model.{ending}"
    model.save_model(file)
    imported = Imported(file, loan, tmp_path)
    check(imported, classes[model.predict(X)], model.predict(X, output_margin=True).reshape(-1, 1))


def test_early_stopping_leaves_the_trees_xgboost_predicts_with(loan_numbers, tmp_path):
    classes, codes = numpy.unique(loan_numbers.y, return_inverse=True)
    X = loan_numbers.X
    model = xgboost.XGBClassifier(n_estimators=200, max_depth=6, learning_rate=0.5, early_stopping_rounds=3)
    model.fit(X[:2000], codes[:2000], eval_set=[(X[2000:], codes[2000:])], verbose=False)
    model.save_model(tmp_path / "model.json")
    imported = Imported(tmp_path / "model.json", loan_numbers, tmp_path)
    check(imported, classes[model.predict(X)], model.predict(X, output_margin=True).reshape(-1, 1), certified=False)


def test_a_boosted_linear_model_comes_in(fetal_scaled, tmp_path):
    classes, codes = numpy.unique(fetal_scaled.y, return_inverse=True)
    model = xgboost.XGBClassifier(booster="gblinear", n_estimators=20).fit(fetal_scaled.X, codes)
    model.save_model(tmp_path / "model.json")
    imported = Imported(tmp_path / "model.json", fetal_scaled, tmp_path)
    check(imported, classes[model.predict(fetal_scaled.X)], model.predict(fetal_scaled.X, output_margin=True))


LIGHTGBM = {
    "gbdt": {},
    "dart": {"boosting_type": "dart"},
    "forest": {"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.6},
}


@pytest.mark.parametrize("data", ["loan", "fetal"])
@pytest.mark.parametrize("kind", LIGHTGBM)
def test_lightgbm_comes_in_to_the_last_bit(request, tmp_path, kind, data):
    table = request.getfixturevalue(data)
    X = table.X.copy()
    for column in X.select_dtypes(exclude="number"):
        X[column] = X[column].astype("category")
    classes, codes = numpy.unique(table.y, return_inverse=True)
    model = lightgbm.LGBMClassifier(n_estimators=20, max_depth=5, verbose=-1, **LIGHTGBM[kind]).fit(X, codes)
    model.booster_.save_model(tmp_path / "model.txt")
    imported = Imported(tmp_path / "model.txt", table, tmp_path)
    scores = numpy.asarray(model.predict(X, raw_score=True)).reshape(len(codes), -1)
    if kind == "forest":
        # A raw score is the sum, and what decides is the mean.
        scores = scores / 20
    else:
        assert (imported.scores()[1] == scores).all()
    check(imported, classes[model.predict(X)], scores)


def test_the_order_of_the_classes_can_be_given(loan_numbers, tmp_path):
    codes = (loan_numbers.y == "bad").astype(int)
    model = xgboost.XGBClassifier(n_estimators=5, max_depth=3).fit(loan_numbers.X, codes)
    model.save_model(tmp_path / "model.json")
    imported = Imported(tmp_path / "model.json", loan_numbers, tmp_path, "--classes", "good,bad")
    expected = numpy.where(model.predict(loan_numbers.X) == 1, "bad", "good")
    check(imported, expected, model.predict(loan_numbers.X, output_margin=True).reshape(-1, 1))
