"""An in-memory inbox for the tests of your agent, in which the test answers."""

from __future__ import annotations

import copy
from typing import Any, List, Mapping, Optional

from .async_client import AsyncClient
from .client import Client
from .inbox_store import DEFAULT_PERSON, InboxStore
from .records import MARK_DONE, REJECT_REQUEST, Question, Task, question_from, task_from


class TestInbox:
    """Pass `client` (or `async_client`) to your agent instead of a real one, then answer its tasks.

    Tasks and answers with the usual mistakes are refused as the service refuses them, and a review needs as many
    equal answers as in the service. There are no members, groups, policies, rules, callbacks or API keys, and deadlines
    pass only when the test calls `expire`.
    """

    __test__ = False  # the name is not a test class of pytest

    def __init__(self) -> None:
        self._store = InboxStore()
        self.client = Client(transport=self._store)
        self.async_client = AsyncClient(transport=self._store)

    @property
    def tasks(self) -> List[Task]:
        """Everything the agent has sent, oldest first, with context, actions and updates in `raw`."""
        with self._store.changed:
            return [task_from(copy.deepcopy(record)) for record in self._store.records]

    def next_task(self, *, timeout: float = 10) -> Task:
        """Returns the oldest open task, after at most `timeout` seconds: the agent may run in another thread."""
        return task_from(self._store.next_open(timeout))

    def ask_question(self, task_id: str, text: str, kind: str = "question") -> Question:
        """Asks the agent instead of answering, like a person. The kind "changes" asks for a revision."""
        return question_from(self._store.ask(task_id, text, kind))

    def reply_to(self, question_id: str, *, timeout: float = 10) -> str:
        """Returns the agent's reply to a question, after at most `timeout` seconds."""
        return self._store.reply_to(question_id, timeout)

    def answer(
        self,
        task_id: str,
        action: str,
        data: Optional[Mapping[str, Any]] = None,
        *,
        by: str = DEFAULT_PERSON,
        revision: Optional[int] = None,
        decides_deadlock: bool = False,
    ) -> None:
        """Answers a task like the person `by`. `revision` is the revision that they saw, by default the current one.

        With `decides_deadlock` they are an admin, and everybody who may answer has answered without a result.
        """
        self._store.answer(task_id, action, dict(data or {}), (by, revision, decides_deadlock))

    def mark_done(
        self, task_id: str, *, by: str = DEFAULT_PERSON, revision: Optional[int] = None, decides_deadlock: bool = False
    ) -> None:
        """Ends a task without one of its actions, like a person who marks it done."""
        action = {"id": MARK_DONE, "title": "Mark done"}
        self._store.handle(task_id, action, {}, (by, revision, decides_deadlock))

    def reject(
        self,
        task_id: str,
        feedback: str,
        *,
        by: str = DEFAULT_PERSON,
        revision: Optional[int] = None,
        decides_deadlock: bool = False,
    ) -> None:
        """Rejects a task with feedback."""
        action = {"id": REJECT_REQUEST, "title": "Reject task"}
        self._store.handle(task_id, action, {"feedback": feedback}, (by, revision, decides_deadlock))

    def expire(self, task_id: str) -> None:
        """Ends a task as its deadline would: it expires or, with `on_expire`, is answered with that action."""
        self._store.expire(task_id)
