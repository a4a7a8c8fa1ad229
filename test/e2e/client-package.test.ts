import { execFile, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAgentFolder } from '../support/agent-folder.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
let service: TestService
let workspace: TestWorkspace
let folder: string

beforeAll(async () => {
  service = await startService()
  workspace = await service.workspace()
  // `npm install` itself is in connect-snippets.test.ts.
  folder = await createAgentFolder(service.url, ['zod', '@types/node', 'undici-types'])
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

const installed = (file: string) => readFileSync(join(folder, 'node_modules/handrail-client', file), 'utf8')

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

/** Runs a program of the folder with the address and the key in its environment. */
function start(args: string[]) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HANDRAIL_URL: service.url, HANDRAIL_API_KEY: workspace.apiKey },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    child,
    output: () => output,
    /** Its output, once it has ended without an error. */
    async result() {
      expect(await ended, output).toBe(0)
      return output
    },
    ended,
  }
}

async function openTaskId(): Promise<string> {
  let taskId: string | undefined
  await expect
    .poll(
      async () => {
        taskId = (await workspace.owner.get('/tasks?status=open&limit=1')).body.tasks[0]?.taskId
        return taskId
      },
      { interval: 100 },
    )
    .toBeDefined()
  return taskId!
}

/** Answers the open task as a person does. */
async function answer(actionId: string, data?: object): Promise<void> {
  const taskId = await openTaskId()
  const { status, body } = await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId, data })
  expect(status, JSON.stringify(body)).toBe(200)
}

type Compiler = 'TypeScript 6' | 'TypeScript 7'

/** The arguments of the compiler are options and files of the folder. Returns what it complains about. */
async function compile(version: Compiler, ...args: string[]): Promise<string> {
  const name = version === 'TypeScript 6' ? 'typescript' : 'typescript-native'
  const compiler = join(root, 'node_modules', name, 'bin/tsc')
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--target',
    'es2022',
  ]
  const failed = await run(process.execPath, [compiler, ...strict, ...args], { cwd: folder }).then(
    () => undefined,
    (error: { stdout: string }) => error,
  )
  return failed?.stdout ?? ''
}

describe('the service serves its client', () => {
  it('to anyone, with type, length and an ETag', async () => {
    const url = `${service.url}/client.tgz`
    const response = await fetch(url)
    const content = await response.arrayBuffer()
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(content.byteLength),
      'cache-control': 'public, no-cache',
    })
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.byteLength)])
    const etag = response.headers.get('etag')!
    expect((await fetch(url, { headers: { 'if-none-match': `"other", W/${etag}` } })).status).toBe(304)
  })

  it('below the path of PUBLIC_URL', async () => {
    const below = await startService({ PUBLIC_URL: 'http://handrail.test/inbox' })
    const response = await below.app.fetch(new Request('http://handrail.test/inbox/client.tgz'))
    expect(response.headers.get('content-type')).toBe('application/gzip')
    await below.stop()
  })

  it('in its own version, without dependencies, and less than 12 KB compressed', async () => {
    const manifest = JSON.parse(installed('package.json'))
    const { version } = await (await fetch(`${service.url}/health`)).json()
    expect(manifest).toMatchObject({ name: 'handrail-client', version })
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([])
    for (const extension of ['js', 'cjs']) {
      const files = new Set([`index.${extension}`])
      for (const file of files)
        for (const [, imported] of installed(file).matchAll(/(?:from |require\()"\.\/([^"]+)"/g))
          files.add(imported!)
      const size = [...files].reduce((total, file) => total + gzipSync(installed(file)).length, 0)
      expect(files.size).toBeLessThan(4)
      expect(size).toBeLessThan(12 * 1024)
    }
    for (const file of ['index.d.ts', 'testing.d.ts', 'index.d.cts', 'testing.d.cts'])
      expect(installed(file)).not.toMatch(/from '(?!\.\/index\.)|import\(/)
  })
})

const question = `{
  task: { type: 'refund', name: 'Refund?', description: 'The parcel came back.' },
  actions: [
    { id: 'approve', title: 'Approve', schema: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } } },
    { id: 'decline', title: 'Decline' },
  ],
}`
const connect = 'createClient({ baseUrl: process.env.HANDRAIL_URL, apiKey: process.env.HANDRAIL_API_KEY })'

describe('the installed client asks and receives the answer', () => {
  it('from CommonJS, with the test inbox', async () => {
    write(
      'common.cjs',
      `const { createClient, HandrailProblem } = require('handrail-client')
      const { createTestInbox } = require('handrail-client/testing')
      ${connect}.ask(${question}).then(async (answer) => {
        const refused = await createTestInbox().client.ask({ ...${question}, actions: [] }).catch((error) => error)
        console.log(answer.action, refused instanceof HandrailProblem, refused.code)
      })`,
    )
    const agent = start(['common.cjs'])
    await answer('decline')
    expect(await agent.result()).toBe('decline true invalid_request\n')
  })

  it('to run a function: it throws Denied with the reason, or runs after an approval', async () => {
    write(
      'deny.mjs',
      `import { createClient, Denied } from 'handrail-client'
      const handrail = ${connect}
      const calls = []
      const pay = handrail.requireApproval((to, amount) => calls.push([to, amount]), { type: 'payment' })
      for (let turn = 0; turn < 3; turn++)
        await pay('Ana', 129).then(
          () => console.log('paid', JSON.stringify(calls)),
          (error) => console.log(error instanceof Denied, error.reason, calls.length),
        )`,
    )
    const agent = start(['deny.mjs'])
    const { body } = await workspace.owner.get(`/tasks/${await openTaskId()}?include=context`)
    expect(body.context.data).toEqual({ argument1: 'Ana', argument2: 129 })
    await answer('deny', { reason: 'Too much.' })
    await expect.poll(agent.output).toContain('Too much.')
    const rejected = await workspace.owner.post(`/tasks/${await openTaskId()}/reject`, {
      feedback: 'Wrong team.',
    })
    expect(rejected.status).toBe(200)
    await expect.poll(agent.output).toContain('Wrong team.')
    await answer('approve')
    expect(await agent.result()).toBe('true Too much. 0\ntrue Wrong team. 0\npaid [["Ana",129]]\n')
  })

  it('until its time is up or it is aborted, and the task stays open', async () => {
    write(
      'stop.mjs',
      `import { createClient, WaitTimeout } from 'handrail-client'
      const handrail = ${connect}
      const late = await handrail.ask({ ...${question}, timeoutSeconds: 0.3 }).catch((error) => error)
      const stop = new AbortController()
      const onCreated = () => stop.abort(new Error('stopped'))
      const aborted = await handrail.ask({ ...${question}, signal: stop.signal, onCreated }).catch((error) => error)
      const { tasks } = await handrail.listTasks({ status: 'open' })
      console.log(late instanceof WaitTimeout, aborted.message, tasks.length, tasks.some(({ taskId }) => taskId === late.taskId))
      for (const { taskId } of tasks) await handrail.cancelTask(taskId)`,
    )
    expect(await start(['stop.mjs']).result()).toBe('true stopped 2 true\n')
  })

  it('after its program was killed and started again with the same key', async () => {
    write(
      'restart.mjs',
      `import { createClient } from 'handrail-client'
      const onCreated = ({ taskId }) => console.log(taskId)
      const answer = await ${connect}.ask({ ...${question}, key: 'refund-58213', onCreated })
      console.log(answer.action)`,
    )
    const first = start(['restart.mjs'])
    await expect.poll(first.output).toContain('tsk_')
    first.child.kill('SIGKILL')
    await first.ended
    const taskId = await openTaskId()
    await answer('decline')
    expect(await start(['restart.mjs']).result()).toBe(`${taskId}\ndecline\n`)
  })
})

const typedAgent = `
const handrail = createClient({ baseUrl: 'https://handrail.example', apiKey: 'hrl_' })
export async function refund(): Promise<number | string> {
  const answer = await handrail.ask({
    task: { type: 'refund', name: 'n', description: 'd' },
    actions: [
      {
        id: 'approve', title: 'Approve',
        schema: {
          type: 'object', required: ['amount', 'by'],
          properties: { amount: { type: 'number' }, by: { enum: ['card', 'cash'] }, note: { type: 'string' } },
        },
      },
      { id: 'wait', title: 'Wait', schema: standard },
      { id: 'decline', title: 'Decline' },
    ],
  })
  // @ts-expect-error: no such action
  if (answer.action === 'aprove') return ''
  if (answer.action === 'approve') {
    const by: 'card' | 'cash' = answer.data.by
    const note: string | undefined = answer.data.note
    // @ts-expect-error: no such field
    answer.data.amout
    return answer.data.amount + by.length + (note?.length ?? 0)
  }
  if (answer.action === 'wait') return answer.data.days.toFixed()
  // @ts-expect-error: this action has no form
  answer.data.reason
  return answer.handledBy.toUpperCase()
}
// @ts-expect-error: a task has a name
void handrail.ask({ task: { type: 't', description: 'd' }, actions: [{ id: 'a', title: 'A' }] })
export const approved: (order: string, amount: number) => Promise<boolean> = handrail.requireApproval(
  async (order: string, amount: number) => order.length > amount,
  { type: 'refund', name: (order, amount) => order.toUpperCase() + amount.toFixed() },
)
// @ts-expect-error: the amount is a number
void approved('58213', '129')
export const reason = (error: unknown): string => (error instanceof Denied ? error.reason : '')
export const same: typeof handrail = createTestInbox().client
export const handledBy = async () => {
  const event = await verifyWebhook(new Headers(), '', 'whsec_')
  return event.type === 'service/task_handled' ? event.handledBy.toUpperCase() : ''
}
export const sent: Promise<SendResult[]> = handrail.sendAll([], { signal: new AbortController().signal })
export const record: Promise<TaskRecord> = handrail.waitForAnswer('tsk_', { timeoutSeconds: 5 })
`
const typedImports = `import { createClient, Denied, verifyWebhook, type SendResult, type StandardSchema, type TaskRecord } from 'handrail-client'
import { createTestInbox } from 'handrail-client/testing'
declare const standard: StandardSchema<{ days: number }>`

describe('the installed client has types', () => {
  const libraries = ['--noEmit', '--lib', 'es2023,dom,dom.iterable']
  // Our declarations are checked, TypeScript's own are not.
  const declarations = ['--skipLibCheck', 'false', '--skipDefaultLibCheck']

  it.each([
    [
      'TypeScript 6',
      'node16, from ES modules and CommonJS',
      ['--module', 'node16'],
      ['typed.mts', 'typed.cts'],
    ],
    // TypeScript 7 takes a quarter of the time.
    ['TypeScript 7', 'bundler', ['--module', 'esnext', '--moduleResolution', 'bundler'], ['typed.mts']],
  ] as const)('for %s and module resolution %s', async (version, _, resolution, files) => {
    for (const file of files) write(file, `${typedImports}\n${typedAgent}`)
    expect(await compile(version, ...libraries, ...declarations, ...resolution, ...files)).toBe('')
  })
})

describe('the examples in docs/typescript.md and README.md work', () => {
  const page = ['docs/typescript.md', 'README.md']
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n')
  const blocks = new Map(
    [...page.matchAll(/^```(?:ts|js) (\S+)\n([\s\S]+?)^```$/gm)].map(([, name, text]) => [name!, text!]),
  )
  const compiled = (name: string) => name.replace(/ts$/, 'js')

  beforeAll(async () => {
    write('package.json', '{"type":"module"}')
    for (const [name, text] of blocks) write(name, text.replace('http://127.0.0.1:3000', service.url))
    const sources = [...blocks.keys()].filter((name) => /\.m?ts$/.test(name))
    const options = ['--skipLibCheck', '--types', 'node', '--lib', 'es2023', '--module', 'nodenext']
    expect(await compile('TypeScript 7', ...options, ...sources)).toBe('')
  })

  const answers: [name: string, actionId: string, data: object | undefined, expectedOutput: string][] = [
    ['agent.mjs', 'approve', { amount: 100 }, 'approved €100.'],
    ['agent.mjs', 'decline', undefined, 'declined.'],
    ['refund.mts', 'approve', { amount: 150 }, 'Refund €150, says OWNER.'],
    ['refund.mts', 'decline', undefined, 'No refund, says OWNER.'],
    ['zod.ts', 'send', { text: 'Hello', to: 'ana@example.com' }, 'Sending to ana@example.com.'],
    ['approval.ts', 'deny', { reason: 'Not today.' }, 'Not deleted: Not today.'],
    ['separately.ts', 'deploy', undefined, 'Deploy!'],
  ]
  it.each(answers)('%s, answered with %s', async (name, actionId, data, expectedOutput) => {
    const agent = start([compiled(name)])
    const taskId = await openTaskId()
    // This agent sends an update first, which an answered task would not accept.
    if (name === 'separately.ts')
      await expect
        .poll(async () => (await workspace.owner.get(`/tasks/${taskId}`)).body.latestUpdate)
        .toBeDefined()
    await answer(actionId, data)
    expect(await agent.result()).toContain(expectedOutput.replace('OWNER', workspace.ownerEmail))
  })

  it('asked-back.ts replies to a question, revises its task and is answered', async () => {
    const agent = start([compiled('asked-back.ts')])
    const taskId = await openTaskId()
    for (const [kind, revision] of [
      ['question', 1],
      ['changes', 2],
    ] as const) {
      const asked = await workspace.owner.post(`/tasks/${taskId}/questions`, { text: 'How?', kind })
      expect(asked.status).toBe(201)
      await expect
        .poll(async () => (await workspace.owner.get(`/tasks/${taskId}`)).body)
        .toMatchObject({ waitingFor: 'person', revision })
    }
    const { questions } = (await workspace.owner.get(`/tasks/${taskId}`)).body
    expect(questions).toMatchObject([
      { answer: { message: expect.stringContaining('You asked "How?"') } },
      { answer: { message: 'I took off the shipping.' } },
    ])
    const approve = { actionId: 'approve', revision: 2 }
    expect(await workspace.owner.post(`/tasks/${taskId}/handle`, approve)).toMatchObject({ status: 200 })
    expect(await agent.result()).toContain('approved revision 2.')
  })

  it('many.ts creates all of its tasks', async () => {
    expect((await start(['many.js']).result()).match(/^\w+ waits for an answer: http/gm)).toHaveLength(3)
    for (let count = 0; count < 3; count++) await answer('publish')
  })

  const agentTests = [
    ['refund.test.ts', 'refunds after an approval'],
    ['payment.test.ts', 'an admin decides if they disagree'],
  ] as const
  it.each(agentTests)('%s, the test of an agent, passes', async (name, title) => {
    expect(await start([compiled(name)]).result()).toContain(title)
  })

  it('every example is run here', () => {
    const tested = ['asked-back.ts', 'many.ts', ...[...agentTests, ...answers].map(([name]) => name)]
    expect([...blocks.keys()].filter((name) => !tested.includes(name))).toEqual([])
    expect(page.match(/^```(?:ts|js)\b/gm)).toHaveLength(blocks.size)
  })
})
