import type { Rule, RuleCondition } from '../../../contract/rules/rule.ts'
import { formatCalendarDay } from '../../lib/dates.ts'
import { formatShortPercent } from '../../lib/numbers.ts'

/** A piece of the text that says what a rule does. What an admin has set is strong. */
export type SummaryPart = string | { strong: string }

const nonBreakingSpace = '\u00a0'
const strong = (text: string | number | boolean): SummaryPart => ({
  strong: text === '' ? '“”' : String(text),
})

/** "1 in 10", "every one", or a share in percent. */
export function oneIn(share: number): string {
  if (share >= 1) return 'every one'
  const n = Math.round(1 / share)
  return Math.abs(1 / n - share) < 1e-6 ? ['1', 'in', n].join(nonBreakingSpace) : formatShortPercent(share)
}

type DescribedRule = Pick<Rule, 'app' | 'type' | 'when' | 'answer' | 'sample'> & {
  state?: Rule['state']
  /** undefined: the rule answers all versions, or the text does not say which. */
  versions?: Rule['versions']
  /** undefined: the text does not say until when the rule answers. */
  until?: string | undefined
}

/** What a rule does, in two sentences: in the past tense if it is paused or has ended. */
export function describeRule({
  app,
  type,
  when,
  versions,
  answer,
  sample,
  state = 'active',
  until,
}: DescribedRule): SummaryPart[] {
  const isActive = state === 'active'
  return [
    'When ',
    strong(app),
    isActive ? ' sends a task of type ' : ' sent a task of type ',
    strong(type),
    ...(versions ? [' and version ', ...listOf(versions)] : []),
    ...(when.length > 0 ? [' where ', ...describeConditions(when)] : []),
    isActive ? ', the rule answers ' : ', the rule answered ',
    strong(answer.actionTitle),
    ...(until === undefined ? [] : [' until ', strong(formatCalendarDay(until))]),
    '. ',
    ...(sample >= 1 ? describeFullSample(isActive) : describeSample(oneIn(sample), isActive)),
  ]
}

function describeSample(share: string, isActive: boolean): SummaryPart[] {
  return [
    strong(share),
    isActive ? ' goes to people like any other task' : ' went to people like any other task',
    isActive ? ', and nothing shows that it is a sample.' : '.',
  ]
}

/** If every matching task is a sample, the rule answers none of them. */
function describeFullSample(isActive: boolean): SummaryPart[] {
  return isActive
    ? ['For now ', strong('every one'), ' goes to people: the rule only compares their answers with its own.']
    : [strong('Every one'), ' went to people: the rule only compared their answers with its own.']
}

/** One line of a list: "Approve: refund-approval where amount is at most 40." */
export function describeBriefly({ type, when, answer }: Pick<Rule, 'type' | 'when' | 'answer'>): string {
  const conditions = when.length > 0 ? ` where ${plainText(describeConditions(when))}` : ''
  return `${answer.actionTitle}: ${type}${conditions}.`
}

function describeConditions(when: RuleCondition[]): SummaryPart[] {
  return when.flatMap((condition, n) => [
    ...(n === 0 ? [] : [n === when.length - 1 ? ' and ' : ', ']),
    strong(condition.field),
    ...describeTest(condition),
  ])
}

function describeTest(condition: RuleCondition): SummaryPart[] {
  switch (condition.is) {
    case 'equals':
      return [' is ', strong(condition.value)]
    case 'oneOf':
      return [' is ', ...listOf(condition.value)]
    case 'atMost':
      return [' is ', strong(`at most ${formatLimit(condition.value)}`)]
    case 'atLeast':
      return [' is ', strong(`at least ${formatLimit(condition.value)}`)]
    case 'present':
      return [' is ', strong('present')]
    case 'absent':
      return [' is ', strong('absent')]
  }
}

/** "a, b or c" */
function listOf(values: (string | number | boolean)[]): SummaryPart[] {
  return values.flatMap((value, n) => [
    ...(n === 0 ? [] : [n === values.length - 1 ? ' or ' : ', ']),
    strong(value),
  ])
}

/** Not rounded: 0.9995 must not read as 1. */
function formatLimit(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: 20 })
}

export function plainText(parts: SummaryPart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.strong)).join('')
}
