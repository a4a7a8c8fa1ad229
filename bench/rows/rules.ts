import type { Context, Result, Row, Target } from '../frame/row.ts'
import { quantile, spread } from '../frame/row.ts'
import * as worlds from '../rules/worlds.ts'

const runs = { quick: 200, full: 1_000 }
// In samples or tasks.
const longLife = 10_000
const sampleShares = [0.05, 0.1, 0.25, 0.5, 1]

/**
 * Simulates standing rules: when disagreement of people pauses them, and what they have answered
 * until then.
 */
export const rules: Row = {
  name: 'rules',
  about:
    'when 1,000 simulated rules of each kind notice that people disagree, and what they have answered (--quick: 200)',
  async run({ quick, showProgress }: Context) {
    const count = quick ? runs.quick : runs.full
    const results: Result[] = []
    const add = (what: string, unit: string, value: number, ...targets: Omit<Target, 'of'>[]) =>
      results.push({
        what,
        unit,
        product: spread([value]),
        ...(targets.length > 0 && { targets: targets.map((target) => ({ of: 'product', ...target })) }),
      })
    const simulate = async <T>(world: string, run: (seed: number) => T): Promise<T[]> => {
      showProgress(world)
      await new Promise((resolve) => setImmediate(resolve))
      return Array.from({ length: count }, (_, i) => run(i + 1))
    }

    await addConstant(simulate, add)
    await addChanges(simulate, add)
    await addReviewers(simulate, add)
    await addHarm(simulate, add)
    return results
  },
}

type Simulate = <T>(world: string, run: (seed: number) => T) => Promise<T[]>
type Add = (what: string, unit: string, value: number, ...targets: Omit<Target, 'of'>[]) => void

const atMost = (value: number) => ({ is: 'at most', value }) as const
const atLeast = (value: number) => ({ is: 'at least', value }) as const
const percent = (share: number) => `${Math.round(1_000 * share) / 10} %`

/** A quantile in which `undefined`, a run without a result, counts as infinite. */
function quantileOf(values: (number | undefined)[], share: number): number {
  const sorted = values.map((value) => value ?? Number.POSITIVE_INFINITY).sort((one, other) => one - other)
  return quantile(sorted, share)
}
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const shareOf = <T>(values: T[], is: (value: T) => boolean) =>
  (100 * values.filter(is).length) / values.length

/** Measures disagreement that never changes. */
async function addConstant(simulate: Simulate, add: Add): Promise<void> {
  const medians: Record<number, number> = { 0.05: 150, 0.1: 40 }
  for (const share of [0.05, 0.1]) {
    const world = `${percent(share)} from the beginning`
    const delays = await simulate(world, (seed) =>
      worlds.samplesUntilPause(seed, worlds.constant(share), longLife),
    )
    add(`${world}: samples until the pause, median`, '', quantileOf(delays, 0.5), atMost(medians[share]!))
    add(`${world}: samples until the pause, p90`, '', quantileOf(delays, 0.9))
  }
  for (const share of [0, 0.01, 0.02]) {
    const world = `${percent(share)} from the beginning`
    const delays = await simulate(world, (seed) =>
      worlds.samplesUntilPause(seed, worlds.constant(share), longLife),
    )
    const isCalm = (delay: number | undefined) => delay === undefined
    add(
      `${world}: no pause in 10,000 samples`,
      '%',
      shareOf(delays, isCalm),
      ...(share === 0 ? [atLeast(100)] : share === 0.01 ? [atLeast(60)] : []),
    )
    const pauses = await simulate(world, (seed) => worlds.countPauses(seed, worlds.constant(share), longLife))
    add(`${world}: false pauses in 10,000 samples, resumed each time, mean`, '', mean(pauses))
    if (share === worlds.allowed)
      add(`${world}: samples between false pauses, mean`, '', longLife / mean(pauses), atLeast(1_000))
  }
  const world = `${percent(worlds.allowed)}, which is allowed`
  const ever = await simulate(world, (seed) =>
    worlds.isPausedForDisagreement(seed, worlds.constant(worlds.allowed), longLife),
  )
  add(`${world}: ever paused by the evidence since the beginning`, '%', shareOf(ever, Boolean), atMost(5))
}

/**
 * Measures a change of the agent, under the same version and under a new one, and an agent that
 * abuses the conditions.
 */
async function addChanges(simulate: Simulate, add: Add): Promise<void> {
  const jump = (share: number) => (seed: number) =>
    worlds.live(seed, { sample: 1, goodSamples: 500, disagreement: () => share, maxTasks: longLife })
  for (const share of [0.05, 0.1, 0.2]) {
    const world = `from 1 % to ${percent(share)} after 500 samples, same version`
    const harms = await simulate(world, jump(share))
    const delays = harms.map(({ isPaused, samples }) => (isPaused ? samples : undefined))
    add(
      `${world}: samples until the pause, median`,
      '',
      quantileOf(delays, 0.5),
      ...(share === 0.2 ? [atMost(20)] : []),
    )
    add(`${world}: samples until the pause, p90`, '', quantileOf(delays, 0.9))
  }
  for (const share of [0.01, 0.05, 0.2]) {
    const world = `a new version with ${percent(share)}`
    const passed = await simulate(world, (seed) => worlds.answersUntilPassed(seed, share, 1_000))
    add(
      `${world}: passes within 1,000 answers of people`,
      '%',
      shareOf(passed, (answers) => answers !== undefined),
      ...(share === 0.2 ? [atMost(1)] : share === 0.01 ? [atLeast(99)] : []),
    )
    if (share < 0.2) add(`${world}: answers of people until it passes, median`, '', quantileOf(passed, 0.5))
  }
  const world = 'an agent moves bad tasks under the conditions, from 1 to 30 % over 500 tasks'
  const harms = await simulate(world, (seed) =>
    worlds.live(seed, {
      sample: 0.1,
      goodSamples: 100,
      disagreement: (n) => 0.01 + 0.29 * Math.min(1, n / 500),
      maxTasks: longLife,
    }),
  )
  add(
    `${world}: 10 % sampled, tasks until the pause, median`,
    '',
    quantileOf(
      harms.map(({ tasks }) => tasks),
      0.5,
    ),
  )
  add(
    `${world}: 10 % sampled, wrong answers, median`,
    '',
    quantileOf(
      harms.map(({ wrong }) => wrong),
      0.5,
    ),
  )
  add(
    `${world}: 10 % sampled, wrong answers, p90`,
    '',
    quantileOf(
      harms.map(({ wrong }) => wrong),
      0.9,
    ),
  )
}

/** Measures people who do not agree with each other. */
async function addReviewers(simulate: Simulate, add: Add): Promise<void> {
  const teams = {
    'four people with 0.5 to 1.5 %': [0.005, 0.01, 0.01, 0.015],
    'three people with 0.5 % and one with 8 %': [0.005, 0.005, 0.005, 0.08],
  }
  for (const [team, shares] of Object.entries(teams)) {
    for (const shift of [1, 50]) {
      const world = `${team}, ${shift === 1 ? 'mixed' : `${shift} samples in a row each`}`
      const delays = await simulate(world, (seed) =>
        worlds.samplesUntilPause(seed, worlds.reviewers(shares, shift), 1_000),
      )
      add(
        `${world}: paused within 1,000 samples`,
        '%',
        shareOf(delays, (delay) => delay !== undefined),
      )
    }
  }
}

/** Measures what a rule answers wrongly before it pauses, by the share of tasks that still goes to people. */
async function addHarm(simulate: Simulate, add: Add): Promise<void> {
  for (const share of [0.05, 0.1, 0.2]) {
    for (const sample of sampleShares) {
      const world = `from 1 % to ${percent(share)} after 500 samples, ${percent(sample)} sampled`
      const harms = await simulate(world, (seed) =>
        worlds.live(seed, { sample, goodSamples: 500, disagreement: () => share, maxTasks: 200_000 }),
      )
      add(
        `${world}: tasks until the pause, median`,
        '',
        quantileOf(
          harms.map(({ tasks }) => tasks),
          0.5,
        ),
      )
      add(
        `${world}: wrong answers, median`,
        '',
        quantileOf(
          harms.map(({ wrong }) => wrong),
          0.5,
        ),
      )
      add(
        `${world}: wrong answers, p90`,
        '',
        quantileOf(
          harms.map(({ wrong }) => wrong),
          0.9,
        ),
      )
    }
  }
  for (const answerHours of [1, 8]) {
    const world = `from 1 % to 20 %, 10 % of 500 tasks per day sampled, people answer after ${answerHours} h`
    const harms = await simulate(world, (seed) =>
      worlds.live(seed, {
        sample: 0.1,
        goodSamples: 500,
        disagreement: () => 0.2,
        maxTasks: longLife,
        pace: { tasksPerDay: 500, answerHours },
      }),
    )
    add(
      `${world}: wrong answers, median`,
      '',
      quantileOf(
        harms.map(({ wrong }) => wrong),
        0.5,
      ),
    )
    add(
      `${world}: tasks that went to people because it rested, median`,
      '',
      quantileOf(
        harms.map(({ whileResting }) => whileResting),
        0.5,
      ),
    )
  }
}
