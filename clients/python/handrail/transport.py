"""HTTP with the standard library: one connection per request, bounded in time and size.

Redirects are not followed, so the API key is sent to no other address.
"""

from __future__ import annotations

import email.utils
import http.client
import json
import socket
import ssl
import threading
import time
from importlib import metadata
from typing import Any, Dict, Mapping, Optional
from urllib.parse import urlencode, urlsplit

from .errors import Problem

try:
    __version__ = metadata.version("handrail")
except metadata.PackageNotFoundError:  # run from a checkout
    __version__ = "0"

MAX_RESPONSE_BYTES = 32 * 1024 * 1024
CONNECT_SECONDS = 10
STOP_CHECK_SECONDS = 0.2


class HttpTransport:
    """Sends requests to the REST API. `stop` ends a request early, with the problem `unavailable`."""

    def __init__(self, url: str, api_key: str, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username:
            raise ValueError(
                f"{url!r} is not the URL of a Handrail service. Expected one like https://handrail.example."
            )
        if not api_key or not api_key.isascii() or not api_key.isprintable():
            raise ValueError(
                "The API key is missing or contains invalid characters. Set HANDRAIL_API_KEY, or pass api_key."
            )
        self.url = url.rstrip("/")
        self._host, self._port = parts.hostname, parts.port
        self._path = parts.path.rstrip("/")
        self._ssl = (ssl_context or ssl.create_default_context()) if parts.scheme == "https" else None
        self._headers = {
            "Accept": "application/json",
            "Authorization": f"Bearer {api_key}",
            "User-Agent": f"handrail-python/{__version__}",
        }

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
        """Returns the parsed response. `timeout` bounds each step and the whole request."""
        target = f"{self._path}/api/v1{path}{_query_string(query)}"
        headers = dict(self._headers)
        payload = None
        if body is not None:
            payload = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        connection = self._connection(min(timeout, CONNECT_SECONDS))
        started = time.monotonic()
        try:
            connection.connect()
            connection.sock.settimeout(timeout)
            with _Guard(connection.sock, timeout, stop):
                connection.request(method, target, payload, headers)
                response = connection.getresponse()
                content = response.read(MAX_RESPONSE_BYTES + 1)
            if response.length and len(content) <= MAX_RESPONSE_BYTES:
                raise ConnectionError("the connection was closed before the end of the response")
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
            if time.monotonic() - started >= timeout:
                reason = f"no response within {timeout:g} s"
            detail = f"The service at {self.url} could not be reached ({reason})."
            raise _problem("unavailable", 0, detail) from error
        finally:
            connection.close()
        if len(content) > MAX_RESPONSE_BYTES:
            raise _problem("invalid_response", response.status, f"The response is larger than {MAX_RESPONSE_BYTES} bytes.")
        if not 200 <= response.status < 300:
            raise _problem_from(response, content)
        return _parse(response, content)

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        if self._ssl is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._ssl)


class _Guard:
    """Ends a request when its time is over or `stop` is set, by shutting down its socket."""

    def __init__(self, sock: socket.socket, timeout: float, stop: Optional[threading.Event]) -> None:
        self._socket = sock
        self._deadline = time.monotonic() + timeout
        self._stop = stop
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="handrail-request", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.is_set():
            remaining = self._deadline - time.monotonic()
            if remaining <= 0 or (self._stop is not None and self._stop.is_set()):
                # Wakes the thread that reads. Of a TLS socket this is the TCP connection below.
                try:
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
                except OSError:
                    pass
                return
            self._done.wait(remaining if self._stop is None else min(remaining, STOP_CHECK_SECONDS))


def _query_string(query: Optional[Mapping[str, Any]]) -> str:
    pairs = {name: value for name, value in (query or {}).items() if value is not None}
    return f"?{urlencode(pairs)}" if pairs else ""


def _parse(response: http.client.HTTPResponse, content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        raise _problem(
            "invalid_response",
            response.status,
            "The response is not JSON. Check that the URL is that of your Handrail service.",
        ) from None


def _problem_from(response: http.client.HTTPResponse, content: bytes) -> Problem:
    retry_after = _retry_after(response.headers.get("Retry-After"))
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    if isinstance(body, dict) and {"code", "detail", "requestId"} <= body.keys():
        return Problem(body, retry_after=retry_after)
    status = response.status
    detail = f"The service responded with status {status}."
    if 300 <= status < 400:
        location = response.headers.get("Location", "another URL")
        detail = (
            f"The service redirects to {location[:200]}. Redirects are not followed: use the final URL of your "
            "Handrail service."
        )
    # The page of a proxy in front of the service.
    return _problem(_code_of(status), status, detail, retry_after)


def _problem(code: str, status: int, detail: str, retry_after: Optional[float] = None) -> Problem:
    body: Dict[str, Any] = {"code": code, "status": status, "detail": detail}
    return Problem(body, retry_after=retry_after)


def _code_of(status: int) -> str:
    codes = {401: "unauthenticated", 403: "forbidden", 404: "not_found", 413: "payload_too_large", 429: "rate_limited"}
    if status in codes:
        return codes[status]
    if status in (502, 503, 504):
        return "unavailable"
    return "internal" if status >= 500 else "invalid_request"


def _retry_after(value: Optional[str]) -> Optional[float]:
    """In seconds, or as an HTTP date."""
    if value is None:
        return None
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
