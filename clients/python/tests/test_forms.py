import datetime
import enum
import unittest
from dataclasses import dataclass, field
from typing import Dict, List, Literal, Optional

from handrail.forms import parse, schema_of

try:
    import pydantic
except ImportError:
    pydantic = None


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@dataclass
class Address:
    city: str


@dataclass
class Refund:
    amount: float = field(metadata={"schema": {"title": "Amount in €", "maximum": 200}})
    first_day: datetime.date
    address: Address
    items: List[Address]
    prices: Dict[str, int]
    note: Optional[str]
    kind: Literal["full", "partial"] = "full"
    size: Size = Size.SMALL
    notify: bool = True
    tags: List[str] = field(default_factory=list)


class Dataclasses(unittest.TestCase):
    def test_a_dataclass_becomes_a_form(self):
        address = {"type": "object", "properties": {"city": {"title": "City", "type": "string"}}, "required": ["city"]}
        self.assertEqual(
            schema_of(Refund),
            {
                "type": "object",
                "properties": {
                    "amount": {"title": "Amount in €", "type": "number", "maximum": 200},
                    "first_day": {"title": "First day", "type": "string", "format": "date"},
                    "address": {**address, "title": "Address"},
                    "items": {"title": "Items", "type": "array", "items": address},
                    "prices": {
                        **{"title": "Prices", "type": "object"},
                        "additionalProperties": {"type": "integer"},
                    },
                    "note": {"title": "Note", "type": "string"},
                    "kind": {"title": "Kind", "type": "string", "enum": ["full", "partial"], "default": "full"},
                    "size": {"title": "Size", "type": "string", "enum": ["small", "large"], "default": "small"},
                    "notify": {"title": "Notify", "type": "boolean", "default": True},
                    "tags": {"title": "Tags", "type": "array", "items": {"type": "string"}},
                },
                "required": ["amount", "first_day", "address", "items", "prices"],
            },
        )

    def test_an_answer_becomes_an_instance(self):
        refund = parse(
            Refund,
            {
                **{"amount": 5, "first_day": "2026-11-16", "address": {"city": "Porto"}},
                **{"items": [{"city": "Faro"}], "prices": {"a": 1}, "size": "large"},
            },
        )
        self.assertIsInstance(refund.amount, float)
        self.assertEqual(refund.first_day, datetime.date(2026, 11, 16))
        self.assertEqual(refund.address, Address("Porto"))
        self.assertEqual(refund.items, [Address("Faro")])
        self.assertEqual((refund.size, refund.kind, refund.note, refund.tags), (Size.LARGE, "full", None, []))

    def test_a_type_that_no_form_can_show_is_refused_by_name(self):
        @dataclass
        class Wrong:
            when: complex

        with self.assertRaisesRegex(TypeError, "complex"):
            schema_of(Wrong)
        with self.assertRaisesRegex(TypeError, "Expected a pydantic model, a dataclass"):
            schema_of(int)

    def test_a_json_schema_stays_as_it_is(self):
        schema = {"type": "object", "properties": {"a": {"type": "string"}}}
        self.assertEqual(schema_of(schema), schema)


def pydantic_versions():
    """The installed pydantic and, in version 2, the copy of version 1 inside it."""
    if pydantic is None:
        return []
    try:
        from pydantic import v1
    except ImportError:
        return [pydantic]
    return [pydantic, v1]


@unittest.skipIf(pydantic is None, "pydantic is not installed (on Debian: python3-pydantic)")
class Pydantic(unittest.TestCase):
    def test_a_model_of_version_1_or_2_becomes_a_form_and_is_parsed(self):
        for library in pydantic_versions():
            with self.subTest(library.VERSION):

                class Decision(library.BaseModel):
                    amount: float = library.Field(..., title="Amount in €", le=200)
                    note: Optional[str] = None

                schema = schema_of(Decision)
                self.assertEqual(schema["required"], ["amount"])
                self.assertEqual(schema["properties"]["amount"]["maximum"], 200)
                self.assertEqual(parse(Decision, {"amount": 3}), Decision(amount=3))
                with self.assertRaises(ValueError):
                    parse(Decision, {"amount": 500})


if __name__ == "__main__":
    unittest.main()
