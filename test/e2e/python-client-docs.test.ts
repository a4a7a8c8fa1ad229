import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { reasonWithoutPydantic, startPython, wheelName } from '../support/python.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'

const page = readFileSync(new URL('../../docs/python.md', import.meta.url), 'utf8')
const sections = page.split('\n## ').slice(1)
const programs = sections.flatMap((section) => {
  const title = section.split('\n', 1)[0]!
  return [...section.matchAll(/```python\n([\s\S]+?)```/g)].map(([, code]) => ({ title, code: code! }))
})

/** How a person answers the tasks of the page, by type. */
const answers: Record<string, { actionId: string; data?: object }> = {
  'refund-approval': { actionId: 'approve' },
  'refund-form': { actionId: 'refund', data: { amount: 100, pay_to: 'voucher' } },
  'find-contact': { actionId: 'submit', data: { name: 'Ana Lima', email: 'ana@example.com' } },
  'deploy-approval': { actionId: 'deploy' },
  'publish-approval': { actionId: 'publish' },
  refund: { actionId: 'approve', data: { order: 58213, amount: 150 } },
  'translation-review': { actionId: 'good' },
  'refund-question': { actionId: 'approve' },
  'page-review': { actionId: 'publish' },
  'label-image': { actionId: 'dog' },
  'callback-demo': { actionId: 'continue' },
}

let service: TestService
let workspace: TestWorkspace
let withoutPydantic: string | undefined

beforeAll(async () => {
  service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.1/32' })
  workspace = await service.workspace()
  withoutPydantic = await reasonWithoutPydantic()
  const runnable = programs
    .map(({ code }) => code)
    .filter((code) => !withoutPydantic || !code.includes('pydantic'))
  // This one finds the tasks of the others.
  const findsTasks = (code: string) => code.includes('feedback_analysis(')
  await runPrograms(runnable.filter((code) => !findsTasks(code)))
  await runPrograms(runnable.filter(findsTasks))
})
afterAll(() => service.stop())

async function answerOpenTasks() {
  const { body } = await workspace.owner.get('/tasks?status=open')
  for (const { taskId, type, latestUpdate, revision, questions = [] } of body.tasks) {
    // This program sends an update before it waits.
    if (type === 'translation-review' && !latestUpdate) continue
    if (type === 'refund-question' && revision === 1) {
      await askForChanges(taskId, questions)
      continue
    }
    const answer = { ...answers[type], revision }
    const { status, body: result } = await workspace.owner.post(`/tasks/${taskId}/handle`, answer)
    expect(status, `${type}: ${JSON.stringify(result)}`).toBe(200)
  }
}

/** First asks a question, then for changes, which the program answers with a revision. */
async function askForChanges(taskId: string, questions: { answer?: { message: string } }[]) {
  if (questions.some(({ answer }) => !answer)) return
  if (questions[0]) expect(questions[0].answer?.message).toContain('You asked "How?"')
  const kind = questions.length === 0 ? 'question' : 'changes'
  const { status } = await workspace.owner.post(`/tasks/${taskId}/questions`, { text: 'How?', kind })
  expect(status).toBe(201)
}

type Ended = { exitCode: number | null; output: string }
const ended = new Map<string, Ended>()

async function runProgram(code: string): Promise<void> {
  const port = String(await freePort())
  const program = startPython(code.replaceAll('8090', port), {
    HANDRAIL_URL: service.url,
    HANDRAIL_API_KEY: workspace.apiKey,
    HANDRAIL_WEBHOOK_SECRET: workspace.webhookSecret,
  })
  ended.set(code, { exitCode: await program.exitCode, output: program.output })
}

/** Runs programs of the page at the same time while a person answers their tasks. */
async function runPrograms(codes: string[]): Promise<void> {
  const running = Promise.all(codes.map(runProgram))
  await vi.waitFor(
    async () => {
      await answerOpenTasks()
      expect(codes.filter((code) => !ended.has(code))).toEqual([])
    },
    { timeout: 90_000, interval: 200 },
  )
  await running
}

/** In the order of the page. */
const expectedOutput = [
  ['Quickstart', '@example.com chose approve'],
  ['Forms', 'Refund €100.00 by voucher'],
  ['Forms', 'Ana Lima ana@example.com'],
  ['When nobody chooses one of your actions', 'Deploying'],
  ['Restarts', 'publish'],
  ['Approve a function call', 'Refunded €150.00 for order 58213'],
  ['Send now, wait later', 'handled good 7'],
  ['When people ask back', 'Approved revision 2'],
  ['Send many tasks', 'contact waits for an answer: http'],
  ['asyncio', 'dog\ndog\ndog'],
  ['Callbacks', '@example.com chose continue'],
  ['Find tasks and learn from the answers', 'About newsletters: 1'],
  ['Errors', 'invalid_request: '],
  ['Test your agent', 'OK'],
  ['Test your agent', 'OK'],
] as const

it('every program in docs/python.md has its expected output here', () => {
  expect(programs.map(({ title }) => title)).toEqual(expectedOutput.map(([title]) => title))
})

it.for(expectedOutput.map(([title, text], index) => ({ title, text, code: programs[index]?.code ?? '' })))(
  '$title: the program prints $text',
  ({ code, text }, { skip }) => {
    if (withoutPydantic && code.includes('pydantic')) skip(withoutPydantic)
    const { exitCode, output } = ended.get(code)!
    expect(exitCode, output).toBe(0)
    expect(output).toContain(text)
  },
)

it('the commands that install the client name the version of this service', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  for (const text of [page, readme])
    expect(text).toContain(`pip install http://127.0.0.1:3000/client/${wheelName}`)
})
