"""Retries of requests with transient problems."""

from __future__ import annotations

import random
import threading
import time
from typing import Any, Callable, Dict, Optional

from .errors import Problem

MAX_PAUSE_SECONDS = 30
ATTEMPTS = 4


def with_retries(
    send: Callable[[], Dict[str, Any]], attempts: int, stop: Optional[threading.Event]
) -> Dict[str, Any]:
    """Sends a request, and retries transient problems unless `stop` is set. The request must be idempotent.

    If the service asks for a pause of more than MAX_PAUSE_SECONDS, the problem is raised at once.
    """
    for attempt in range(attempts):
        try:
            return send()
        except Problem as problem:
            pause = pause_seconds(problem, attempt - 1)
            asked = problem.retry_after or 0
            if not problem.is_transient or attempt == attempts - 1 or asked > MAX_PAUSE_SECONDS:
                raise
            time.sleep(pause)
            if stop is not None and stop.is_set():
                raise
    raise AssertionError("unreachable")


def pause_seconds(problem: Problem, failures: int) -> float:
    # The backoff is random, so that agents that lost the service at the same time do not return at the
    # same time, even if the service told all of them to wait a second.
    backoff = min(2.0 ** min(failures, 10), MAX_PAUSE_SECONDS) * random.uniform(0.5, 1)
    return (problem.retry_after or 0) + backoff
