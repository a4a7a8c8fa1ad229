import fc from 'fast-check'
import { expect } from 'vitest'
import { moveClockTo } from '../../support/rows.ts'
import { expectLoss, expectRecord } from './compare.ts'
import { cancel, claim, handle, type ModelTask, openTasks, reachDeadline, update } from './model.ts'
import { answers, anyAnswer, giveAnswer } from './people-steps.ts'
import { pickTask, type Step, someTask, step } from './step.ts'
import type { World } from './world.ts'

const runner = fc.record({
  at: fc.nat(1),
  who: fc.nat(1),
  what: fc.oneof(anyAnswer, fc.constant('cancel' as const)),
})

/** Several callers end one task concurrently at both nodes, while the agent sends an update and a person claims it. */
const race: fc.Arbitrary<Step> = fc
  .record({
    which: fc.nat(1_000),
    runners: fc.array(runner, { minLength: 2, maxLength: 4 }),
    report: fc.boolean(),
    opener: fc.constantFrom(undefined, 0, 1),
  })
  .map(({ which, runners, report, opener }) =>
    step(
      'race',
      async (model, world, log) => {
        const task = pickTask(model.tasks, which)
        const path = `/tasks/${task.taskId}`
        const wasOpen = task.status === 'open'
        const message = `step ${task.updates.length}`
        const [ends, reported, opened] = await Promise.all([
          Promise.all(
            runners.map(({ at, who, what }) =>
              what === 'cancel'
                ? world.agent(at).post(`${path}/cancel`, { reason: 'Settled' })
                : giveAnswer(world.person(at, who), task.taskId, what),
            ),
          ),
          report ? world.agent(0).post(`${path}/updates`, { message }) : undefined,
          opener === undefined ? undefined : world.person(1, opener).post(`${path}/claim`),
        ])
        const inWords = runners.map(
          ({ at, who, what }, i) =>
            `${what === 'cancel' ? 'agent' : world.people[who]!.name} at ${at}: ${what} ${ends[i]!.status}`,
        )
        if (reported) inWords.push(`report ${reported.status}`)
        if (opened) inWords.push(`claim by ${world.people[opener!]!.name} ${opened.status}`)
        log(`race for #${task.number} (${inWords.join('; ')})`)

        const before = task.events.length
        if (reported?.status === 201) {
          expect(wasOpen).toBe(true)
          update(task, message)
        }
        if (opened?.status === 200) {
          expect(wasOpen).toBe(true)
          claim(task, world.people[opener!]!.name)
        }
        task.events.push(task.events.splice(before).flat())
        const winner = ends.findIndex(({ status }) => status === 200)
        if (wasOpen) {
          expect(winner).not.toBe(-1)
          const { who, what } = runners[winner]!
          if (what === 'cancel') cancel(task, 'Settled')
          else handle(task, answers[what], world.people[who]!, ends[winner]!.body.handled.handledAt)
        }
        for (const [i, { what }] of runners.entries()) {
          // Cancelling a cancelled task returns the same response.
          if (what === 'cancel' && task.status === 'cancelled') expect(ends[i]!.status).toBe(200)
          else if (!wasOpen || i !== winner) expectLoss(ends[i]!, task)
        }
        for (const late of [reported, opened])
          if (late && late.status !== 201 && late.status !== 200) expectLoss(late, task)
        expectRecord((await world.agent(1).get(`${path}?include=updates`)).body, task)
      },
      someTask,
    ),
  )

/** A deadline passes. A later answer loses; other overdue tasks end on their own. */
const deadline: fc.Arbitrary<Step> = fc
  .record({ at: fc.nat(1), which: fc.nat(1_000), answer: fc.option(anyAnswer, { nil: undefined }) })
  .map(({ at, which, answer }) =>
    step(
      'deadline',
      async (model, world, log) => {
        const waiting = openTasks(model).filter(({ expiresAt }) => expiresAt !== undefined)
        const chosen = pickTask(waiting, which)
        const moment = clearMoment(waiting, chosen)
        const due = waiting.filter(({ expiresAt }) => Date.parse(expiresAt!) <= moment)
        log(
          `the deadline of #${chosen.number} passes${answer ? `, ${answer} comes after it` : ''}; due are ${due.map(({ number }) => `#${number}`).join(' ')}`,
        )
        await moveClockTo(world.databaseUrl, new Date(moment).toISOString())
        model.clockMoves++
        for (const { claim } of openTasks(model)) if (claim) claim.alive = false
        const late = answer && (await giveAnswer(world.person(at, 0), chosen.taskId, answer))
        for (const task of due) await learnOfEnd(world, task)
        if (late) expectLoss(late, chosen)
      },
      // Idempotency keys expire after a day.
      (model) => openTasks(model).some(({ expiresAt }) => expiresAt) && model.clockMoves < 8,
    ),
  )

/** Later than the end of any claim, and with more time until the next deadline than a walk takes. */
function clearMoment(waiting: ModelTask[], chosen: ModelTask): number {
  let moment = Date.parse(chosen.expiresAt!) + 200_000
  for (const at of waiting.map(({ expiresAt }) => Date.parse(expiresAt!)).toSorted((a, b) => a - b))
    if (at <= moment + 200_000) moment = Math.max(moment, at + 200_000)
  return moment
}

/** A wait returns as soon as the task has ended. */
async function learnOfEnd(world: World, task: ModelTask): Promise<void> {
  const { body: record } = await world.agent(0).get(`/tasks/${task.taskId}?waitSeconds=50`)
  reachDeadline(task, record.handled?.handledAt)
  expectRecord(record, task)
}

export const raceSteps = [race, race, race, deadline]
