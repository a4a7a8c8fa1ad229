"""Questions that people ask instead of answering, and the replies of the agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Tuple, Union

from .errors import Problem
from .records import Question, Task


@dataclass(frozen=True)
class Reply:
    """The reply to a question. `revision` replaces parts of the task: JSON with task, context and actions."""

    message: str
    revision: Optional[Mapping[str, Any]] = None


QuestionHandler = Callable[[Question, Task], Union[str, Reply]]


class Conversation:
    """The questions that one wait has seen. Each is passed to the handler once, and its reply is sent before the next."""

    def __init__(self, handler: Optional[QuestionHandler], send: Callable[[str, Reply], Any]) -> None:
        self._handler = handler
        self._send = send
        self._seen = 0
        self._unsent: Optional[Tuple[str, Reply]] = None
        self.after: Optional[str] = None
        """Only a newer question ends the next wait, so that an unanswered one does not make it spin."""

    def handle_next_question(self, task: Task) -> None:
        """Calls the handler for the next question without a reply, if there is one. Its errors end the wait."""
        for question in task.questions[self._seen :]:
            self._seen += 1
            self.after = question.question_id
            if self._handler is not None and question.reply is None:
                returned = self._handler(question, task)
                reply = returned if isinstance(returned, Reply) else Reply(returned)
                self._unsent = (question.question_id, reply)
                return

    def send_reply(self) -> None:
        """Sends the reply that the handler has returned, if it is unsent. May be called again after a `Problem`."""
        if self._unsent is None:
            return
        try:
            self._send(*self._unsent)
        except Problem as problem:
            # People may answer or cancel meanwhile. The wait returns how the task ended.
            if problem.code != "task_not_open":
                raise
        self._unsent = None

    def try_to_send_reply(self) -> Optional[Problem]:
        """As `send_reply`, but returns a `Problem` instead of raising it: it must not hide why the wait ends."""
        try:
            self.send_reply()
        except Problem as problem:
            return problem
        return None
