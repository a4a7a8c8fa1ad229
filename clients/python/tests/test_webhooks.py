import json
import unittest
from unittest import mock

from handrail import WebhookNotVerified, verify_webhook

# Signed with openssl as in docs/webhooks.md, and the same as in the tests of the TypeScript client. The last one is
# published by Standard Webhooks.
VECTORS = [
    (
        "whsec_9bOrOh6IQzaw/vimqEDV8+ARzzFCMLDTiQgg4ZbRgJ4=",
        "evt_01k9aaaaaaaaaaaaaaaaaaaaaa",
        1763199000,
        '{"eventId":"evt_01k9aaaaaaaaaaaaaaaaaaaaaa","type":"service/test","sentAt":"2025-11-15T09:30:00.000Z"}',
        "YNHb+nNhhMpsoIl8fFUAs+VcF25W/wGznwHaPIAJNsU=",
    ),
    (
        "whsec_Us5fAZuIyCNfcLBumqo3nST7ZmJETKuS",
        "evt_01k9bbbbbbbbbbbbbbbbbbbbbb",
        1763199001,
        r'{"type":"service/task_handled","action":{"data":{"reason":"Größe – 漢字 🙂\n\"quoted\" \u0000"}}}',
        "EzosYZvB3oBjeqsmXRTZPJntpZkhiOXUjtXngIyZ/Gk=",
    ),
    (
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        '{"test": 2432232314}',
        "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ),
]


def headers_of(message_id, timestamp, signature):
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature}",
    }


class VerifyWebhook(unittest.TestCase):
    def setUp(self):
        self.secret, message_id, self.timestamp, self.body, self.signature = VECTORS[0]
        self.headers = headers_of(message_id, self.timestamp, self.signature)
        clock = mock.patch("time.time", lambda: self.timestamp)
        clock.start()
        self.addCleanup(clock.stop)

    def refused(self, **changed):
        with self.assertRaises(WebhookNotVerified):
            verify_webhook({**self.headers, **changed}, self.body, self.secret)

    def test_a_signed_body_returns_the_event_as_bytes_and_as_text(self):
        for secret, message_id, timestamp, body, signature in VECTORS:
            self.timestamp = timestamp
            for content in (body, body.encode()):
                event = verify_webhook(headers_of(message_id, timestamp, signature), content, secret)
                self.assertEqual(event, json.loads(body))

    def test_headers_may_be_in_any_case_or_lists(self):
        upper = {name.upper(): value for name, value in self.headers.items()}
        lists = {name: [value] for name, value in self.headers.items()}
        twice = {**self.headers, "webhook-signature": ["v1,AAAA", f"v1,{self.signature}"]}
        for headers in (upper, lists, twice):
            self.assertEqual(verify_webhook(headers, self.body, self.secret)["type"], "service/test")

    def test_a_secret_works_without_its_prefix(self):
        verify_webhook(self.headers, self.body, self.secret[len("whsec_") :])

    def test_one_valid_signature_among_several_is_enough(self):
        other = VECTORS[1][4]
        line = f"v1a,{other} v2,x v1,not*base64 v1, v1 v1,{other} v1,{self.signature}"
        verify_webhook({**self.headers, "webhook-signature": line}, self.body, self.secret)

    def test_other_signatures_ids_and_timestamps_are_refused(self):
        for line in ("", "v1", "v1,", "v1,AAAA", "v1,not*base64", self.signature, f"V1,{self.signature}"):
            with self.subTest(line):
                self.refused(**{"webhook-signature": line})
        self.refused(**{"webhook-id": "evt_01k9aaaaaaaaaaaaaaaaaaaaab"})
        for timestamp in ("", "soon", "1e9", "-1", f" {self.timestamp}", str(self.timestamp + 1), "١٢٣"):
            with self.subTest(timestamp):
                self.refused(**{"webhook-timestamp": timestamp})

    def test_another_secret_or_body_is_refused(self):
        with self.assertRaises(WebhookNotVerified):
            verify_webhook(self.headers, self.body, VECTORS[1][0])
        with self.assertRaises(WebhookNotVerified):
            verify_webhook(self.headers, self.body + " ", self.secret)

    def test_a_timestamp_more_than_five_minutes_off_is_refused(self):
        signed_at = self.timestamp
        for seconds in (-301, 301):
            self.timestamp = signed_at + seconds
            self.refused()
        for seconds in (-300, 300):
            self.timestamp = signed_at + seconds
            verify_webhook(self.headers, self.body, self.secret)

    def test_a_missing_header_is_named(self):
        for name in self.headers:
            rest = {key: value for key, value in self.headers.items() if key != name}
            with self.assertRaisesRegex(WebhookNotVerified, name):
                verify_webhook(rest, self.body, self.secret)

    def test_a_text_that_is_not_a_secret_is_an_error_of_the_caller(self):
        for secret in (None, "", "whsec_", "whsec_*"):  # None: a variable that is not set
            with self.assertRaisesRegex(ValueError, "whsec_ followed by base64"):
                verify_webhook(self.headers, self.body, secret)


if __name__ == "__main__":
    unittest.main()
