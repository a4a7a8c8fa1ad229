"""Reviews in the test inbox: the service's rules about who may answer, and when a task is decided."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .edits import MISSING, prefilled_value
from .errors import Violation
from .records import MARK_DONE, REJECT_REQUEST

_combinations = {
    *("$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
    *("dependentSchemas", "dependencies", "patternProperties", "propertyNames"),
}
_constraints = {*_combinations, "enum", "const", "format", "pattern", "default"}


def new_review(body: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
    """Returns the review of a new task, or None if anyone may answer and one answer is enough."""
    asked = body.get("review") or {}
    people = {name: [person.lower() for person in asked[name]] for name in ("by", "notBy") if name in asked}
    if asked.get("needed", 1) == 1 and not people:
        return None
    return {**people, "needed": asked.get("needed", 1), "onDecline": asked.get("onDecline", "end"), "given": 0}


def check_review(review: Mapping[str, Any], body: Mapping[str, Any]) -> List[Violation]:
    """Returns why the service would refuse this review. Members of groups are unknown, so a group is large enough."""
    found = []
    people = _people(review)
    if people is not None and len(people) < review["needed"]:
        found.append(Violation("review", _too_few(review["needed"], len(people))))
    if "onExpire" in body:
        message = "Not possible here, because a review decides who answers. Leave it out: the task then expires."
        found.append(Violation("onExpire", message))
    return found


def _too_few(needed: int, count: int) -> str:
    """Returns the message of the service (review-violations.ts)."""
    must = "1 person" if needed == 1 else f"{needed} people"
    message = f"{must} must answer, but {f'only {count}' if count else 'nobody'} may."
    if needed == 1:
        return message
    not_theirs = "the task must not be from them, their API key or their connected app."
    return f"{message} They need a verified email address, and {not_theirs}"


def refusal(
    review: Mapping[str, Any], votes: Sequence[Mapping[str, Any]], by: str, decides_deadlock: bool
) -> Optional[Tuple[str, str]]:
    """Returns the code and the text of the problem if this person may not answer now."""
    voters = {vote["by"].lower() for vote in votes}
    people = _people(review)
    if by in voters:
        return "already_answered", f"{by} has already answered this task. Nothing was changed."
    if by in review.get("notBy", []):
        return "not_a_reviewer", f"The sender excluded {by} from this task."
    if decides_deadlock:
        if len(votes) >= review["needed"] and voters.issuperset(people or []):
            return None
        return "not_a_reviewer", "An admin decides once everybody who may answer has, without a result."
    if people is not None and by not in people:
        return "not_a_reviewer", f"Only {', '.join(people)} may answer this task, not {by}."
    return None


def decisive_answer(
    review: Mapping[str, Any], votes: Sequence[Mapping[str, Any]], digests: Sequence[str]
) -> Optional[Mapping[str, Any]]:
    """Returns the earliest of `needed` answers that agree, or with "end" the first that declines."""
    declines = [vote for vote in votes if vote["actionId"] in (MARK_DONE, REJECT_REQUEST)]
    if declines and review["onDecline"] == "end":
        return declines[0]
    agreed = (vote for vote, digest in zip(votes, digests) if digests.count(digest) >= review["needed"])
    return next(agreed, None)


def comparable_answer(action: Mapping[str, Any], data: Mapping[str, Any], context: Any) -> str:
    """Returns a text that is equal for two answers that agree: same action, same values in everything but free text."""
    values = _without_free_text(data, action.get("schema"), action.get("ui"), context)
    # 5 and 5.0 are the same number in JSON.
    return json.dumps(json.loads(json.dumps([action["id"], values]), parse_float=_number), sort_keys=True)


def _number(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() else number


def _without_free_text(value: Any, schema: Any, ui: Any, context: Any) -> Any:
    if not isinstance(value, Mapping) or not isinstance(schema, Mapping):
        return value
    properties = schema.get("properties")
    # A combined or conditional schema may restrict its fields elsewhere, so all of them count.
    if not isinstance(properties, Mapping) or _combinations.intersection(schema):
        return value
    kept = {}
    for name, field in value.items():
        schema_of_field, hints = properties.get(name), ui.get(name) if isinstance(ui, Mapping) else None
        # A prefilled text is not free: the agent acts on it.
        if prefilled_value(schema_of_field, hints, context) is not MISSING:
            kept[name] = field
        elif not _is_free_text(schema_of_field):
            kept[name] = _without_free_text(field, schema_of_field, hints, context)
    return kept


def _is_free_text(schema: Any) -> bool:
    """A string that starts empty and that the schema does not restrict, except in length."""
    return isinstance(schema, Mapping) and schema.get("type") == "string" and not _constraints.intersection(schema)


def _people(review: Mapping[str, Any]) -> Optional[List[str]]:
    """Returns everybody who may answer, if the review names people and no group."""
    by = review.get("by")
    if by is None or any(reviewer.startswith("group:") for reviewer in by):
        return None
    return [person for person in dict.fromkeys(by) if person not in review.get("notBy", [])]
