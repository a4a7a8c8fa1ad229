"""What the test inbox stores and refuses."""

import unittest
from datetime import datetime

from handrail import Problem

from .test_inbox import ACTIONS, TASK, InboxTest


class Inbox(InboxTest):
    def test_refuses_what_the_service_would_refuse(self):
        with self.assertRaises(Problem) as raised:
            self.inbox.client.send(type="a b", name=" ", description="", actions=["approve"], context={"order": 1})
        self.assertEqual(
            [path for path, _ in raised.exception.errors],
            ["task.name", "task.description", "task.type", "context.data", "actions[0]"],
        )
        schema = {
            **{"type": "object", "required": ["amount"]},
            "properties": {"amount": {"type": "number", "maximum": 129}, "kind": {"enum": ["full"]}},
        }
        actions = [{"id": "approve", "title": "Approve", "schema": schema}]
        task_id = self.inbox.client.send(**TASK, actions=actions).task_id
        for data in ({}, {"amount": 500}, {"amount": "5"}, {"amount": True}, {"amount": 5, "kind": "x"}, {"other": 1}):
            with self.subTest(data), self.assertRaises(Problem):
                self.inbox.answer(task_id, "approve", data)
        with self.assertRaisesRegex(Problem, "This task has: approve"):
            self.inbox.answer(task_id, "refuse")
        self.inbox.answer(task_id, "approve", {"amount": 5, "kind": "full"})
        with self.assertRaisesRegex(Problem, "handled"):
            self.inbox.mark_done(task_id)

    def test_get_list_search_and_update(self):
        client = self.inbox.client
        first = client.send(**TASK, actions=ACTIONS, app="shop", context={"data": {"order": 1}}).task_id
        second = client.send(**{**TASK, "name": "Answer Ana"}, actions=ACTIONS).task_id
        self.assertEqual([task.task_id for task in client.list().tasks], [second, first])
        self.assertEqual([task.task_id for task in client.list(app="shop", status="open").tasks], [first])
        self.assertEqual([task.task_id for task in client.search("ana").tasks], [second])
        client.update(first, "Checking", level="working", progress=50)
        task = client.get(first, include=["context", "updates"])
        self.assertEqual((task.latest_update.message, task.latest_update.progress), ("Checking", 50))
        self.assertEqual((task.raw["context"], len(task.raw["updates"])), ({"data": {"order": 1}}, 1))
        self.assertNotIn("context", client.get(first).raw)
        self.assertFalse(client.feedback_analysis(type="refund")["found"])
        with self.assertRaisesRegex(Problem, "no such task"):
            client.get("tsk_none")

    def test_pages_end_with_the_oldest_task_and_keep_to_the_times(self):
        client = self.inbox.client
        ids = [client.send(**TASK, actions=ACTIONS).task_id for _ in range(5)]
        pages, cursor = [], None
        while not pages or cursor:
            page = client.list(limit=2, cursor=cursor)
            pages.append([ids.index(task.task_id) for task in page.tasks])
            cursor = page.next_cursor
        self.assertEqual(pages, [[4, 3], [2, 1], [0]])
        later = "2099-01-01T00:00:00Z"
        self.assertEqual(len(client.list(created_after=later).tasks), 0)
        self.assertEqual(len(client.list(created_before=later).tasks), 5)

    def test_records_say_what_the_records_of_the_service_say(self):
        ui = {"reply": {"ui:options": {"prefill": "draft"}}, "to": {"ui:options": {"prefill": "contact.email"}}}
        form = {"type": "object", "properties": {"reply": {"type": "string"}, "to": {"type": "string"}}}
        task_id = self.inbox.client.send(
            **TASK,
            actions=[{"id": "send", "title": "Send", "schema": form, "ui": ui}],
            context={"data": {"draft": "Dear Ana", "contact": {"email": "ana@example.com"}}},
            expires_in_seconds=3600,
            assign_to="Ben@example.com",
        ).task_id
        task = self.inbox.client.get(task_id)
        self.assertEqual(round((task.expires_at - task.created_at).total_seconds()), 3600)
        self.assertEqual(task.raw["assignedTo"], "ben@example.com")
        with self.assertRaisesRegex(Problem, "feedback"):
            self.inbox.reject(task_id, " ")
        self.inbox.answer(task_id, "send", {"reply": "Hello Ana", "to": "ana@example.com"})
        answer = self.inbox.client.get(task_id).answer
        self.assertEqual(
            [(edit.field, edit.source, edit.changed, edit.before, edit.after) for edit in answer.edits],
            [("reply", "draft", True, "Dear Ana", "Hello Ana"), ("to", "contact.email", False, None, None)],
        )
        with self.assertRaises(Problem) as raised:
            self.inbox.client.cancel(task_id)
        problem = raised.exception
        self.assertEqual((problem.task_status, problem.action_id), ("handled", "send"))
        self.assertEqual((problem.handled_by, problem.handled_at), ("human@handrail.test", task_at(answer)))

    def test_what_is_not_json_is_refused_as_over_http(self):
        for wrong in (datetime.now(), {1, 2}, b"x", float("nan"), "\ud83d"):
            with self.subTest(wrong), self.assertRaises((TypeError, ValueError)):
                self.inbox.client.send(**TASK, actions=ACTIONS, context={"data": {"value": wrong}})
        sent = self.inbox.client.send(**TASK, actions=ACTIONS, metadata={"rows": (1, 2)})
        self.assertEqual(self.inbox.client.get(sent.task_id).metadata, {"rows": [1, 2]})

    def test_refuses_choices_and_defaults_that_the_service_refuses(self):
        form = {"type": "object", "required": ["why"], "properties": {"why": {"type": "string"}}}
        hold = [{"id": "hold", "title": "Hold", "schema": form}]
        default = {"expires_in_seconds": 3600, "on_expire": {"actionId": "hold"}}
        for path, wrong in {
            "onExpire.data.why": {"actions": hold, **default},
            "expiresInSeconds": {"expires_in_seconds": 5},
            "priority": {"priority": "HIGH"},
            "callbackUrl": {"delivery": "callback"},
            "task.name": {"name": "x" * 201},
        }.items():
            with self.subTest(path), self.assertRaises(Problem) as raised:
                self.inbox.client.send(**{**TASK, "actions": ACTIONS, **wrong})
            self.assertEqual([error.path for error in raised.exception.errors], [path])


def task_at(answer):
    return answer.handled_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


if __name__ == "__main__":
    unittest.main()
