import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import {
  builtWheel,
  type Program,
  reasonWithoutPydantic,
  runUnitTests,
  startPython,
  wheelName,
} from '../support/python.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  createMigratedDatabase,
  startService,
  type TestService,
  type TestWorkspace,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
let workspace: TestWorkspace
let database: Awaited<ReturnType<typeof createMigratedDatabase>>
let environment: Record<string, string>

beforeAll(async () => {
  database = await createMigratedDatabase()
  // A fixed port and database, for a restart.
  environment = {
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    CALLBACK_ALLOW_CIDRS: '127.0.0.1/32',
  }
  service = await startService(environment)
  workspace = await service.workspace()
})
afterAll(async () => {
  await service?.stop()
  await database?.drop()
})

const start = (code: string, variables: Record<string, string> = {}) =>
  startPython(code, {
    HANDRAIL_URL: service.url,
    HANDRAIL_API_KEY: workspace.apiKey,
    HANDRAIL_WEBHOOK_SECRET: workspace.webhookSecret,
    ...variables,
  })

/** Waits until the agent has sent a task of this type. */
async function openTask(type: string): Promise<string> {
  return await vi.waitFor(
    async () => {
      const { body } = await workspace.owner.get(`/tasks?status=open&type=${type}`)
      expect(body.tasks).not.toEqual([])
      return body.tasks[0].taskId
    },
    { ...waitOptions, interval: 100 },
  )
}

async function answer(taskId: string, actionId: string, data: object = {}) {
  const { status, body } = await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId, data })
  expect(status, JSON.stringify(body)).toBe(200)
}

async function expectEnds(program: Program, ...texts: string[]) {
  expect(await program.exitCode, program.output).toBe(0)
  for (const text of texts) expect(program.output).toContain(text)
}

it('passes its own tests', async () => {
  expect(await runUnitTests('discover', '-t', '.', '-s', 'tests')).toMatch(/^Ran \d{2,} tests/m)
})

it('the service hands out the wheel of its version without a key', async () => {
  const url = `${service.url}/client/${wheelName}`
  const response = await fetch(url)
  const content = Buffer.from(await response.arrayBuffer())
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(content.equals(readFileSync(builtWheel))).toBe(true)
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.length)])
  const tag = response.headers.get('etag')!
  expect((await fetch(url, { headers: { 'if-none-match': tag } })).status).toBe(304)
  const missing = await fetch(`${service.url}/client/handrail-0.0.1-py3-none-any.whl`)
  expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'not_found' }])
})

describe.concurrent('an agent in Python', () => {
  it('sends a task, shows updates and receives the answer', async () => {
    const program = start(`
from handrail import Client, __version__
client = Client()
sent = client.send(
    type="py-send", name="Größe 漢字 🙂?", description="The parcel came back.", app="shop", version="1.2",
    priority="high", metadata={"order": 58213}, context={"data": {"order": 58213}},
    actions=[{"id": "approve", "title": "Approve"}], expires_in_seconds=3600,
)
assert sent.delivery == "poll" and sent.task_id in sent.url, sent
assert client.update(sent.task_id, "Checking the order", level="working", progress=40).startswith("upd_")
task = client.get(sent.task_id, include=["context", "updates"])
assert task.latest_update.message == "Checking the order" and task.raw["context"] == {"data": {"order": 58213}}
assert (task.name, task.app, task.version, task.priority) == ("Größe 漢字 🙂?", "shop", "1.2", "high"), task
assert task.expires_at > task.created_at
assert [found.task_id for found in client.list(type="py-send", status="open").tasks] == [sent.task_id]
assert [found.task_id for found in client.search(sent.task_id).tasks] == [sent.task_id]
assert client.feedback_analysis(type="py-send")["found"] is False
print("waiting")
task = client.wait(sent.task_id)
print(__version__, task.status, task.answer.action, task.answer.handled_by, task.metadata)
other = client.send(type="py-cancel", name="n", description="d", actions=[{"id": "ok", "title": "OK"}])
client.cancel(other.task_id, reason="Not needed.")
client.cancel(other.task_id)
print(client.wait(other.task_id).status)
`)
    await vi.waitFor(() => expect(program.output).toContain('waiting'), waitOptions)
    await answer(await openTask('py-send'), 'approve')
    const by = workspace.ownerEmail
    await expectEnds(program, `handled approve ${by} {'order': 58213}`, 'cancelled')
  })

  it('gets a typed answer from a form made of a dataclass', async () => {
    const program = start(`
import datetime, enum
from dataclasses import dataclass, field
from typing import List, Literal, Optional
from handrail import Client

class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"

@dataclass
class Line:
    text: str
    price: float = 0.0

@dataclass
class Decision:
    amount: float = field(metadata={"schema": {"title": "Amount in €", "maximum": 200}})
    day: datetime.date
    lines: List[Line]
    size: Size
    kind: Literal["full", "partial"] = "full"
    note: Optional[str] = None
    notify: bool = True

answer = Client().ask(type="py-ask", name="n", description="d", actions=[
    {"id": "approve", "title": "Approve", "schema": Decision}, {"id": "decline", "title": "Decline"}])
assert isinstance(answer.value, Decision)
print(answer.action, answer.value)
`)
    const taskId = await openTask('py-ask')
    const data = { amount: 5, day: '2026-11-16', lines: [{ text: 'a' }], size: 'large', notify: false }
    const tooMuch = await workspace.owner.post(`/tasks/${taskId}/handle`, {
      actionId: 'approve',
      data: { ...data, amount: 500 },
    })
    expect(tooMuch.status).toBe(400)
    await answer(taskId, 'approve', data)
    await expectEnds(
      program,
      "approve Decision(amount=5.0, day=datetime.date(2026, 11, 16), lines=[Line(text='a', price=0.0)]",
      'note=None, notify=False',
    )
  })

  it('gets a typed answer from a form made of a pydantic model', async ({ skip }) => {
    const reason = await reasonWithoutPydantic()
    if (reason) skip(reason)
    const program = start(`
import decimal, enum
from typing import List, Optional
from pydantic import BaseModel, Field
from handrail import Client

class Kind(str, enum.Enum):
    FULL = "full"
    PARTIAL = "partial"

class Line(BaseModel):
    text: str

class Decision(BaseModel):
    amount: float = Field(..., title="Amount in €", le=200)
    kind: Kind
    lines: List[Line] = []
    note: Optional[str] = None

answer = Client().ask(type="py-model", name="n", description="d", model=Decision)
assert isinstance(answer.value, Decision) and isinstance(answer.value.lines[0], Line)
print(answer.action, answer.value.amount, answer.value.kind is Kind.FULL, answer.value.lines[0].text)
`)
    await answer(await openTask('py-model'), 'submit', { amount: 5, kind: 'full', lines: [{ text: 'a' }] })
    await expectEnds(program, 'submit 5.0 True a')
  })

  it('is told what is wrong with a request, path by path, and that its key is wrong', async () => {
    const wrongKey = `${workspace.apiKey.slice(0, -1)}_`
    const program = start(
      `
import os
from handrail import Client, Problem
try:
    Client().send(type="no slug", name="", description="d", context={"order": 1}, actions=["approve"])
except Problem as problem:
    print(problem)
    print(problem.code, problem.status, len(problem.request_id) > 0, sorted(path for path, _ in problem.errors))
Client(api_key=os.environ["WRONG_KEY"]).me()
`,
      { WRONG_KEY: wrongKey },
    )
    expect(await program.exitCode).toBe(1)
    for (const text of ['invalid_request 400 True', 'task.name: ', 'task.type: ', 'actions[0]: '])
      expect(program.output).toContain(text)
    expect(program.output).toContain('handrail.errors.Problem: unauthenticated: ')
    expect(program.output).not.toContain(workspace.apiKey.slice(0, -1))
  })

  it('verifies a callback', async () => {
    const receiver = await startReceiver()
    const taskId = (
      await workspace.agent.post('/tasks', {
        task: { type: 'py-callback', name: 'Größe?', description: 'd' },
        actions: [{ id: 'ok', title: 'OK' }],
        callbackUrl: receiver.url,
      })
    ).body.taskId
    await answer(taskId, 'ok')
    const [received] = await receiver.calls(1)
    await receiver.stop()
    const program = start(
      `
import json, os
from handrail import WebhookNotVerified, verify_webhook
headers, body = json.loads(os.environ["RECEIVED"])
secret = os.environ["HANDRAIL_WEBHOOK_SECRET"]
event = verify_webhook(headers, body.encode(), secret)
print(event["type"], event["taskId"], event["action"]["id"])
try:
    verify_webhook(headers, body.replace("ok", "no"), secret)
except WebhookNotVerified as refused:
    print(refused)
`,
      { RECEIVED: JSON.stringify([received!.headers, received!.body]) },
    )
    await expectEnds(program, `service/task_handled ${taskId} ok`, 'No signature matches')
  })
})

describe.concurrent('a function that requires approval', () => {
  const refund = (type: string, orders = '58213') => `
from handrail import Denied, require_approval

@require_approval(type="${type}", key=lambda order, amount: f"${type}-{order}", editable=True)
def refund(order: int, amount: float) -> str:
    """Pays money back."""
    return f"refunded {amount} of {order}"

for order in [${orders}]:
    try:
        print(refund(order, 40.5))
    except Denied as denied:
        print("denied:", denied.reason, "by", denied.task.answer.handled_by)
`

  it('runs when a person approves, with the arguments they edited, not when they deny or reject it', async () => {
    const program = start(refund('py-approve', '58213, 58214, 58215'))
    const approved = await openTask('py-approve')
    const { body } = await workspace.agent.get(`/tasks/${approved}?include=context,actions`)
    expect(body).toMatchObject({ name: 'Refund?', context: { data: { order: 58213, amount: 40.5 } } })
    await answer(approved, 'approve', { order: 58213, amount: 30 })
    await answer(await openTask('py-approve'), 'deny', { reason: 'Ask for photos.' })
    await workspace.owner.post(`/tasks/${await openTask('py-approve')}/reject`, { feedback: 'Not yours.' })
    const by = workspace.ownerEmail
    await expectEnds(
      program,
      'refunded 30.0 of 58213',
      `denied: Ask for photos. by ${by}`,
      `denied: Not yours. by ${by}`,
    )
    expect(program.output).not.toMatch(/of 5821[45]/)
  })

  it('finds its task again when the process was killed meanwhile', async () => {
    const first = start(refund('py-restart'))
    const taskId = await openTask('py-restart')
    first.kill()
    expect(await first.exitCode).not.toBe(0)
    await answer(taskId, 'approve', { order: 58213, amount: 40.5 })
    await expectEnds(start(refund('py-restart')), 'refunded 40.5 of 58213')
    const { body } = await workspace.agent.get('/tasks?type=py-restart')
    expect(body.tasks).toHaveLength(1)
  })
})

it('a wait survives a restart of the service', async () => {
  const program = start(`
import asyncio
from handrail import AsyncClient

async def main():
    client = AsyncClient()
    actions = [{"id": "ok", "title": "OK"}]
    asks = [client.ask(type="py-outage", name="n", description="d", actions=actions) for _ in range(2)]
    print([answer.action for answer in await asyncio.gather(*asks)])

asyncio.run(main())
`)
  await expect
    .poll(async () => (await workspace.owner.get('/tasks?type=py-outage')).body.tasks.length)
    .toBe(2)
  await service.stop()
  service = await startService(environment)
  const { body } = await workspace.owner.get('/tasks?type=py-outage')
  for (const { taskId } of body.tasks) await answer(taskId, 'ok')
  await expectEnds(program, "['ok', 'ok']")
})
