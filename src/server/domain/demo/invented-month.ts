import { reservedActions } from '../../../contract/action.ts'
import type { CreateTask } from '../../../contract/task.ts'
import { comparisons } from './comparisons.ts'
import type { InventedAnswer, Kind } from './kind.ts'
import type { Random } from './random.ts'
import { refunds } from './refunds.ts'
import { replyDrafts } from './reply-drafts.ts'

export type EndedTask = {
  payload: CreateTask
  createdAt: Date
  ending: { at: Date } & (
    | (InventedAnswer & { status: 'handled'; actionTitle: string; by: string })
    | { status: 'cancelled'; reason: string }
    | { status: 'expired' }
  )
}

const days = 30
const tasksOfAWorkday = 105
const tasksOfASunday = 30
const day = 86_400_000
const minute = 60_000
const kinds = [refunds, replyDrafts, comparisons]
/** Who a decision of the deadline is signed by. */
export const timeout = 'service:timeout'

/** What was sent and answered in the 30 days before `now`. Each of `people` takes a smaller part than the one before. */
export function inventMonth(random: Random, now: Date, people: string[]): EndedTask[] {
  const tasks: EndedTask[] = []
  for (let age = days - 1; age >= 0; age--) {
    const morning = Math.floor(now.getTime() / day - age) * day + 7 * 60 * minute
    const isWeekend = [0, 6].includes(new Date(morning).getUTCDay())
    for (let i = 0; i < (isWeekend ? tasksOfASunday : tasksOfAWorkday); i++) {
      const createdAt = new Date(morning + random.next() * 11 * 60 * minute)
      const task = inventTask(random, createdAt, now, people)
      if (task) tasks.push(task)
    }
  }
  return tasks
}

function inventTask(random: Random, createdAt: Date, now: Date, people: string[]): EndedTask | undefined {
  const kind = kindFor(random)
  const payload = kind.payload(random, (now.getTime() - createdAt.getTime()) / day)
  const ending = endingOf(random, kind, payload, createdAt, people)
  return ending.at < now ? { payload, createdAt, ending } : undefined
}

function kindFor(random: Random): Kind {
  let rest = random.next() * 100
  return kinds.find(({ percent }) => {
    rest -= percent
    return rest < 0
  })!
}

function endingOf(
  random: Random,
  kind: Kind,
  payload: CreateTask,
  createdAt: Date,
  people: string[],
): EndedTask['ending'] {
  const after = (milliseconds: number) => new Date(createdAt.getTime() + milliseconds)
  if (random.chance(0.01)) {
    return { status: 'cancelled', at: after(20 * minute), reason: 'The customer has taken it back.' }
  }
  if (random.chance(kind.overdue)) {
    const at = after(day)
    const { onExpire } = payload
    if (!onExpire) return { status: 'expired', at }
    const { actionId, data = {} } = onExpire
    return { status: 'handled', at, actionId, data, actionTitle: titleOf(payload, actionId), by: timeout }
  }
  const answer = kind.answer(random, payload)
  // Most within minutes, some after lunch.
  const minutes = Math.exp(1 + 3.2 * random.next()) + (random.chance(0.06) ? 60 + 240 * random.next() : 0)
  const by = people[Math.floor(people.length * random.next() ** 1.6)]!
  const actionTitle = titleOf(payload, answer.actionId)
  return { ...answer, status: 'handled', at: after(minutes * minute), actionTitle, by }
}

function titleOf({ actions }: CreateTask, actionId: string): string {
  const all = [...actions, ...Object.values(reservedActions)]
  return all.find(({ id }) => id === actionId)!.title
}
