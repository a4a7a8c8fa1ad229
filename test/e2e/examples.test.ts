import { execFile, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let service: TestService
let workspace: TestWorkspace

beforeAll(async () => {
  service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.1/32' })
  workspace = await service.workspace()
})
afterAll(() => service.stop())

type ExpectedAnswer = { actionId: string; data?: object; revision?: number; expectedOutput: string }
const answers = new Map<string, ExpectedAnswer>([
  ['by-wait', { actionId: 'approve', data: { amount: 100 }, expectedOutput: 'approved €100' }],
  ['by-poll', { actionId: 'answer', data: { name: 'Amara Osei' }, expectedOutput: 'It is Amara Osei.' }],
  ['by-callback', { actionId: 'deploy', expectedOutput: 'Deploying, as' }],
  ['by-stream', { actionId: 'approve', revision: 2, expectedOutput: 'Starting, as' }],
])

it('every example has an answer here', () => {
  const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.ts'))
  expect(files.map((file) => file.slice(0, -3)).sort()).toEqual([...answers.keys()].sort())
})

/** What `npm run example` runs. One test runs the script itself: it takes ten times as long as an example. */
function programOf(name: string): string {
  if (name === 'by-wait') return join(root, 'scripts/example.mjs')
  const { outputText } = ts.transpileModule(readFileSync(join(root, `examples/${name}.ts`), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  })
  const program = join(root, `dist/examples/${name}.js`)
  mkdirSync(join(root, 'dist/examples'), { recursive: true })
  // One of them polls every three seconds, which the test would wait for three times.
  writeFileSync(program, outputText.replace('sleep(3_000)', 'sleep(100)'))
  return program
}

it.each([...answers])(
  'the example %s prints the URL of its task, replies to questions and gets its answer',
  async (name, { expectedOutput, revision = 1, ...answer }) => {
    const child = spawn(process.execPath, [programOf(name), name], {
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME, HANDRAIL_URL: service.url },
        HANDRAIL_API_KEY: workspace.apiKey,
        HANDRAIL_WEBHOOK_SECRET: workspace.webhookSecret,
      },
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await expect.poll(() => output).toContain('Waiting for a human')
    const taskId = /tsk_\w+/.exec(output)?.[0]
    expect(output).toContain(`${service.url}/w/`)
    const expectReply = async (kind: string, expected: object) => {
      const asked = { text: 'Count per minute, too.', kind }
      expect((await workspace.owner.post(`/tasks/${taskId}/questions`, asked)).status).toBe(201)
      await expect
        .poll(async () => (await workspace.owner.get(`/tasks/${taskId}`)).body)
        .toMatchObject({ waitingFor: 'person', ...expected })
    }
    await expectReply('question', { revision: 1, questions: [{ answer: {} }] })
    await expectReply('changes', { revision, questions: [{ answer: {} }, { answer: {} }] })
    const handled = await workspace.owner.post(`/tasks/${taskId}/handle`, { ...answer, revision })
    expect(handled.status).toBe(200)
    expect(await ended, output).toBe(0)
    expect(output).toContain(expectedOutput)
  },
)

it('handrail/client and handrail/testing have types for users of the package', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-consumer-'))
  try {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/handrail'))
    writeFileSync(
      join(folder, 'agent.ts'),
      `import { createClient, waitForAnswer, verifyWebhook, type TaskRecord } from 'handrail/client'
      import { createTestInbox } from 'handrail/testing'
      const client = createClient({ baseUrl: 'https://handrail.example', apiKey: 'hrl_' })
      export const task: Promise<TaskRecord> = waitForAnswer(client, 'tsk_')
      export const sameShape: typeof client = createTestInbox().client
      // @ts-expect-error: a task has a name
      void client.createTask({ task: { type: 't', description: 'd' }, actions: [{ id: 'a', title: 'A' }] })
      export const handledBy = async () => {
        const event = await verifyWebhook(new Headers(), '', 'whsec_')
        return event.type === 'service/task_handled' ? event.handledBy.toUpperCase() : ''
      }`,
    )
    const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
    const flags = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
      '--skipLibCheck',
      'false',
      '--skipDefaultLibCheck', // our declarations, not TypeScript's own
      '--checkers',
      '1',
    ]
    const run = promisify(execFile)(process.execPath, [tsc, ...flags, 'agent.ts'], { cwd: folder })
    expect(await run.catch((failed) => failed.stdout)).toMatchObject({ stdout: '' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
