"""`@require_approval`: a function that runs only after a person has approved the call."""

from __future__ import annotations

import datetime
import functools
import inspect
import typing
from typing import Any, Awaitable, Callable, Dict, Iterable, List, Optional, TypeVar, Union

from .answers import answer_of
from .async_client import AsyncClient, AsyncQuestionHandler
from .client import Client
from .conversation import QuestionHandler, Reply
from .errors import Denied
from .forms import is_optional, parse_value, to_json, value_schema
from .records import Answer, Question, Task

Function = TypeVar("Function", bound=Callable[..., Any])
AnyClient = Union[Client, AsyncClient]

_deny = {
    "id": "deny",
    "title": "Deny",
    "outcome": "negative",
    "schema": {
        "type": "object",
        "required": ["reason"],
        "properties": {"reason": {"type": "string", "title": "Why not?"}},
    },
    "ui": {"reason": {"ui:widget": "textarea"}},
}


def require_approval(
    function: Optional[Function] = None,
    *,
    client: Optional[AnyClient] = None,
    type: Optional[str] = None,
    name: Optional[str] = None,
    description: Optional[str] = None,
    key: Optional[Callable[..., str]] = None,
    editable: bool = False,
    hide: Iterable[str] = (),
    timeout: Optional[float] = None,
    on_question: Optional[AsyncQuestionHandler] = None,
    **task: Any,
) -> Any:
    """Asks a person before each call of a function, sync or async, and shows them the arguments.

    The call raises `Denied` with the reason, `Expired`, `Cancelled` or `WaitTimeout` instead of running. Further
    arguments are those of `send`, such as `app`, `priority` and `expires_in_seconds`, without `context` and `actions`.

    client: a `Client` or, for async functions, also an `AsyncClient`. Default: one from the environment.
    key: a function of the same arguments that names this call. After a restart, the same call with the same key
        gets the same task and its answer, for 24 hours. Handrail remembers the approval, not whether the
        function has run. Include every argument: a call that differs only in hidden arguments would otherwise get
        the same approval.
    editable: the person may change the arguments. Those with a type that a form can show are editable.
    on_question: replies to the questions of the person with a text. The call stays as it was shown, so the text
        cannot come with a revision. For an async function it may be a coroutine function.
    hide: names of arguments not to show, such as credentials and connections. `self` and `cls` are never shown.
    """
    for reserved in ("context", "actions"):
        if reserved in task:
            raise TypeError(f"require_approval sets {reserved} itself. To show less, use hide.")
    if function is None:
        return lambda decorated: require_approval(
            decorated,
            client=client,
            type=type,
            name=name,
            description=description,
            key=key,
            editable=editable,
            hide=hide,
            timeout=timeout,
            on_question=on_question,
            **task,
        )

    label = function.__name__.replace("_", " ").strip().capitalize()
    hidden = {"self", "cls", *hide}
    summary = inspect.getdoc(function) or f"The agent wants to call {function.__name__}."
    base = {
        **task,
        "type": type or function.__name__.replace("_", "-").strip("-"),
        "name": name or f"{label}?",
        "description": description or summary,
    }
    if on_question is not None:
        base.setdefault("accepts_questions", True)

    def request_of(call: _Call) -> Dict[str, Any]:
        approve: Dict[str, Any] = {"id": "approve", "title": "Approve", "outcome": "positive"}
        form = call.form() if editable else None
        if form:
            approve["schema"] = form
        call_key = key(*call.bound.args, **call.bound.kwargs) if key else None
        context = {"data": call.shown()} if call.shown() else None
        return {**base, "context": context, "actions": [approve, _deny], "key": call_key}

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def approved_async(*args: Any, **kwargs: Any) -> Any:
            call = _Call(function, args, kwargs, hidden)
            asker = _as_async(client)
            sent = await asker.send(**request_of(call))
            handler = on_question and _async_text_only(on_question)
            answer = _approved(await asker.wait(sent.task_id, timeout=timeout, on_question=handler))
            return await call.run(answer.data if editable else None)

        return approved_async

    if isinstance(client, AsyncClient):
        raise TypeError(f"{function.__name__} is not async. Pass a Client instead of an AsyncClient.")

    @functools.wraps(function)
    def approved(*args: Any, **kwargs: Any) -> Any:
        call = _Call(function, args, kwargs, hidden)
        asker = client or Client()
        sent = asker.send(**request_of(call))
        handler = on_question and _text_only(on_question)
        answer = _approved(asker.wait(sent.task_id, timeout=timeout, on_question=handler))
        return call.run(answer.data if editable else None)

    return approved


class _Call:
    """One call of the decorated function: what a person sees of it, and how it runs."""

    def __init__(self, function: Callable[..., Any], args: Any, kwargs: Any, hidden: Iterable[str]) -> None:
        self._function = function
        self.bound = inspect.signature(function).bind(*args, **kwargs)
        self.bound.apply_defaults()
        self._visible: List[str] = [name for name in self.bound.arguments if name not in hidden]

    def shown(self) -> Dict[str, Any]:
        return {name: _json_or_text(self.bound.arguments[name]) for name in self._visible}

    def form(self) -> Optional[Dict[str, Any]]:
        """A form with the present arguments as defaults, or None if no argument can be edited."""
        properties: Dict[str, Any] = {}
        required: List[str] = []
        for name in self._editable():
            value = self.bound.arguments[name]
            title = name.replace("_", " ").capitalize()
            properties[name] = {"title": title, **value_schema(self._hint(name))}
            if value is not None:
                properties[name]["default"] = _without_none(to_json(value))
            # A required text must not be empty.
            if not is_optional(self._hint(name)) and value != "":
                required.append(name)
        if not properties:
            return None
        return {"type": "object", "properties": properties, "required": required}

    def run(self, edited: Optional[Dict[str, Any]]) -> Union[Any, Awaitable[Any]]:
        """Runs the function. If there was a form, its values replace the arguments; a field left empty becomes None."""
        for name in self._editable() if edited is not None else []:
            value = edited.get(name) if edited else None
            # A text that was empty may stay empty.
            if value is not None or self.bound.arguments[name] != "":
                self.bound.arguments[name] = parse_value(self._hint(name), value)
        return self._function(*self.bound.args, **self.bound.kwargs)

    def _editable(self) -> List[str]:
        names = []
        for name in self._visible:
            value = self.bound.arguments[name]
            if isinstance(value, datetime.datetime) and value.tzinfo is None:
                continue  # a form asks for a time with a time zone
            try:
                value_schema(self._hint(name))
                to_json(value)
            except TypeError:
                continue
            names.append(name)
        return names

    def _hint(self, name: str) -> Any:
        """The annotation of an argument, or the type of its value."""
        try:
            hints = typing.get_type_hints(self._function)
        except NameError:  # a name that only type checkers know
            hints = {}
        parameter = inspect.signature(self._function).parameters[name]
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError("*args and **kwargs cannot be edited")
        return hints.get(name, type(self.bound.arguments[name]))


def _approved(task: Task) -> Answer[Any]:
    """Returns the answer that approves the call. Raises `Denied`, `Expired` or `Cancelled` if there is none."""
    answer = answer_of(task)
    if answer.action != "approve":
        raise Denied(task, answer.data.get("reason") or "")
    return answer


def _text_only(handler: AsyncQuestionHandler) -> QuestionHandler:
    return lambda question, task: _text(handler(question, task))


def _async_text_only(handler: AsyncQuestionHandler) -> AsyncQuestionHandler:
    async def reply(question: Question, task: Task) -> Reply:
        returned = handler(question, task)
        return _text(await returned if inspect.isawaitable(returned) else returned)

    return reply


def _text(returned: Any) -> Reply:
    """Returns the text as a reply. Refuses a `Reply`: its revision would show other arguments than the call has."""
    if not isinstance(returned, str):
        raise TypeError("on_question of require_approval must return a text.")
    return Reply(returned)


def _as_async(client: Optional[AnyClient]) -> AsyncClient:
    if isinstance(client, AsyncClient):
        return client
    return AsyncClient.around(client or Client())


def _without_none(value: Any) -> Any:
    """Leaves out fields of objects that are None, because a form leaves out empty fields."""
    if isinstance(value, list):
        return [_without_none(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: _without_none(item) for name, item in value.items() if item is not None}


def _json_or_text(value: Any) -> Any:
    try:
        return to_json(value)
    except TypeError:
        return repr(value)
