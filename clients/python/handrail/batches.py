"""Sends many tasks in few requests."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Optional

from .errors import Problem
from .records import SendResult, sent_from

Body = Dict[str, Any]
Create = Callable[[List[Body]], Dict[str, Any]]

# The limits of the service for one request.
MAX_TASKS = 100
MAX_BYTES = 1024 * 1024
ATTEMPTS = 4


@dataclass
class _Item:
    body: Body
    result: Optional[SendResult] = None

    @property
    def is_pending(self) -> bool:
        return self.result is None or (self.result.error is not None and self.result.error.is_transient)


def send_in_batches(create: Create, bodies: Iterable[Body]) -> List[SendResult]:
    """Returns one result per task, in their order. `create` sends one request, and retries transient problems."""
    items = [_Item(body) for body in bodies]
    failure: Optional[Problem] = None
    for batch in _split(items):
        failure = failure or _send_batch(create, batch)
        for item in batch:
            if item.result is None:
                item.result = SendResult(None, failure)
    return [item.result for item in items if item.result is not None]


def _split(items: List[_Item]) -> List[List[_Item]]:
    batches: List[List[_Item]] = []
    size = 0
    for item in items:
        content = len(json.dumps(item.body, ensure_ascii=False, allow_nan=False).encode())
        size += content + len(", ")
        if batches and len(batches[-1]) < MAX_TASKS and size <= MAX_BYTES:
            batches[-1].append(item)
        else:
            batches.append([item])
            size = content + len('{"tasks": []}')
    return batches


def _send_batch(create: Create, batch: List[_Item]) -> Optional[Problem]:
    """Sets the results. Returns a problem that the next batches would have, too, such as a revoked key."""
    for attempt in range(ATTEMPTS):
        pending = [item for item in batch if item.is_pending]
        try:
            results = create([item.body for item in pending])["results"]
        except Problem as problem:
            return _handle_refusal(create, pending, problem)
        for item, result in zip(pending, results):
            item.result = _result_from(result)
        if not any(item.is_pending for item in pending):
            break
        if attempt < ATTEMPTS - 1:
            time.sleep(2.0**attempt / 2)
    return None


def _handle_refusal(create: Create, batch: List[_Item], problem: Problem) -> Optional[Problem]:
    if problem.status not in (400, 413):
        return problem
    if len(batch) == 1:
        batch[0].result = SendResult(None, problem)
        return None
    # The service refuses the body because of one of the tasks, or because together they exceed a limit.
    half = len(batch) // 2
    return _send_batch(create, batch[:half]) or _send_batch(create, batch[half:])


def _result_from(result: Dict[str, Any]) -> SendResult:
    if "task" in result:
        return SendResult(sent_from(result["task"]), None)
    return SendResult(None, Problem(result["problem"]))
