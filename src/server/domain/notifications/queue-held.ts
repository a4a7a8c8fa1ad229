import { newId } from '../../lib/ids.ts'
import { insertDelivery } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { type DueHeld, findDueHeld, type TakenHeld, takeHeld } from '../../storage/notifications/held.ts'
import { listRoutes, type NotificationRoute } from '../../storage/notifications/routes.ts'
import { listMembersWithGroups, type MemberWithGroups } from '../../storage/review/members-with-groups.ts'
import { findTask } from '../../storage/tasks/tasks.ts'
import { processDue } from '../process-due.ts'
import { currentReview } from '../review/current-review.ts'
import { mayReview } from '../review/judge.ts'
import type { Service } from '../service.ts'
import { type Composed, composeDelivery, composeDigest, eventTypeOf } from './compose-delivery.ts'
import { excerptOf } from './messages.ts'

// Waiting tasks beyond this number are only counted, and mentions in ended tasks beyond it are
// dropped.
const maxListed = 20

/**
 * Queues the notifications that were held back: per person and medium, one message about all
 * waiting tasks, and one per mention in an ended task. Returns true if there may be more.
 */
export async function queueHeld(service: Service): Promise<boolean> {
  return await processDue(service, {
    find: (limit) => findDueHeld(service.database, limit),
    idOf: ({ workspaceId, userId, medium }) => `${workspaceId} ${userId} ${medium}`,
    failure: 'failed to queue held notifications',
    work: (tx, held) => queueForPerson(service, tx, held),
  })
}

/**
 * Queues what is held for one person and medium, except new tasks that the person may not answer
 * and ended tasks without a mention of the person.
 */
async function queueForPerson(service: Service, tx: Transaction, held: DueHeld): Promise<void> {
  const { userId, medium } = held
  const taken = await takeHeld(tx, held)
  const route = (await listRoutes(tx)).find((route) => route.recipient === userId && route.medium === medium)
  // The person has turned the medium off meanwhile, or can no longer be reached by it.
  if (!route || route.wants.length === 0) return
  const person = (await listMembersWithGroups(tx)).find((person) => person.userId === userId)
  const waiting: TakenHeld[] = []
  for (const one of taken)
    if (one.status === 'open' && (one.reason !== 'new' || (await mayAnswer(tx, one, person))))
      waiting.push(one)
  // An ended task does not wait, so it is not listed with the others.
  const mentions = taken.filter(({ status, reason }) => status !== 'open' && reason === 'mentioned')
  for (const one of mentions.slice(0, maxListed)) await queueOne(service, tx, route, one)
  if (waiting.length === 1) return await queueOne(service, tx, route, waiting[0]!)
  if (waiting.length === 0) return
  const listed = waiting.slice(0, maxListed).map(({ taskId }) => taskId)
  const composed = composeDigest(route, medium, listed, waiting.length - listed.length)
  if (composed) await queue(tx, 'service/digest', undefined, composed)
}

async function mayAnswer(
  tx: Transaction,
  { taskId, review }: TakenHeld,
  person: MemberWithGroups | undefined,
): Promise<boolean> {
  if (!review) return true
  return person !== undefined && mayReview(await currentReview(tx, (await findTask(tx, taskId))!), person)
}

/**
 * Only the notification of a new task contains a text, the description. The texts of notes and
 * replies are not stored while they are held, and the description in their place would be mistaken
 * for them.
 */
async function queueOne(
  service: Service,
  tx: Transaction,
  route: NotificationRoute,
  { taskId, reason, label }: TakenHeld,
): Promise<void> {
  const task = (await findTask(tx, taskId))!
  const excerpt = excerptOf(service, task, reason === 'new' ? task.description : '')
  const composed = composeDelivery(route, excerpt, label, reason)
  if (composed) await queue(tx, eventTypeOf(reason), taskId, composed)
}

async function queue(tx: Transaction, eventType: string, taskId: string | undefined, composed: Composed) {
  await insertDelivery(tx, { eventId: newId('event'), eventType, taskId, url: undefined, ...composed })
}
