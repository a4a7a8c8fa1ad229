"""Against a stand-in for the service over real HTTP: what the real one never does, or only rarely."""

import json
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

from handrail import Client, HandrailError, Problem, WaitStopped, WaitTimeout, transport

TASK = {
    **{"taskId": "tsk_1", "status": "open", "app": "default", "type": "t", "name": "n", "description": "d"},
    **{"priority": "normal", "delivery": "poll", "threadId": "tsk_1", "url": "http://x/inbox/tsk_1"},
    **{"createdAt": "2026-11-16T09:00:00.000Z", "updatedAt": "2026-11-16T09:00:00.000Z"},
}
CREATED = {"taskId": "tsk_1", "delivery": "poll", "url": "http://x/inbox/tsk_1"}
SMALLEST = {"type": "t", "name": "n", "description": "d", "actions": [{"id": "ok", "title": "OK"}]}


class StandIn:
    """Responds with the given responses in turn, the last one for ever: (status, headers, body) or a function."""

    def __init__(self, *responses):
        self.requests = []
        self.ended = threading.Event()
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            def respond(self):
                length = int(self.headers.get("content-length", 0))
                body = json.loads(self.rfile.read(length)) if length else None
                stand_in.requests.append((self.command, self.path, dict(self.headers), body))
                response = responses[min(len(stand_in.requests), len(responses)) - 1]
                if callable(response):
                    response(self)
                    return
                status, headers, content = response
                data = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = respond

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/base"

    def hold(self, handler):
        """Sends no response until the test ends."""
        self.ended.wait(20)

    def drip(self, handler):
        """Sends one byte of a response at a time."""
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        while not self.ended.wait(0.05):
            handler.wfile.write(b" ")

    def stop(self):
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()


class Transport(unittest.TestCase):
    def setUp(self):
        pauses = mock.patch("handrail.retries.time.sleep")
        self.sleep = pauses.start()
        self.addCleanup(pauses.stop)

    def client(self, *responses, **options):
        self.service = StandIn(*responses)
        self.addCleanup(self.service.stop)
        return Client(self.service.url + "/", "hrl_secret", **options)

    def problem(self, call):
        with self.assertRaises(Problem) as raised:
            call()
        return raised.exception

    def test_a_problem_lists_every_path_in_its_message(self):
        errors = [{"path": "task.name", "message": "Is required."}, {"path": "actions", "message": "Too few."}]
        body = {"code": "invalid_request", "status": 400, "detail": "x", "requestId": "r1", "errors": errors}
        problem = self.problem(lambda: self.client((400, {}, body)).send(**SMALLEST))
        self.assertEqual(
            str(problem), "invalid_request: 2 invalid fields.\n  task.name: Is required.\n  actions: Too few."
        )
        self.assertEqual([path for path, _ in problem.errors], ["task.name", "actions"])
        self.assertEqual((problem.code, problem.status, problem.request_id), ("invalid_request", 400, "r1"))
        self.assertEqual(len(self.service.requests), 1)

    def test_the_url_may_have_a_path_and_the_key_is_in_a_header(self):
        self.client((200, {}, {"kind": "key"})).me()
        method, path, headers, _ = self.service.requests[0]
        self.assertEqual((method, path), ("GET", "/base/api/v1/me"))
        self.assertEqual(headers["Authorization"], "Bearer hrl_secret")

    def test_a_redirect_is_not_followed(self):
        client = self.client((302, {"Location": "http://127.0.0.1:1/elsewhere"}, {}))
        self.assertIn("redirects to http://127.0.0.1:1/elsewhere", self.problem(client.me).detail)
        self.assertEqual(len(self.service.requests), 1)

    def test_send_retries_with_one_key_and_honours_retry_after(self):
        client = self.client((503, {"Retry-After": "7"}, b"<html>"), (201, {}, CREATED))
        self.assertEqual(client.send(**SMALLEST).task_id, "tsk_1")
        keys = {body["idempotencyKey"] for _, _, _, body in self.service.requests}
        self.assertEqual((len(self.service.requests), len(keys)), (2, 1))
        self.sleep.assert_called_once()
        self.assertTrue(7 <= self.sleep.call_args.args[0] <= 8, "as long as the service asks, and a little longer")

    def results(self, *keys):
        return 200, {}, {"results": [{"status": 201, "task": {**CREATED, "taskId": key}} for key in keys]}

    def sent_keys(self):
        return [[task["idempotencyKey"] for task in body["tasks"]] for _, _, _, body in self.service.requests]

    def test_send_all_repeats_a_lost_batch_with_the_same_keys(self):
        client = self.client((503, {"Retry-After": "7"}, b"down"), self.results("tsk_1", "tsk_2"))
        results = client.send_all([SMALLEST, {**SMALLEST, "key": "mine"}])
        self.assertEqual([result.sent.task_id for result in results], ["tsk_1", "tsk_2"])
        first, second = self.sent_keys()
        self.assertEqual((first, first[1]), (second, "mine"))
        self.sleep.assert_called_once()
        self.assertTrue(7 <= self.sleep.call_args.args[0] <= 8, "as long as the service asks, and a little longer")

    def test_send_all_repeats_only_the_tasks_that_may_succeed_later(self):
        def failed(code, status):
            return {"status": status, "problem": {"code": code, "status": status, "detail": "d", "requestId": "r"}}

        created = {"status": 201, "task": CREATED}
        client = self.client(
            (200, {}, {"results": [created, failed("unavailable", 503), failed("invalid_request", 400)]}),
            (200, {}, {"results": [created]}),
        )
        results = client.send_all([{**SMALLEST, "key": key} for key in "abc"])
        self.assertEqual([result.error and result.error.code for result in results], [None, None, "invalid_request"])
        self.assertEqual(self.sent_keys(), [["a", "b", "c"], ["b"]])

    def test_send_all_splits_a_batch_that_is_refused_as_a_whole(self):
        problem = {"code": "invalid_request", "status": 400, "detail": "NUL", "requestId": "r"}
        refused = (400, {"Content-Type": "application/problem+json"}, problem)
        client = self.client(refused, refused, self.results("tsk_2"))
        results = client.send_all([{**SMALLEST, "key": key} for key in "ab"])
        self.assertEqual((results[0].error.detail, results[1].sent.task_id), ("NUL", "tsk_2"))
        self.assertEqual(self.sent_keys(), [["a", "b"], ["a"], ["b"]])

    def test_send_all_splits_by_number_and_size_and_stops_when_a_request_fails(self):
        refused = (401, {}, {"code": "unauthenticated", "status": 401, "detail": "d", "requestId": "r"})
        large = {**SMALLEST, "metadata": {"text": "é" * 300_000}}
        client = self.client(self.results("tsk_1"), self.results(*["tsk_2"] * 100), refused)
        results = client.send_all([large, large] + [SMALLEST] * 250)
        self.assertEqual([len(keys) for keys in self.sent_keys()], [1, 100, 100])
        self.assertEqual([result.sent is not None for result in results], [True] * 101 + [False] * 151)
        self.assertEqual({result.error.code for result in results[101:]}, {"unauthenticated"})

    def test_a_call_gives_up_after_four_attempts_and_an_update_after_one(self):
        client = self.client((502, {}, b"bad gateway"))
        self.assertEqual(self.problem(client.me).code, "unavailable")
        self.assertEqual(len(self.service.requests), 4)
        self.problem(lambda: client.update("tsk_1", "hello"))
        self.assertEqual(len(self.service.requests), 5)

    def test_a_response_that_is_not_json_is_explained(self):
        problem = self.problem(self.client((200, {}, b"<html>Welcome</html>")).me)
        self.assertIn("not JSON", problem.detail)
        self.assertEqual(len(self.service.requests), 1)

    def test_a_large_response_is_refused(self):
        with mock.patch.object(transport, "MAX_RESPONSE_BYTES", 1000):
            problem = self.problem(self.client((200, {}, b" " * 2000)).me)
        self.assertIn("larger than 1000 bytes", problem.detail)

    def test_a_response_that_breaks_off_is_transient(self):
        client = self.client((200, {"Content-Length": "999"}, b'{"kind"'), (200, {}, {"kind": "key"}))
        with mock.patch.object(client, "_timeout", 0.3):
            self.assertEqual(client.me(), {"kind": "key"})

    def test_a_request_that_never_ends_is_ended(self):
        for behaviour in ("hold", "drip"):
            service = StandIn(lambda handler: getattr(service, behaviour)(handler))
            self.addCleanup(service.stop)
            client = Client(service.url, "hrl_secret", timeout=0.3)
            started = time.monotonic()
            problem = self.problem(lambda: client.update("tsk_1", "hello"))
            self.assertEqual((problem.code, problem.status), ("unavailable", 0))
            self.assertIn("no response within 0.3 s", problem.detail)
            self.assertLess(time.monotonic() - started, 5)

    def test_nobody_listens(self):
        service = StandIn((200, {}, {}))
        service.stop()
        problem = self.problem(Client(service.url, "hrl_secret").me)
        self.assertIn(f"{service.url} could not be reached", str(problem))

    def test_a_wait_survives_an_outage(self):
        answer = {**TASK, "status": "cancelled", "cancelled": {"at": "2026-11-16T09:00:00.000Z"}}
        client = self.client((503, {"Retry-After": "0"}, {}), (200, {}, TASK), (200, {}, answer))
        self.assertEqual(client.wait("tsk_1").status, "cancelled")
        self.assertEqual(self.service.requests[0][1], "/base/api/v1/tasks/tsk_1?waitSeconds=50")

    def test_a_wait_ends_at_its_deadline(self):
        client = self.client((200, {}, TASK))
        with self.assertRaises(TimeoutError) as raised:
            client.wait("tsk_1", timeout=0.05)
        self.assertIsInstance(raised.exception, WaitTimeout)
        self.assertEqual(str(raised.exception), "No answer to tsk_1 arrived within 0.05 s. Wait again, or cancel the task.")

    def test_a_stop_event_ends_a_held_request_at_once(self):
        service = StandIn(lambda handler: service.hold(handler))
        self.addCleanup(service.stop)
        stop = threading.Event()
        threading.Timer(0.2, stop.set).start()
        started = time.monotonic()
        with self.assertRaises(WaitStopped):
            Client(service.url, "hrl_secret").wait("tsk_1", stop=stop)
        self.assertLess(time.monotonic() - started, 5)

    def test_a_task_that_is_not_there_ends_the_wait(self):
        body = {"code": "not_found", "status": 404, "detail": "There is no such task.", "requestId": "r1"}
        problem = self.problem(lambda: self.client((404, {}, body)).wait("tsk_2"))
        self.assertEqual(str(problem), "not_found: There is no such task.")


class Configuration(unittest.TestCase):
    def test_the_environment_configures_a_client(self):
        service = StandIn((200, {}, {"kind": "key"}))
        self.addCleanup(service.stop)
        with mock.patch.dict("os.environ", HANDRAIL_URL=service.url, HANDRAIL_API_KEY="hrl_env\n"):
            Client().me()
        self.assertEqual(service.requests[0][2]["Authorization"], "Bearer hrl_env")

    def test_mistakes_are_said_before_the_first_request_without_the_key(self):
        with mock.patch.dict("os.environ", clear=True):
            with self.assertRaisesRegex(ValueError, "HANDRAIL_API_KEY"):
                Client()
        with self.assertRaisesRegex(ValueError, "not the URL of a Handrail"):
            Client("handrail.example", "hrl_1")
        with self.assertRaises(ValueError) as raised:
            Client("https://handrail.example", "hrl_secret\r\nX-Other: 1")
        self.assertNotIn("secret", str(raised.exception))
        self.assertNotIn("hrl_secret", repr(Client("https://handrail.example", "hrl_secret")))

    def test_all_errors_share_a_base(self):
        self.assertTrue(issubclass(Problem, HandrailError))


if __name__ == "__main__":
    unittest.main()
