"""Verifies callbacks, which are signed according to Standard Webhooks v1."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Mapping, Optional, Union

from .errors import WebhookNotVerified

TOLERANCE_SECONDS = 5 * 60


def verify_webhook(headers: Mapping[str, Any], body: Union[bytes, str], secret: str) -> Dict[str, Any]:
    """Verifies the signature of a callback and returns the event.

    `body` must be the raw body of the request: parsing and serializing it again would change the signature.
    `headers` is what your framework has, in any case. Raises `WebhookNotVerified`.
    """
    message_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookNotVerified("The header webhook-timestamp is not a Unix timestamp.")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookNotVerified(
            "The webhook-timestamp is more than five minutes off. The request is too old, or a clock is wrong."
        )
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{message_id}.{timestamp}.".encode() + content
    expected = hmac.new(_secret_bytes(secret), signed, hashlib.sha256).digest()
    for part in signatures.split(" "):
        version, _, text = part.partition(",")
        signature = _from_base64(text) if version == "v1" else None
        if signature is not None and hmac.compare_digest(signature, expected):
            event: Dict[str, Any] = json.loads(content)
            return event
    raise WebhookNotVerified("No signature matches. Check the secret, and that the body is the raw body of the request.")


def _header(headers: Mapping[str, Any], name: str) -> str:
    """Frameworks differ: names keep their case or are lower case, repeated headers are a list."""
    value = next((value for key, value in headers.items() if key.lower() == name), None)
    if not value:
        raise WebhookNotVerified(f"The header {name} is missing.")
    return value if isinstance(value, str) else " ".join(value)


def _secret_bytes(secret: str) -> bytes:
    text = secret[len("whsec_") :] if secret and secret.startswith("whsec_") else secret or ""
    key = _from_base64(text)
    if not key:
        raise ValueError("The secret is not a webhook secret of Handrail. Expected whsec_ followed by base64.")
    return key


def _from_base64(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
