import { expect, vi } from 'vitest'
import type { Delivery } from '../../../src/contract/delivery.ts'
import { openInboxReader } from '../../support/inbox-reader.ts'
import { checkOrder } from '../verdict.ts'
import { expectInbox, expectRecord, walkPages } from './compare.ts'
import { cancel, handle, type Model, type ModelTask, newestFirst } from './model.ts'
import { answers, giveAnswer } from './people-steps.ts'
import type { World } from './world.ts'

/** Compares all data of the service with the model at the end of a walk. */
export async function lookAtAll(model: Model, world: World, urls: string[]): Promise<void> {
  await endWaits(world)
  for (const at of [0, 1])
    for (const [who, person] of world.people.entries())
      await expectInbox(model, world.person(at, who), person, 4)

  const { pages } = await walkPages(world.agent(1), '/tasks', 'tasks', 6)
  const listed = pages.flatMap(({ tasks }) => tasks)
  const expected = newestFirst(model.tasks)
  expect(listed.map(({ taskId }) => taskId)).toEqual(expected.map(({ taskId }) => taskId))
  for (const [i, task] of expected.entries()) {
    expectRecord(listed[i], task)
    expectRecord((await world.agent(0).get(`/tasks/${task.taskId}?include=updates`)).body, task)
  }
  await compareEvents(model, world, urls[1]!)
  await compareDeliveries(model, world)
}

/** Open waits return when their task ends, at every node. */
async function endWaits(world: World): Promise<void> {
  for (const { task, answer } of world.waits) {
    if (task.status === 'open' && task.review) {
      await world.agent(0).post(`/tasks/${task.taskId}/cancel`, {})
      cancel(task, undefined)
    } else if (task.status === 'open') {
      const [olga] = world.people
      const given = await giveAnswer(world.person(0, 0), task, 'mark done')
      handle(task, answers['mark done'], olga, given.body.handled.handledAt)
    }
    expectRecord((await answer).body, task)
  }
}

async function compareEvents(model: Model, world: World, url: string): Promise<void> {
  const count = model.tasks.reduce((sum, { events }) => sum + events.flat().length, 0)
  const { workspaceId } = world.workspace
  const { cookie } = world.people[0]
  const reader = await openInboxReader({ url, workspaceId, cookie }, { after: '0.0.0' })
  // Whether a task returns to people before its deadline depends on which sweep comes first. The
  // inbox was compared.
  const told = () => reader.seen.filter(({ event }) => event.type !== 'service/task_returned')
  await vi.waitFor(() => expect(told().length).toBeGreaterThanOrEqual(count), { timeout: 20_000 })
  await reader.close()
  const seen = told()
  expect(seen).toHaveLength(count)
  expect(checkOrder(reader.seen)).toEqual([])
  const words = ({ type, update }: (typeof seen)[number]['event']) =>
    [type.replace('service/task_', ''), ...(update ? [update.message] : [])].join(' ')
  for (const task of model.tasks) {
    const ofTask = seen.filter(({ event }) => event.taskId === task.taskId).map(({ event }) => words(event))
    expect(inOrderOf(task.events, ofTask)).toEqual(task.events.flat())
  }
}

/** Sorts concurrent events, which may have any order, like the model. */
function inOrderOf(expected: ModelTask['events'], told: string[]): string[] {
  const left = [...told]
  const ordered = expected.flatMap((event) => {
    const here = left.splice(0, [event].flat().length)
    const isSame = here.toSorted().join('\n') === [event].flat().toSorted().join('\n')
    return isSame ? event : here
  })
  return [...ordered, ...left]
}

/**
 * Expects one completed delivery per ended task and per question with a receiver, with the content
 * of the model.
 */
async function compareDeliveries(model: Model, world: World): Promise<void> {
  const withReceiver = model.tasks.filter(({ delivery }) => delivery === 'callback')
  const told = withReceiver.flatMap((task) => [
    ...task.questions.map(() => task),
    ...(task.status === 'open' ? [] : [task]),
  ])
  const deliveries = await vi.waitFor(
    async () => {
      const { pages } = await walkPages(world.workspace.owner, '/deliveries', 'deliveries', 50)
      const all: Delivery[] = pages.flatMap(({ deliveries }) => deliveries)
      expect(all.filter(({ state }) => state !== 'delivered')).toEqual([])
      return all
    },
    { timeout: 20_000 },
  )
  const ids = (tasks: { taskId?: string | undefined }[]) => tasks.map(({ taskId }) => taskId).toSorted()
  expect(ids(deliveries)).toEqual(ids(told))
  const received = new Map(world.receiver.received.map(({ body, headers }) => [headers['webhook-id'], body]))
  for (const { eventId, taskId } of deliveries) {
    const task = model.tasks.find((one) => one.taskId === taskId)!
    const body = JSON.parse(received.get(eventId)!)
    if (body.type === 'service/task_question') {
      const { questionId, text } = body.question
      expect(task.questions).toContainEqual(expect.objectContaining({ questionId, text }))
    } else expect(body).toMatchObject(eventOf(task))
  }
}

function eventOf({ taskId, status, handled }: ModelTask): object {
  if (!handled) return { type: `service/task_${status}`, taskId, status }
  const { actionId: id, data, handledBy, handledAt, decidedBy } = handled
  return {
    type: 'service/task_handled',
    taskId,
    status,
    action: { id, data },
    handledBy,
    handledAt,
    decidedBy,
  }
}
