"""PyTorch's sequences behind preprocessing.

PyTorch is hundreds of megabytes, so where it is not installed the layers are classes of the same names and attributes.
"""

from __future__ import annotations

import warnings

import numpy
import pytest
from mindrel import BlackBoxWarning, Minimizer, MismatchWarning
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_wine
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from attacks import counterexamples
from data import categories
from estimators import numbers, people

RANDOM = numpy.random.default_rng(0)

try:
    from torch.nn import BatchNorm1d, Dropout, Identity, Linear, ReLU, Sequential, Sigmoid, Tanh
except ImportError:

    class Module:
        bias = weight = None

        def state_dict(self):
            return dict(vars(self))

        def eval(self):
            return self

        cpu = double = eval

        def forward(self, rows):
            return rows

        def __call__(self, rows):
            return self.forward(rows)

    class Identity(Module):
        pass

    class Dropout(Module):
        pass

    class ReLU(Module):
        def forward(self, rows):
            return numpy.maximum(rows, 0)

    class Tanh(Module):
        def forward(self, rows):
            return numpy.tanh(rows)

    class Sigmoid(Module):
        def forward(self, rows):
            return 1 / (1 + numpy.exp(-rows))

    class Linear(Module):
        def __init__(self, n_inputs, n_units, bias=True):
            self.weight = RANDOM.normal(size=(n_units, n_inputs))
            self.bias = RANDOM.normal(size=n_units) / 2 if bias else None

        def forward(self, rows):
            return rows @ self.weight.T + (0 if self.bias is None else self.bias)

    class BatchNorm1d(Module):
        eps = 1e-5

        def __init__(self, n_units):
            self.running_mean, self.running_var = RANDOM.normal(size=n_units), RANDOM.uniform(0.5, 2, n_units)
            self.weight, self.bias = RANDOM.normal(size=n_units), RANDOM.normal(size=n_units)

        def forward(self, rows):
            return (rows - self.running_mean) / numpy.sqrt(self.running_var + self.eps) * self.weight + self.bias

    class Sequential(Module):
        def __init__(self, *steps):
            self.steps = steps

        def __iter__(self):
            return iter(self.steps)

        def forward(self, rows):
            for step in self.steps:
                rows = step(rows)
            return rows


def sequences(n, n_outputs):
    return {
        "plain": Sequential(Linear(n, 6), ReLU(), Linear(6, n_outputs)),
        "deep": Sequential(
            BatchNorm1d(n), Linear(n, 6, bias=False), BatchNorm1d(6), ReLU(), Dropout(), Linear(6, 4), Identity(),
            ReLU(), BatchNorm1d(4), Linear(4, n_outputs),
        ),  # fmt: skip
        "nested": Sequential(Sequential(Linear(n, 5), Linear(5, 4), ReLU()), Linear(4, n_outputs)),
        "linear": Sequential(Linear(n, 3), Linear(3, n_outputs)),
    }


def certified(model, columns, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error", BlackBoxWarning)
        warnings.simplefilter("error", MismatchWarning)
        return Minimizer(model, **options).fit(columns)


@pytest.mark.parametrize("n_outputs", [1, 2])
@pytest.mark.parametrize("kind", ["plain", "deep", "nested", "linear"])
def test_a_sequence_behind_preprocessing_is_certified(kind, n_outputs):
    columns, _ = people()
    texts = categories(columns)
    front = make_column_transformer((OneHotEncoder(sparse_output=False), texts), remainder=StandardScaler())
    module = sequences(front.fit_transform(columns).shape[1], n_outputs)[kind]
    minimizer = certified((front, module), columns, classes=["no", "yes"], public=list(columns.columns[4:]))
    outputs = numpy.asarray(module(front.transform(columns)), dtype=float)
    expected = outputs[:, 0] if n_outputs == 1 else outputs[:, 1] - outputs[:, 0]
    numpy.testing.assert_allclose(minimizer.scores(columns), expected, atol=1e-9)

    class Model:
        def predict(self, rows):
            outputs = numpy.asarray(module(front.transform(rows)), dtype=float)
            second = outputs[:, 0] >= 0 if n_outputs == 1 else outputs[:, 1] > outputs[:, 0]
            return numpy.where(second, "yes", "no")

    assert (minimizer.predict(columns[:60]) == Model().predict(columns[:60])).all()
    assert counterexamples(minimizer, Model(), columns, n_people=5) == 0


def test_three_classes_and_a_sigmoid_are_taken():
    columns, _ = load_wine(return_X_y=True, as_frame=True)
    front = StandardScaler().fit(columns)
    module = sequences(columns.shape[1], 3)["plain"]
    minimizer = certified((front, module), columns, public=list(columns.columns[4:]))
    outputs = numpy.asarray(module(front.transform(columns)), dtype=float)
    assert (minimizer.predict(columns) == outputs.argmax(axis=1)).all()
    one = Sequential(Linear(columns.shape[1], 4), ReLU(), Linear(4, 1), Sigmoid())
    minimizer = certified((front, one), columns, public=list(columns.columns[4:]))
    assert (minimizer.predict(columns) == (numpy.asarray(one(front.transform(columns)))[:, 0] >= 0.5)).all()


def test_a_sequence_alone_takes_the_columns_as_they_are():
    columns, _ = numbers()
    module = sequences(columns.shape[1], 1)["plain"]
    minimizer = certified(module, columns, public=list(columns.columns[3:]))
    assert (minimizer.predict(columns[:50]) == (numpy.asarray(module(columns[:50].to_numpy()))[:, 0] >= 0)).all()


def test_a_layer_of_another_kind_is_named_and_the_module_is_run():
    columns, _ = numbers()
    front = StandardScaler().fit(columns)
    module = Sequential(Linear(columns.shape[1], 4), Tanh(), Linear(4, 1))
    with pytest.warns(BlackBoxWarning, match="a layer of the kind Tanh; linear layers, ReLU"):
        minimizer = Minimizer((front, module), public=list(columns.columns)).fit(columns)
    assert (minimizer.predict(columns) == (numpy.asarray(module(front.transform(columns)))[:, 0] >= 0)).all()
