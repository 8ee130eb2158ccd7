"""What a model is asked: who, what and when."""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import Any, Literal, Union, overload

from orrery import _engine
from orrery._answers import Answers, ManyAnswers
from orrery._asking import Many, Name, Question, Time, asking, many_questions, one_question


class _Asked(abc.ABC):
    """Questions, for models."""

    _core: Any

    @abc.abstractmethod
    def _knowing(self) -> Any:
        """The engine's model with the facts it marks answers by."""

    @overload
    def predict(
        self,
        subject: Name = None,
        relation: Name = None,
        object: Name = None,
        time: Time = None,
        *,
        questions: None = None,
        top: int = 10,
        known: Literal["mark", "hide", "show"] = "mark",
        type: Literal["any", "seen"] = "any",
        only: Iterable[str] = (),
        without: Iterable[str] = (),
        untrained: bool = False,
    ) -> Answers: ...
    @overload
    def predict(
        self,
        subject: Union[Name, Many] = None,
        relation: Union[Name, Many] = None,
        object: Union[Name, Many] = None,
        time: Union[Time, Many] = None,
        *,
        questions: Any = None,
        top: int = 10,
        known: Literal["mark", "hide", "show"] = "mark",
        type: Literal["any", "seen"] = "any",
        only: Iterable[str] = (),
        without: Iterable[str] = (),
        untrained: bool = False,
    ) -> ManyAnswers: ...
    def predict(
        self,
        subject: Any = None,
        relation: Any = None,
        object: Any = None,
        time: Any = None,
        *,
        questions: Any = None,
        top: int = 10,
        known: str = "mark",
        type: str = "any",
        only: Iterable[str] = (),
        without: Iterable[str] = (),
        untrained: bool = False,
    ) -> Union[Answers, ManyAnswers]:
        """The best answers for the one part that is left out; with none left out, that fact.

        Any part may be a list (a Series, an array): then there are many questions, one matrix
        product, and ``ManyAnswers``. ``questions`` are tuples, dicts or a DataFrame instead.
        ``known``: ``"mark"`` answers that are facts already, ``"hide"`` or ``"show"`` them.
        ``type="seen"``: only entities that train has on that side of the relation. ``only`` and
        ``without`` are lists of names. ``untrained``: names without a training fact are taken,
        though their embeddings are noise.

        >>> answers = model.predict("Taresse", "threatens", time="2022-01-03", top=3)
        >>> answers[0].name, answers[0].known["split"]
        ('Quororia', 'train')
        >>> len(model.predict(["Taresse", "Velavia"], "threatens", time="2022-01-03"))
        2
        """
        options = asking(top, known, type, only, without, untrained)
        model = self._core if known == "show" and type == "any" else self._knowing()
        if questions is None:
            question = one_question(subject, relation, object, time)
            if question is not None:
                return Answers(_engine.predict(model, *question, options), question)
        s, r, o, t = many_questions(questions, subject, relation, object, time)
        found = _engine.predict_many(model, len(s), s, r, o, t, options)
        asked: list[Question] = list(zip(s, r, o, t))
        return ManyAnswers(found, asked)

    @overload
    def when(
        self, subject: Name, relation: Name, object: Name, **options: Any
    ) -> Answers: ...
    @overload
    def when(
        self,
        subject: Union[Name, Many],
        relation: Union[Name, Many],
        object: Union[Name, Many],
        **options: Any,
    ) -> ManyAnswers: ...
    def when(
        self, subject: Any, relation: Any, object: Any, **options: Any
    ) -> Union[Answers, ManyAnswers]:
        """When a fact holds: the best times, their ``curve``, and of intervals start and end.

        >>> when = model.when("Taresse", "threatens", "Quororia", top=3)
        >>> when.asked, len(when), len(when.curve)
        ('time', 3, 104)
        """
        found: Union[Answers, ManyAnswers] = self.predict(
            subject, relation, object, None, **options
        )
        return found
