import type { Random } from './random.ts'
import { sentence } from './words.ts'

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
  /** The number of the person who handled it. */
  person: number | null
  updates: { id: string; message: string; at: Date }[]
}

/** Where a task is invented: the large workspace has a giant thread, the others have not. */
export type Workspace = { id: string; large: boolean }

export const persons = 40
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
  ['contract-review', 6],
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
 * The i-th task of `count`, from 90 days before `until` up to it. Most old tasks have ended and many new ones are
 * open, a release lasts a week, some people answer much and some little: filters depend on each other, as real ones do.
 */
export function inventTask(
  random: Random,
  i: number,
  count: number,
  until: number,
  { id: workspaceId, large }: Workspace,
): InventedTask {
  const age = 1 - i / count
  const created = Math.floor(until - age * days * millisecondsPerDay)
  const id = `tsk_${timeOrdered(created, random)}`
  const threadId = inventThread(random, i, id, large)
  const status = inventStatus(random, threadId, age)
  const ended = Math.floor(Math.min(created + random.next() ** 4 * 2 * millisecondsPerDay, until))
  return {
    id,
    workspaceId,
    threadId,
    status,
    app: random.pick(apps),
    type: random.pick(types),
    name: `${sentence(random, 4, large)} ${random.below(1_000_000)}?`,
    description: sentence(random, 15 + random.below(20), large),
    version: random.next() < 0.3 ? null : `2026.${1 + Math.floor(((1 - age) * days) / 7)}.${random.below(3)}`,
    // Nothing urgent in the giant thread: it stands in the middle of the inbox, not at its beginning.
    priority: threadId === giantThread ? 1 + random.below(3) : random.pick(priorities),
    createdAt: new Date(created),
    endedAt: status === 'open' ? null : new Date(ended),
    actionId: status === 'handled' ? random.pick(actions) : null,
    person: status === 'handled' ? Math.floor(persons * random.next() ** 3) : null,
    updates: inventUpdates(random, created, threadId === giantThread ? 0.3 : 0.05, large),
  }
}

/** Most threads are one task, some a short conversation, a few hold hundreds, and one many thousands. */
function inventThread(random: Random, i: number, id: string, large: boolean): string {
  const kind = random.next()
  if (kind < 0.06 && large) return giantThread
  if (kind < 0.1) return `project-${Math.floor(i / 10_000)}`
  if (kind < 0.35) return `conversation-${Math.floor(i / 12)}`
  return id
}

function inventStatus(random: Random, threadId: string, age: number): InventedTask['status'] {
  const open = threadId === giantThread ? 0.9 : age < 0.1 ? 0.6 : 0.04
  if (random.next() < open) return 'open'
  return random.next() < 0.92 ? 'handled' : 'cancelled'
}

function inventUpdates(random: Random, created: number, share: number, large: boolean) {
  const count = random.next() < share ? 1 + random.below(3) : 0
  return Array.from({ length: count }, (_, n) => {
    const at = created + n * 1_000
    return { id: `upd_${timeOrdered(at, random)}`, message: sentence(random, 6, large), at: new Date(at) }
  })
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** What follows the prefix of an id, as lib/ids.ts makes it, but for any moment. */
export function timeOrdered(at: number, random: Random): string {
  let time = at
  let head = ''
  for (let digit = 0; digit < 10; digit++) {
    head = alphabet[time % 32] + head
    time = Math.floor(time / 32)
  }
  let tail = ''
  for (let digit = 0; digit < 16; digit++) tail += alphabet[random.below(32)]
  return head + tail
}
