import { limits } from '../../src/contract/limits.ts'
import { createEvidence } from '../../src/contract/rules/expected-delay.ts'
import { createRandom, type Random } from '../../src/server/domain/demo/random.ts'

/** The default of new rules. */
export const allowedDisagreement = limits.allowedDisagreementDefault

/** The probability that people disagree with the rule on the n-th sample, counted from 0. */
export type Disagreement = (n: number, random: Random) => number

export const constant =
  (share: number): Disagreement =>
  () =>
    share

/**
 * Returns how many samples it takes until the first pause, or undefined if `max` samples cause
 * none.
 */
export function countSamplesUntilPause(
  seed: number,
  disagreement: Disagreement,
  max: number,
): number | undefined {
  const random = createRandom(seed)
  const evidence = createEvidence(allowedDisagreement)
  for (let n = 0; n < max; n++) if (evidence.add(!random.chance(disagreement(n, random)))) return n + 1
  return undefined
}

/** Returns how often a rule pauses in `samples` samples if it is resumed after each pause. */
export function countPauses(seed: number, disagreement: Disagreement, samples: number): number {
  const random = createRandom(seed)
  const evidence = createEvidence(allowedDisagreement)
  let pauses = 0
  for (let n = 0; n < samples; n++) {
    if (!evidence.add(!random.chance(disagreement(n, random)))) continue
    pauses += 1
    evidence.clear()
  }
  return pauses
}

/**
 * Whether the evidence since the beginning, not that of recent samples, pauses a rule within
 * `samples`.
 */
export function isPausedForDisagreement(seed: number, disagreement: Disagreement, samples: number): boolean {
  const random = createRandom(seed)
  const evidence = createEvidence(allowedDisagreement)
  for (let n = 0; n < samples; n++)
    if (evidence.add(!random.chance(disagreement(n, random))) === 'disagreement') return true
  return false
}

/**
 * People who each disagree with the rule with a probability of their own, and take turns after
 * `samplesInRow` samples.
 */
export function takingTurns(shares: number[], samplesInRow: number): Disagreement {
  let current = 0
  return (n, random) => {
    if (n % samplesInRow === 0) current = random.pick(shares)
    return current
  }
}

/** What a simulated rule did from the change of the agent on. */
export type SimulatedRule = {
  /** Matching tasks from the change until the rule paused or, without a pause, until the end. */
  tasks: number
  samples: number
  /** Answers of the rule that people would have disagreed with. */
  wrong: number
  /** Tasks that went to people because the rule rested. */
  whileResting: number
  isPaused: boolean
}

export type RuleScenario = {
  /** The share of matching tasks that is drawn as samples. */
  sample: number
  /** The probability that people disagree on the n-th task after the change. */
  disagreement: (n: number) => number
  /** The number of samples before the change, on which people disagree half as often as allowed. */
  goodSamples?: number
  maxTasks: number
  /**
   * Matching tasks per day, and the mean time until a person answers. Left out: people answer at
   * once, and the rule never rests.
   */
  pace?: { tasksPerDay: number; answerHours: number }
}

type OpenSample = { drawnAt: number; answeredAt: number; agrees: boolean }

/** Simulates a rule task by task, from a change of the agent until the rule pauses. */
export function simulateRule(
  seed: number,
  { sample, disagreement, goodSamples = 0, maxTasks, pace }: RuleScenario,
): SimulatedRule {
  const random = createRandom(seed)
  const evidence = createEvidence(allowedDisagreement)
  for (let n = 0; n < goodSamples; n++)
    if (evidence.add(!random.chance(allowedDisagreement / 2))) evidence.clear()
  const harm: SimulatedRule = { tasks: 0, samples: 0, wrong: 0, whileResting: 0, isPaused: false }
  let open: OpenSample[] = []
  for (let n = 0; n < maxTasks && !harm.isPaused; n++) {
    const hours = pace ? (24 * n) / pace.tasksPerDay : 0
    const answered = open.filter(({ answeredAt }) => answeredAt <= hours)
    open = open.filter(({ answeredAt }) => answeredAt > hours)
    for (const { agrees } of answered.sort((one, other) => one.answeredAt - other.answeredAt)) {
      harm.samples += 1
      harm.isPaused ||= evidence.add(agrees) !== undefined
    }
    if (harm.isPaused) break
    harm.tasks += 1
    const isWrong = random.chance(disagreement(n))
    const isResting =
      open.length >= limits.ruleOpenSamples ||
      open.some(({ drawnAt }) => hours - drawnAt > limits.ruleSampleHours)
    if (isResting) {
      harm.whileResting += 1
    } else if (!random.chance(sample)) {
      harm.wrong += isWrong ? 1 : 0
    } else if (pace) {
      const answeredAt = hours - pace.answerHours * Math.log(1 - random.next())
      open.push({ drawnAt: hours, answeredAt, agrees: !isWrong })
    } else {
      harm.samples += 1
      harm.isPaused = evidence.add(!isWrong) !== undefined
    }
  }
  return harm
}

/**
 * How many answers people give to tasks of a new version until enough answers in a row agree with
 * the rule, or undefined if `max` answers are not enough. `share`: the probability that they
 * disagree.
 */
export function countAnswersUntilPassed(seed: number, share: number, max: number): number | undefined {
  const random = createRandom(seed)
  let agreedInRow = 0
  for (let n = 1; n <= max; n++) {
    agreedInRow = random.chance(share) ? 0 : agreedInRow + 1
    if (agreedInRow === limits.ruleNewVersionAgreements) return n
  }
  return undefined
}
