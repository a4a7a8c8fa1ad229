"""What a person changed in the fields of a form that start with a value of the context."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

MISSING = object()


def edits_of(action: Mapping[str, Any], context: Any, data: Mapping[str, Any]) -> List[Dict[str, Any]]:
    """Returns one entry per prefilled field, as in `handled.edits` of the service, but without a diff."""
    edits = []
    for steps, source, before in _prefilled_fields(action.get("schema"), action.get("ui"), context, ()):
        after = _value_at(data, steps)
        edit: Dict[str, Any] = {"field": ".".join(steps), "source": source, "changed": before != after}
        if edit["changed"]:
            edit["before"] = before
            if after is not MISSING:
                edit["after"] = after
        edits.append(edit)
    return edits


def _prefilled_fields(
    schema: Any, ui: Any, context: Any, parents: Tuple[str, ...]
) -> Iterator[Tuple[Tuple[str, ...], str, Any]]:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping) or not isinstance(ui, Mapping):
        return
    for name, field in properties.items():
        hints = ui.get(name)
        if not isinstance(field, Mapping) or not isinstance(hints, Mapping):
            continue
        value = prefilled_value(field, hints, context)
        if value is MISSING:
            yield from _prefilled_fields(field, hints, context, (*parents, name))
        else:
            yield (*parents, name), str(prefill_source(field, hints)), value


def prefill_source(schema: Any, hints: Any) -> Optional[str]:
    """Returns the name or path of the context's field that the form's field starts with."""
    options = hints.get("ui:options") if isinstance(hints, Mapping) else None
    source = options.get("prefill") if isinstance(options, Mapping) else None
    if not isinstance(source, str) or not isinstance(schema, Mapping) or schema.get("readOnly") is True:
        return None
    return source


def prefilled_value(schema: Any, hints: Any, context: Any) -> Any:
    """Returns the value of the context that a field of a form starts with, or MISSING."""
    source = prefill_source(schema, hints)
    if source is None:
        return MISSING
    is_name = isinstance(context, Mapping) and source in context
    return _value_at(context, [source] if is_name else source.split("."))


def _value_at(value: Any, steps: Any) -> Any:
    for step in steps:
        if not isinstance(value, Mapping) or step not in value:
            return MISSING
        value = value[step]
    return value
