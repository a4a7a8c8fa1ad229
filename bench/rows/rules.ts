import type { Context, Result, Row, Target } from '../frame/row.ts'
import { quantile, spread } from '../frame/row.ts'
import * as simulated from '../rules/simulated-rules.ts'

const runs = { quick: 200, full: 1_000 }
/** In samples, or in tasks. */
const longRun = 10_000
const sampleShares = [0.05, 0.1, 0.25, 0.5, 1]

/**
 * Simulates standing rules: after how many samples the disagreement of people pauses them, and what
 * the rules have answered until then.
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
    const simulate = async <T>(scenario: string, run: (seed: number) => T): Promise<T[]> => {
      showProgress(scenario)
      await new Promise((resolve) => setImmediate(resolve))
      return Array.from({ length: count }, (_, i) => run(i + 1))
    }

    await addConstantDisagreement(simulate, add)
    await addChanges(simulate, add)
    await addReviewers(simulate, add)
    await addWrongAnswers(simulate, add)
    return results
  },
}

type Simulate = <T>(scenario: string, run: (seed: number) => T) => Promise<T[]>
type Add = (what: string, unit: string, value: number, ...targets: Omit<Target, 'of'>[]) => void

const atMost = (value: number) => ({ is: 'at most', value }) as const
const atLeast = (value: number) => ({ is: 'at least', value }) as const
const percent = (share: number) => `${Math.round(1_000 * share) / 10} %`

/** A quantile of the results. A run without a result (`undefined`) counts as infinite. */
function quantileOf(values: (number | undefined)[], share: number): number {
  const sorted = values.map((value) => value ?? Number.POSITIVE_INFINITY).sort((one, other) => one - other)
  return quantile(sorted, share)
}
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const shareOf = <T>(values: T[], is: (value: T) => boolean) =>
  (100 * values.filter(is).length) / values.length

/** Measures disagreement that never changes. */
async function addConstantDisagreement(simulate: Simulate, add: Add): Promise<void> {
  const medians: Record<number, number> = { 0.05: 150, 0.1: 40 }
  for (const share of [0.05, 0.1]) {
    const scenario = `${percent(share)} from the beginning`
    const delays = await simulate(scenario, (seed) =>
      simulated.countSamplesUntilPause(seed, simulated.constant(share), longRun),
    )
    add(`${scenario}: samples until the pause, median`, '', quantileOf(delays, 0.5), atMost(medians[share]!))
    add(`${scenario}: samples until the pause, p90`, '', quantileOf(delays, 0.9))
  }
  for (const share of [0, 0.01, 0.02]) {
    const scenario = `${percent(share)} from the beginning`
    const delays = await simulate(scenario, (seed) =>
      simulated.countSamplesUntilPause(seed, simulated.constant(share), longRun),
    )
    const isCalm = (delay: number | undefined) => delay === undefined
    add(
      `${scenario}: no pause in 10,000 samples`,
      '%',
      shareOf(delays, isCalm),
      ...(share === 0 ? [atLeast(100)] : share === 0.01 ? [atLeast(60)] : []),
    )
    const pauses = await simulate(scenario, (seed) =>
      simulated.countPauses(seed, simulated.constant(share), longRun),
    )
    add(`${scenario}: false pauses in 10,000 samples, resumed each time, mean`, '', mean(pauses))
    if (share === simulated.allowedDisagreement)
      add(`${scenario}: samples between false pauses, mean`, '', longRun / mean(pauses), atLeast(1_000))
  }
  const scenario = `${percent(simulated.allowedDisagreement)}, which is allowed`
  const ever = await simulate(scenario, (seed) =>
    simulated.isPausedForDisagreement(seed, simulated.constant(simulated.allowedDisagreement), longRun),
  )
  add(`${scenario}: ever paused by the evidence since the beginning`, '%', shareOf(ever, Boolean), atMost(5))
}

/**
 * Measures a change of the agent, under the same version and under a new one, and an agent that
 * abuses the conditions.
 */
async function addChanges(simulate: Simulate, add: Add): Promise<void> {
  const jump = (share: number) => (seed: number) =>
    simulated.simulateRule(seed, {
      sample: 1,
      goodSamples: 500,
      disagreement: () => share,
      maxTasks: longRun,
    })
  for (const share of [0.05, 0.1, 0.2]) {
    const scenario = `from 1 % to ${percent(share)} after 500 samples, same version`
    const simulatedRules = await simulate(scenario, jump(share))
    const delays = simulatedRules.map(({ isPaused, samples }) => (isPaused ? samples : undefined))
    add(
      `${scenario}: samples until the pause, median`,
      '',
      quantileOf(delays, 0.5),
      ...(share === 0.2 ? [atMost(20)] : []),
    )
    add(`${scenario}: samples until the pause, p90`, '', quantileOf(delays, 0.9))
  }
  for (const share of [0.01, 0.05, 0.2]) {
    const scenario = `a new version with ${percent(share)}`
    const passed = await simulate(scenario, (seed) => simulated.countAnswersUntilPassed(seed, share, 1_000))
    add(
      `${scenario}: passes within 1,000 answers of people`,
      '%',
      shareOf(passed, (answers) => answers !== undefined),
      ...(share === 0.2 ? [atMost(1)] : share === 0.01 ? [atLeast(99)] : []),
    )
    if (share < 0.2)
      add(`${scenario}: answers of people until it passes, median`, '', quantileOf(passed, 0.5))
  }
  const scenario = 'an agent moves bad tasks under the conditions, from 1 to 30 % over 500 tasks'
  const simulatedRules = await simulate(scenario, (seed) =>
    simulated.simulateRule(seed, {
      sample: 0.1,
      goodSamples: 100,
      disagreement: (n) => 0.01 + 0.29 * Math.min(1, n / 500),
      maxTasks: longRun,
    }),
  )
  add(
    `${scenario}: 10 % sampled, tasks until the pause, median`,
    '',
    quantileOf(
      simulatedRules.map(({ tasks }) => tasks),
      0.5,
    ),
  )
  add(
    `${scenario}: 10 % sampled, wrong answers, median`,
    '',
    quantileOf(
      simulatedRules.map(({ wrong }) => wrong),
      0.5,
    ),
  )
  add(
    `${scenario}: 10 % sampled, wrong answers, p90`,
    '',
    quantileOf(
      simulatedRules.map(({ wrong }) => wrong),
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
    for (const samplesInRow of [1, 50]) {
      const scenario = `${team}, ${samplesInRow === 1 ? 'mixed' : `${samplesInRow} samples in a row each`}`
      const delays = await simulate(scenario, (seed) =>
        simulated.countSamplesUntilPause(seed, simulated.takingTurns(shares, samplesInRow), 1_000),
      )
      add(
        `${scenario}: paused within 1,000 samples`,
        '%',
        shareOf(delays, (delay) => delay !== undefined),
      )
    }
  }
}

/**
 * Measures how many wrong answers a rule gives before it pauses, by the share of tasks that are
 * sampled.
 */
async function addWrongAnswers(simulate: Simulate, add: Add): Promise<void> {
  for (const share of [0.05, 0.1, 0.2]) {
    for (const sample of sampleShares) {
      const scenario = `from 1 % to ${percent(share)} after 500 samples, ${percent(sample)} sampled`
      const simulatedRules = await simulate(scenario, (seed) =>
        simulated.simulateRule(seed, {
          sample,
          goodSamples: 500,
          disagreement: () => share,
          maxTasks: 200_000,
        }),
      )
      add(
        `${scenario}: tasks until the pause, median`,
        '',
        quantileOf(
          simulatedRules.map(({ tasks }) => tasks),
          0.5,
        ),
      )
      add(
        `${scenario}: wrong answers, median`,
        '',
        quantileOf(
          simulatedRules.map(({ wrong }) => wrong),
          0.5,
        ),
      )
      add(
        `${scenario}: wrong answers, p90`,
        '',
        quantileOf(
          simulatedRules.map(({ wrong }) => wrong),
          0.9,
        ),
      )
    }
  }
  for (const answerHours of [1, 8]) {
    const scenario = `from 1 % to 20 %, 10 % of 500 tasks per day sampled, people answer after ${answerHours} h`
    const simulatedRules = await simulate(scenario, (seed) =>
      simulated.simulateRule(seed, {
        sample: 0.1,
        goodSamples: 500,
        disagreement: () => 0.2,
        maxTasks: longRun,
        pace: { tasksPerDay: 500, answerHours },
      }),
    )
    add(
      `${scenario}: wrong answers, median`,
      '',
      quantileOf(
        simulatedRules.map(({ wrong }) => wrong),
        0.5,
      ),
    )
    add(
      `${scenario}: tasks that went to people because it rested, median`,
      '',
      quantileOf(
        simulatedRules.map(({ whileResting }) => whileResting),
        0.5,
      ),
    )
  }
}
