import fc from 'fast-check'
import { expect, vi } from 'vitest'
import { moveClockTo } from '../../support/rows.ts'
import { waitOptions } from '../../support/wait-options.ts'
import { expectLoss, expectRecord } from './compare.ts'
import { endWaitsOf, mayBeAsked } from './conversation-steps.ts'
import {
  ask,
  cancel,
  claim,
  escalate,
  handle,
  type Model,
  type ModelTask,
  openTasks,
  reachDeadline,
  revise,
  stopWaiting,
  update,
  waitingTasks,
} from './model.ts'
import { answers, anyAnswer, giveAnswer } from './people-steps.ts'
import { anyone, pickTask, type Step, step } from './step.ts'
import { leadOf, type World } from './world.ts'

const runner = fc.record({
  at: fc.nat(1),
  who: anyone,
  what: fc.oneof(anyAnswer, fc.constant('cancel' as const)),
})

/**
 * Several callers end one task concurrently at both nodes, while the agent sends an update, which
 * may revise the task, and people claim it and ask.
 */
const race: fc.Arbitrary<Step> = fc
  .record({
    which: fc.nat(1_000),
    runners: fc.array(runner, { minLength: 2, maxLength: 4 }),
    report: fc.constantFrom('nothing', 'update', 'revision'),
    asker: fc.constantFrom(undefined, 0, 1),
    opener: fc.constantFrom(undefined, 0, 1),
  })
  .map(({ which, runners, report, opener, asker }) =>
    step(
      'race',
      async (model, world, log) => {
        const task = pickTask(model.tasks.filter(isPlain), which)
        const path = `/tasks/${task.taskId}`
        const wasOpen = task.status === 'open'
        const message = `step ${task.updates.length}`
        const name = `Plum ${task.revision + 1}`
        const change = report === 'revision' ? { revision: { task: { name } } } : {}
        const [ends, reported, opened, asked] = await Promise.all([
          Promise.all(
            runners.map(({ at, who, what }) =>
              what === 'cancel'
                ? world.agent(at).post(`${path}/cancel`, { reason: 'Settled' })
                : giveAnswer(world.person(at, who), task, what),
            ),
          ),
          report === 'nothing' ? undefined : world.agent(0).post(`${path}/updates`, { message, ...change }),
          opener === undefined ? undefined : world.person(1, opener).post(`${path}/claim`),
          asker === undefined || !mayBeAsked(task)
            ? undefined
            : world.person(0, asker).post(`${path}/questions`, { text: 'Why?', kind: 'question' }),
        ])
        const inWords = runners.map(
          ({ at, who, what }, i) =>
            `${what === 'cancel' ? 'agent' : world.people[who]!.name} at ${at}: ${what} ${ends[i]!.status}`,
        )
        if (reported) inWords.push(`${report} ${reported.status}`)
        if (asked) inWords.push(`question by ${world.people[asker!]!.name} ${asked.status}`)
        if (opened) inWords.push(`claim by ${world.people[opener!]!.name} ${opened.status}`)
        log(`race for #${task.number} (${inWords.join('; ')})`)

        const before = task.events.length
        if (reported?.status === 201) {
          expect(wasOpen).toBe(true)
          update(task, message)
          if (report === 'revision') revise(task, name)
        }
        if (asked?.status === 201) {
          expect(wasOpen).toBe(true)
          ask(task, asked.body)
        }
        if (opened?.status === 200) {
          expect(wasOpen).toBe(true)
          claim(task, world.people[opener!]!.name)
        }
        task.events.push(task.events.splice(before).flat())
        const winner = ends.findIndex(({ status }) => status === 200)
        // A revision makes all answers to the one before it lose.
        const isRevised = report === 'revision' && reported?.status === 201
        if (wasOpen && !(isRevised && winner === -1)) {
          expect(winner).not.toBe(-1)
          if (isRevised) expect(runners[winner]!.what).toBe('cancel')
          const { who, what } = runners[winner]!
          if (what === 'cancel') cancel(task, 'Settled')
          else handle(task, answers[what], world.people[who]!, ends[winner]!.body.handled.handledAt)
        }
        for (const [i, { what }] of runners.entries()) {
          // Cancelling a cancelled task returns the same response.
          if (what === 'cancel' && task.status === 'cancelled') expect(ends[i]!.status).toBe(200)
          else if (isRevised && what !== 'cancel' && ends[i]!.body.code === 'task_revised')
            expect(ends[i]).toMatchObject({ status: 409, body: { revision: task.revision } })
          else if (!wasOpen || i !== winner) expectLoss(ends[i]!, task)
        }
        for (const late of [reported, opened, asked])
          if (late && late.status !== 201 && late.status !== 200) expectLoss(late, task)
        expectRecord((await world.agent(1).get(`${path}?include=updates`)).body, task)
        // They return at the question or at the end, whichever they see first.
        if (asked?.status === 201) await endWaitsOf(world, task)
      },
      ({ tasks }) => tasks.some(isPlain),
    ),
  )

/** For votes on a task with a review, there is a race of its own. */
function isPlain({ review }: ModelTask): boolean {
  return review === undefined
}

/** A deadline passes. A later answer loses; other overdue tasks end on their own. */
const deadline: fc.Arbitrary<Step> = fc
  .record({ at: fc.nat(1), which: fc.nat(1_000), answer: fc.option(anyAnswer, { nil: undefined }) })
  .map(({ at, which, answer }) =>
    step(
      'deadline',
      async (model, world, log) => {
        const chosen = pickTask(openTasks(model).filter(isTimed), which)
        const moment = clearMoment(model, chosen)
        const due = openTasks(model).filter(({ expiresAt }) => expiresAt && Date.parse(expiresAt) <= moment)
        const isLate = answer !== undefined && due.includes(chosen)
        log(
          `the time of #${chosen.number} passes${isLate ? `, ${answer} comes after it` : ''}; due are ${due.map(({ number }) => `#${number}`).join(' ')}`,
        )
        await moveClockTo(world.databaseUrl, new Date(moment).toISOString())
        model.clockMoves++
        for (const { claim } of openTasks(model)) if (claim) claim.alive = false
        const late = isLate && (await giveAnswer(world.person(at, 0), chosen, answer))
        for (const task of due) await learnOfEnd(world, task)
        const untilSeen = (task: ModelTask) =>
          vi.waitFor(
            async () => expectRecord((await world.agent(at).get(`/tasks/${task.taskId}`)).body, task),
            waitOptions,
          )
        for (const task of waitingTasks(model)) {
          if (Date.parse(task.waitingUntil!) > moment) continue
          stopWaiting(task, moment)
          await untilSeen(task)
        }
        for (const task of openTasks(model)) {
          if (task.waitingUntil !== undefined || !(task.escalatesAt! <= moment)) continue
          escalate(task, leadOf(world.people).email)
          await untilSeen(task)
        }
        if (late) expectLoss(late, chosen)
      },
      // Idempotency keys expire after a day.
      (model) => openTasks(model).some(isTimed) && model.clockMoves < 8,
    ),
  )

function isTimed(task: ModelTask): boolean {
  return nextTime(task) !== undefined
}

/** Its deadline, or when it is escalated, which is not while it waits for the agent. */
function nextTime({ expiresAt, escalatesAt, waitingUntil }: ModelTask): number | undefined {
  if (expiresAt !== undefined) return Date.parse(expiresAt)
  return waitingUntil === undefined ? escalatesAt : undefined
}

/**
 * Later than the end of any claim, and with more time until the next deadline, of people or agents,
 * than a walk takes.
 */
function clearMoment(model: Model, chosen: ModelTask): number {
  let moment = nextTime(chosen)! + 200_000
  const times = openTasks(model).flatMap((task) =>
    [nextTime(task) ?? [], task.waitingUntil === undefined ? [] : Date.parse(task.waitingUntil)].flat(),
  )
  for (const at of times.toSorted((a, b) => a - b))
    if (at <= moment + 200_000) moment = Math.max(moment, at + 200_000)
  return moment
}

/** A wait returns as soon as the task has ended. */
async function learnOfEnd(world: World, task: ModelTask): Promise<void> {
  const seen = task.questions.at(-1)?.questionId
  const after = seen === undefined ? '' : `&afterQuestion=${seen}`
  const { body: record } = await world.agent(0).get(`/tasks/${task.taskId}?waitSeconds=50${after}`)
  reachDeadline(task, record.handled?.handledAt)
  expectRecord(record, task)
}

export const raceSteps = [race, race, race, deadline]
