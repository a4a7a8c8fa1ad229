import fc from 'fast-check'
import { expect } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import type { TaskRecord } from '../../../src/contract/task.ts'
import { expectLoss, expectRecord } from './compare.ts'
import { names } from './create-steps.ts'
import { ask, type Model, type ModelTask, openQuestions, openTasks, reply, revise, update } from './model.ts'
import { anyAnswer, giveAnswer } from './people-steps.ts'
import { anyone, pickTask, type Step, someTask, step } from './step.ts'
import type { World } from './world.ts'

const actor = fc.record({ at: fc.nat(1), who: anyone, which: fc.nat(1_000) })

export function mayBeAsked(task: ModelTask): boolean {
  return (
    task.acceptsQuestions &&
    task.questions.length < limits.questionsPerTask &&
    openQuestions(task).length < limits.openQuestionsPerTask
  )
}

/** Mostly an open task that fits, because most tasks end soon; sometimes any task. */
function pickMostly(model: Model, fits: (task: ModelTask) => boolean, which: number): ModelTask {
  const fitting = openTasks(model).filter(fits)
  return pickTask(fitting.length > 0 && which % 5 > 0 ? fitting : model.tasks, which)
}

/** A new question ends all waits of the task. Returns their records. */
export async function endWaitsOf(world: World, task: ModelTask): Promise<TaskRecord[]> {
  const ended = world.waits.filter((wait) => wait.task === task)
  world.waits = world.waits.filter((wait) => wait.task !== task)
  return await Promise.all(ended.map(async ({ answer }) => (await answer).body))
}

const askBack: fc.Arbitrary<Step> = actor.map(({ at, who, which }) =>
  step(
    'ask',
    async (model, world, log) => {
      const task = pickMostly(model, mayBeAsked, which)
      const text = `question ${task.questions.length}`
      log(`${world.people[who]!.name} at node ${at} asks about #${task.number}`)
      const question = { text, kind: 'question' }
      const asked = await world.person(at, who).post(`/tasks/${task.taskId}/questions`, question)
      if (task.status !== 'open') return expectLoss(asked, task)
      if (!mayBeAsked(task)) return expect(asked).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect(asked.status).toBe(201)
      ask(task, asked.body)
      for (const record of await endWaitsOf(world, task)) expectRecord(record, task)
    },
    someTask,
  ),
)

/** Answers a question, perhaps one that has an answer, and may revise the task. */
const replyTo: fc.Arbitrary<Step> = fc
  .record({
    at: fc.nat(1),
    which: fc.nat(1_000),
    question: fc.constantFrom(0, 0, 0, 1, 2),
    name: fc.constantFrom(undefined, ...names),
  })
  .map(({ at, which, question, name }) =>
    step(
      'reply',
      async (model, world, log) => {
        const wasAsked = ({ questions }: ModelTask) => questions.length > 0
        const isWaiting = (task: ModelTask) => openQuestions(task).length > 0
        const task = pickMostly({ ...model, tasks: model.tasks.filter(wasAsked) }, isWaiting, which)
        const asked = task.questions.at(-1 - (question % task.questions.length))!
        const { questionId, updateId } = asked
        const message = `step ${task.updates.length}`
        log(
          `agent at node ${at} replies to a question about #${task.number}${name ? ` and names it "${name}"` : ''}`,
        )
        const change = name === undefined ? {} : { revision: { task: { name } } }
        const path = `/tasks/${task.taskId}/updates`
        const sent = await world.agent(at).post(path, { message, answers: questionId, ...change })
        if (task.status !== 'open') return expectLoss(sent, task)
        // A repeated reply changes nothing, so it must not bring a revision that the first did not.
        if (updateId !== undefined && name !== undefined && name !== task.name && !asked.hasRevised)
          return expect(sent).toMatchObject({ status: 409, body: { code: 'conflict' } })
        expect(sent.status).toBe(updateId === undefined ? 201 : 200)
        if (updateId !== undefined) return expect(sent.body.updateId).toBe(updateId)
        reply(task, asked, sent.body)
        asked.hasRevised = name !== undefined && name !== task.name
        if (name !== undefined) revise(task, name)
        update(task, message)
        expect(sent.body).toMatchObject({
          revision: task.revision,
          openQuestions: openQuestions(task).map(({ questionId, text }) => ({ questionId, text })),
        })
      },
      ({ tasks }) => tasks.some(({ questions }) => questions.length > 0),
    ),
  )

const change: fc.Arbitrary<Step> = fc
  .record({ at: fc.nat(1), which: fc.nat(1_000), name: fc.constantFrom(...names) })
  .map(({ at, which, name }) =>
    step(
      'revise',
      async (model, world, log) => {
        const task = pickMostly(model, () => true, which)
        const message = `step ${task.updates.length}`
        log(`agent at node ${at} names #${task.number} "${name}"`)
        const body = { message, revision: { task: { name } } }
        const sent = await world.agent(at).post(`/tasks/${task.taskId}/updates`, body)
        if (task.status !== 'open') return expectLoss(sent, task)
        expect(sent.status).toBe(201)
        revise(task, name)
        update(task, message)
      },
      someTask,
    ),
  )

/** Of a revision that is no longer, or not yet, the current one. */
const answerAnother: fc.Arbitrary<Step> = fc
  .tuple(actor, anyAnswer, fc.constantFrom(-1, 1))
  .map(([{ at, who, which }, answer, by]) =>
    step(
      'answer another revision',
      async (model, world, log) => {
        const task = pickTask(model.tasks, which)
        const revision = Math.max(1, task.revision + by)
        if (revision === task.revision) return
        log(`${world.people[who]!.name} at node ${at}: ${answer} revision ${revision} of #${task.number}`)
        const { taskId } = task
        const response = await giveAnswer(world.person(at, who), { taskId, revision }, answer)
        if (task.status !== 'open') return expectLoss(response, task)
        expect(response).toMatchObject({
          status: 409,
          body: { code: 'task_revised', revision: task.revision },
        })
      },
      someTask,
    ),
  )

export const conversationSteps = [
  ...[askBack, askBack, askBack, askBack],
  ...[replyTo, replyTo, replyTo, replyTo, replyTo, replyTo],
  ...[change, answerAnother],
]
