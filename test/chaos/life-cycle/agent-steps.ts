import fc from 'fast-check'
import { expect } from 'vitest'
import { priorities, TaskStatus } from '../../../src/contract/task-fields.ts'
import { expectLoss, expectRecord, walkPages } from './compare.ts'
import { names, threads, types } from './create-steps.ts'
import { cancel, type ModelTask, newestFirst, openQuestions, update } from './model.ts'
import { pickTask, type Step, someTask, step } from './step.ts'

const node = fc.nat(1)
const which = fc.nat(1_000)

const get: fc.Arbitrary<Step> = fc.record({ at: node, which, updates: fc.boolean() }).map((choice) =>
  step(
    'get',
    async (model, world, log) => {
      const task = pickTask(model.tasks, choice.which)
      log(`agent at node ${choice.at} reads #${task.number}`)
      const { body } = await world
        .agent(choice.at)
        .get(`/tasks/${task.taskId}${choice.updates ? '?include=updates' : ''}`)
      expect(body.updates !== undefined).toBe(choice.updates)
      expectRecord(body, task)
    },
    someTask,
  ),
)

/** Starts a wait. A later question, the end of the task or the end of the walk ends it. */
const wait: fc.Arbitrary<Step> = fc.record({ at: node, which, afterQuestion: fc.boolean() }).map((choice) =>
  step(
    'wait',
    async (model, world, log) => {
      const task = pickTask(model.tasks, choice.which)
      const seen = task.questions.at(-1)?.questionId
      const isAfter = choice.afterQuestion && seen !== undefined
      log(`agent at node ${choice.at} waits for #${task.number}${isAfter ? ' after its last question' : ''}`)
      const query = `waitSeconds=50${isAfter ? `&afterQuestion=${seen}` : ''}`
      const answer = world.agent(choice.at).get(`/tasks/${task.taskId}?${query}`)
      const isHeld = task.status === 'open' && (isAfter || openQuestions(task).length === 0)
      if (isHeld) world.waits.push({ task, answer })
      else expectRecord((await answer).body, task)
    },
    someTask,
  ),
)

const report: fc.Arbitrary<Step> = fc.record({ at: node, which }).map((choice) =>
  step(
    'update',
    async (model, world, log) => {
      const task = pickTask(model.tasks, choice.which)
      const message = `step ${task.updates.length}`
      log(`agent at node ${choice.at} reports on #${task.number}`)
      const answer = await world.agent(choice.at).post(`/tasks/${task.taskId}/updates`, { message })
      if (task.status !== 'open') return expectLoss(answer, task)
      expect(answer.status).toBe(201)
      update(task, message)
    },
    someTask,
  ),
)

const withdraw: fc.Arbitrary<Step> = fc
  .record({ at: node, which, reason: fc.constantFrom(undefined, 'Settled') })
  .map((choice) =>
    step(
      'cancel',
      async (model, world, log) => {
        const task = pickTask(model.tasks, choice.which)
        log(`agent at node ${choice.at} cancels #${task.number}`)
        const { reason } = choice
        const answer = await world.agent(choice.at).post(`/tasks/${task.taskId}/cancel`, { reason })
        if (task.status !== 'open' && task.status !== 'cancelled') return expectLoss(answer, task)
        expect(answer).toMatchObject({ status: 200, body: { taskId: task.taskId, status: 'cancelled' } })
        cancel(task, reason)
      },
      someTask,
    ),
  )

const filters = fc.record({
  status: fc.constantFrom(undefined, ...TaskStatus.options),
  type: fc.constantFrom(undefined, ...types),
  priority: fc.constantFrom(undefined, ...priorities),
  threadId: fc.constantFrom(undefined, ...threads),
})

const list: fc.Arbitrary<Step> = fc
  .record({ at: node, filters, limit: fc.constantFrom(2, 5, 100) })
  .map(({ at, filters, limit }) =>
    step('list', async (model, world, log) => {
      const query = asQuery(filters)
      log(`agent at node ${at} lists ${query} by ${limit}`)
      const { pages } = await walkPages(world.agent(at), `/tasks?${query}`, 'tasks', limit)
      expectTasks(
        pages.flatMap(({ tasks }) => tasks),
        model.tasks.filter((task) => fits(task, filters)),
      )
    }),
  )

const search: fc.Arbitrary<Step> = fc
  .record({
    at: node,
    words: fc.constantFrom(...names, 'pea', 'tart', 'plum t'),
    status: fc.constantFrom(undefined, ...TaskStatus.options),
    limit: fc.constantFrom(2, 100),
  })
  .map(({ at, words, status, limit }) =>
    step('search', async (model, world, log) => {
      log(`agent at node ${at} searches "${words}" ${status ?? ''} by ${limit}`)
      const query = asQuery({ query: words, status })
      const { pages } = await walkPages(world.agent(at), `/tasks/search?${query}`, 'tasks', limit)
      expectTasks(
        pages.flatMap(({ tasks }) => tasks),
        model.tasks.filter((task) => fits(task, { status }) && isFoundBy(words, task)),
      )
    }),
  )

/** Complete words, and a prefix as the last one. */
function isFoundBy(words: string, { name, type }: ModelTask): boolean {
  const wordsOf = (text: string) => text.toLowerCase().split(' ')
  const asked = wordsOf(words)
  const last = asked.pop()!
  const there = [...wordsOf(name), type, 'the', 'parcel', 'came', 'back']
  return asked.every((word) => there.includes(word)) && there.some((word) => word.startsWith(last))
}

function fits(task: ModelTask, filters: Partial<Record<keyof ModelTask, unknown>>): boolean {
  return Object.entries(filters).every(
    ([field, value]) => value === undefined || task[field as keyof ModelTask] === value,
  )
}

function asQuery(filters: Record<string, string | undefined>): string {
  const given = Object.entries(filters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return new URLSearchParams(given).toString()
}

// biome-ignore lint/suspicious/noExplicitAny: records of the API
function expectTasks(found: any[], expected: ModelTask[]): void {
  const inModelsOrder = newestFirst(expected)
  expect(found.map(({ taskId }) => taskId)).toEqual(inModelsOrder.map(({ taskId }) => taskId))
  for (const [i, task] of inModelsOrder.entries()) expectRecord(found[i], task)
}

export const agentSteps = [get, wait, report, report, withdraw, list, search]
