import type { Random } from './random.ts'
import { inventDescriptions, inventName } from './words.ts'

export type InventedTask = {
  id: string
  workspaceId: string
  threadId: string
  status: 'open' | 'handled' | 'cancelled'
  app: string
  type: string
  name: string
  description: string
  version: string | null
  /** 0 urgent … 3 low. */
  priority: number
  createdAt: Date
  endedAt: Date | null
  actionId: string | null
  /** The person who handled it, from 0 on. */
  person: number | null
  /** The number of updates. */
  updates: number
}

/** The workspace of a task. Only the large workspace has a giant thread. */
export type Workspace = { id: string; isLarge: boolean }

export const peopleCount = 40
export const giantThread = 'the-giant-thread'

const days = 90
const millisecondsPerDay = 86_400_000

const apps = [
  ['support', 50],
  ['billing', 25],
  ['research', 15],
  ['default', 9.8],
  ['pilot', 0.2],
] as const

const types = [
  ['reply-approval', 40],
  ['refund-approval', 25],
  ['compare-answers', 15],
  ['label-photo', 10],
  ['contract-review', 4],
  ['spot-check', 2],
  ['escalation', 3.9],
  ['incident', 0.1],
] as const

const priorities = [
  [0, 1],
  [1, 8],
  [2, 81],
  [3, 10],
] as const

const actions = [
  ['approve', 70],
  ['decline', 20],
  ['service:reject-request', 7],
  ['service:mark-done', 3],
] as const

/**
 * Returns a function that invents the i-th of `count` tasks of the last 90 days, ordered by
 * creation. Most old ones have ended and many new ones are open, a release lasts a week, and some
 * people answer more than others, so that filters correlate as in real data.
 */
export function createInventor(random: Random, count: number) {
  const now = Date.now()
  const descriptions = inventDescriptions(random)

  return function invent(i: number, { id: workspaceId, isLarge }: Workspace): InventedTask {
    const age = 1 - i / count
    const created = Math.floor(now - age * days * millisecondsPerDay)
    const id = `tsk_${timeOrdered(created, i)}`
    const threadId = inventThread(random, i, id, isLarge)
    const status = inventStatus(random, threadId, age)
    const ended = Math.floor(Math.min(created + random.next() ** 4 * 2 * millisecondsPerDay, now))
    return {
      id,
      workspaceId,
      threadId,
      status,
      app: random.pick(apps),
      type: random.pick(types),
      name: inventName(random, isLarge),
      description: descriptions[random.below(descriptions.length)]!,
      version: random.next() < 0.3 ? null : `2026.${Math.floor(((1 - age) * days) / 7)}.${random.below(3)}`,
      // The giant thread has no urgent task, so that it is in the middle of the inbox.
      priority: threadId === giantThread ? 1 + random.below(3) : random.pick(priorities),
      createdAt: new Date(created),
      endedAt: status === 'open' ? null : new Date(ended),
      actionId: status === 'handled' ? random.pick(actions) : null,
      person: status === 'handled' ? Math.floor(peopleCount * random.next() ** 3) : null,
      updates: random.next() < (threadId === giantThread ? 0.3 : 0.05) ? 1 + random.below(3) : 0,
    }
  }
}

/**
 * Most threads have one task, some a few, a few have hundreds; the giant thread has 6 % of the
 * large workspace.
 */
function inventThread(random: Random, i: number, id: string, isLarge: boolean): string {
  const kind = random.next()
  if (kind < 0.06 && isLarge) return giantThread
  if (kind < 0.1) return `project-${Math.floor(i / 10_000)}`
  if (kind < 0.35) return `conversation-${Math.floor(i / 12)}`
  return id
}

function inventStatus(random: Random, threadId: string, age: number): InventedTask['status'] {
  const open = threadId === giantThread ? 0.9 : age < 0.1 ? 0.6 : 0.04
  if (random.next() < open) return 'open'
  return random.next() < 0.92 ? 'handled' : 'cancelled'
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** The part of an id after its prefix: the timestamp as in src/server/lib/ids.ts, and a unique number. */
export function timeOrdered(at: number, number: number): string {
  let time = at
  let head = ''
  for (let digit = 0; digit < 10; digit++) {
    head = alphabet[time % 32] + head
    time = Math.floor(time / 32)
  }
  return head + String(number).padStart(16, '0')
}
