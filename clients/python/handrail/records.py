"""What the calls return. `raw` is the JSON of the service, with fields that have no attribute here."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Dict, Generic, List, Mapping, Optional, Type, TypeVar, Union

from .errors import Problem, Violation
from .forms import parse

Value = TypeVar("Value")
Model = TypeVar("Model")

MARK_DONE = "service:mark-done"
REJECT_REQUEST = "service:reject-request"


@dataclass(frozen=True)
class Edit:
    """What a person made of a form field that started with a value of the context."""

    field: str
    """Path of the field in the answer's data."""
    source: str
    """The field of the context's data that it was prefilled from."""
    changed: bool
    before: Any = None
    after: Any = None
    diff: Union[str, List[Dict[str, Any]], None] = None
    """A unified diff of a text, a JSON Patch (RFC 6902) of an object or a list."""
    truncated: bool = False
    """`before` and `after`, or also `diff`, were left out because of their size."""


@dataclass(frozen=True)
class Answer(Generic[Value]):
    """What a person chose and entered, or a standing rule answered."""

    task_id: str
    action: str
    action_title: str
    data: Dict[str, Any]
    """The form as JSON."""
    value: Value
    """The form as an instance of the action's model; without a model, the same as `data`."""
    handled_by: str
    handled_by_verified: bool
    handled_at: datetime
    decided_by: str
    """"human", "timeout" for the answer that `on_expire` names, or "rule" for that of a standing rule."""
    via: str
    revision: int = 1
    """The revision of the task that was answered."""
    edits: List[Edit] = field(default_factory=list)
    """One per form field that was prefilled from the context."""
    rule_id: Optional[str] = None
    """The standing rule that answered."""

    def parse(self, model: Type[Model]) -> Model:
        """Returns the form as an instance of a pydantic model or dataclass."""
        return parse(model, self.data)


@dataclass(frozen=True)
class Update:
    """A status message from the agent, shown with the task."""

    update_id: str
    message: str
    level: str
    at: datetime
    progress: Optional[float] = None


@dataclass(frozen=True)
class UpdateSent:
    """A reply or a revision that was recorded."""

    update_id: str
    revision: int
    """The current revision of the task."""
    open_questions: List[str]
    """Ids of the questions that still wait for a reply."""


@dataclass(frozen=True)
class Question:
    """What a person asks the agent instead of answering."""

    question_id: str
    kind: str
    """"question": a reply is enough. "changes": send a revision."""
    text: str
    asked_by: str
    asked_at: datetime
    reply: Optional[str] = None
    """The agent's reply, once it was sent."""


@dataclass(frozen=True)
class Task:
    """The record of a task."""

    task_id: str
    status: str
    """"open", until it ends as "handled", "cancelled" or "expired"."""
    app: str
    type: str
    name: str
    description: str
    priority: str
    thread_id: str
    url: str
    """The page where people answer it."""
    created_at: datetime
    updated_at: datetime
    expires_at: Optional[datetime]
    version: Optional[str]
    metadata: Dict[str, Any]
    answer: Optional[Answer[Dict[str, Any]]]
    latest_update: Optional[Update]
    revision: int
    waiting_for: Optional[str]
    """While open: "person", or "agent" if people wait for a reply."""
    questions: List[Question]
    raw: Dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Sent:
    """A task that was created."""

    task_id: str
    url: str
    """The page where people answer it."""
    delivery: str
    warnings: List[Violation]
    """Display hints that could not be used."""


@dataclass(frozen=True)
class SendResult:
    """One task of `send_all`: it was `sent`, or `error` says why not."""

    sent: Optional[Sent]
    error: Optional[Problem]


@dataclass(frozen=True)
class Page:
    """Some tasks of a list, newest first. Pass `next_cursor` for the next page; None: this is the last."""

    tasks: List[Task]
    next_cursor: Optional[str]


def task_from(record: Mapping[str, Any]) -> Task:
    handled = record.get("handled")
    latest = record.get("latestUpdate")
    return Task(
        task_id=record["taskId"],
        status=record["status"],
        app=record["app"],
        type=record["type"],
        name=record["name"],
        description=record.get("description", ""),
        priority=record["priority"],
        thread_id=record["threadId"],
        url=record["url"],
        created_at=_timestamp(record["createdAt"]),
        updated_at=_timestamp(record["updatedAt"]),
        expires_at=_timestamp(record["expiresAt"]) if record.get("expiresAt") else None,
        version=record.get("version"),
        metadata=record.get("metadata") or {},
        answer=_answer(record["taskId"], handled) if handled else None,
        latest_update=_update(latest) if latest else None,
        revision=record.get("revision", 1),
        waiting_for=record.get("waitingFor"),
        questions=[question_from(question) for question in record.get("questions") or []],
        raw=dict(record),
    )


def sent_from(created: Mapping[str, Any]) -> Sent:
    return Sent(
        task_id=created["taskId"],
        url=created["url"],
        delivery=created["delivery"],
        warnings=[Violation(item["path"], item["message"]) for item in created.get("warnings") or []],
    )


def question_from(question: Mapping[str, Any]) -> Question:
    return Question(
        question_id=question["questionId"],
        kind=question["kind"],
        text=question["text"],
        asked_by=question["askedBy"],
        asked_at=_timestamp(question["askedAt"]),
        reply=(question.get("answer") or {}).get("message"),
    )


def update_sent_from(sent: Mapping[str, Any]) -> UpdateSent:
    open_questions = [question["questionId"] for question in sent["openQuestions"]]
    return UpdateSent(update_id=sent["updateId"], revision=sent["revision"], open_questions=open_questions)


def _answer(task_id: str, handled: Mapping[str, Any]) -> Answer[Dict[str, Any]]:
    return Answer(
        task_id=task_id,
        action=handled["actionId"],
        action_title=handled["actionTitle"],
        data=handled["data"],
        value=handled["data"],
        handled_by=handled["handledBy"],
        handled_by_verified=handled.get("handledByVerified", True),
        handled_at=_timestamp(handled["handledAt"]),
        decided_by=handled["decidedBy"],
        via=handled["via"],
        revision=handled.get("revision", 1),
        edits=[
            Edit(
                field=edit["field"],
                source=edit["source"],
                changed=edit["changed"],
                before=edit.get("before"),
                after=edit.get("after"),
                diff=edit.get("diff"),
                truncated=edit.get("truncated", False),
            )
            for edit in handled.get("edits") or []
        ],
        rule_id=handled.get("ruleId"),
    )


def _update(update: Mapping[str, Any]) -> Update:
    return Update(
        update_id=update["updateId"],
        message=update["message"],
        level=update["level"],
        at=_timestamp(update["at"]),
        progress=update.get("progress"),
    )


def _timestamp(text: str) -> datetime:
    # Before Python 3.11, fromisoformat does not accept the Z.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
