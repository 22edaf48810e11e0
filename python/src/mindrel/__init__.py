"""Decide about a person with a trained classifier while asking for as little as possible.

A classifier usually asks a person for everything before it decides, although most of the answers make no difference.
A :class:`Minimizer` takes a trained model, asks for sensitive answers one at a time, and stops as soon as no unknown
answer can change the decision (``delta=0``: a proof), or only with probability at most ``delta``.

>>> import numpy as np
>>> from sklearn.linear_model import LogisticRegression
>>> from mindrel import Minimizer
>>> rng = np.random.default_rng(0)
>>> X = rng.uniform(-1, 1, (500, 3))
>>> model = LogisticRegression().fit(X, X @ [1.0, -0.5, 0.5] > 0)
>>> minimizer = Minimizer(model, public=["x0"]).fit(X)
>>> session = minimizer.session({"x0": 0.9})
>>> while session.question is not None:
...     session = session.answer(0.1)
>>> session.decision.label, session.decision.guarantee
(True, 'proved')
>>> session.decision.never_asked
['x2']
"""

from ._audit import Audit
from ._decisions import Decisions
from ._errors import BlackBoxWarning, EverythingAskedWarning, MismatchWarning, NotDescribed, NotFittedError
from ._minimizer import Minimizer
from ._plot import Plot
from ._session import Decision, Implied, Question, Session, Undecided
from ._verdict import Verdict

__all__ = [
    "Audit",
    "BlackBoxWarning",
    "Decision",
    "Decisions",
    "EverythingAskedWarning",
    "Implied",
    "Minimizer",
    "MismatchWarning",
    "NotDescribed",
    "NotFittedError",
    "Plot",
    "Question",
    "Session",
    "Undecided",
    "Verdict",
]

__version__ = "0.1.0"
