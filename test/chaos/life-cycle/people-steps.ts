import fc from 'fast-check'
import { expect } from 'vitest'
import type { Caller } from '../../support/http.ts'
import { expectAnswered, expectInbox, expectLoss } from './compare.ts'
import { type Choice, claim, openTasks, release, saveDraft } from './model.ts'
import { anyone, pickTask, type Step, someTask, step } from './step.ts'

const actor = fc.record({ at: fc.nat(1), who: anyone, which: fc.nat(1_000) })

/** How a person can end a task. */
export const answers = {
  approve: { actionId: 'approve', data: {} },
  decline: { actionId: 'decline', data: { reason: 'Too late' } },
  'mark done': { actionId: 'service:mark-done', data: {} },
  reject: { actionId: 'service:reject-request', data: { feedback: 'Wrong customer' } },
} satisfies Record<string, Choice>
type Answer = keyof typeof answers

type Seen = { taskId: string; revision: number }

export function giveAnswer(person: Caller, { taskId, revision }: Seen, answer: Answer) {
  const choice: Choice = answers[answer]
  if (answer === 'mark done') return person.post(`/tasks/${taskId}/mark-done`, { revision })
  if (answer === 'reject') return person.post(`/tasks/${taskId}/reject`, { ...choice.data, revision })
  return person.post(`/tasks/${taskId}/handle`, { ...choice, revision })
}

export const anyAnswer = fc.constantFrom(...(Object.keys(answers) as Answer[]))

const answerTask: fc.Arbitrary<Step> = fc.tuple(actor, anyAnswer).map(([{ at, who, which }, answer]) =>
  step(
    'answer',
    async (model, world, log) => {
      const task = pickTask(model.tasks, which)
      const person = world.people[who]!
      log(`${person.name} at node ${at}: ${answer} #${task.number}`)
      const response = await giveAnswer(world.person(at, who), task, answer)
      if (task.status !== 'open') return expectLoss(response, task)
      expectAnswered(model, task, answers[answer], person, response)
    },
    someTask,
  ),
)

const answerWrongly: fc.Arbitrary<Step> = actor.map(({ at, who, which }) =>
  step(
    'answer wrongly',
    async (model, world, log) => {
      const task = pickTask(model.tasks, which)
      log(`${world.people[who]!.name} at node ${at} declines #${task.number} without a reason`)
      const response = await world.person(at, who).post(`/tasks/${task.taskId}/handle`, {
        actionId: 'decline',
        revision: task.revision,
      })
      if (task.status !== 'open') return expectLoss(response, task)
      expect(response).toMatchObject({ status: 400, body: { errors: [{ path: 'data.reason' }] } })
    },
    someTask,
  ),
)

const claimTask: fc.Arbitrary<Step> = actor.map(({ at, who, which }) =>
  step(
    'claim',
    async (model, world, log) => {
      const task = pickTask(model.tasks, which)
      const { name } = world.people[who]!
      log(`${name} at node ${at} claims #${task.number}`)
      const response = await world.person(at, who).post(`/tasks/${task.taskId}/claim`)
      if (task.status !== 'open') return expectLoss(response, task)
      claim(task, name)
      expect(response).toMatchObject({ status: 200, body: { claim: { name: task.claim!.by } } })
    },
    someTask,
  ),
)

const releaseTask: fc.Arbitrary<Step> = actor.map(({ at, who, which }) =>
  step(
    'release',
    async (model, world, log) => {
      const task = pickTask(model.tasks, which)
      const { name } = world.people[who]!
      log(`${name} at node ${at} releases #${task.number}`)
      expect((await world.person(at, who).delete(`/tasks/${task.taskId}/claim`)).status).toBe(204)
      release(task, name)
    },
    someTask,
  ),
)

const draft: fc.Arbitrary<Step> = fc
  .tuple(actor, fc.constantFrom('approve', 'decline'), fc.constantFrom('Perhaps', 'Perhaps not', undefined))
  .map(([{ at, who, which }, actionId, reason]) =>
    step(
      'draft',
      async (model, world, log) => {
        const task = pickTask(model.tasks, which)
        const { name, email } = world.people[who]!
        const path = `/tasks/${task.taskId}/drafts`
        const person = world.person(at, who)
        if (reason === undefined) {
          log(`${name} at node ${at} deletes the draft for ${actionId} of #${task.number}`)
          expect((await person.delete(`${path}/${actionId}`)).status).toBe(204)
          task.drafts.get(email)?.delete(actionId)
        } else {
          log(`${name} at node ${at} drafts ${actionId} of #${task.number}`)
          const response = await person.put(`${path}/${actionId}`, { data: { reason } })
          if (task.status !== 'open') return expectLoss(response, task)
          expect(response.status).toBe(200)
          saveDraft(task, email, actionId, { reason })
        }
        const { drafts } = (await world.person(1 - at, who).get(path)).body
        const kept = [...(task.drafts.get(email) ?? [])].toSorted()
        expect(drafts).toMatchObject(kept.map(([action, data]) => ({ actionId: action, data })))
        expect(drafts).toHaveLength(kept.length)
      },
      someTask,
    ),
  )

const look: fc.Arbitrary<Step> = fc.tuple(actor, fc.constantFrom(1, 3, 100)).map(([{ at, who }, limit]) =>
  step('look at the inbox', async (model, world, log) => {
    log(`${world.people[who]!.name} at node ${at} reads the inbox in pages of ${limit}`)
    await expectInbox(model, world.person(at, who), world.people[who]!, limit)
  }),
)

/** Like the page: one call per selected task, all concurrent. */
const bulk: fc.Arbitrary<Step> = fc.tuple(actor, anyAnswer).map(([{ at, who }, answer]) =>
  step(
    'bulk',
    async (model, world, log) => {
      const person = world.people[who]!
      const chosen = openTasks(model).slice(0, 5)
      log(`${person.name} at node ${at}: ${answer} ${chosen.map(({ number }) => `#${number}`).join(' ')}`)
      const responses = await Promise.all(
        chosen.map((task) => giveAnswer(world.person(at, who), task, answer)),
      )
      for (const [i, task] of chosen.entries())
        expectAnswered(model, task, answers[answer], person, responses[i]!)
    },
    (model) => openTasks(model).length > 3,
  ),
)

export const peopleSteps = [
  answerTask,
  answerTask,
  answerWrongly,
  claimTask,
  claimTask,
  releaseTask,
  draft,
  draft,
  look,
  bulk,
]
