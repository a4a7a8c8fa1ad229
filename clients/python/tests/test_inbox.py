"""Agents under test: the test inbox with `ask`, `require_approval` and both clients."""

import asyncio
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import Optional

from handrail import Cancelled, Denied, Expired, Problem, WaitTimeout, require_approval
from handrail.records import task_from
from handrail.reviews import comparable_answer
from handrail.task_body import task_body
from handrail.testing import TestInbox

TASK = {"type": "refund", "name": "Refund €129?", "description": "Above my limit."}
ACTIONS = [{"id": "approve", "title": "Approve"}, {"id": "decline", "title": "Decline"}]


@dataclass
class Amount:
    amount: float


class InboxTest(unittest.TestCase):
    def setUp(self):
        self.inbox = TestInbox()
        self.threads = ThreadPoolExecutor()
        self.addCleanup(self.threads.shutdown)

    def outcome(self, agent, *answer, **data):
        """Runs the agent in a thread and answers its task."""
        future = self.threads.submit(agent)
        self.inbox.answer(self.inbox.next_task().task_id, *answer, data)
        return future.result(10)


class SendAll(InboxTest):
    def test_each_task_has_its_result_in_order(self):
        task = {**TASK, "actions": ACTIONS}
        tasks = [{**task, "key": "a"}, {**task, "actions": ["yes"]}, {**task, "key": "a"}, {**task, "key": "a", "app": "b"}]
        results = self.inbox.client.send_all(tasks)
        self.assertEqual(results[0].sent, results[2].sent)
        codes = [result.error and result.error.code for result in results]
        self.assertEqual(codes, [None, "invalid_request", None, "idempotency_conflict"])
        self.assertEqual(results[1].error.errors[0].path, "actions[0]")
        self.assertEqual(len(self.inbox.tasks), 1)

    def test_any_number_of_tasks_also_from_asyncio(self):
        tasks = ({**TASK, "actions": ACTIONS, "metadata": {"number": number}} for number in range(250))
        results = asyncio.run(self.inbox.async_client.send_all(tasks))
        self.assertEqual([result.sent.task_id for result in results], [task.task_id for task in self.inbox.tasks])
        self.assertEqual([task.metadata["number"] for task in self.inbox.tasks], list(range(250)))
        self.assertEqual(self.inbox.client.send_all([]), [])

    def test_who_may_answer_is_part_of_the_task(self):
        review = {"by": ["group:finance"], "needed": 2}
        self.assertEqual(task_body({**TASK, "actions": ACTIONS, "review": review})["review"], review)

    def test_a_task_may_require_a_human(self):
        task = {**TASK, "actions": ACTIONS, "require_human": True}
        self.assertIs(task_body(task)["requireHuman"], True)
        results = self.inbox.client.send_all([task])
        self.assertIsNone(results[0].error)
        self.assertTrue(self.inbox.client.send(**task).task_id)

    def test_an_unknown_argument_is_refused_before_anything_is_sent(self):
        with self.assertRaisesRegex(TypeError, "'callbackUrl'"):
            self.inbox.client.send_all([{**TASK, "actions": ACTIONS}, {**TASK, "callbackUrl": "https://x"}])
        self.assertEqual(self.inbox.tasks, [])


class Review(InboxTest):
    ana, ben, cem = "ana@example.com", "ben@example.com", "cem@example.com"

    def send(self, **more):
        properties = {"account": {"type": "string", "pattern": "^DE"}, "note": {"type": "string"}}
        pay = {"id": "pay", "title": "Pay", "schema": {"type": "object", "properties": properties}}
        sent = self.inbox.client.send(**TASK, actions=[pay, {"id": "hold", "title": "Hold"}], **more)
        return sent.task_id

    def test_a_task_ends_when_enough_people_have_given_the_same_answer(self):
        task_id = self.send(review={"needed": 2})
        future = self.threads.submit(lambda: self.inbox.client.wait(task_id))
        self.inbox.answer(task_id, "pay", {"account": "DE1", "note": "First"}, by=self.ana)
        self.inbox.answer(task_id, "pay", {"account": "DE2"}, by=self.ben)
        review = self.inbox.client.get(task_id).raw["review"]
        self.assertEqual(review, {"needed": 2, "onDecline": "end", "given": 2})
        with self.assertRaises(Problem) as raised:
            self.inbox.answer(task_id, "pay", {"account": "DE2"}, by=self.ben)
        self.assertEqual((raised.exception.code, raised.exception.status), ("already_answered", 409))
        self.inbox.answer(task_id, "pay", {"account": "DE1", "note": "Agreed"}, by=self.cem)
        task = future.result(10)
        self.assertEqual((task.answer.handled_by, task.answer.data["note"]), (self.ana, "First"))
        answers = task.raw["handled"]["answers"]
        self.assertEqual([answer["by"] for answer in answers], [self.ana, self.ben, self.cem])

    def test_one_rejection_ends_a_task_unless_rejections_are_collected(self):
        for on_decline, status in (("end", "handled"), ("collect", "open")):
            task_id = self.send(review={"needed": 2, "onDecline": on_decline})
            self.inbox.answer(task_id, "hold", by=self.ana)
            self.inbox.reject(task_id, "Wrong invoice.", by=self.ben)
            self.assertEqual(self.inbox.client.get(task_id).status, status)

    def test_collected_rejections_agree_whatever_their_feedback_says(self):
        task_id = self.send(review={"needed": 2, "onDecline": "collect"})
        self.inbox.reject(task_id, "Wrong invoice.", by=self.ana)
        self.inbox.reject(task_id, "Paid already.", by=self.ben)
        self.assertEqual(self.inbox.client.get(task_id).status, "handled")

    def test_an_admin_decides_a_deadlock_and_nobody_decides_before_it(self):
        task_id = self.send(review={"by": [self.ana, self.ben], "needed": 2})
        self.inbox.answer(task_id, "pay", by=self.ana)
        with self.assertRaisesRegex(Problem, "Only ana@example.com, ben@example.com may answer"):
            self.inbox.answer(task_id, "pay", by=self.cem)
        with self.assertRaisesRegex(Problem, "once everybody who may answer has"):
            self.inbox.answer(task_id, "hold", by=self.cem, decides_deadlock=True)
        self.inbox.answer(task_id, "hold", by=self.ben)
        self.assertEqual(self.inbox.client.get(task_id).status, "open")
        self.inbox.mark_done(task_id, by=self.cem, decides_deadlock=True)
        self.assertEqual(self.inbox.client.get(task_id).answer.handled_by, self.cem)

    def test_after_a_revision_everyone_answers_again(self):
        task_id = self.send(review={"needed": 2}, accepts_questions=True)
        self.inbox.answer(task_id, "hold", by=self.ana)
        self.inbox.client.revise(task_id, {"task": {"name": "Refund €100?"}}, "I took off the shipping.")
        self.assertEqual(self.inbox.client.get(task_id).raw["review"]["given"], 0)
        self.inbox.answer(task_id, "hold", by=self.ben)
        self.assertEqual(self.inbox.client.get(task_id).status, "open")
        self.inbox.answer(task_id, "hold", by=self.ana)
        self.assertEqual(self.inbox.client.get(task_id).status, "handled")

    def test_a_review_that_nobody_could_complete_is_refused(self):
        with self.assertRaisesRegex(Problem, "2 people must answer, but only 1 may. They need"):
            self.send(review={"by": [self.ana, self.ben], "notBy": [self.ben], "needed": 2})
        with self.assertRaisesRegex(Problem, "1 person must answer, but nobody may"):
            self.send(review={"by": [self.ana], "notBy": [self.ana]})

    def test_answers_agree_unless_they_differ_in_more_than_free_text(self):
        properties = {"reply": {"type": "string"}, "note": {"type": "string"}, "amount": {"type": "number"}}
        action = {
            **{"id": "send", "schema": {"type": "object", "properties": properties}},
            "ui": {"reply": {"ui:options": {"prefill": "mail.draft"}}},
        }
        context = {"mail": {"draft": "Dear Ana"}}
        agree = lambda one, other, context=context: (  # noqa: E731
            comparable_answer(action, one, context) == comparable_answer(action, other, context)
        )
        self.assertTrue(agree({"note": "a", "amount": 5}, {"amount": 5.0}))
        self.assertFalse(agree({"amount": 5}, {"amount": 6}))
        self.assertFalse(agree({"reply": "Dear Ana"}, {"reply": "Dear Ben"}))
        self.assertTrue(agree({"reply": "Dear Ana"}, {"reply": "Dear Ben"}, {}))


class Ask(InboxTest):
    def ask(self, **more):
        return self.inbox.client.ask(**TASK, **more)

    def test_the_answer_names_action_person_and_task(self):
        answer = self.outcome(lambda: self.ask(actions=ACTIONS), "decline")
        self.assertEqual((answer.action, answer.action_title, answer.data), ("decline", "Decline", {}))
        self.assertEqual((answer.handled_by, answer.decided_by), ("human@handrail.test", "human"))
        self.assertEqual(answer.task_id, self.inbox.tasks[0].task_id)
        self.assertIsNotNone(answer.handled_at.tzinfo)

    def test_an_answer_by_a_rule_or_the_deadline_names_no_person(self):
        self.inbox.client.send(**TASK, actions=ACTIONS)
        self.inbox.answer(self.inbox.tasks[0].task_id, "decline")
        record = self.inbox.tasks[0].raw
        self.assertIsNone(task_from(record).answer.rule_id)
        by_rule = {"handledBy": "service:rule", "decidedBy": "rule", "via": "rule", "ruleId": "rul_1"}
        task = task_from({**record, "handled": {**record["handled"], **by_rule}})
        self.assertEqual((task.answer.decided_by, task.answer.rule_id), ("rule", "rul_1"))
        self.assertTrue(str(Denied(task, "")).startswith("A standing rule denied"))
        at_deadline = {"handledBy": "service:timeout", "decidedBy": "timeout", "via": "timeout"}
        task = task_from({**record, "handled": {**record["handled"], **at_deadline}})
        self.assertTrue(str(Denied(task, "")).startswith("The deadline denied"))

    def test_the_value_is_an_instance_of_the_model_of_the_chosen_action(self):
        actions = [{"id": "approve", "title": "Approve", "schema": Amount}, {"id": "decline", "title": "Decline"}]
        answer = self.outcome(lambda: self.ask(actions=actions), "approve", amount=5)
        self.assertEqual((answer.value, answer.data), (Amount(5.0), {"amount": 5}))
        self.assertEqual(answer.parse(Amount), Amount(5.0))

    def test_the_task_can_be_shown_before_the_wait(self):
        created = []
        self.outcome(lambda: self.ask(actions=ACTIONS, on_created=created.append), "approve")
        for_async = lambda: asyncio.run(  # noqa: E731
            self.inbox.async_client.ask(**TASK, actions=ACTIONS, on_created=created.append)
        )
        self.outcome(for_async, "approve")
        self.assertEqual([sent.url for sent in created], [task.url for task in self.inbox.tasks])

    def test_a_model_alone_is_one_form(self):
        self.assertEqual(self.outcome(lambda: self.ask(model=Amount), "submit", amount=5).value, Amount(5.0))
        for wrong in ({}, {"model": Amount, "actions": ACTIONS}):
            with self.assertRaisesRegex(TypeError, "either actions, or a model"):
                self.ask(**wrong)

    def test_an_agent_stops_when_nobody_chose_one_of_its_actions(self):
        for end, error, text in [
            (lambda task_id: self.inbox.reject(task_id, "Ask on Monday."), Denied, "Ask on Monday."),
            (self.inbox.mark_done, Denied, "human@handrail.test denied 'Refund €129?'."),
            (self.inbox.expire, Expired, "at its deadline"),
            (lambda task_id: self.inbox.client.cancel(task_id, reason="Paid."), Cancelled, "Paid."),
        ]:
            future = self.threads.submit(lambda: self.ask(actions=ACTIONS))
            end(self.inbox.next_task().task_id)
            with self.assertRaises(error) as raised:
                future.result(10)
            self.assertIn(text, str(raised.exception))

    def test_a_deadline_answers_with_on_expire_unless_a_question_has_no_reply(self):
        held = dict(actions=ACTIONS, expires_in_seconds=3600, on_expire={"actionId": ACTIONS[1]["id"]})
        future = self.threads.submit(lambda: self.ask(**held))
        task = self.inbox.next_task()
        self.inbox.expire(task.task_id)
        answer = future.result(10)
        self.assertEqual((answer.action, answer.decided_by, answer.data), (ACTIONS[1]["id"], "timeout", {}))
        answer = self.inbox.client.get(task.task_id).answer
        self.assertEqual((answer.handled_by, answer.via), ("service:timeout", "timeout"))
        with self.assertRaisesRegex(Problem, "handled"):
            self.inbox.expire(task.task_id)
        asked = self.inbox.client.send(**TASK, **held, accepts_questions=True).task_id
        self.inbox.ask_question(asked, "Which card?")
        self.inbox.expire(asked)
        self.assertEqual(self.inbox.client.get(asked).status, "expired")

    def test_the_same_key_gives_the_same_task(self):
        self.outcome(lambda: self.ask(actions=ACTIONS, key="refund-1"), "approve")
        self.assertEqual(self.ask(actions=ACTIONS, key="refund-1").action, "approve")
        self.assertEqual(len(self.inbox.tasks), 1)
        with self.assertRaises(Problem) as raised:
            self.ask(actions=ACTIONS, key="refund-1", priority="high")
        self.assertEqual(raised.exception.code, "idempotency_conflict")

    def test_a_deadline_leaves_the_task_open(self):
        with self.assertRaises(WaitTimeout):
            self.ask(actions=ACTIONS, timeout=0.05)
        self.assertEqual(self.inbox.tasks[0].status, "open")


class Approval(InboxTest):
    def test_the_person_sees_the_arguments_and_the_call_runs_once(self):
        calls = []

        @require_approval(client=self.inbox.client, hide=["token"], app="shop")
        def send_refund(order: int, amount: float, *, token: str, note: Optional[str] = None):
            """Pays money back."""
            calls.append((order, amount, token))
            return "paid"

        self.assertEqual(self.outcome(lambda: send_refund(7, 5.5, token="secret"), "approve"), "paid")
        self.assertEqual(calls, [(7, 5.5, "secret")])
        task = self.inbox.tasks[0]
        self.assertEqual((task.type, task.name, task.app), ("send-refund", "Send refund?", "shop"))
        self.assertEqual(task.description, "Pays money back.")
        self.assertEqual(task.raw["context"]["data"], {"order": 7, "amount": 5.5, "note": None})

    def test_a_denied_call_does_not_run_and_says_why(self):
        @require_approval(client=self.inbox.client)
        def delete(path):
            raise AssertionError("must not run")

        with self.assertRaises(Denied) as raised:
            self.outcome(lambda: delete("/"), "deny", reason="Not in production.")
        self.assertEqual(raised.exception.reason, "Not in production.")
        future = self.threads.submit(lambda: delete(object()))
        task = self.inbox.next_task()
        self.assertIn("<object object", task.raw["context"]["data"]["path"])
        self.inbox.expire(task.task_id)
        with self.assertRaises(Expired):
            future.result(10)

    def test_a_person_may_edit_the_arguments(self):
        class Shop:
            @require_approval(client=self.inbox.client, editable=True)
            def refund(self, amount: float, to: Amount, note: Optional[str] = None, *, raw: object = None):
                return amount, to, note

        run = lambda: Shop().refund(5.0, Amount(1.0), "hello")  # noqa: E731
        self.assertEqual(
            self.outcome(run, "approve", amount=4, to={"amount": 2}), (4.0, Amount(2.0), None)
        )
        form = self.inbox.tasks[0].raw["actions"][0]["schema"]
        self.assertEqual(form["required"], ["amount", "to"])
        self.assertEqual(form["properties"]["amount"]["default"], 5.0)
        self.assertNotIn("raw", form["properties"])

    def test_every_call_can_be_approved_as_it_is(self):
        @dataclass
        class Place:
            street: str
            note: Optional[str] = None

        def book(at: datetime, to: Place, guest: int, note: str = "", tip: Optional[float] = None):
            return at, to, guest, note, tip

        call = (datetime(2026, 1, 1, 9), Place("A"), 2**60, "")
        approved = require_approval(book, client=self.inbox.client, editable=True, timeout=10)
        future = self.threads.submit(lambda: approved(*call))
        self.inbox.next_task()
        task = self.inbox.tasks[0]
        form = task.raw["actions"][0]["schema"]
        self.assertEqual(task.raw["context"]["data"]["guest"], str(2**60))
        self.assertEqual(list(form["properties"]), ["to", "note", "tip"])
        shown = {name: field["default"] for name, field in form["properties"].items() if field.get("default")}
        self.assertEqual(shown, {"to": {"street": "A"}})
        self.inbox.answer(task.task_id, "approve", shown)
        self.assertEqual(future.result(10), (*call, None))

    def test_a_restarted_process_finds_its_approval(self):
        def process():
            @require_approval(client=self.inbox.client, key=lambda order: f"refund-{order}")
            def refund(order):
                return f"refunded {order}"

            return refund

        self.outcome(lambda: process()(1), "approve")
        self.assertEqual(process()(1), "refunded 1")
        self.assertEqual(len(self.inbox.tasks), 1)

    def test_an_async_function_stays_async(self):
        for client in (self.inbox.client, self.inbox.async_client):

            @require_approval(client=client)
            async def refund(order: int):
                await asyncio.sleep(0)
                return order

            self.assertTrue(asyncio.iscoroutinefunction(refund))
            self.assertEqual(self.outcome(lambda: asyncio.run(refund(3)), "approve"), 3)
        with self.assertRaisesRegex(TypeError, "not async"):
            require_approval(lambda: None, client=self.inbox.async_client)

    def test_what_the_approval_sets_itself_is_refused(self):
        for given in ({"context": {"data": {"a": 1}}}, {"actions": ACTIONS}):
            with self.assertRaisesRegex(TypeError, "itself"):
                require_approval(client=self.inbox.client, **given)


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_many_waits_run_at_the_same_time(self):
        inbox = TestInbox()
        asks = [
            asyncio.create_task(inbox.async_client.ask(**TASK, actions=ACTIONS, key=f"refund-{number}"))
            for number in range(40)
        ]
        while len(inbox.tasks) < len(asks):
            await asyncio.sleep(0.01)
        for task in inbox.tasks:
            inbox.answer(task.task_id, "approve")
        self.assertEqual({answer.action for answer in await asyncio.gather(*asks)}, {"approve"})

    async def test_cancelling_a_wait_ends_its_thread_and_leaves_the_task_open(self):
        inbox = TestInbox()
        task_id = (await inbox.async_client.send(**TASK, actions=ACTIONS)).task_id
        waiting = asyncio.create_task(inbox.async_client.wait(task_id))
        while not waits():
            await asyncio.sleep(0.01)
        waiting.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await waiting
        while waits():
            await asyncio.sleep(0.01)
        self.assertEqual((await inbox.async_client.get(task_id)).status, "open")
        await inbox.async_client.cancel(task_id)
        self.assertEqual((await inbox.async_client.wait(task_id)).status, "cancelled")


def waits():
    return [thread for thread in threading.enumerate() if thread.name == "handrail-wait"]


if __name__ == "__main__":
    unittest.main()
