"""An in-memory inbox for the tests of your agent, in which the test answers."""

from __future__ import annotations

import copy
import threading
import time
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional
from urllib.parse import unquote

from .async_client import AsyncClient
from .checks import check_answer, check_task
from .client import Client
from .errors import Problem, Violation
from .records import MARK_DONE, REJECT_REQUEST, Task, task_from

_statuses = {"not_found": 404, "task_not_open": 409, "idempotency_conflict": 409, "invalid_request": 400}
_includable = ("context", "actions", "updates")


class TestInbox:
    """Pass `client` (or `async_client`) to your agent instead of a real one, then answer its tasks.

    Tasks and answers that the service would refuse are refused here too, though the service checks more. There
    are no people, deadlines, callbacks or keys.
    """

    __test__ = False  # the name is not a test class of pytest

    def __init__(self) -> None:
        self._store = _Store()
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

    def answer(self, task_id: str, action: str, data: Optional[Mapping[str, Any]] = None) -> None:
        """Answers a task like a person."""
        self._store.answer(task_id, action, dict(data or {}))

    def mark_done(self, task_id: str) -> None:
        """Closes a task without one of its actions."""
        self._store.handle(task_id, {"id": MARK_DONE, "title": "Mark done"}, {})

    def reject(self, task_id: str, feedback: str) -> None:
        """Rejects a task with feedback."""
        self._store.handle(task_id, {"id": REJECT_REQUEST, "title": "Reject request"}, {"feedback": feedback})

    def expire(self, task_id: str) -> None:
        """Ends a task as if its deadline had passed."""
        self._store.end(task_id, "expired", {})


class _Store:
    """Takes the place of the HTTP transport and does what the routes of the REST API do."""

    def __init__(self) -> None:
        self.records: List[Dict[str, Any]] = []
        self.changed = threading.Condition()
        self._sent: Dict[str, Any] = {}
        self._ids = 0

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        timeout: float,
        stop: Optional[threading.Event] = None,
    ) -> Any:
        with self.changed:
            response = self._respond(method, path.strip("/").split("/"), query or {}, body or {}, stop)
            return copy.deepcopy(response)

    def _respond(
        self,
        method: str,
        parts: List[str],
        query: Mapping[str, Any],
        body: Mapping[str, Any],
        stop: Optional[threading.Event],
    ) -> Any:
        if parts == ["me"]:
            return {"kind": "key", "workspace": {"name": "Test"}, "key": {"name": "Test"}}
        if parts == ["feedback-analyses", "latest"]:
            return {"found": False, "message": "The test inbox does not analyse feedback."}
        if parts == ["tasks", "search"]:
            words = query["query"].lower().split()
            return self._page(query, lambda record: all(word in _text_of(record) for word in words))
        if parts == ["tasks", "batch"]:
            return {"results": [self._result(task) for task in body["tasks"]]}
        if parts == ["tasks"]:
            return self._create(body) if method == "POST" else self._page(query, lambda record: True)
        task_id = unquote(parts[1])
        if parts[2:] == ["updates"]:
            return self._update(task_id, body)
        if parts[2:] == ["cancel"]:
            return self._cancel(task_id, body)
        return self._get(task_id, query, stop)

    def _create(self, body: Mapping[str, Any]) -> Any:
        key = body["idempotencyKey"]
        if key in self._sent:
            first, created = self._sent[key]
            if first != body:
                raise _problem("idempotency_conflict", "This key was used for a task with other arguments.")
            return created
        _raise_if_invalid(check_task(body))
        record = self._record(body)
        self.records.append(record)
        created = {name: record[name] for name in ("taskId", "delivery", "url")}
        self._sent[key] = (copy.deepcopy(body), created)
        self.changed.notify_all()
        return created

    def _result(self, body: Mapping[str, Any]) -> Any:
        try:
            status = 200 if body["idempotencyKey"] in self._sent else 201
            return {"status": status, "task": self._create(body)}
        except Problem as problem:
            errors = [error._asdict() for error in problem.errors]
            described = {"code": problem.code, "detail": problem.detail, "errors": errors, "requestId": "test"}
            return {"status": problem.status, "problem": {"status": problem.status, **described}}

    def _record(self, body: Mapping[str, Any]) -> Dict[str, Any]:
        task_id = self._new_id("tsk_")
        record = {
            **{"taskId": task_id, "status": "open", "app": body.get("app", "default"), **body["task"]},
            "priority": body.get("priority", "normal"),
            "delivery": "callback" if "callbackUrl" in body else body.get("delivery", "poll"),
            "threadId": body.get("threadId", task_id),
            **{"createdAt": _now(), "updatedAt": _now(), "url": f"https://handrail.test/inbox/{task_id}"},
            **{name: body[name] for name in ("version", "metadata", "context", "actions") if name in body},
            "updates": [],
        }
        return copy.deepcopy(record)

    def _get(self, task_id: str, query: Mapping[str, Any], stop: Optional[threading.Event]) -> Any:
        until = time.monotonic() + (query.get("waitSeconds") or 0)
        record = self._find(task_id)
        while record["status"] == "open" and time.monotonic() < until and not (stop and stop.is_set()):
            self.changed.wait(min(until - time.monotonic(), 0.05))
        return _without_content(record, keep=(query.get("include") or "").split(","))

    def _page(self, query: Mapping[str, Any], matches: Callable[[Dict[str, Any]], bool]) -> Any:
        filters = {
            name: query[name]
            for name in ("status", "type", "app", "version", "priority", "threadId")
            if query.get(name) is not None
        }
        found = [
            _without_content(record)
            for record in reversed(self.records)
            if matches(record) and all(record.get(name) == value for name, value in filters.items())
        ]
        return {"tasks": found[: query.get("limit") or 20], "nextCursor": None}

    def _update(self, task_id: str, body: Mapping[str, Any]) -> Any:
        record = self._find_open(task_id)
        update = {"level": "info", **body, "updateId": self._new_id("upd_"), "at": _now()}
        record["updates"].append(update)
        record.update(latestUpdate=update, updatedAt=update["at"])
        return {"taskId": task_id, "updateId": update["updateId"], "createdAt": update["at"]}

    def _cancel(self, task_id: str, body: Mapping[str, Any]) -> Any:
        if self._find(task_id)["status"] != "cancelled":
            self.end(task_id, "cancelled", {"cancelled": {"at": _now(), **body}})
        return {"taskId": task_id, "status": "cancelled"}

    def next_open(self, timeout: float) -> Dict[str, Any]:
        def open_tasks() -> List[Dict[str, Any]]:
            return [record for record in self.records if record["status"] == "open"]

        with self.changed:
            if not self.changed.wait_for(open_tasks, timeout):
                raise AssertionError(f"The agent has sent no task within {timeout:g} s.")
            return copy.deepcopy(open_tasks()[0])

    def answer(self, task_id: str, action_id: str, data: Dict[str, Any]) -> None:
        with self.changed:
            actions = self._find_open(task_id)["actions"]
            action = next((action for action in actions if action["id"] == action_id), None)
            if action is None:
                ids = ", ".join(action["id"] for action in actions)
                _raise_if_invalid([Violation("actionId", f"No such action. This task has: {ids}.")])
            schema = action.get("schema") or {"type": "object", "properties": {}}
            _raise_if_invalid(check_answer(schema, data))
            self.handle(task_id, action, data)

    def handle(self, task_id: str, action: Mapping[str, Any], data: Dict[str, Any]) -> None:
        handled = {
            **{"actionId": action["id"], "actionTitle": action["title"], "data": copy.deepcopy(data)},
            **{"handledBy": "human@handrail.test", "handledAt": _now(), "decidedBy": "human", "via": "web"},
        }
        self.end(task_id, "handled", {"handled": handled})

    def end(self, task_id: str, status: str, more: Mapping[str, Any]) -> None:
        with self.changed:
            self._find_open(task_id).update(status=status, updatedAt=_now(), **more)
            self.changed.notify_all()

    def _find(self, task_id: str) -> Dict[str, Any]:
        for record in self.records:
            if record["taskId"] == task_id:
                return record
        raise _problem("not_found", "There is no such task in this workspace. Check the id.")

    def _find_open(self, task_id: str) -> Dict[str, Any]:
        record = self._find(task_id)
        if record["status"] != "open":
            raise _problem("task_not_open", f"The task is {record['status']}.", taskStatus=record["status"])
        return record

    def _new_id(self, prefix: str) -> str:
        self._ids += 1
        return f"{prefix}{self._ids:026}"


def _without_content(record: Mapping[str, Any], keep: Iterable[str] = ()) -> Dict[str, Any]:
    return {name: value for name, value in record.items() if name not in _includable or name in keep}


def _text_of(record: Mapping[str, Any]) -> str:
    return " ".join(record[name] for name in ("taskId", "type", "name", "description")).lower()


def _raise_if_invalid(errors: List[Violation]) -> None:
    if errors:
        detail = " ".join(f"{path}: {message}" for path, message in errors)
        raise _problem("invalid_request", detail, errors=[error._asdict() for error in errors])


def _problem(code: str, detail: str, **more: Any) -> Problem:
    return Problem({"code": code, "status": _statuses[code], "detail": detail, "requestId": "test", **more})


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
