import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Received, startReceiver } from '../support/receiver.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'

const run = promisify(execFile)
const python = process.env.PYTHON3_PATH ?? 'python3'

/** The snippets of a page in one language. */
function snippets(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]+?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code!,
  )
}

let service: TestService
let workspace: TestWorkspace
let receiver: Awaited<ReturnType<typeof startReceiver>>
let folder: string
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
  workspace = await service.workspace()
  folder = mkdtempSync(join(tmpdir(), 'handrail-snippets-'))
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
  rmSync(folder, { recursive: true })
})

/** Runs a snippet as it stands, except for the address, the key and the id of a task. */
async function shell(code: string, env: Record<string, string> = {}): Promise<string> {
  const adapted = code
    .replaceAll('http://127.0.0.1:3000', service.url)
    .replace('export HANDRAIL_API_KEY=hrl_…\n', '')
    .replace('tsk_…', env.TASK_ID ?? '')
  const variables = { PATH: process.env.PATH, HANDRAIL_API_KEY: workspace.apiKey, ...env }
  return (await run('sh', ['-ec', adapted], { cwd: folder, env: variables })).stdout
}

test('README.md: a task is created and its answer received with curl', async () => {
  const [create, wait] = snippets('README.md', 'sh').filter((code) => code.includes('curl '))
  const { taskId } = JSON.parse(await shell(create!))
  const answer = shell(wait!, { TASK_ID: taskId })
  const decline = { actionId: 'decline', data: { reason: 'Ask for photos first.' } }
  expect((await workspace.owner.post(`/tasks/${taskId}/handle`, decline)).status).toBe(200)
  const [documented] = snippets('README.md', 'json').map((text) => JSON.parse(text))
  const { handledBy, handledAt, ...handled } = documented.handled
  expect(JSON.parse(await answer)).toMatchObject({ status: documented.status, handled })
})

test('docs/people-and-keys.md: a script signs in with curl and calls a route that is only for people', async () => {
  const code = snippets('docs/people-and-keys.md', 'sh').find((text) => text.includes('curl '))!
  await shell(code, { HANDRAIL_URL: service.url, EMAIL: workspace.ownerEmail, PASSWORD: testPassword })
  const { groups } = (await workspace.owner.get('/groups')).body
  expect(groups).toMatchObject([{ slug: 'finance', name: 'Finance' }])
})

test('docs/widgets.md: the context of the example is accepted without a warning', async () => {
  const [context] = snippets('docs/widgets.md', 'json')
  const { status, body } = await workspace.agent.post('/tasks', {
    ...taskPayload(),
    context: JSON.parse(context!),
  })
  expect({ status, warnings: body.warnings }).toEqual({ status: 201 })
})

test('docs/widgets.md: an answer has the edits of the example', async () => {
  const [, documented] = snippets('docs/widgets.md', 'json')
  const prefill = (name: string) => ({ 'ui:options': { prefill: name } })
  const send = {
    id: 'send',
    title: 'Send',
    schema: { type: 'object', properties: { reply: { type: 'string' }, subject: { type: 'string' } } },
    ui: { reply: prefill('draft'), subject: prefill('subject') },
  }
  const { body } = await workspace.agent.post('/tasks', {
    ...taskPayload({ actions: [send] }),
    context: { data: { draft: 'It takes three days.', subject: 'Your refund' } },
  })
  const data = { reply: 'It takes five days.', subject: 'Your refund' }
  const answered = await workspace.owner.post(`/tasks/${body.taskId}/handle`, { actionId: 'send', data })
  expect(answered.body.handled.edits).toEqual(JSON.parse(documented!))
})

test('docs/when-people-ask-back.md: a question is answered with curl, and the task is revised', async () => {
  const [record, revision] = snippets('docs/when-people-ask-back.md', 'json').map((text) => JSON.parse(text))
  const { body } = await workspace.agent.post('/tasks', taskPayload({ acceptsQuestions: true }))
  const { kind, text } = record.questions[0]
  const ask = async () =>
    (await workspace.owner.post(`/tasks/${body.taskId}/questions`, { kind, text })).body.questionId
  const env = { HANDRAIL_URL: service.url, TASK_ID: body.taskId, QUESTION_ID: await ask() }
  const asked = (await workspace.agent.get(`/tasks/${body.taskId}`)).body
  expect(asked).toMatchObject({ status: record.status, waitingFor: record.waitingFor })
  expect(asked).toHaveProperty('waitingUntil')
  expect(Object.keys(asked.questions[0])).toEqual(Object.keys(record.questions[0]))
  const reply = await shell(snippets('docs/when-people-ask-back.md', 'sh')[0]!, env)
  expect(JSON.parse(reply)).toMatchObject({ revision: 1, openQuestions: [] })
  const revised = { ...revision, answers: await ask() }
  const sent = await workspace.agent.post(`/tasks/${body.taskId}/updates`, revised)
  expect(sent).toMatchObject({ status: 201, body: { revision: 2, openQuestions: [] } })
})

describe('docs/webhooks.md: the signature of a callback is verified', () => {
  let callback: Received
  beforeAll(async () => {
    const { taskId } = (await workspace.agent.post('/tasks', { ...taskPayload(), callbackUrl: receiver.url }))
      .body
    await workspace.owner.post(`/tasks/${taskId}/mark-done`)
    callback = (await receiver.calls(1))[0]!
  })

  test('in TypeScript', async () => {
    const client = JSON.stringify(new URL('../../dist/client/package-entry.js', import.meta.url).href)
    const source = snippets('docs/webhooks.md', 'ts')[0]!.replace("'handrail-client'", client)
    const compiled = ts.transpileModule(source, { compilerOptions: { module: 99, target: 10 } }).outputText
    const file = join(folder, 'receiver.mjs')
    // The function that continues the work is the reader's.
    writeFileSync(
      file,
      `${compiled}
const proceed = async (taskId, action) => console.log(action.id)
const { HEADERS, BODY } = process.env
const request = new Request('http://receiver.test', { method: 'POST', headers: JSON.parse(HEADERS), body: BODY })
console.log((await POST(request)).status)`,
    )
    const { stdout } = await run(process.execPath, [file], {
      env: {
        HEADERS: JSON.stringify(signatureHeaders()),
        BODY: callback.body,
        HANDRAIL_WEBHOOK_SECRET: workspace.webhookSecret,
      },
    })
    expect(stdout).toBe('service:mark-done\n204\n')
  })

  test('in Python', async () => {
    const check = `
import json, os
headers, body, secret = json.loads(os.environ["HEADERS"]), os.environ["BODY"].encode(), os.environ["SECRET"]
print(verify(headers, body, secret), verify(headers, body + b" ", secret))`
    const { stdout } = await run(python, ['-c', snippets('docs/webhooks.md', 'python')[0] + check], {
      env: {
        HEADERS: JSON.stringify(signatureHeaders()),
        BODY: callback.body,
        SECRET: workspace.webhookSecret,
      },
    })
    expect(stdout).toBe('True False\n')
  })

  test('with openssl', async () => {
    writeFileSync(join(folder, 'body.json'), callback.body)
    const stdout = await shell(snippets('docs/webhooks.md', 'sh')[0]!, {
      SECRET: workspace.webhookSecret,
      WEBHOOK_ID: callback.headers['webhook-id']!,
      WEBHOOK_TIMESTAMP: callback.headers['webhook-timestamp']!,
    })
    expect(callback.headers['webhook-signature']).toBe(`v1,${stdout.trim()}`)
  })

  const signatureHeaders = () =>
    Object.fromEntries(Object.entries(callback.headers).filter(([name]) => name.startsWith('webhook-')))
})
