"""Forms from Python types: the JSON Schema of a pydantic model or dataclass, and back from an answer."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import enum
import types
import typing
from typing import Any, Callable, Dict, List, Mapping, Optional, Type, TypeVar, Union

Model = TypeVar("Model")

# `str | None`, from Python 3.10.
_union_types = {Union, getattr(types, "UnionType", Union)}

# Larger integers lose precision in JavaScript, so the service refuses them.
MAX_INTEGER = 2**53 - 1

_scalars: Dict[Any, Dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.datetime: {"type": "string", "format": "date-time"},
}


def schema_of(model: Any) -> Dict[str, Any]:
    """Returns the JSON Schema of a form: of a pydantic model (v1 or v2), a dataclass, or a schema as it is.

    A dataclass field adds to its schema with `field(metadata={"schema": {"maximum": 200}})`.
    """
    if isinstance(model, Mapping):
        return dict(model)
    for method in ("model_json_schema", "schema"):  # pydantic 2, pydantic 1
        derive = getattr(model, method, None)
        if callable(derive):
            return dict(derive())
    if isinstance(model, type) and dataclasses.is_dataclass(model):
        return _object_schema(model)
    raise TypeError(f"{model!r} is not a form. Expected a pydantic model, a dataclass, or a JSON Schema as a dict.")


def parse(model: Type[Model], data: Mapping[str, Any]) -> Model:
    """Returns the answer to a form as an instance of its model."""
    for method in ("model_validate", "parse_obj"):  # pydantic 2, pydantic 1
        validate: Optional[Callable[[Any], Model]] = getattr(model, method, None)
        if callable(validate):
            return validate(data)
    if isinstance(model, type) and dataclasses.is_dataclass(model):
        parsed: Model = parse_value(model, data)
        return parsed
    raise TypeError(f"{model!r} is not a model. Expected a pydantic model or a dataclass.")


def _object_schema(model: Any) -> Dict[str, Any]:
    hints = typing.get_type_hints(model)
    properties: Dict[str, Any] = {}
    required: List[str] = []
    for field in dataclasses.fields(model):
        title = field.name.replace("_", " ").capitalize()
        more = field.metadata.get("schema", {})
        schema = {"title": title, **value_schema(hints[field.name]), **more}
        if field.default is not dataclasses.MISSING:
            if field.default is not None:
                schema["default"] = to_json(field.default)
        elif field.default_factory is dataclasses.MISSING and not is_optional(hints[field.name]):
            required.append(field.name)
        properties[field.name] = schema
    result: Dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        result["required"] = required
    return result


def value_schema(hint: Any) -> Dict[str, Any]:
    """Returns the JSON Schema of one value. The schema of `Optional[X]` is that of X: an empty field is left out."""
    if hint in _scalars:
        return dict(_scalars[hint])
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in _union_types:
        options = [argument for argument in arguments if argument is not type(None)]
        if len(options) == 1:
            return value_schema(options[0])
        return {"anyOf": [value_schema(option) for option in options]}
    if origin is typing.Literal:
        return _choice(list(arguments))
    if origin in (list, collections.abc.Sequence):
        return {"type": "array", "items": value_schema(arguments[0])}
    if origin in (dict, collections.abc.Mapping):
        return {"type": "object", "additionalProperties": value_schema(arguments[1])}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _choice([member.value for member in hint])
    if isinstance(hint, type) and (dataclasses.is_dataclass(hint) or _is_pydantic(hint)):
        return schema_of(hint)
    raise TypeError(f"{hint!r} cannot be a form field. Write the JSON Schema of this form as a dict.")


def parse_value(hint: Any, value: Any) -> Any:
    """The reverse of `value_schema`: returns a JSON value as the type of its hint."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if value is None:
        return None
    if origin in _union_types:
        options = [argument for argument in arguments if argument is not type(None)]
        return parse_value(options[0], value) if len(options) == 1 else value
    if origin in (list, collections.abc.Sequence):
        return [parse_value(arguments[0], item) for item in value]
    if origin in (dict, collections.abc.Mapping):
        return {key: parse_value(arguments[1], item) for key, item in value.items()}
    if not isinstance(hint, type):
        return value
    if issubclass(hint, enum.Enum):
        return hint(value)
    if _is_pydantic(hint):
        return parse(hint, value)
    if dataclasses.is_dataclass(hint):
        return _parse_object(hint, value)
    if hint is float:
        return float(value)
    if hint is datetime.datetime:
        return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    if hint is datetime.date:
        return datetime.date.fromisoformat(value)
    return value


def _parse_object(model: Any, data: Mapping[str, Any]) -> Any:
    hints = typing.get_type_hints(model)
    values = {}
    for field in dataclasses.fields(model):
        if field.name in data:
            values[field.name] = parse_value(hints[field.name], data[field.name])
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            values[field.name] = None  # an optional field that was left empty
    return model(**values)


def to_json(value: Any) -> Any:
    """Returns the value as JSON can carry it. Raises TypeError if it cannot."""
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise TypeError(f"{value} is not JSON: it would lose precision")
    if value is None or isinstance(value, (str, bool, int, float)):
        return value.value if isinstance(value, enum.Enum) else value
    if isinstance(value, enum.Enum):
        return to_json(value.value)
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if _is_pydantic(type(value)):
        return to_json(value.model_dump() if hasattr(value, "model_dump") else value.dict())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} is not JSON")


def _choice(values: List[Any]) -> Dict[str, Any]:
    kind = {"type": "string"} if all(isinstance(value, str) for value in values) else {}
    return {**kind, "enum": values}


def is_optional(hint: Any) -> bool:
    return typing.get_origin(hint) in _union_types and type(None) in typing.get_args(hint)


def _is_pydantic(hint: Any) -> bool:
    return hasattr(hint, "model_validate") or hasattr(hint, "parse_obj")
