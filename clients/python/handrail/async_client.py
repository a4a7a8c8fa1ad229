"""The methods of `Client` for asyncio. Each runs the synchronous method in a thread."""

from __future__ import annotations

import asyncio
import concurrent.futures
import inspect
import ssl
import threading
from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
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

from .answers import Actions, actions_of, answer_of
from .client import Client
from .conversation import QuestionHandler, Reply
from .errors import WaitStopped
from .records import Answer, Page, Question, SendResult, Sent, Task, UpdateSent
from .task_body import TaskOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack  # known to type checkers; nothing is imported when the program runs

Model = TypeVar("Model")
Result = TypeVar("Result")
AsyncQuestionHandler = Callable[[Question, Task], Union[str, Reply, Awaitable[Union[str, Reply]]]]

STOP_CHECK_SECONDS = 0.2


class AsyncClient:
    """`Client` for asyncio, with the same arguments.

    Cancelling `wait` or `ask` ends the request within a fraction of a second; the task stays open, so call `cancel`
    if nobody should answer it any more. Cancelling `send_all` sends no further tasks. Cancelling another call stops
    waiting for it, but the request may still take effect: give `send` a `key` if you want to repeat it.
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
        self._client = Client(url, api_key, timeout=timeout, ssl_context=ssl_context, transport=transport)

    @classmethod
    def around(cls, client: Client) -> AsyncClient:
        """Returns an asynchronous client that shares the connection settings of a synchronous one."""
        return cls(timeout=client._timeout, transport=client._transport)

    async def me(self) -> Dict[str, Any]:
        return await asyncio.to_thread(self._client.me)

    async def send(self, *, actions: Actions, **task: Unpack[TaskOptions]) -> Sent:
        return await asyncio.to_thread(self._client.send, actions=actions, **task)

    async def send_all(self, tasks: Iterable[Mapping[str, Any]]) -> List[SendResult]:
        stop = threading.Event()
        try:
            return await _in_own_thread(lambda: self._client._send_all(tasks, stop))
        except asyncio.CancelledError:
            stop.set()
            raise

    async def get(
        self,
        task_id: str,
        *,
        wait_seconds: int = 0,
        after_question: Optional[str] = None,
        include: Iterable[str] = (),
    ) -> Task:
        return await asyncio.to_thread(
            self._client.get, task_id, wait_seconds=wait_seconds, after_question=after_question, include=include
        )

    async def wait(
        self,
        task_id: str,
        *,
        timeout: Optional[float] = None,
        on_question: Optional[AsyncQuestionHandler] = None,
    ) -> Task:
        """As in `Client`. `on_question` runs in the event loop and may be a coroutine function."""
        stop = threading.Event()
        handler = on_question and _in_loop(on_question, stop)
        try:
            return await _in_own_thread(
                lambda: self._client.wait(task_id, timeout=timeout, stop=stop, on_question=handler)
            )
        except asyncio.CancelledError:
            stop.set()
            raise

    @overload
    async def ask(
        self,
        *,
        model: Type[Model],
        timeout: Optional[float] = ...,
        on_created: Optional[Callable[[Sent], Any]] = ...,
        on_question: Optional[AsyncQuestionHandler] = ...,
        **task: Unpack[TaskOptions],
    ) -> Answer[Model]: ...

    @overload
    async def ask(
        self,
        *,
        actions: Actions,
        timeout: Optional[float] = ...,
        on_created: Optional[Callable[[Sent], Any]] = ...,
        on_question: Optional[AsyncQuestionHandler] = ...,
        **task: Unpack[TaskOptions],
    ) -> Answer[Any]: ...

    async def ask(
        self,
        *,
        actions: Optional[Actions] = None,
        model: Optional[Type[Any]] = None,
        timeout: Optional[float] = None,
        on_created: Optional[Callable[[Sent], Any]] = None,
        on_question: Optional[AsyncQuestionHandler] = None,
        **task: Unpack[TaskOptions],
    ) -> Answer[Any]:
        chosen = actions_of(actions, model)
        if on_question is not None:
            task.setdefault("accepts_questions", True)
        sent = await self.send(actions=chosen, **task)
        if on_created is not None:
            on_created(sent)
        return answer_of(await self.wait(sent.task_id, timeout=timeout, on_question=on_question), chosen)

    async def update(
        self, task_id: str, message: str, *, level: Optional[str] = None, progress: Optional[float] = None
    ) -> str:
        return await asyncio.to_thread(self._client.update, task_id, message, level=level, progress=progress)

    async def reply(
        self,
        task_id: str,
        question_id: str,
        message: str,
        *,
        revision: Optional[Mapping[str, Any]] = None,
        key: Optional[str] = None,
    ) -> UpdateSent:
        return await asyncio.to_thread(
            self._client.reply, task_id, question_id, message, revision=revision, key=key
        )

    async def revise(
        self, task_id: str, revision: Mapping[str, Any], message: str, *, key: Optional[str] = None
    ) -> UpdateSent:
        return await asyncio.to_thread(self._client.revise, task_id, revision, message, key=key)

    async def cancel(self, task_id: str, *, reason: Optional[str] = None) -> None:
        await asyncio.to_thread(self._client.cancel, task_id, reason=reason)

    async def list(self, **filters: Any) -> Page:
        """Takes the arguments of `Client.list`."""
        return await asyncio.to_thread(self._client.list, **filters)

    async def search(self, query: str, **filters: Any) -> Page:
        """Takes the arguments of `Client.search`."""
        return await asyncio.to_thread(self._client.search, query, **filters)

    async def feedback_analysis(self, *, type: str, app: Optional[str] = None) -> Dict[str, Any]:
        return await asyncio.to_thread(self._client.feedback_analysis, type=type, app=app)


def _in_loop(handler: AsyncQuestionHandler, stop: threading.Event) -> QuestionHandler:
    """Returns a handler for the thread of a wait. It runs the given handler in the event loop of the caller."""
    loop = asyncio.get_running_loop()

    async def run(question: Question, task: Task) -> Union[str, Reply]:
        returned = handler(question, task)
        return await returned if inspect.isawaitable(returned) else returned

    def handle(question: Question, task: Task) -> Union[str, Reply]:
        future = asyncio.run_coroutine_threadsafe(run(question, task), loop)
        while not concurrent.futures.wait([future], STOP_CHECK_SECONDS).done:
            # A future that is done cannot be cancelled: its reply is sent.
            if stop.is_set() and future.cancel():
                raise WaitStopped(task.task_id)
        return future.result()

    return handle


async def _in_own_thread(function: Callable[[], Result]) -> Result:
    """Runs a long call in its own thread: a few long calls would occupy all threads of `asyncio.to_thread`."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def finish(result: Any, error: Optional[BaseException]) -> None:
        if future.done():  # cancelled meanwhile
            return
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def run() -> None:
        result: Any = None
        error: Optional[BaseException] = None
        try:
            result = function()
        except BaseException as raised:
            error = raised
        try:
            loop.call_soon_threadsafe(finish, result, error)
        except RuntimeError:
            pass  # the loop was closed meanwhile

    threading.Thread(target=run, name="handrail-wait", daemon=True).start()
    return await future
