"""The client for agents: one method per verb of the REST API, and `ask`, which sends a task and waits."""

from __future__ import annotations

import math
import os
import ssl
import threading
import time
from dataclasses import replace
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Type,
    TypedDict,
    TypeVar,
    Union,
    overload,
)
from urllib.parse import quote

from .batches import send_in_batches
from .errors import Cancelled, Denied, Expired, Problem, WaitStopped, WaitTimeout
from .forms import parse
from .records import MARK_DONE, REJECT_REQUEST, Answer, Page, SendResult, Sent, Task, sent_from, task_from
from .task_body import task_body, without_none
from .transport import HttpTransport

if TYPE_CHECKING:
    from typing_extensions import Unpack  # known to type checkers; nothing is imported when the program runs

Model = TypeVar("Model")
Actions = Sequence[Mapping[str, Any]]

DEFAULT_URL = "http://127.0.0.1:3000"
# The longest wait that the service allows. A shorter one would only poll more often.
WAIT_SECONDS = 50
MAX_PAUSE_SECONDS = 30
ATTEMPTS = 4


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
    key: Optional[str]


class Client:
    """A client of one workspace. It may be shared between threads.

    `url` and `api_key` default to the environment variables HANDRAIL_URL and HANDRAIL_API_KEY. `timeout` is the
    limit in seconds for one request, without the time that a wait is held.

    Keyword arguments are snake_case. Dictionaries inside them (actions, context, on_expire) are JSON as in the
    REST API.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = 30,
        ssl_context: Optional[ssl.SSLContext] = None,
        transport: Any = None,
    ) -> None:
        self._timeout = timeout
        self._transport = transport or HttpTransport(
            url or os.environ.get("HANDRAIL_URL") or DEFAULT_URL,
            (api_key or os.environ.get("HANDRAIL_API_KEY") or "").strip(),
            ssl_context,
        )

    def me(self) -> Dict[str, Any]:
        """Returns the workspace and the API key, to check a configuration."""
        return self._call("GET", "/me")

    def send(
        self,
        *,
        type: str,
        name: str,
        description: str,
        actions: Actions,
        context: Optional[Mapping[str, Any]] = None,
        app: Optional[str] = None,
        version: Optional[str] = None,
        priority: Optional[str] = None,
        delivery: Optional[str] = None,
        callback_url: Optional[str] = None,
        thread_id: Optional[str] = None,
        expires_in_seconds: Optional[int] = None,
        on_expire: Optional[Mapping[str, Any]] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        assign_to: Optional[str] = None,
        key: Optional[str] = None,
    ) -> Sent:
        """Creates a task and returns at once.

        The `schema` of an action may be a JSON Schema, a pydantic model or a dataclass. `key` makes the call
        idempotent for 24 hours, also across restarts: the same call with the same key returns the same task.
        Without one, only the retries inside this call are safe.
        """
        arguments = {
            **{"type": type, "name": name, "description": description, "actions": actions, "context": context},
            **{"app": app, "version": version, "priority": priority, "delivery": delivery},
            **{"callback_url": callback_url, "thread_id": thread_id, "expires_in_seconds": expires_in_seconds},
            **{"on_expire": on_expire, "metadata": metadata, "assign_to": assign_to, "key": key},
        }
        return sent_from(self._call("POST", "/tasks", body=task_body(arguments)))

    def send_all(self, tasks: Iterable[Mapping[str, Any]]) -> List[SendResult]:
        """Creates many tasks, up to 100 per request. Each task is a dictionary with the arguments of `send`.

        Returns one result per task, in their order: `sent`, or the `error` of a task that was refused, which does
        not affect the others. If a request fails as a whole, for example because the key was revoked, its tasks
        and all later ones have that error. Without a `key` in each task, only the retries inside this call are safe.
        """
        return self._send_all(tasks, None)

    def _send_all(self, tasks: Iterable[Mapping[str, Any]], stop: Optional[threading.Event]) -> List[SendResult]:
        def create(bodies: List[Dict[str, Any]]) -> Dict[str, Any]:
            if stop is not None and stop.is_set():
                raise Problem({"code": "unavailable", "detail": "The call was cancelled."})
            return self._call("POST", "/tasks/batch", body={"tasks": bodies}, stop=stop)

        return send_in_batches(create, [task_body(task) for task in tasks])

    def get(self, task_id: str, *, wait_seconds: int = 0, include: Iterable[str] = ()) -> Task:
        """Returns the task, after at most `wait_seconds` (0 to 50) while it is open.

        `include` adds "context", "actions" or "updates" to `raw`.
        """
        return task_from(self._call("GET", _task_path(task_id), query=_get_query(wait_seconds, include)))

    def wait(
        self,
        task_id: str,
        *,
        timeout: Optional[float] = None,
        stop: Optional[threading.Event] = None,
    ) -> Task:
        """Waits until the task is no longer open, and returns it.

        Retries while the service is unavailable or limits requests, and raises any other problem. Raises
        `WaitTimeout` after `timeout` seconds (None: no limit), and `WaitStopped` soon after `stop` is set. The
        task stays open then.
        """
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        stop = stop or threading.Event()
        failures = 0
        while True:
            if stop.is_set():
                raise WaitStopped(task_id)
            remaining = max(0.0, deadline - time.monotonic())
            try:
                task = self._look(task_id, math.ceil(min(remaining, WAIT_SECONDS)), stop)
                if task.status != "open":
                    return task
                failures = 0
            except Problem as problem:
                if not problem.is_transient:
                    raise
                pause = _pause_seconds(problem, failures)
                stop.wait(max(0.0, min(pause, deadline - time.monotonic())))
                failures += 1
            if timeout is not None and time.monotonic() >= deadline:
                raise WaitTimeout(task_id, timeout)

    @overload
    def ask(
        self,
        *,
        model: Type[Model],
        timeout: Optional[float] = ...,
        stop: Optional[threading.Event] = ...,
        on_created: Optional[Callable[[Sent], Any]] = ...,
        **task: Unpack[TaskOptions],
    ) -> Answer[Model]: ...

    @overload
    def ask(
        self,
        *,
        actions: Actions,
        timeout: Optional[float] = ...,
        stop: Optional[threading.Event] = ...,
        on_created: Optional[Callable[[Sent], Any]] = ...,
        **task: Unpack[TaskOptions],
    ) -> Answer[Any]: ...

    def ask(
        self,
        *,
        actions: Optional[Actions] = None,
        model: Optional[Type[Any]] = None,
        timeout: Optional[float] = None,
        stop: Optional[threading.Event] = None,
        on_created: Optional[Callable[[Sent], Any]] = None,
        **task: Unpack[TaskOptions],
    ) -> Answer[Any]:
        """Sends a task, waits for a person and returns the answer. Takes the arguments of `send` and `wait`.

        `model` is short for one action "submit" with that form. `answer.value` is an instance of the model of
        the chosen action. `on_created` is called with the `Sent` task before the wait, to show its URL.

        Raises `Denied` if the person rejects or closes the task, `Expired`, `Cancelled`, and `WaitTimeout` after
        `timeout` seconds.

        With a `key`, a restarted process that asks the same again gets the same task and its answer.
        """
        chosen = _actions_of(actions, model)
        sent = self.send(actions=chosen, **task)
        if on_created is not None:
            on_created(sent)
        return answer_of(self.wait(sent.task_id, timeout=timeout, stop=stop), chosen)

    def update(
        self, task_id: str, message: str, *, level: Optional[str] = None, progress: Optional[float] = None
    ) -> str:
        """Shows a status message with the task, and returns its id. Levels: info working warning error success."""
        body = without_none({"message": message, "level": level, "progress": progress})
        # Not repeated after a lost response: the message might appear twice.
        update_id: str = self._call("POST", f"{_task_path(task_id)}/updates", body=body, attempts=1)["updateId"]
        return update_id

    def cancel(self, task_id: str, *, reason: Optional[str] = None) -> None:
        """Cancels a task that is no longer needed. Cancelling it again changes nothing."""
        self._call("POST", f"{_task_path(task_id)}/cancel", body=without_none({"reason": reason}))

    def list(
        self,
        *,
        status: Optional[str] = None,
        type: Optional[str] = None,
        app: Optional[str] = None,
        version: Optional[str] = None,
        priority: Optional[str] = None,
        thread_id: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Page:
        """Lists tasks, newest first, at most 100 per page. Times are ISO 8601 with a time zone."""
        return self._page(
            "/tasks",
            {
                **{"status": status, "type": type, "app": app, "version": version, "priority": priority},
                **{"threadId": thread_id, "createdAfter": created_after, "createdBefore": created_before},
                **{"limit": limit, "cursor": cursor},
            },
        )

    def search(
        self,
        query: str,
        *,
        status: Optional[str] = None,
        type: Optional[str] = None,
        app: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Page:
        """Finds tasks by words in type, name and description, or by an exact task id."""
        filters = {"status": status, "type": type, "app": app, "limit": limit, "cursor": cursor}
        return self._page("/tasks/search", {"query": query, **filters})

    def feedback_analysis(self, *, type: str, app: Optional[str] = None) -> Dict[str, Any]:
        """Returns the latest analysis of the answers to one type of task: see docs/feedback-analysis.md."""
        return self._call("GET", "/feedback-analyses/latest", query={"type": type, "app": app})

    def _look(self, task_id: str, wait_seconds: int, stop: threading.Event) -> Task:
        """One long poll without retries: `wait` decides about those."""
        record = self._transport.request(
            "GET",
            _task_path(task_id),
            query=_get_query(wait_seconds, ()),
            timeout=wait_seconds + self._timeout,
            stop=stop,
        )
        return task_from(record)

    def _page(self, path: str, query: Mapping[str, Any]) -> Page:
        page = self._call("GET", path, query=query)
        return Page([task_from(record) for record in page["tasks"]], page["nextCursor"])

    def _call(
        self,
        method: str,
        path: str,
        *,
        attempts: int = ATTEMPTS,
        stop: Optional[threading.Event] = None,
        **request: Any,
    ) -> Dict[str, Any]:
        """Repeats a request that failed for a moment, unless `stop` is set. All repeated calls are idempotent."""
        held = (request.get("query") or {}).get("waitSeconds") or 0
        for attempt in range(attempts):
            try:
                response: Dict[str, Any] = self._transport.request(
                    method, path, timeout=self._timeout + held, stop=stop, **request
                )
                return response
            except Problem as problem:
                pause = _pause_seconds(problem, attempt - 1)
                if not problem.is_transient or attempt == attempts - 1 or pause > MAX_PAUSE_SECONDS:
                    raise
                time.sleep(pause)
                if stop is not None and stop.is_set():
                    raise
        raise AssertionError("unreachable")


def answer_of(task: Task, actions: Actions = ()) -> Answer[Any]:
    """Returns the answer of a task that has ended, or raises what became of it instead."""
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


def _actions_of(actions: Optional[Actions], model: Optional[Type[Any]]) -> Actions:
    if (actions is None) == (model is None):
        raise TypeError("Pass either actions, or a model for a task with one form.")
    return actions if actions is not None else [{"id": "submit", "title": "Submit", "schema": model}]


def _get_query(wait_seconds: int, include: Iterable[str]) -> Dict[str, Union[int, str, None]]:
    return {"waitSeconds": wait_seconds or None, "include": ",".join(include) or None}


def _task_path(task_id: str) -> str:
    return f"/tasks/{quote(task_id, safe='')}"


def _pause_seconds(problem: Problem, failures: int) -> float:
    if problem.retry_after is not None:
        return problem.retry_after
    return min(2.0 ** min(failures, 10), MAX_PAUSE_SECONDS)
