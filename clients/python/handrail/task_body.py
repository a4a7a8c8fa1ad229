"""Turns the arguments of `send` into the body of a request."""

from __future__ import annotations

import uuid
from typing import Any, Dict, Mapping, Optional, TypedDict

from .forms import schema_of

_TEXTS = ("type", "name", "description")
_FIELDS = {
    **{"context": "context", "app": "app", "version": "version", "priority": "priority", "delivery": "delivery"},
    **{"callback_url": "callbackUrl", "thread_id": "threadId", "expires_in_seconds": "expiresInSeconds"},
    **{"on_expire": "onExpire", "metadata": "metadata", "assign_to": "assignTo", "review": "review"},
    **{"accepts_questions": "acceptsQuestions", "require_human": "requireHuman"},
}


class _TaskTexts(TypedDict):
    type: str
    name: str
    description: str


class TaskOptions(_TaskTexts, total=False):
    """The arguments of `send`, except `actions`."""

    context: Mapping[str, Any]
    app: Optional[str]
    version: Optional[str]
    priority: Optional[str]
    delivery: Optional[str]
    callback_url: Optional[str]
    thread_id: Optional[str]
    expires_in_seconds: Optional[int]
    on_expire: Optional[Mapping[str, Any]]
    metadata: Optional[Mapping[str, Any]]
    assign_to: Optional[str]
    review: Optional[Mapping[str, Any]]
    accepts_questions: Optional[bool]
    require_human: Optional[bool]
    key: Optional[str]


def task_body(arguments: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the body of a task. It always has an idempotency key, so that a retry creates no second task."""
    for name in arguments:
        if name not in (*_TEXTS, *_FIELDS, "actions", "key"):
            raise TypeError(f"A task has no argument {name!r}. Its arguments are those of send().")
    body = {field: arguments.get(name) for name, field in _FIELDS.items()}
    body["task"] = without_none({name: arguments.get(name) for name in _TEXTS})
    body["actions"] = [_with_schema(action) for action in arguments.get("actions") or ()]
    body["idempotencyKey"] = arguments.get("key") or str(uuid.uuid4())
    return without_none(body)


def revision_body(revision: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the body of a revision, whose actions may have models as schemas, like those of `send`."""
    if "actions" not in revision:
        return dict(revision)
    return {**revision, "actions": [_with_schema(action) for action in revision["actions"]]}


def without_none(values: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _with_schema(action: Any) -> Any:
    # The service explains what is wrong with anything else, such as a plain string.
    if not isinstance(action, Mapping) or action.get("schema") is None:
        return action
    return {**action, "schema": schema_of(action["schema"])}
