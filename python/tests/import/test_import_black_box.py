"""A graph that is no model of a known family is run, and nothing about it is certified."""

import subprocess

import numpy
import onnx
import onnx.helper
import pandas
import pytest
from sklearn.neural_network import MLPClassifier

from imported import MINDREL, Imported, run



def tanh_graph(model, path, n_columns):
    constants, nodes, name = [], [], "X"
    for place, (weights, biases) in enumerate(zip(model.coefs_, model.intercepts_)):
        for kind, values in (("weight", weights), ("bias", biases)):
            constants.append(onnx.numpy_helper.from_array(values.astype(numpy.float32), f"{kind}{place}"))
        nodes.append(onnx.helper.make_node("Gemm", [name, f"weight{place}", f"bias{place}"], [f"sum{place}"]))
        name = f"sum{place}"
        if place < len(model.coefs_) - 1:
            nodes.append(onnx.helper.make_node("Tanh", [name], [f"tanh{place}"]))
            name = f"tanh{place}"
    kind = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        nodes,
        "network",
        [onnx.helper.make_tensor_value_info("X", kind, ["batch", n_columns])],
        [onnx.helper.make_tensor_value_info(name, kind, ["batch", None])],
        constants,
    )
    path.write_bytes(
        onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]).SerializeToString()
    )
    return path


@pytest.mark.parametrize("data", ["loan_scaled", "fetal_scaled"])
def test_a_network_of_another_kind_is_run_and_never_certified(request, tmp_path, data):
    table = request.getfixturevalue(data)
    X = table.X.to_numpy()
    model = MLPClassifier((6,), activation="tanh", max_iter=60, random_state=0).fit(X, table.y)
    imported = Imported(tanh_graph(model, tmp_path / "model.onnx", X.shape[1]), table, tmp_path)
    for words in ("black box", "Tanh", "Nothing can be proved about its decisions"):
        assert words in imported.said
    some = tmp_path / "some.csv"
    table.frame.head(20).to_csv(some, index=False)
    run(MINDREL, "audit", imported.plan, some, "--delta", "0.1", "--people-csv", tmp_path / "people.csv")
    people = pandas.read_csv(tmp_path / "people.csv", dtype=str)
    assert "proved" not in set(people["guarantee"])
    refused = subprocess.run(
        [MINDREL, "audit", imported.plan, some, "--delta", "0", "--test", "certified"], capture_output=True, text=True
    )
    assert refused.returncode == 2 and "certified" in refused.stderr


def test_an_operator_that_cannot_be_run_either_is_named(loan_scaled, tmp_path):
    kind = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("NoSuchOperator", ["X"], ["Y"])],
        "unknown",
        [onnx.helper.make_tensor_value_info("X", kind, ["batch", loan_scaled.X.shape[1]])],
        [onnx.helper.make_tensor_value_info("Y", kind, ["batch", 2])],
    )
    file = tmp_path / "model.onnx"
    file.write_bytes(onnx.helper.make_model(graph).SerializeToString())
    refused = subprocess.run(
        [
            MINDREL,
            "import",
            file,
            "--table",
            loan_scaled.path,
            "--label",
            "label",
            "--sensitive",
            "Age",
            "-o",
            tmp_path / "plan",
        ],
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 2 and "NoSuchOperator" in refused.stderr and str(file) in refused.stderr
    assert not (tmp_path / "plan").exists()
