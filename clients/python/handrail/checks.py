"""The checks of the test inbox: the mistakes that agents make most. The service checks more."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, List, Mapping, Tuple

from .errors import Violation

_fields = {
    *("task", "context", "actions", "type", "app", "version", "priority", "delivery", "callbackUrl", "threadId"),
    *("idempotencyKey", "expiresInSeconds", "onExpire", "metadata", "assignTo", "acceptsQuestions", "review"),
    "requireHuman",
}
EMPTY_FORM: Dict[str, Any] = {"type": "object", "properties": {}}
_types: Dict[str, Tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def check_task(body: Mapping[str, Any]) -> List[Violation]:
    """Returns what is wrong with the body of `POST /tasks`."""
    found = [Violation(name, "Unknown field.") for name in body if name not in _fields]
    for name, length in (("name", 200), ("description", 10_000)):
        found += check_text(f"task.{name}", body["task"].get(name), length)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", str(body["task"].get("type") or "")):
        found.append(Violation("task.type", "Must be a slug, such as refund-approval."))
    context = body.get("context", {"data": {}})
    if not isinstance(context, Mapping) or not isinstance(context.get("data"), Mapping):
        found.append(Violation("context.data", "Must be an object. Put the fields to show into it."))
    if not body["actions"]:
        found.append(Violation("actions", "Must contain at least one action."))
    found += _check_actions(body["actions"])
    ids = [action["id"] for action in body["actions"] if isinstance(action, Mapping) and "id" in action]
    if "onExpire" in body and body["onExpire"].get("actionId") not in ids:
        found.append(Violation("onExpire.actionId", "Must be the id of one of the actions."))
    if "onExpire" in body and "expiresInSeconds" not in body:
        found.append(Violation("expiresInSeconds", "onExpire requires a deadline. Send expiresInSeconds."))
    seconds = body.get("expiresInSeconds", 60)
    if not isinstance(seconds, int) or not 60 <= seconds <= 2_592_000:
        found.append(Violation("expiresInSeconds", "Must be 60 to 2,592,000, which is 30 days."))
    if body.get("delivery") == "callback" and "callbackUrl" not in body:
        found.append(Violation("callbackUrl", 'Required with delivery "callback". Send an address, or use delivery "poll".'))
    found += _check_choices(body, priority=("urgent", "high", "normal", "low"), delivery=("poll", "sse", "callback"))
    # The answer of onExpire can only be checked against a valid form.
    return found or _check_default(body)


def _check_default(body: Mapping[str, Any]) -> List[Violation]:
    default = body.get("onExpire", {})
    forms = [action.get("schema") for action in body["actions"] if action["id"] == default.get("actionId")]
    return check_answer(forms[0] or EMPTY_FORM, default.get("data") or {}, "onExpire.data") if forms else []


def check_update(body: Mapping[str, Any]) -> List[Violation]:
    """Returns what is wrong with an update, without its revision."""
    found = check_text("message", body.get("message"), 2_000)
    found += _check_choices(body, level=("info", "working", "warning", "error", "success"))
    progress = body.get("progress", 0)
    if not isinstance(progress, (int, float)) or not 0 <= progress <= 100:
        found.append(Violation("progress", "Must be 0 to 100."))
    return found


def check_revision(revision: Mapping[str, Any]) -> List[Violation]:
    """Returns the parts of a revision that cannot be revised."""
    paths = [name for name in revision if name not in ("task", "context", "actions")]
    paths += [f"task.{name}" for name in revision.get("task", {}) if name not in ("name", "description")]
    return [Violation(f"revision.{path}", "Unknown field.") for path in paths]


def check_revised(body: Mapping[str, Any]) -> List[Violation]:
    """A revision cannot change `onExpire`, so a problem with `onExpire` is reported for the new actions."""
    errors = [("actions" if path.startswith("onExpire") else path, message) for path, message in check_task(body)]
    return [Violation(f"revision.{path}", message) for path, message in errors]


def check_text(path: str, text: Any, length: int) -> List[Violation]:
    if not isinstance(text, str) or not text.strip():
        return [Violation(path, "Must be a text that is not empty.")]
    return [Violation(path, f"Must be at most {length:,} characters.")] if len(text) > length else []


def _check_choices(body: Mapping[str, Any], **choices: Tuple[str, ...]) -> List[Violation]:
    return [
        Violation(name, f"Must be one of {', '.join(allowed)}.")
        for name, allowed in choices.items()
        if body.get(name, allowed[0]) not in allowed
    ]


def _check_actions(actions: List[Any]) -> Iterator[Violation]:
    seen = set()
    for index, action in enumerate(actions):
        path = f"actions[{index}]"
        if not isinstance(action, Mapping):
            yield Violation(path, 'Must be an object, such as {"id": "approve", "title": "Approve"}.')
            continue
        for name in ("id", "title"):
            if not isinstance(action.get(name), str) or not action[name]:
                yield Violation(f"{path}.{name}", "Must be a text that is not empty.")
        if str(action.get("id")).startswith("service:"):
            yield Violation(f"{path}.id", 'Ids that start with "service:" are reserved. Choose another id.')
        if action.get("id") in seen:
            yield Violation(f"{path}.id", "Another action has this id. Ids must be unique.")
        seen.add(action.get("id"))
        if "schema" in action and action["schema"].get("type") != "object":
            yield Violation(f"{path}.schema", 'Must have "type": "object" at the top level.')


def check_answer(schema: Mapping[str, Any], data: Any, path: str) -> List[Violation]:
    """Returns what is wrong with an answer: types, required and undeclared fields, choices, bounds and lengths."""
    return list(_check(schema, schema, data, path))


def _check(root: Mapping[str, Any], schema: Mapping[str, Any], value: Any, path: str) -> Iterator[Violation]:
    if "$ref" in schema:
        yield from _check(root, _resolve(root, schema["$ref"]), value, path)
    for part in schema.get("allOf", []):
        yield from _check(root, part, value, path)
    for keyword in ("anyOf", "oneOf"):
        options = schema.get(keyword)
        if options and all(list(_check(root, option, value, path)) for option in options):
            yield Violation(path, "Must match one of the options.")
    if "type" in schema and not _has_type(schema["type"], value):
        yield Violation(path, f"Must be of the type {schema['type']}.")
        return
    if "enum" in schema and value not in schema["enum"]:
        yield Violation(path, f"Must be one of {', '.join(map(str, schema['enum']))}.")
    yield from _check_bounds(schema, value, path)
    if isinstance(value, dict):
        yield from _check_object(root, schema, value, path)
    if isinstance(value, list) and isinstance(schema.get("items"), Mapping):
        for index, item in enumerate(value):
            yield from _check(root, schema["items"], item, f"{path}[{index}]")


def _check_object(
    root: Mapping[str, Any], schema: Mapping[str, Any], value: Mapping[str, Any], path: str
) -> Iterator[Violation]:
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value or (isinstance(value[name], str) and not value[name].strip()):
            yield Violation(_join(path, name), "Is required.")
    for name, item in value.items():
        if name in properties:
            yield from _check(root, properties[name], item, _join(path, name))
        elif isinstance(schema.get("additionalProperties"), Mapping):
            yield from _check(root, schema["additionalProperties"], item, _join(path, name))
        elif schema.get("type") == "object" and not schema.get("additionalProperties"):
            yield Violation(_join(path, name), "Is not a field of this form.")


def _check_bounds(schema: Mapping[str, Any], value: Any, path: str) -> Iterator[Violation]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < schema.get("minimum", value) or value <= schema.get("exclusiveMinimum", value - 1):
            yield Violation(path, "Is too small.")
        if value > schema.get("maximum", value) or value >= schema.get("exclusiveMaximum", value + 1):
            yield Violation(path, "Is too large.")
    if isinstance(value, str):
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            yield Violation(path, "Has the wrong length.")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield Violation(path, f"Must match {schema['pattern']}.")


def _has_type(names: Any, value: Any) -> bool:
    for name in [names] if isinstance(names, str) else names:
        if isinstance(value, bool):
            if name == "boolean":
                return True
        elif isinstance(value, _types[name]) or (name == "integer" and isinstance(value, float) and value.is_integer()):
            return True
    return False


def _resolve(root: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    found: Any = root
    for part in reference.lstrip("#/").split("/"):
        found = found[part]
    resolved: Mapping[str, Any] = found
    return resolved


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
