import { expect, expectTypeOf, it, vi } from 'vitest'
import type { CreateTask } from '../contract/create-task.ts'
import type { CreateTasks, TaskResult, TasksCreated } from '../contract/task-batch.ts'
import { HandrailProblem } from './problem.ts'
import { type SendResult, sendAll } from './send-all.ts'
import { createTestInbox } from './testing.ts'

const task = (name: string, more: Partial<CreateTask> = {}): CreateTask => ({
  task: { type: 'refund', name, description: 'The lid arrived broken.' },
  actions: [{ id: 'approve', title: 'Approve' }],
  ...more,
})

/**
 * A service that responds to the calls in turn, the last time for ever. `sent` has the tasks of
 * each call.
 */
function serviceThat(...responses: (TaskResult[] | HandrailProblem | undefined)[]) {
  const sent: CreateTask[][] = []
  return {
    sent,
    async createTasks({ tasks }: CreateTasks, signal?: AbortSignal): Promise<TasksCreated> {
      signal?.throwIfAborted()
      const response = responses[Math.min(sent.push(tasks), responses.length) - 1]
      if (response instanceof HandrailProblem) throw response
      return { results: response ?? tasks.map(created) }
    },
  }
}
const created = ({ task: { name } }: CreateTask): TaskResult => ({
  status: 201,
  task: { taskId: `tsk_${name}`, delivery: 'poll', url: '' },
})
const failure = (code: HandrailProblem['code'], status: number) => ({
  ...{ type: 'about:blank', title: code, status, code, detail: code, requestId: 'req_1' },
})
const problem = (code: HandrailProblem['code'], status: number) =>
  new HandrailProblem(failure(code, status), { retryAfterSeconds: 0 })
const names = (batch: CreateTask[] = []) => batch.map((one) => one.task.name)
const taskIds = (results: SendResult[]) => results.map((result) => result.task?.taskId ?? result.error?.code)

it('returns a task or an error for each, in order, also with the test inbox', async () => {
  const inbox = createTestInbox()
  const tasks = Array.from({ length: 250 }, (_, index) => task(`Task ${index}`))
  const results = await inbox.client.sendAll([
    ...tasks,
    task('bad', { actions: [] }),
    ...[1, 2].map(() => task('twice', { idempotencyKey: 'k' })),
  ])
  const [last, again] = [results.pop()!, results.pop()!]
  expect(last).toEqual(again)
  expect(results.pop()!.error).toMatchObject({ code: 'invalid_request', errors: [{ path: 'actions' }] })
  expect(results.map((result) => result.task?.taskId)).toEqual(
    inbox.tasks.slice(0, 250).map(({ taskId }) => taskId),
  )
  expect(inbox.tasks).toHaveLength(251)
  expectTypeOf(results[0]!.error).toEqualTypeOf<HandrailProblem | undefined>()
  expect(await inbox.client.sendAll([])).toEqual([])
})

it('sends at most 100 tasks and 1 MiB per request', async () => {
  const service = serviceThat(undefined)
  const large = task('é', { metadata: { text: 'é'.repeat(300_000) } })
  const results = await sendAll(service, [large, large, ...Array(150).fill(task('small'))])
  expect(service.sent.map((tasks) => tasks.length)).toEqual([1, 100, 51])
  for (const tasks of service.sent)
    expect(new TextEncoder().encode(JSON.stringify({ tasks })).length).toBeLessThanOrEqual(1024 * 1024)
  expect(results).toHaveLength(152)
})

it('repeats a lost request with the same keys, and keeps those of the caller', async () => {
  const service = serviceThat(problem('unavailable', 0), problem('rate_limited', 429), undefined)
  const tasks = [task('a'), task('b', { idempotencyKey: 'mine' })]
  expect(taskIds(await sendAll(service, tasks))).toEqual(['tsk_a', 'tsk_b'])
  expect(service.sent).toHaveLength(3)
  expect(service.sent[1]).toEqual(service.sent[0])
  expect(service.sent[2]).toEqual(service.sent[0])
  const [a, b] = service.sent[0]!
  expect([a!.idempotencyKey, b!.idempotencyKey]).toEqual([expect.stringMatching(/^[\w-]{36}$/), 'mine'])
  expect(tasks[0]).not.toHaveProperty('idempotencyKey')
})

it('repeats only the tasks that may succeed later, and returns their error if they never do', async () => {
  vi.useFakeTimers()
  const unavailable: TaskResult = { status: 503, problem: failure('unavailable', 503) }
  const invalid: TaskResult = { status: 400, problem: failure('invalid_request', 400) }
  const tasks = [task('a'), task('b'), task('c')]
  const recovers = serviceThat([created(tasks[0]!), unavailable, invalid], undefined)
  const recovered = sendAll(recovers, tasks)
  const never = serviceThat([created(tasks[0]!), unavailable, invalid], [unavailable])
  const failed = sendAll(never, tasks)
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  expect(taskIds(await recovered)).toEqual(['tsk_a', 'tsk_b', 'invalid_request'])
  expect(recovers.sent.map(names)).toEqual([['a', 'b', 'c'], ['b']])
  expect(taskIds(await failed)).toEqual(['tsk_a', 'unavailable', 'invalid_request'])
  expect(never.sent).toHaveLength(5)
})

it('splits a batch that is refused as a whole, so that one task does not affect the others', async () => {
  const service = serviceThat()
  const refusing = {
    sent: service.sent,
    async createTasks(input: CreateTasks) {
      const response = await service.createTasks(input)
      if (input.tasks.some((one) => one.task.name === 'bad')) throw problem('invalid_request', 400)
      return response
    },
  }
  const results = await sendAll(
    refusing,
    ['a', 'b', 'bad', 'c', 'd'].map((name) => task(name)),
  )
  expect(taskIds(results)).toEqual(['tsk_a', 'tsk_b', 'invalid_request', 'tsk_c', 'tsk_d'])
})

it('does not send the rest after a request failed, and keeps what was created', async () => {
  const service = serviceThat(undefined, problem('unauthenticated', 401))
  const results = await sendAll(service, Array(350).fill(task('a')))
  expect(service.sent).toHaveLength(2)
  expect(taskIds(results)).toEqual([...Array(100).fill('tsk_a'), ...Array(250).fill('unauthenticated')])
})

it('stops when it is aborted', async () => {
  const stop = new AbortController()
  const service = serviceThat(undefined)
  const stopping = {
    createTasks: (input: CreateTasks, signal?: AbortSignal) => {
      const response = service.createTasks(input, signal)
      stop.abort(new Error('stopped'))
      return response
    },
  }
  await expect(sendAll(stopping, Array(300).fill(task('a')), { signal: stop.signal })).rejects.toThrow(
    'stopped',
  )
  expect(service.sent).toHaveLength(1)
})
