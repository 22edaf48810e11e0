"""What the original models say, in the form mindrel has it."""

import numpy
import onnx
import onnx.helper
from skl2onnx import to_onnx
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType, Int64TensorType, StringTensorType

# skl2onnx 1.20 hands booleans to protobuf for HistGradientBoosting, which newer versions of it refuse.
_make_attribute = onnx.helper.make_attribute


def _with_integers(key, value, *rest, **named):
    if isinstance(value, (list, tuple)):
        value = [int(item) if isinstance(item, (bool, numpy.bool_)) else item for item in value]
    return _make_attribute(key, value, *rest, **named)


onnx.helper.make_attribute = _with_integers


def margins(model, X):
    """Decision function; one column for two classes."""
    return numpy.asarray(model.decision_function(X)).reshape(len(X), -1)


def logits(model, X):
    """The logits behind probabilities; up to a constant for each person where there are several classes."""
    probability = numpy.clip(model.predict_proba(X), 1e-300, 1)
    if probability.shape[1] == 2:
        return numpy.log(probability[:, 1:] / probability[:, :1])
    return numpy.log(probability)


def votes(model, X):
    """Votes: of two classes the second's lead."""
    probability = model.predict_proba(X)
    return probability[:, 1:] - probability[:, :1] if probability.shape[1] == 2 else probability


def column_types(X):
    """One input for each column, as skl2onnx wants them declared."""
    kind = lambda column: (
        StringTensorType([None, 1]) if not numpy.issubdtype(column.dtype, numpy.number)
        else Int64TensorType([None, 1]) if numpy.issubdtype(column.dtype, numpy.integer)
        else FloatTensorType([None, 1])
    )  # fmt: skip
    return [(name, kind(X[name].to_numpy())) for name in X.columns]


def save_onnx(model, X, path, zipmap=False, opset=None, by_column=False, double=False):
    number = DoubleTensorType if double else FloatTensorType
    types = column_types(X) if by_column else [("X", number([None, X.shape[1]]))]
    target = None if opset is None else {"": opset, "ai.onnx.ml": 1 if opset < 15 else 3}
    graph = to_onnx(model, initial_types=types, options={"zipmap": zipmap}, target_opset=target)
    path.write_bytes(graph.SerializeToString())
    return path


def network_graph(model, path, style, n_columns):
    """An MLPClassifier as PyTorch would write it."""
    nodes, constants, name = [], [], "X"
    layers = list(zip(model.coefs_, model.intercepts_))
    for place, (weights, biases) in enumerate(layers):
        last = place == len(layers) - 1
        if last and style == "two-logits":
            weights, biases = numpy.hstack([-weights / 2, weights / 2]), numpy.hstack([-biases / 2, biases / 2])
        W, b = f"{place}.weight", f"{place}.bias"
        if style == "matmul":
            constants += [_constant(W, weights), _constant(b, biases)]
            nodes += [
                onnx.helper.make_node("MatMul", [name, W], [f"product{place}"]),
                onnx.helper.make_node("Add", [b, f"product{place}"], [f"sum{place}"]),
            ]
        else:
            constants += [_constant(W, weights.T), _constant(b, biases)]
            nodes.append(onnx.helper.make_node("Gemm", [name, W, b], [f"sum{place}"], transB=1))
        name = f"sum{place}"
        if not last:
            nodes.append(onnx.helper.make_node("Relu", [name], [f"relu{place}"]))
            name = f"relu{place}"
    if style != "logits":
        many = layers[-1][1].size > 1 or style == "two-logits"
        nodes.append(onnx.helper.make_node("Softmax" if many else "Sigmoid", [name], ["probability"]))
        name = "probability"
    kind = onnx.TensorProto.FLOAT
    inputs = [onnx.helper.make_tensor_value_info("X", kind, ["batch", n_columns])]
    outputs = [onnx.helper.make_tensor_value_info(name, kind, ["batch", None])]
    graph = onnx.helper.make_graph(nodes, "network", inputs, outputs, constants)
    path.write_bytes(
        onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]).SerializeToString()
    )
    return path


def _constant(name, values):
    return onnx.numpy_helper.from_array(numpy.asarray(values, dtype=numpy.float32), name)
