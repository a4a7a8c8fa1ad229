import { answeredByDeadline } from '../../../contract/answered-by.ts'
import type { CreateTask } from '../../../contract/create-task.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import { comparisons } from './comparisons.ts'
import type { Random } from './random.ts'
import { refunds } from './refunds.ts'
import { replyDrafts } from './reply-drafts.ts'
import type { SampleAnswer, SampleApp } from './sample-app.ts'

export type SampleTask = {
  payload: CreateTask
  createdAt: Date
  ending: { at: Date } & (
    | (SampleAnswer & { status: 'handled'; actionTitle: string; by: string })
    | { status: 'cancelled'; reason: string }
    | { status: 'expired' }
  )
}

const sampleDays = 30
const tasksPerWorkday = 105
const tasksPerWeekendDay = 30
const dayMilliseconds = 86_400_000
const minuteMilliseconds = 60_000
const sampleApps = [refunds, replyDrafts, comparisons]

/**
 * The tasks of the 30 days before `now` that have ended. Of `people`, the first answers the most
 * tasks and the last the fewest.
 */
export function createSampleMonth(random: Random, now: Date, people: string[]): SampleTask[] {
  const tasks: SampleTask[] = []
  for (let age = sampleDays - 1; age >= 0; age--) {
    const morning =
      Math.floor(now.getTime() / dayMilliseconds - age) * dayMilliseconds + 7 * 60 * minuteMilliseconds
    const isWeekend = [0, 6].includes(new Date(morning).getUTCDay())
    for (let i = 0; i < (isWeekend ? tasksPerWeekendDay : tasksPerWorkday); i++) {
      const createdAt = new Date(morning + random.next() * 11 * 60 * minuteMilliseconds)
      const task = createSampleTask(random, createdAt, now, people)
      if (task) tasks.push(task)
    }
  }
  return tasks
}

/** Undefined if the task would end after `now`. */
function createSampleTask(
  random: Random,
  createdAt: Date,
  now: Date,
  people: string[],
): SampleTask | undefined {
  const sampleApp = pickSampleApp(random)
  const payload = sampleApp.payload(random, (now.getTime() - createdAt.getTime()) / dayMilliseconds)
  const ending = endingOf(random, sampleApp, payload, createdAt, people)
  return ending.at < now ? { payload, createdAt, ending } : undefined
}

function pickSampleApp(random: Random): SampleApp {
  let rest = random.next()
  return sampleApps.find(({ share }) => {
    rest -= share
    return rest < 0
  })!
}

function endingOf(
  random: Random,
  sampleApp: SampleApp,
  payload: CreateTask,
  createdAt: Date,
  people: string[],
): SampleTask['ending'] {
  const after = (milliseconds: number) => new Date(createdAt.getTime() + milliseconds)
  if (random.chance(0.01)) {
    return { status: 'cancelled', at: after(20 * minuteMilliseconds), reason: 'It is no longer needed.' }
  }
  if (random.chance(sampleApp.overdueShare)) {
    const at = after(dayMilliseconds)
    const { onExpire } = payload
    if (!onExpire) return { status: 'expired', at }
    const { actionId, data = {} } = onExpire
    return {
      status: 'handled',
      at,
      actionId,
      data,
      actionTitle: titleOf(payload, actionId),
      by: answeredByDeadline,
    }
  }
  const answer = sampleApp.answer(random, payload)
  // Most answers come within an hour, some several hours later.
  const minutes = Math.exp(1 + 3.2 * random.next()) + (random.chance(0.06) ? 60 + 240 * random.next() : 0)
  const by = people[Math.floor(people.length * random.next() ** 1.6)]!
  const actionTitle = titleOf(payload, answer.actionId)
  return { ...answer, status: 'handled', at: after(minutes * minuteMilliseconds), actionTitle, by }
}

function titleOf({ actions }: CreateTask, actionId: string): string {
  const all = [...actions, ...Object.values(reservedActions)]
  return all.find(({ id }) => id === actionId)!.title
}
