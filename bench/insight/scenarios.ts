import { createRandom, type Random } from '../../src/server/domain/demo/random.ts'
import type { StoredAction } from '../../src/server/storage/engine/task-tables.ts'
import type { AnalyzedAnswer } from '../../src/server/storage/feedback/answers.ts'

// A scenario generates data sets whose causes are known: by default 400 answers in 30 days by five
// reviewers to two versions, half to each, of which 8 % are negative. Its options may change every
// answer.

type GeneratedAnswer = {
  /** The position in time: 0 is the oldest answer, just below 1 the newest. */
  position: number
  /** Days since the start, with the time of day as a fraction. */
  at: number
  version: string
  reviewer: string
  bulkId: string | null
  /** The probability that the answer is negative. */
  negative: number
  fields: Record<string, string>
  data: Record<string, unknown>
}

type ScenarioOptions = {
  n?: number
  change?(answer: GeneratedAnswer, random: Random): void
  actions?: StoredAction[]
}

const days = 30
const day = 86_400_000
// A Monday.
const start = Date.parse('2026-10-05T00:00:00.000Z')
export const period = { periodStart: new Date(start), periodEnd: new Date(start + days * day) }
export const reviewers = ['ana', 'ben', 'cai', 'dee', 'eli'].map((name) => `${name}@example.com`)
const baseShare = 0.08

const plainForms: StoredAction[] = [
  { id: 'approve', title: 'Approve', outcome: 'positive' },
  { id: 'reject', title: 'Reject', outcome: 'negative' },
]

/** The answers of one data set, newest first, as an analysis reads them. */
export function generateScenario(
  seed: number,
  { n = 400, change, actions = plainForms }: ScenarioOptions,
): AnalyzedAnswer[] {
  const random = createRandom(seed)
  return Array.from({ length: n }, (_, i) => {
    const position = (i + random.next()) / n
    const answer: GeneratedAnswer = {
      position,
      at: position * days,
      version: position < 0.5 ? '1.0' : '1.1',
      reviewer: random.pick(reviewers),
      bulkId: null,
      negative: baseShare,
      fields: { 'context.channel': random.pick(['mail', 'chat', 'phone']) },
      data: {},
    }
    change?.(answer, random)
    const isNegative = random.chance(answer.negative)
    const endedAt = new Date(start + answer.at * day)
    return {
      taskId: `tsk_01k9${String(i).padStart(22, '0')}`,
      name: `Order ${i}`,
      description: '',
      createdAt: new Date(endedAt.getTime() - 60_000),
      endedAt,
      version: answer.version,
      actionId: isNegative ? 'reject' : 'approve',
      actionTitle: isNegative ? 'Reject' : 'Approve',
      decidedBy: 'human' as const,
      data: answer.data,
      presented: null,
      actions,
      candidates: null,
      isContentDeleted: false,
      handledBy: answer.reviewer,
      bulkId: answer.bulkId,
      fields: answer.fields,
    }
  }).sort((a, b) => b.endedAt.getTime() - a.endedAt.getTime())
}

const isNew = ({ version }: GeneratedAnswer) => version === '1.1'
const setInputGroup = (answer: GeneratedAnswer, hard: boolean) => {
  answer.fields['context.country'] = hard ? 'far' : 'near'
  answer.negative = hard ? 0.2 : 0.04
}
const categories: StoredAction[] = plainForms.map((action) => ({
  ...action,
  schema: {
    type: 'object',
    properties: { category: { type: 'string', title: 'Category', enum: ['a', 'b', 'c'] } },
  },
}))

/** Makes an answer of a certain time part of a bulk rejection. Returns whether it did. */
function rejectInBulk(answer: GeneratedAnswer): boolean {
  if (answer.position < 0.7 || answer.position >= 0.85) return false
  answer.at = 22.5
  answer.negative = 1
  answer.reviewer = reviewers[0]!
  return true
}

/** Scenarios in which nothing is wrong with the current version. */
export const harmless: Record<string, ScenarioOptions> = {
  'clean data': {},
  'a strict reviewer joins with the release': {
    change(answer, random) {
      if (isNew(answer) && random.chance(0.2)) {
        answer.reviewer = 'strict@example.com'
        answer.negative = 0.6
      }
    },
  },
  'the input mix shifts with the release': {
    change: (answer, random) => setInputGroup(answer, random.chance(isNew(answer) ? 0.7 : 0.3)),
  },
  'one bulk rejection of 60': { change: (answer) => void rejectInBulk(answer) },
  'one bulk rejection of 60 with a bulkId': {
    change(answer) {
      if (rejectInBulk(answer)) answer.bulkId = 'bulk'
    },
  },
  'one hour of incidents': {
    change(answer, random) {
      if (answer.position < 0.7 || answer.position >= 0.85) return
      answer.at = 22.5 + random.next() / 24
      answer.negative = 0.9
    },
  },
  'a release on a weekend': {
    change(answer, random) {
      // The new version gets most of its answers on weekends, when people are stricter.
      if (isNew(answer) && random.chance(0.6)) answer.at = random.pick([19, 20, 26, 27]) + random.next()
      const weekday = Math.floor(answer.at) % 7
      answer.negative = weekday >= 5 ? 0.25 : 0.05
    },
  },
  'a sudden rise halfway through the new version, not caused by it': {
    change(answer) {
      answer.negative = answer.position < 0.75 ? 0.06 : 0.28
    },
  },
  'a slow drift from 5 to 20 %': {
    change(answer) {
      answer.negative = 0.05 + 0.15 * answer.position
    },
  },
}

/** Scenarios in which an earlier version was bad, and the current version is good. */
export const fixed: Record<string, ScenarioOptions> = {
  'a bad version was replaced two weeks ago': {
    change(answer) {
      answer.negative = isNew(answer) ? 0.04 : 0.3
    },
  },
  'a bad version was rolled back': {
    change(answer) {
      answer.version = answer.position >= 0.3 && answer.position < 0.6 ? '1.1' : '1.0'
      answer.negative = isNew(answer) ? 0.4 : 0.04
    },
  },
}

/** Scenarios in which the current version is worse than the other one. */
export const worse: Record<string, ScenarioOptions> = {
  'a version that is worse by 15 points': {
    change(answer) {
      if (isNew(answer)) answer.negative = baseShare + 0.15
    },
  },
  'a version worse by 8 points in each input group, hidden by the mix': {
    n: 1_600,
    change(answer, random) {
      setInputGroup(answer, random.chance(isNew(answer) ? 0.3 : 0.7))
      if (isNew(answer)) answer.negative += 0.08
    },
  },
}

/** The new version looks better in all answers together, and is worse in each input group. */
export const reversed: ScenarioOptions = {
  n: 1_600,
  change(answer, random) {
    setInputGroup(answer, random.chance(isNew(answer) ? 0.2 : 0.8))
    if (isNew(answer)) answer.negative += 0.08
  },
}

/** The current version has few answers, and most of them are negative. */
export const fewAndBad: ScenarioOptions = {
  change(answer) {
    answer.version = answer.position < 0.965 ? '1.0' : '1.1'
    answer.negative = isNew(answer) ? 0.8 : 0.04
  },
}

export const strictReviewer: ScenarioOptions = {
  change(answer) {
    if (answer.reviewer === reviewers[0]) answer.negative = 1
  },
}

/** One reviewer gets the hard tasks, and judges them as the others do. */
export const reviewerOfHardTasks: ScenarioOptions = {
  change(answer, random) {
    setInputGroup(answer, random.chance(answer.reviewer === reviewers[0] ? 0.9 : 0.3))
  },
}

export const causeIsField: ScenarioOptions = {
  change(answer, random) {
    const isMarked = random.chance(0.2)
    answer.fields['context.currency'] = isMarked ? 'CHF' : 'EUR'
    answer.negative = isMarked ? 0.7 : 0.1
  },
}

export const choiceOnEveryAnswer: ScenarioOptions = {
  actions: categories,
  change(answer, random) {
    answer.negative = 0.3
    answer.data = { category: random.chance(0.6) ? 'a' : random.pick(['b', 'c']) }
  },
}

const pick: StoredAction = {
  id: 'pick',
  title: 'Pick',
  schema: { type: 'object', properties: { winner: { type: 'string', enum: ['a', 'b', 'c'] } } },
}

/**
 * The sender shows the candidates in the order of its own score. People choose the best one, which
 * often has the highest score.
 */
export function generateSortedComparisons(seed: number): AnalyzedAnswer[] {
  const random = createRandom(seed)
  const names = ['a', 'b', 'c']
  return generateScenario(seed, { actions: [pick] }).map((row) => {
    const quality = names.map(() => random.next())
    const score = quality.map((one) => one + 0.3 * random.next())
    const order = [0, 1, 2].sort((x, y) => score[y]! - score[x]!)
    const best = quality.indexOf(Math.max(...quality))
    return {
      ...row,
      actionId: 'pick',
      actionTitle: 'Pick',
      data: { winner: names[best]! },
      candidates: { drafts: names.map((name) => ({ name, ours: false })) },
      presented: { drafts: { order, blind: false } },
    }
  })
}

/** Two candidates, one of which the sender marks with `ours`. It wins with this probability. */
export function generateOwnCandidate(seed: number, winProbability: number): AnalyzedAnswer[] {
  const random = createRandom(seed)
  return generateScenario(seed, { n: 200, actions: [pick] }).map((row) => ({
    ...row,
    version: '1.0',
    actionId: 'pick',
    actionTitle: 'Pick',
    data: { winner: random.chance(winProbability) ? 'a' : 'b' },
    candidates: { drafts: ['a', 'b'].map((name) => ({ name, ours: name === 'a' })) },
  }))
}
