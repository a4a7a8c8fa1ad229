"""The service of the test inbox: tasks in memory, and the responses of the REST API."""

from __future__ import annotations

import copy
import json
import threading
import time
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple
from urllib.parse import unquote

from .checks import EMPTY_FORM, check_answer, check_revised, check_revision, check_task, check_text, check_update
from .edits import edits_of
from .errors import Problem, Violation
from .records import REJECT_REQUEST
from .reviews import check_review, comparable_answer, decisive_answer, new_review, refusal

DEFAULT_PERSON = "human@handrail.test"
# Who answers, the revision that they saw, and whether they decide a deadlock.
Answering = Tuple[str, Optional[int], bool]
_statuses = {
    **{"not_found": 404, "task_not_open": 409, "task_revised": 409, "conflict": 409},
    **{"idempotency_conflict": 409, "invalid_request": 400, "not_a_reviewer": 403, "already_answered": 409},
}
_includable = ("context", "actions", "updates", "revisions")


class InboxStore:
    """Takes the place of the HTTP transport and does what the routes of the REST API do."""

    def __init__(self) -> None:
        self.records: List[Dict[str, Any]] = []
        self.changed = threading.Condition()
        # By idempotency key: the first request, and what was returned or the id of the update.
        self._results_by_key: Dict[str, Any] = {}
        self._bodies: Dict[str, Any] = {}
        self._votes: Dict[str, List[Tuple[Dict[str, Any], str]]] = {}
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
        # As over HTTP, the body must be JSON.
        sent = json.loads(json.dumps(body or {}, ensure_ascii=False, allow_nan=False).encode())
        with self.changed:
            response = self._respond(method, path.strip("/").split("/"), query or {}, sent, stop)
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
            return {"found": False, "message": "The test inbox does not analyze feedback."}
        if parts == ["tasks", "search"]:
            words = query["query"].lower().split()
            return self._page(query, lambda record: all(word in _text_of(record) for word in words))
        if parts == ["tasks", "batch"]:
            return {"results": [self._batch_result(task) for task in body["tasks"]]}
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
        if key in self._results_by_key:
            first, created = self._results_by_key[key]
            if first != body:
                raise _problem("idempotency_conflict", "This key was used for a task with other arguments.")
            return created
        review = new_review(body)
        _raise_if_invalid([*check_task(body), *(check_review(review, body) if review else [])])
        record = self._record(body)
        if review:
            record["review"] = review
        self.records.append(record)
        self._bodies[record["taskId"]] = copy.deepcopy(body)
        created = {name: record[name] for name in ("taskId", "delivery", "url")}
        self._results_by_key[key] = (copy.deepcopy(body), created)
        self.changed.notify_all()
        return created

    def _batch_result(self, body: Mapping[str, Any]) -> Any:
        try:
            status = 200 if body["idempotencyKey"] in self._results_by_key else 201
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
            **({"assignedTo": body["assignTo"].lower()} if "assignTo" in body else {}),
            **({"expiresAt": _now(body["expiresInSeconds"])} if "expiresInSeconds" in body else {}),
            **{"revision": 1, "waitingFor": "person", "updates": [], "revisions": []},
            **({"acceptsQuestions": True} if body.get("acceptsQuestions") else {}),
        }
        return copy.deepcopy(record)

    def _get(self, task_id: str, query: Mapping[str, Any], stop: Optional[threading.Event]) -> Any:
        until = time.monotonic() + (query.get("waitSeconds") or 0)
        record = self._find(task_id)
        after = query.get("afterQuestion")
        while not _is_wait_over(record, after) and time.monotonic() < until and not (stop and stop.is_set()):
            self.changed.wait(min(until - time.monotonic(), 0.05))
        return _without_content(record, keep=(query.get("include") or "").split(","))

    def _page(self, query: Mapping[str, Any], matches: Callable[[Dict[str, Any]], bool]) -> Any:
        names = ("status", "type", "app", "version", "priority", "threadId")
        filters = {name: query[name] for name in names if query.get(name) is not None}
        after = _time(query.get("createdAfter") or "0001-01-01T00:00:00Z")
        before = _time(query.get("createdBefore") or "9999-12-31T00:00:00Z")
        found = [
            _without_content(record)
            for record in reversed(self.records)
            if matches(record)
            and all(record.get(name) == value for name, value in filters.items())
            and after < _time(record["createdAt"]) < before
        ]
        # A cursor is the id of the last task of the previous page. Ids rise.
        older = [record for record in found if record["taskId"] < (query.get("cursor") or "~")]
        tasks = older[: query.get("limit") or 20]
        return {"tasks": tasks, "nextCursor": tasks[-1]["taskId"] if len(older) > len(tasks) else None}

    def _update(self, task_id: str, body: Mapping[str, Any]) -> Any:
        key = body.get("idempotencyKey")
        if key in self._results_by_key:
            first, update_id = self._results_by_key[key]
            if first != (task_id, body):
                raise _problem("idempotency_conflict", "This key was used with other arguments.")
            return _update_sent(self._find(task_id), update_id)
        _raise_if_invalid(check_update(body))
        record = self._find_open(task_id)
        revision = self._revised(record, body["revision"]) if "revision" in body else None
        question = _find_question(record, body["answers"]) if "answers" in body else None
        if question is not None and "answer" in question:
            first = question["answer"]["updateId"]
            if revision and not any(u["updateId"] == first and "revision" in u for u in record["updates"]):
                detail = 'This question already has a reply without a revision. Send the revision without "answers".'
                raise _problem("conflict", detail)
            return _update_sent(record, first)
        if revision:
            self._revise(record, revision)
        fields = {name: body[name] for name in ("message", "level", "progress", "answers") if name in body}
        update = {"level": "info", **fields, "updateId": self._new_id("upd_"), "at": _now()}
        if revision:
            update["revision"] = record["revision"]
        record["updates"].append(update)
        record.update(latestUpdate=update, updatedAt=update["at"])
        if question is not None:
            question["answer"] = {"message": body["message"], "updateId": update["updateId"], "at": update["at"]}
        if not _unanswered(record):
            record["waitingFor"] = "person"
        if key is not None:
            self._results_by_key[key] = ((task_id, copy.deepcopy(body)), update["updateId"])
        self.changed.notify_all()
        return _update_sent(record, update["updateId"])

    def _revised(self, record: Dict[str, Any], revision: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
        """Returns the body of the task with the revision, which is checked. None if nothing changes."""
        body = self._bodies[record["taskId"]]
        revised = {**body, **revision, "task": {**body["task"], **revision.get("task", {})}}
        _raise_if_invalid(check_revision(revision) or check_revised(revised))
        return None if revised == body else revised

    def _revise(self, record: Dict[str, Any], revised: Mapping[str, Any]) -> None:
        names = ("revision", "name", "description", "context", "actions")
        past = {name: record[name] for name in names if name in record}
        record["revisions"].append({**past, "replacedAt": _now()})
        self._bodies[record["taskId"]] = copy.deepcopy(revised)
        parts = {name: revised[name] for name in ("context", "actions") if name in revised}
        record.update(copy.deepcopy({**parts, **revised["task"]}), revision=record["revision"] + 1)
        # Answers to an earlier revision do not count: everyone answers again.
        if self._votes.pop(record["taskId"], None):
            record["review"]["given"] = 0

    def ask(self, task_id: str, text: str, kind: str) -> Dict[str, Any]:
        with self.changed:
            record = self._find_open(task_id)
            if not text.strip() or kind not in ("question", "changes"):
                _raise_if_invalid([Violation("text", "Send a text, and the kind question or changes.")])
            if not record.get("acceptsQuestions"):
                raise _problem("conflict", "The agent of this task does not accept questions. Create it with accepts_questions.")
            if len(record.get("questions", [])) >= 20 or len(_unanswered(record)) >= 3:
                raise _problem("conflict", "A task may have at most 20 questions, 3 of them without a reply.")
            question = {"questionId": self._new_id("qst_"), "kind": kind, "text": text}
            question.update(askedBy=DEFAULT_PERSON, askedAt=_now())
            record.setdefault("questions", []).append(question)
            record.update(waitingFor="agent", updatedAt=_now())
            self.changed.notify_all()
            return copy.deepcopy(question)

    def reply_to(self, question_id: str, timeout: float) -> str:
        def replies() -> List[str]:
            questions = [question for record in self.records for question in record.get("questions", [])]
            found = [question for question in questions if question["questionId"] == question_id]
            return [question["answer"]["message"] for question in found if "answer" in question]

        with self.changed:
            if not self.changed.wait_for(replies, timeout):
                raise AssertionError(f"The agent has not replied to {question_id} within {timeout:g} s.")
            return replies()[0]

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

    def answer(self, task_id: str, action_id: str, data: Dict[str, Any], answering: Answering) -> None:
        with self.changed:
            actions = self._find_open(task_id)["actions"]
            action = next((action for action in actions if action["id"] == action_id), None)
            if action is None:
                ids = ", ".join(action["id"] for action in actions)
                _raise_if_invalid([Violation("actionId", f"No such action. This task has: {ids}.")])
            _raise_if_invalid(check_answer(action.get("schema") or EMPTY_FORM, data, "data"))
            self.handle(task_id, action, data, answering)

    def handle(self, task_id: str, action: Mapping[str, Any], data: Dict[str, Any], answering: Answering) -> None:
        by, seen, decides_deadlock = answering
        with self.changed:
            record = self._find_open(task_id)
            if action["id"] == REJECT_REQUEST:
                _raise_if_invalid(check_text("feedback", data["feedback"], 10_000))
            revision = record["revision"]
            if seen not in (None, revision):
                raise _problem("task_revised", f"The agent has revised the task: revision {revision} is current.")
            own = {"actionId": action["id"], "actionTitle": action["title"], "data": copy.deepcopy(data)}
            own.update(by=by, at=_now(), via="web")
            if "review" not in record:
                self._end_with(record, own)
                return
            earlier = self._votes.get(task_id, [])
            refused = refusal(record["review"], [vote for vote, _ in earlier], by.lower(), decides_deadlock)
            if refused:
                raise _problem(*refused)
            # Feedback is free text, so rejections agree whatever it says.
            compared = {} if action["id"] == REJECT_REQUEST else data
            digest = comparable_answer(action, compared, record.get("context", {}).get("data"))
            self._votes[task_id] = [*earlier, (own, digest)]
            votes, digests = zip(*self._votes[task_id])
            record["review"]["given"] = len(votes)
            decisive = own if decides_deadlock else decisive_answer(record["review"], votes, digests)
            if decisive:
                self._end_with(record, decisive, answers=list(votes))

    def _end_with(self, record: Dict[str, Any], answer: Mapping[str, Any], **more: Any) -> None:
        action = next((action for action in record["actions"] if action["id"] == answer["actionId"]), {})
        edits = edits_of(action, record.get("context", {}).get("data"), answer["data"])
        handled = {
            **({"edits": edits} if edits else {}),
            **{name: answer[name] for name in ("actionId", "actionTitle", "data", "via")},
            **{"handledBy": answer["by"], "handledAt": answer["at"], "decidedBy": "human"},
            **{"revision": record["revision"], **more},
        }
        self.end(record["taskId"], "handled", {"handled": handled})

    def expire(self, task_id: str) -> None:
        """Ends a task as at its deadline: with the answer of `onExpire`, unless a question has no reply."""
        with self.changed:
            record = self._find_open(task_id)
            default = self._bodies[task_id].get("onExpire") or {}
            action = next((action for action in record["actions"] if action["id"] == default.get("actionId")), None)
            if action is None or _unanswered(record):
                self.end(task_id, "expired", {})
                return
            handled = {
                **{"actionId": action["id"], "actionTitle": action["title"], "data": default.get("data") or {}},
                **{"handledBy": "service:timeout", "handledAt": _now(), "decidedBy": "timeout", "via": "timeout"},
                "revision": record["revision"],
            }
            self.end(task_id, "handled", {"handled": handled})

    def end(self, task_id: str, status: str, more: Mapping[str, Any]) -> None:
        with self.changed:
            record = self._find_open(task_id)
            record.update(status=status, updatedAt=_now(), **more)
            del record["waitingFor"]
            self.changed.notify_all()

    def _find(self, task_id: str) -> Dict[str, Any]:
        for record in self.records:
            if record["taskId"] == task_id:
                return record
        raise _problem("not_found", "There is no such task in this workspace. Check the id.")

    def _find_open(self, task_id: str) -> Dict[str, Any]:
        record = self._find(task_id)
        if record["status"] != "open":
            raise _not_open(record)
        return record

    def _new_id(self, prefix: str) -> str:
        self._ids += 1
        return f"{prefix}{self._ids:026}"


def _without_content(record: Mapping[str, Any], keep: Iterable[str] = ()) -> Dict[str, Any]:
    return {name: value for name, value in record.items() if name not in _includable or name in keep}


def _is_wait_over(record: Mapping[str, Any], after: Optional[str]) -> bool:
    """Whether a wait ends: the task has ended, or a question after `after` has no reply."""
    questions = record.get("questions", [])
    first = 0
    if after is not None:
        first = questions.index(_find_question(record, after, "afterQuestion")) + 1
    return record["status"] != "open" or any("answer" not in question for question in questions[first:])


def _find_question(record: Mapping[str, Any], question_id: str, path: str = "answers") -> Dict[str, Any]:
    questions: List[Dict[str, Any]] = record.get("questions", [])
    found = [question for question in questions if question["questionId"] == question_id]
    if not found:
        _raise_if_invalid([Violation(path, "This task has no such question.")])
    return found[0]


def _unanswered(record: Mapping[str, Any]) -> List[Dict[str, Any]]:
    return [question for question in record.get("questions", []) if "answer" not in question]


def _update_sent(record: Mapping[str, Any], update_id: str) -> Dict[str, Any]:
    update = next(update for update in record["updates"] if update["updateId"] == update_id)
    return {
        **{"taskId": record["taskId"], "updateId": update_id, "createdAt": update["at"]},
        "revision": update.get("revision", record["revision"]),
        "openQuestions": _unanswered(record) if record["status"] == "open" else [],
    }


def _not_open(record: Mapping[str, Any]) -> Problem:
    """Returns the problem that says how the task ended."""
    handled = record.get("handled") or {}
    fields = {name: handled[name] for name in ("handledBy", "handledAt", "actionId") if name in handled}
    by = "its deadline" if handled.get("decidedBy") == "timeout" else handled.get("handledBy")
    answer = f' by {by} with "{handled["actionTitle"]}"' if handled else ""
    ended = "expired" if record["status"] == "expired" else f"was {record['status']}{answer}"
    detail = f"The task {ended} at {record['updatedAt']}. Nothing was changed."
    return _problem("task_not_open", detail, taskStatus=record["status"], **fields)


def _text_of(record: Mapping[str, Any]) -> str:
    return " ".join(record[name] for name in ("taskId", "type", "name", "description")).lower()


def _raise_if_invalid(errors: List[Violation]) -> None:
    if errors:
        detail = " ".join(f"{path}: {message}" for path, message in errors)
        raise _problem("invalid_request", detail, errors=[error._asdict() for error in errors])


def _problem(code: str, detail: str, **more: Any) -> Problem:
    return Problem({"code": code, "status": _statuses[code], "detail": detail, "requestId": "test", **more})


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _now(seconds: float = 0) -> str:
    """Returns the time in this many seconds."""
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
