"""Everything this package raises. Catch `HandrailError` for all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping, NamedTuple, Optional

if TYPE_CHECKING:
    from .records import Task


class HandrailError(Exception):
    """Base of all errors of this package."""


class Violation(NamedTuple):
    """One invalid field of a request: where it is, and what is wrong with it."""

    path: str
    message: str


class Problem(HandrailError):
    """A call failed: the service refused it (problem+json), or could not be reached (`status` is 0).

    With the code `invalid_response`, something responded, but not as Handrail does.
    """

    def __init__(self, body: Mapping[str, Any], *, retry_after: Optional[float] = None) -> None:
        self.status: int = body.get("status") or 0
        self.code: str = body["code"]
        self.title: str = body.get("title") or self.code
        self.detail: str = body["detail"]
        self.errors: List[Violation] = [
            Violation(error["path"], error["message"]) for error in body.get("errors") or []
        ]
        self.request_id: str = body.get("requestId") or ""
        # With the code task_not_open: what became of the task.
        self.task_status: Optional[str] = body.get("taskStatus")
        self.handled_by: Optional[str] = body.get("handledBy")
        self.handled_at: Optional[str] = body.get("handledAt")
        self.action_id: Optional[str] = body.get("actionId")
        self.retry_after = retry_after
        super().__init__(self._message())

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed later."""
        return self.code in ("unavailable", "rate_limited", "internal")

    def _message(self) -> str:
        if not self.errors:
            lines = [f"{self.code}: {self.detail}"]
        else:
            count = len(self.errors)
            lines = [f"{self.code}: {count} invalid {'field' if count == 1 else 'fields'}."]
            lines += [f"  {path or '(body)'}: {message}" for path, message in self.errors]
        if self.request_id and self.status >= 500:
            lines.append(f"  request {self.request_id}")
        return "\n".join(lines)


class WaitTimeout(HandrailError, TimeoutError):
    """No answer arrived within `timeout`. Wait again, or cancel the task."""

    def __init__(self, task_id: str, timeout: float) -> None:
        super().__init__(f"No answer to {task_id} arrived within {timeout:g} s. Wait again, or cancel the task.")
        self.task_id = task_id


class WaitStopped(HandrailError):
    """The `stop` event was set. The wait does not change the task: wait again, or cancel it."""

    def __init__(self, task_id: str) -> None:
        super().__init__(f"The wait for {task_id} was stopped. Wait again, or cancel the task.")
        self.task_id = task_id


class TaskEnded(HandrailError):
    """The task ended without one of your actions. The agent must not continue with the work."""

    def __init__(self, task: Task, message: str) -> None:
        super().__init__(message)
        self.task = task


class Denied(TaskEnded):
    """A person rejected the task or marked it done, or an approval was denied.

    An approval is denied by a person, by a standing rule, or at the deadline by `on_expire`. `reason` is the text that
    was given, or "".
    """

    def __init__(self, task: Task, reason: str) -> None:
        by = task.answer.handled_by if task.answer else "A person"
        if task.answer:
            by = {"rule": "A standing rule", "timeout": "The deadline"}.get(task.answer.decided_by, by)
        super().__init__(task, f"{by} denied {task.name!r}" + (f": {reason}" if reason else "."))
        self.reason = reason


class Expired(TaskEnded):
    """The task was still open at its deadline."""

    def __init__(self, task: Task) -> None:
        super().__init__(task, f"{task.name!r} was still open at its deadline.")


class Cancelled(TaskEnded):
    """The task was cancelled. `reason` is the text that was given, or ""."""

    def __init__(self, task: Task) -> None:
        self.reason: str = (task.raw.get("cancelled") or {}).get("reason") or ""
        super().__init__(task, f"{task.name!r} was cancelled" + (f": {self.reason}" if self.reason else "."))


class WebhookNotVerified(HandrailError):
    """The request is not from your Handrail, or is too old. Respond with 400 and ignore it."""
