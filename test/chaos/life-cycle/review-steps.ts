import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestResponse } from '../../support/http.ts'
import { expectLoss, expectRecord } from './compare.ts'
import { endWaitsOf, mayBeAsked } from './conversation-steps.ts'
import { inWords, learn, payloadOf, wanted } from './create-steps.ts'
import { ask, cancel, handle, type Model, type ModelTask, openTasks, revise, update } from './model.ts'
import { answers, anyAnswer, giveAnswer } from './people-steps.ts'
import { type ModelReview, refusalOf, vote } from './review-model.ts'
import { anyone, pickTask, type Step, someTask, step } from './step.ts'
import type { Person, World } from './world.ts'

const node = fc.nat(1)

/** Without a deadline: whether it is escalated first would depend on which sweep comes first. */
const send: fc.Arbitrary<Step> = fc
  .record({
    at: node,
    wanted,
    review: fc.record({
      needed: fc.constantFrom(1, 2, 2, 3),
      onDecline: fc.constantFrom('end' as const, 'collect' as const),
    }),
  })
  .map(({ at, wanted, review }) =>
    step('create with a review', async (model, world, log) => {
      const want = { ...wanted, type: 'payment', expiresInSeconds: undefined, review }
      log(`agent at node ${at} creates #${model.tasks.length} ${inWords(want)}, for ${review.needed}`)
      const { status, body } = await world.agent(at).post('/tasks', payloadOf(want, world.receiver.url))
      if (model.group.length < review.needed)
        return expect({ status, path: body.errors?.[0].path }).toEqual({ status: 400, path: 'review' })
      expect(status).toBe(201)
      await learn(model, world, 1 - at, body.taskId, want)
    }),
  )

/** Also decides who may answer open tasks. */
const changeGroup: fc.Arbitrary<Step> = fc
  .record({ at: node, members: fc.subarray([0, 1, 2, 3]) })
  .map(({ at, members }) =>
    step('change the group', async (model, world, log) => {
      const people = members.map((who) => world.people[who]!)
      log(`the group becomes ${people.map(({ name }) => name).join(', ') || 'empty'}`)
      const emails = people.map(({ email }) => email)
      expect((await setGroup(world, at, emails)).status).toBe(200)
      model.group = emails
    }),
  )

function setGroup(world: World, at: number, members: string[]): Promise<TestResponse> {
  return world.person(at, 0).patch(`/groups/${world.groupId}`, { members })
}

const assign: fc.Arbitrary<Step> = fc
  .record({
    at: node,
    which: fc.nat(1_000),
    who: anyone,
    to: fc.constantFrom('nobody', 'group:desk', 0, 1, 2, 3),
  })
  .map(({ at, which, who, to: target }) =>
    step(
      'assign',
      async (model, world, log) => {
        const task = pickTask(model.tasks, which)
        const to = typeof target === 'number' ? world.people[target]!.email : target
        log(`${world.people[who]!.name} at node ${at} assigns #${task.number} to ${to}`)
        const body = { to: to === 'nobody' ? null : to }
        const response = await world.person(at, who).post(`/tasks/${task.taskId}/assign`, body)
        if (task.status !== 'open') return expectLoss(response, task)
        expect(response.status).toBe(200)
        const assignedTo = body.to ?? undefined
        if (task.assignedTo !== assignedTo) task.events.push('assigned')
        task.assignedTo = assignedTo
        expectRecord(response.body, task)
      },
      someTask,
    ),
  )

type Rival = 'nothing' | 'cancel' | 'revision' | 'question' | 'removal'

/**
 * Several people answer a task with a review concurrently at both nodes, while something else
 * happens to it.
 */
const raceForVotes: fc.Arbitrary<Step> = fc
  .record({
    which: fc.nat(1_000),
    voters: fc.array(fc.record({ at: node, who: anyone, answer: anyAnswer }), { minLength: 2, maxLength: 5 }),
    rival: fc.constantFrom<Rival[]>('nothing', 'nothing', 'cancel', 'revision', 'question', 'removal'),
  })
  .map(({ which, voters, rival }) =>
    step(
      'race for votes',
      async (model, world, log) => {
        const task = pickTask(openReviewed(model), which)
        const people = voters.map(({ who }) => world.people[who]!)
        const smaller = model.group.filter((email) => email !== people[0]!.email)
        const [responses, other] = await Promise.all([
          Promise.all(voters.map(({ at, who, answer }) => giveAnswer(world.person(at, who), task, answer))),
          interfere(world, task, rival, smaller),
        ])
        const inWords = voters.map(
          ({ at, answer }, i) => `${people[i]!.name} at ${at}: ${answer} ${responses[i]!.status}`,
        )
        log(`race for #${task.number} (${[...inWords, `${rival} ${other?.status}`].join('; ')})`)

        const given = voters
          .map(({ answer }, i) => ({ choice: answers[answer], person: people[i]!, response: responses[i]! }))
          .filter(({ response }) => response.status === 200)
          .toSorted((one, two) => one.response.body.review.given - two.response.body.review.given)
        const before = { review: structuredClone(task.review!), group: model.group }
        if (rival === 'removal') model.group = smaller
        const outcome = explain(given, before, model.group)
        expect(outcome, 'no order of these answers leads to their responses').toBeDefined()
        const voted = structuredClone(outcome!.review)
        apply(task, given, outcome!, { rival, other })
        const states = [before, { ...before, group: model.group }, { review: voted, group: model.group }]
        for (const [i, response] of responses.entries())
          if (response.status !== 200) expectRefusal(response, task, people[i]!, states)
        if (other && other.status >= 300) expectLoss(other, task)
        expectRecord((await world.agent(1).get(`/tasks/${task.taskId}?include=updates`)).body, task)
        // They return at the question or at the end, whichever they see first.
        if (rival === 'question' && other?.status === 201) await endWaitsOf(world, task)
      },
      (model) => openReviewed(model).length > 0,
    ),
  )

function openReviewed(model: Model): ModelTask[] {
  return openTasks(model).filter(({ review }) => review !== undefined)
}

async function interfere(
  world: World,
  task: ModelTask,
  rival: Rival,
  group: string[],
): Promise<TestResponse | undefined> {
  const path = `/tasks/${task.taskId}`
  if (rival === 'cancel') return await world.agent(0).post(`${path}/cancel`, { reason: 'Settled' })
  if (rival === 'removal') return await setGroup(world, 1, group)
  if (rival === 'question' && mayBeAsked(task))
    return await world.person(0, 0).post(`${path}/questions`, { text: 'Why?', kind: 'question' })
  if (rival === 'revision') return await world.agent(1).post(`${path}/updates`, revisionOf(task))
  return undefined
}

function revisionOf(task: ModelTask) {
  return {
    message: `step ${task.updates.length}`,
    revision: { task: { name: `Plum ${task.revision + 1}` } },
  }
}

type Given = { choice: (typeof answers)[keyof typeof answers]; person: Person; response: TestResponse }
type State = { review: ModelReview; group: string[] }
type Outcome = { review: ModelReview; decisive: ReturnType<typeof vote> }

/**
 * The group may have changed before any of the answers. Undefined: none of these orders leads to
 * the responses.
 */
function explain(given: Given[], before: State, groupAfter: string[]): Outcome | undefined {
  const replay = (changedAt: number): Outcome | undefined => {
    const review = structuredClone(before.review)
    let decisive: Outcome['decisive']
    for (const [i, { choice, person, response }] of given.entries()) {
      const group = i < changedAt ? before.group : groupAfter
      if (decisive || refusalOf(group, review, person)) return undefined
      decisive = vote(group, review, { ...choice, by: person.email })
      if ((decisive ? 'handled' : 'open') !== response.body.status) return undefined
    }
    return { review, decisive }
  }
  const orders = Array.from({ length: given.length + 1 }, (_, changedAt) => replay(changedAt))
  return orders.find((outcome) => outcome !== undefined)
}

function apply(
  task: ModelTask,
  given: Given[],
  { review, decisive }: Outcome,
  { rival, other }: { rival: Rival; other: TestResponse | undefined },
): void {
  const first = task.events.length
  task.review = review
  for (const { person } of given) {
    task.drafts.delete(person.email)
    if (task.claim?.by === person.name) task.claim = undefined
  }
  task.events.push(...given.slice(decisive ? 1 : 0).map(() => 'answered'))
  if (rival === 'question' && other?.status === 201) ask(task, other.body)
  if (rival === 'revision' && other?.status === 201) {
    const { message, revision } = revisionOf(task)
    revise(task, revision.task.name)
    update(task, message)
  }
  task.events.push(task.events.splice(first).flat())
  if (decisive) {
    const { by, actionId, data } = decisive
    handle(task, { actionId, data }, { email: by }, given.at(-1)!.response.body.handled.handledAt)
  } else if (rival === 'cancel') {
    expect(other!.status).toBe(200)
    cancel(task, 'Settled')
  }
}

/** Every loser is told why, and the reason is true. */
function expectRefusal(response: TestResponse, task: ModelTask, person: Person, states: State[]): void {
  const { code } = response.body
  if (code === 'task_not_open') expectLoss(response, task)
  else if (code === 'task_revised') expect(response.body.revision).toBe(task.revision)
  else {
    expect(response.status).toBe(code === 'already_answered' ? 409 : 403)
    expect(states.map(({ group, review }) => refusalOf(group, review, person))).toContain(code)
  }
}

export const reviewSteps = [
  send,
  send,
  send,
  changeGroup,
  assign,
  assign,
  raceForVotes,
  raceForVotes,
  raceForVotes,
]
