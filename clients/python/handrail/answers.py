"""The actions of `ask`, and the answer to one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Mapping, Optional, Sequence, Type

from .errors import Cancelled, Denied, Expired
from .forms import parse
from .records import MARK_DONE, REJECT_REQUEST, Answer, Task

Actions = Sequence[Mapping[str, Any]]


def answer_of(task: Task, actions: Actions = ()) -> Answer[Any]:
    """Returns the answer of a task that has ended. Raises `Denied`, `Expired` or `Cancelled` without one."""
    if task.status == "expired":
        raise Expired(task)
    if task.status == "cancelled":
        raise Cancelled(task)
    if task.answer is None:
        raise ValueError(f"The task {task.task_id} is {task.status}.")
    answer = task.answer
    if answer.action in (MARK_DONE, REJECT_REQUEST):
        raise Denied(task, answer.data.get("feedback") or "")
    for action in actions:
        model = action.get("schema")
        if action["id"] == answer.action and model is not None and not isinstance(model, Mapping):
            return replace(answer, value=parse(model, answer.data))
    return answer


def actions_of(actions: Optional[Actions], model: Optional[Type[Any]]) -> Actions:
    if (actions is None) == (model is None):
        raise TypeError("Pass either actions, or a model for a task with one form.")
    return actions if actions is not None else [{"id": "submit", "title": "Submit", "schema": model}]
