"""One person, asked one question at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _mindrel
from ._decisions import in_words
from ._html import decision_html, session_html
from ._plot import Plot, path_of
from ._work import working

if TYPE_CHECKING:
    from ._fitting import Fitted


@dataclass(frozen=True)
class Question:
    """The question being asked, and why."""

    name: str
    prompt: str
    help: str
    kind: str
    """number, integer, boolean or category."""
    bounds: Optional[tuple[float, float]]
    """The smallest and the largest number."""
    levels: Optional[list[str]]
    """The levels of a category."""
    labels: Optional[list[str]]
    """What people are shown for each of them."""
    why: str = field(repr=False)
    """Why it is asked. This may contain a probability, from which an earlier answer could be inferred."""


@dataclass(frozen=True)
class Implied:
    """A question that is not asked because its answer follows from others, by the plan's rules between questions.

    Its ``repr`` does not show the answer.
    """

    name: str
    answer: Any = field(repr=False)
    """The answer as a person would state it: a number, a text, or True and False for yes and no."""
    follows_from: list[str]
    """The questions, answered or public, that it follows from."""

    def __str__(self) -> str:
        return f"{self.name} (follows from {', '.join(self.follows_from)})" if self.follows_from else self.name


@dataclass(frozen=True, repr=False)
class Decision:
    """A settled decision. Its ``repr`` shows no answer."""

    label: Any
    """The class decided for."""
    guarantee: str
    """What the decision rests on: proved, probable, complete, or sampled, which says that no counterexample was found."""
    probability: float = field(repr=False)
    """The probability of the label under the belief; 1 if it is proved or complete."""
    asked: list[str]
    """The questions that were answered, in the order they were asked."""
    declined: list[str]
    never_asked: list[str]
    implied: list[Implied]
    """The questions that were known without asking."""
    _certificate: str = field(repr=False)

    @property
    def certificate(self) -> dict[str, Any]:
        """What a third party needs to check the decision. It contains the answers, and belongs to the person."""
        return json.loads(self._certificate)

    def __repr__(self) -> str:
        shown = f"label={self.label!r}, {in_words(self.guarantee)}, asked={self.asked!r}, declined={self.declined!r}"
        implied = f", implied={[one.name for one in self.implied]!r}" if self.implied else ""
        return f"Decision({shown}, never_asked={self.never_asked!r}{implied})"

    def write_certificate(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the certificate to a file that only its owner can read; ``mindrel verify`` checks it."""
        _mindrel.Plan.write_certificate(os.fspath(path), self._certificate)

    def plot(self) -> Plot:
        """The questions that were asked, in their order, and the decision. No answer is shown."""
        return path_of(self)

    def _repr_html_(self) -> str:
        return decision_html(self)


@dataclass(frozen=True)
class Undecided:
    """No questions are left and the decision is not settled: a human should look at it."""

    label: Any
    """The most likely class."""
    probability: float = field(repr=False)
    """Its probability under the belief."""
    asked: list[str]
    declined: list[str]
    never_asked: list[str]
    implied: list[Implied]
    guarantee: None = None

    def _repr_html_(self) -> str:
        return decision_html(self)


class Session:
    """One person's questions and answers.

    ``question`` is the next question, which :meth:`answer` or :meth:`decline` completes. Once there is no question,
    ``decision`` is the result. Iterating yields one question after the other:

    >>> for question in session:                                   # doctest: +SKIP
    ...     session.answer(ask_the_person(question.prompt))
    >>> session.decision                                           # doctest: +SKIP
    """

    def __init__(
        self, fitted: Fitted, public: dict[str, Any], deadline: Optional[float] = None, calibrated: bool = False
    ) -> None:
        self._fitted, self._deadline, self._calibrated = fitted, deadline, calibrated
        self._classes = fitted.classes.tolist()
        with working(1, deadline, False, "asking") as work:
            self._session = _mindrel.Session(fitted.plan, public, work, calibrated)

    @property
    def question(self) -> Optional[Question]:
        """The question being asked; ``None`` once the session has ended."""
        asked = self._session.question()
        return None if asked is None else Question(**asked)

    @property
    def settled(self) -> bool:
        """Whether the decision is settled."""
        return self._session.decision() is not None

    @property
    def decision(self) -> Union[Decision, Undecided, None]:
        """The settled decision, :class:`Undecided` if no questions are left, or ``None`` while one is being asked."""
        if self._session.question() is not None:
            return None
        place, probability = self._session.outlook()
        told: dict[str, Any] = {"asked": self._session.revealed(), "declined": self._session.declined()}
        told["never_asked"], told["implied"] = self._session.never_asked(), self.implied
        settled = self._session.decision()
        if settled is None:
            return Undecided(self._classes[place], probability, **told)
        certificate = self._session.certificate()
        assert certificate is not None, "a settled decision has a certificate"
        return Decision(self._classes[settled[0]], settled[1], probability, **told, _certificate=certificate)

    @property
    def outlook(self) -> tuple[Any, float]:
        """The most likely class so far, and its probability under the belief."""
        place, probability = self._session.outlook()
        return self._classes[place], probability

    @property
    def asked(self) -> list[str]:
        """The questions that were answered, in the order they were asked."""
        return self._session.revealed()

    @property
    def implied(self) -> list[Implied]:
        """The questions that are not asked because their answers follow from others."""
        return [Implied(*one) for one in self._session.implied()]

    def answer(self, value: Any) -> Session:
        """Takes the answer to the question being asked: a number, a text, or True and False for no and yes.

        Raises ``ValueError`` for an invalid answer, without repeating it; the question is then still being asked. A
        number outside its bounds is invalid, and so is an answer that breaks a rule between questions, unless the question
        was declared with ``outside="accept"``.
        """
        self._session.answer(value)
        return self

    def decline(self) -> Session:
        """Declines the question being asked; it is not asked again."""
        self._session.decline()
        return self

    def undo(self) -> Session:
        """Takes back the last answer, or that the last question was declined, and asks that question again.

        Raises ``RuntimeError`` if nothing was answered or declined.
        """
        if not self._session.undo():
            raise RuntimeError("there is nothing to take back: no question was answered or declined yet")
        return self

    @property
    def promise(self) -> Optional[dict[str, Any]]:
        """What the calibration promises of sessions like this one; ``None`` without it, or once a question was declined."""
        promise = self._session.promise()
        return None if promise is None else json.loads(promise)

    def __iter__(self) -> Iterator[Question]:
        """Yields one question after the other; each must be answered or declined before the next."""
        before: Optional[tuple[str, int]] = None
        while (question := self.question) is not None:
            now = (question.name, len(self._session.revealed()) + len(self._session.declined()))
            if now == before:
                raise RuntimeError(f"`{question.name}` was neither answered nor declined")
            before = now
            yield question

    def __repr__(self) -> str:
        asked = self._session.question()
        n_asked = len(self._session.revealed())
        implied = [name for name, _, _ in self._session.implied()]
        known = f"{n_asked} answered" + (f", implied={implied!r}" if implied else "")
        if asked is not None:
            return f"Session(asking {asked['name']!r}, {known})"
        return f"Session({'settled' if self.settled else 'undecided'}, {known})"

    def _repr_html_(self) -> str:
        return session_html(self)

    def __getstate__(self) -> dict[str, Any]:
        """The plan and what was said so far, so a pickled session contains the person's answers."""
        state = {name: value for name, value in self.__dict__.items() if name != "_session"}
        return {**state, "said": self._session.said()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        said = state.pop("said")
        self.__dict__.update(state)
        with working(1, self._deadline, False, "asking") as work:
            self._session = _mindrel.Session.resume(self._fitted.plan, said, work, self._calibrated)
