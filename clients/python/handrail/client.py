"""The client for agents: one method per operation of the REST API, and `ask`, which sends a task and waits."""

from __future__ import annotations

import math
import os
import ssl
import threading
import time
import uuid
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Type,
    TypeVar,
    Union,
    overload,
)
from urllib.parse import quote

from .answers import Actions, actions_of, answer_of
from .batches import send_in_batches
from .conversation import Conversation, QuestionHandler, Reply
from .errors import Problem, WaitStopped, WaitTimeout
from .records import (
    Answer,
    Page,
    SendResult,
    Sent,
    Task,
    UpdateSent,
    sent_from,
    task_from,
    update_sent_from,
)
from .retries import ATTEMPTS, pause_seconds, with_retries
from .task_body import TaskOptions, revision_body, task_body, without_none
from .transport import HttpTransport

if TYPE_CHECKING:
    from typing_extensions import Unpack  # known to type checkers; nothing is imported when the program runs

Model = TypeVar("Model")

DEFAULT_URL = "http://127.0.0.1:3000"
# The longest wait that the service allows. A shorter one would only poll more often.
WAIT_SECONDS = 50


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
        review: Optional[Mapping[str, Any]] = None,
        accepts_questions: Optional[bool] = None,
        require_human: Optional[bool] = None,
        key: Optional[str] = None,
    ) -> Sent:
        """Creates a task and returns at once.

        The `schema` of an action may be a JSON Schema, a pydantic model or a dataclass. `key` makes the call
        idempotent for 24 hours, also across restarts: the same call with the same key returns the same task.
        Without one, only the retries inside this call are safe. With `require_human`, no standing rule of the
        workspace answers the task.
        """
        arguments = {
            **{"type": type, "name": name, "description": description, "actions": actions, "context": context},
            **{"app": app, "version": version, "priority": priority, "delivery": delivery},
            **{"callback_url": callback_url, "thread_id": thread_id, "expires_in_seconds": expires_in_seconds},
            **{"on_expire": on_expire, "metadata": metadata, "assign_to": assign_to, "key": key},
            **{"review": review, "accepts_questions": accepts_questions, "require_human": require_human},
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

    def get(
        self,
        task_id: str,
        *,
        wait_seconds: int = 0,
        after_question: Optional[str] = None,
        include: Iterable[str] = (),
    ) -> Task:
        """Returns the task. Waits up to `wait_seconds` (0 to 50) until it ends or a person asks a question about it.

        `after_question` is the id of a question you have seen: only a newer one ends the wait. `include` adds
        "context", "actions", "updates" or "revisions" to `raw`.
        """
        query = _get_query(wait_seconds, after_question, include)
        return task_from(self._call("GET", _task_path(task_id), query=query))

    def wait(
        self,
        task_id: str,
        *,
        timeout: Optional[float] = None,
        stop: Optional[threading.Event] = None,
        on_question: Optional[QuestionHandler] = None,
    ) -> Task:
        """Waits until the task is no longer open, and returns it.

        `on_question` is called once per question that a person asks, with the `Question` and the `Task`. It returns
        the reply: a text, or a `Reply` with a revision. An error that it raises ends the wait. Without it, the wait
        goes on and questions are not answered.

        Retries while the service is unavailable or limits requests, and raises any other problem. Raises
        `WaitTimeout` after `timeout` seconds (None: no limit), and `WaitStopped` soon after `stop` is set. The
        task stays open then. If `on_question` has returned a reply that is not sent yet, `wait` first tries once to
        send it. If that fails, the `Problem` is the `__cause__` of the `WaitTimeout` or `WaitStopped`.
        """
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        stop = stop or threading.Event()
        conversation = Conversation(on_question, lambda *reply: self._send_reply(task_id, *reply))
        failures = 0
        while True:
            if stop.is_set():
                raise WaitStopped(task_id) from conversation.try_to_send_reply()
            remaining = max(0.0, deadline - time.monotonic())
            task = None
            try:
                conversation.send_reply()
                task = self._poll(task_id, math.ceil(min(remaining, WAIT_SECONDS)), conversation.after, stop)
                failures = 0
            except Problem as problem:
                if not problem.is_transient:
                    raise
                pause = pause_seconds(problem, failures)
                stop.wait(max(0.0, min(pause, deadline - time.monotonic())))
                failures += 1
            if task is not None:
                if task.status != "open":
                    return task
                conversation.handle_next_question(task)
            if timeout is not None and time.monotonic() >= deadline:
                raise WaitTimeout(task_id, timeout) from conversation.try_to_send_reply()

    @overload
    def ask(
        self,
        *,
        model: Type[Model],
        timeout: Optional[float] = ...,
        stop: Optional[threading.Event] = ...,
        on_created: Optional[Callable[[Sent], Any]] = ...,
        on_question: Optional[QuestionHandler] = ...,
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
        on_question: Optional[QuestionHandler] = ...,
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
        on_question: Optional[QuestionHandler] = None,
        **task: Unpack[TaskOptions],
    ) -> Answer[Any]:
        """Sends a task, waits for a person and returns the answer. Takes the arguments of `send` and `wait`.

        `model` is short for one action "submit" with that form. `answer.value` is an instance of the model of
        the chosen action. `on_created` is called with the `Sent` task before the wait, to show its URL. With
        `on_question`, people can ask back: it sets `accepts_questions`.

        Raises `Denied` if the person rejects the task or marks it done, `Expired`, `Cancelled`, and `WaitTimeout`
        after `timeout` seconds.

        With a `key`, a restarted process that asks the same again gets the same task and its answer.
        """
        chosen = actions_of(actions, model)
        if on_question is not None:
            task.setdefault("accepts_questions", True)
        sent = self.send(actions=chosen, **task)
        if on_created is not None:
            on_created(sent)
        return answer_of(self.wait(sent.task_id, timeout=timeout, stop=stop, on_question=on_question), chosen)

    def update(
        self, task_id: str, message: str, *, level: Optional[str] = None, progress: Optional[float] = None
    ) -> str:
        """Shows a status message with the task, and returns the id of the update.

        The levels are info, working, warning, error and success.
        """
        body = without_none({"message": message, "level": level, "progress": progress})
        # Not retried, because after a lost response the message might appear twice.
        update_id: str = self._call("POST", f"{_task_path(task_id)}/updates", body=body, attempts=1)["updateId"]
        return update_id

    def reply(
        self,
        task_id: str,
        question_id: str,
        message: str,
        *,
        revision: Optional[Mapping[str, Any]] = None,
        key: Optional[str] = None,
    ) -> UpdateSent:
        """Replies to a person's question, and optionally revises the task with the reply.

        May be called again: a question has at most one reply, and a second call changes nothing.
        """
        return self._send_update(task_id, message, {"answers": question_id, "idempotencyKey": key}, revision)

    def revise(
        self, task_id: str, revision: Mapping[str, Any], message: str, *, key: Optional[str] = None
    ) -> UpdateSent:
        """Replaces parts of an open task: {"task": {"name", "description"}, "context", "actions"}, each optional.

        `message` says what changed. `key` makes the call idempotent for 24 hours, as in `send`.
        """
        return self._send_update(task_id, message, {"idempotencyKey": key or str(uuid.uuid4())}, revision)

    def _send_reply(self, task_id: str, question_id: str, reply: Reply) -> None:
        """Sends a reply without retries: `wait` retries until its own deadline."""
        self._send_update(task_id, reply.message, {"answers": question_id}, reply.revision, attempts=1)

    def _send_update(
        self, task_id: str, message: str, fields: Mapping[str, Any], revision: Optional[Mapping[str, Any]], **call: Any
    ) -> UpdateSent:
        body = without_none({"message": message, **fields, "revision": revision and revision_body(revision)})
        return update_sent_from(self._call("POST", f"{_task_path(task_id)}/updates", body=body, **call))

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

    def _poll(
        self, task_id: str, wait_seconds: int, after_question: Optional[str], stop: threading.Event
    ) -> Task:
        """Sends one long poll, without retries: `wait` retries until its own deadline."""
        record = self._transport.request(
            "GET",
            _task_path(task_id),
            query=_get_query(wait_seconds, after_question, ()),
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
        """Sends a request, and retries transient problems unless `stop` is set. All retried calls are idempotent."""
        held = (request.get("query") or {}).get("waitSeconds") or 0

        def send() -> Dict[str, Any]:
            response: Dict[str, Any] = self._transport.request(
                method, path, timeout=self._timeout + held, stop=stop, **request
            )
            return response

        return with_retries(send, attempts, stop)


def _get_query(
    wait_seconds: int, after_question: Optional[str], include: Iterable[str]
) -> Dict[str, Union[int, str, None]]:
    return {
        "waitSeconds": wait_seconds or None,
        "afterQuestion": after_question,
        "include": ",".join(include) or None,
    }


def _task_path(task_id: str) -> str:
    return f"/tasks/{quote(task_id, safe='')}"
