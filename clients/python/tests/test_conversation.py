"""People who ask back: questions, replies and revisions with the test inbox and both clients."""

import asyncio
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from handrail import Problem, Reply, WaitStopped, WaitTimeout, require_approval
from handrail.testing import TestInbox

TASK = {"type": "refund", "name": "Refund €129?", "description": "Above my limit."}
ACTIONS = [{"id": "approve", "title": "Approve"}]


class ConversationTest(unittest.TestCase):
    def setUp(self):
        self.inbox = TestInbox()
        self.client = self.inbox.client
        self.threads = ThreadPoolExecutor()
        self.addCleanup(self.threads.shutdown)

    def send(self, **more):
        return self.client.send(**TASK, actions=ACTIONS, accepts_questions=True, **more).task_id


class Handlers(ConversationTest):
    def test_a_question_calls_the_handler_and_the_wait_goes_on(self):
        asked = []

        def on_question(question, task):
            asked.append((question.text, task.task_id))
            return "The debit card."

        future = self.threads.submit(lambda: self.client.ask(**TASK, actions=ACTIONS, on_question=on_question))
        task_id = self.inbox.next_task().task_id
        question = self.inbox.ask_question(task_id, "Which card?")
        self.assertEqual(self.inbox.reply_to(question.question_id), "The debit card.")
        self.inbox.answer(task_id, "approve")
        self.assertEqual(future.result(10).revision, 1)
        self.assertEqual(asked, [("Which card?", task_id)])
        self.assertEqual(self.inbox.tasks[0].questions[0].reply, "The debit card.")

    def test_a_coroutine_function_may_reply_with_a_revision(self):
        async def on_question(question, task):
            await asyncio.sleep(0)
            return Reply("Lowered.", {"task": {"name": "Refund €100?"}, "context": {"data": {"amount": 100}}})

        ask = lambda: asyncio.run(  # noqa: E731
            self.inbox.async_client.ask(**TASK, actions=ACTIONS, on_question=on_question)
        )
        future = self.threads.submit(ask)
        task_id = self.inbox.next_task().task_id
        self.inbox.reply_to(self.inbox.ask_question(task_id, "Too much.", "changes").question_id)
        task = self.client.get(task_id, include=["context", "revisions"])
        self.assertEqual((task.name, task.revision, task.waiting_for), ("Refund €100?", 2, "person"))
        self.assertEqual(task.raw["context"], {"data": {"amount": 100}})
        self.assertEqual([past["name"] for past in task.raw["revisions"]], ["Refund €129?"])
        with self.assertRaises(Problem) as raised:
            self.inbox.answer(task_id, "approve", revision=1)
        self.assertEqual(raised.exception.code, "task_revised")
        self.inbox.answer(task_id, "approve")
        self.assertEqual(future.result(10).revision, 2)

    def test_without_a_handler_the_wait_does_not_end_and_does_not_spin(self):
        task_id = self.send()
        first = self.inbox.ask_question(task_id, "Which card?")
        polls = []
        poll = self.client._poll
        seen = threading.Event()

        def counted(task_id, wait_seconds, after_question, stop):
            polls.append(after_question)
            if after_question is not None:
                seen.set()
            return poll(task_id, wait_seconds, after_question, stop)

        self.client._poll = counted
        future = self.threads.submit(lambda: self.client.wait(task_id))
        self.assertTrue(seen.wait(10))
        self.inbox.answer(task_id, "approve")
        self.assertEqual(future.result(10).status, "handled")
        self.assertEqual(polls, [None, first.question_id])

    def test_each_question_is_handled_once_also_if_the_reply_fails_at_first(self):
        task_id = self.send()
        answered = self.inbox.ask_question(task_id, "Which card?")
        self.client.reply(task_id, answered.question_id, "The debit card.")
        self.inbox.ask_question(task_id, "Since when?")
        handled = []

        def on_question(question, task):
            handled.append(question.text)
            if len(handled) == 1:
                self.inbox.ask_question(task_id, "And the limit?")
            return "I looked it up."

        send_update = self.client._send_update
        failures = [Problem({"code": "unavailable", "detail": "Restarting."}, retry_after=0)]

        def unreliable(*args, **options):
            if failures:
                raise failures.pop()
            return send_update(*args, **options)

        self.client._send_update = unreliable
        future = self.threads.submit(lambda: self.client.wait(task_id, on_question=on_question))
        while self.inbox.tasks[0].waiting_for == "agent" or len(handled) < 2:
            threading.Event().wait(0.01)
        self.inbox.answer(task_id, "approve")
        future.result(10)
        self.assertEqual(handled, ["Since when?", "And the limit?"])

    def test_an_error_of_the_handler_ends_the_wait(self):
        def on_question(question, task):
            raise Problem({"code": "unavailable", "detail": "The model is not available."})

        async def slow(question, task):
            await asyncio.sleep(60)

        task_id = self.send()
        self.inbox.ask_question(task_id, "Which card?")
        with self.assertRaisesRegex(Problem, "The model"):
            self.client.wait(task_id, on_question=on_question)

        async def cancelled():
            await asyncio.wait_for(self.inbox.async_client.wait(task_id, on_question=slow), 0.05)

        with self.assertRaises(asyncio.TimeoutError):
            asyncio.run(cancelled())
        with self.assertRaises(WaitTimeout):
            self.client.wait(task_id, timeout=0.01)
        self.assertEqual(self.inbox.tasks[0].waiting_for, "agent")

    def test_an_answer_that_is_given_while_the_handler_runs_is_the_result(self):
        def on_question(question, task):
            self.inbox.answer(task.task_id, "approve")
            return "Too late."

        task_id = self.send()
        self.inbox.ask_question(task_id, "Which card?")
        self.assertEqual(self.client.wait(task_id, on_question=on_question).status, "handled")

    def test_a_reply_that_is_finished_after_the_deadline_is_sent_before_the_timeout(self):
        handled = []

        def on_question(question, task):
            handled.append(question.text)
            time.sleep(0.02)
            return "The debit card."

        async def slow(question, task):
            await asyncio.sleep(0.02)
            return "Since May."

        task_id = self.send()
        self.inbox.ask_question(task_id, "Which card?")
        for _ in range(2):
            with self.assertRaises(WaitTimeout) as raised:
                self.client.wait(task_id, timeout=0.01, on_question=on_question)
            self.assertIsNone(raised.exception.__cause__)
        self.inbox.ask_question(task_id, "Since when?")
        with self.assertRaises(WaitTimeout):
            asyncio.run(self.inbox.async_client.wait(task_id, timeout=0.01, on_question=slow))
        replies = [question.reply for question in self.inbox.tasks[0].questions]
        self.assertEqual((handled, replies), (["Which card?"], ["The debit card.", "Since May."]))

    def test_a_reply_that_is_finished_after_stop_is_sent(self):
        stop = threading.Event()

        def on_question(question, task):
            stop.set()
            return "The debit card."

        async def cancelled():
            async def cancelling(question, task):
                waiting.cancel()
                return "Since May."

            waiting = asyncio.create_task(self.inbox.async_client.wait(task_id, on_question=cancelling))
            await waiting

        task_id = self.send()
        first = self.inbox.ask_question(task_id, "Which card?")
        with self.assertRaises(WaitStopped):
            self.client.wait(task_id, stop=stop, on_question=on_question)
        second = self.inbox.ask_question(task_id, "Since when?")
        with self.assertRaises(asyncio.CancelledError):
            asyncio.run(cancelled())
        replies = [self.inbox.reply_to(question.question_id, timeout=2) for question in (first, second)]
        self.assertEqual(replies, ["The debit card.", "Since May."])

    def test_a_last_reply_that_fails_is_the_cause_of_the_timeout_and_is_not_repeated(self):
        stop = threading.Event()
        attempts = []

        def refused(method, path, **request):
            if method == "GET":
                return request_to_inbox(method, path, **request)
            attempts.append(path)
            raise Problem({"code": "unavailable", "detail": "Restarting."}, retry_after=60)

        def on_question(question, task):
            time.sleep(0.02)
            return "The debit card."

        def stopping(question, task):
            stop.set()
            return "The debit card."

        task_id = self.send()
        self.inbox.ask_question(task_id, "Which card?")
        request_to_inbox = self.client._transport.request
        with mock.patch.object(self.client._transport, "request", refused):
            with self.assertRaises(WaitTimeout) as timed_out:
                self.client.wait(task_id, timeout=0.01, on_question=on_question)
            with self.assertRaises(WaitStopped) as stopped:
                self.client.wait(task_id, stop=stop, on_question=stopping)
        causes = [raised.exception.__cause__.detail for raised in (timed_out, stopped)]
        self.assertEqual((causes, len(attempts)), (["Restarting."] * 2, 2))

    def test_an_approval_is_explained_but_shows_no_other_arguments(self):
        def refund(amount):
            return f"refunded {amount}"

        explained = require_approval(refund, client=self.client, on_question=lambda *_: "As invoiced.")
        future = self.threads.submit(explained, 129)
        task_id = self.inbox.next_task().task_id
        question = self.inbox.ask_question(task_id, "Why?")
        self.assertEqual(self.inbox.reply_to(question.question_id), "As invoiced.")
        self.inbox.answer(task_id, "approve")
        self.assertEqual(future.result(10), "refunded 129")
        revision = Reply("x", {"context": {"data": {"amount": 1}}})
        future = self.threads.submit(require_approval(refund, client=self.client, on_question=lambda *_: revision), 129)
        self.inbox.ask_question(self.inbox.next_task().task_id, "Why?")
        with self.assertRaisesRegex(TypeError, "must return a text"):
            future.result(10)


class Calls(ConversationTest):
    def code(self, call, *arguments, **options):
        with self.assertRaises(Problem) as raised:
            call(*arguments, **options)
        return (raised.exception.code, *[error.path for error in raised.exception.errors])

    def test_replies_and_revisions_are_checked_like_in_the_service(self):
        closed = self.client.send(**TASK, actions=ACTIONS).task_id
        self.assertEqual(self.code(self.inbox.ask_question, closed, "Why?"), ("conflict",))
        task_id = self.send(expires_in_seconds=60, on_expire={"actionId": "approve"})
        questions = [self.inbox.ask_question(task_id, text).question_id for text in ("Why?", "When?", "Where?")]
        self.assertEqual(self.code(self.inbox.ask_question, task_id, "Who?"), ("conflict",))
        self.assertEqual(self.code(self.client.reply, task_id, "qst_x", "Because."), ("invalid_request", "answers"))
        self.assertEqual(
            self.code(self.client.get, task_id, wait_seconds=1, after_question="qst_x"),
            ("invalid_request", "afterQuestion"),
        )
        revised = {"actions": [{"id": "a", "title": "A"}]}
        self.assertEqual(
            self.code(self.client.revise, task_id, revised, "New."), ("invalid_request", "revision.actions")
        )
        sent = self.client.reply(task_id, questions[0], "Because.", key="r")
        self.assertEqual((sent.revision, sent.open_questions), (1, questions[1:]))
        self.assertEqual(self.client.reply(task_id, questions[0], "Another."), sent)
        revision = {"task": {"name": "x"}}
        self.assertEqual(self.code(self.client.reply, task_id, questions[0], "C.", revision=revision), ("conflict",))
        for wrong in ({"name": "x"}, {"task": {"titel": "x"}}):
            self.assertEqual(self.code(self.client.revise, task_id, wrong, "C.")[0], "invalid_request")
        for message in ("", "x" * 2001):
            self.assertEqual(self.code(self.client.update, task_id, message), ("invalid_request", "message"))
        self.assertEqual(self.client.reply(task_id, questions[0], "Because.", key="r"), sent)
        self.assertEqual(self.code(self.client.reply, task_id, questions[0], "B.", key="r"), ("idempotency_conflict",))
        same = self.client.revise(task_id, {"task": {"name": TASK["name"]}}, "Nothing new.")
        self.assertEqual(same.revision, 1)
        self.assertEqual(self.client.revise(task_id, {"task": {"name": "x"}}, "New.").revision, 2)


if __name__ == "__main__":
    unittest.main()
