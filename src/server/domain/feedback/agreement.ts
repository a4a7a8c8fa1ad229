import type { Statistics } from '../../../contract/statistics.ts'
import type { ReviewedAnswers } from '../../storage/feedback/agreement.ts'
import { shareOf } from './proportions.ts'
import { choiceOf } from './questions.ts'

type Agreement = NonNullable<NonNullable<Statistics['details']>['agreement']>

const maxFields = 20
const maxPeople = 100

/**
 * How much people agree when they answer the same task independently. `action` and `fields` compare
 * only the first two answers, because a third is often required only if these differ. `people`
 * counts all answers.
 */
export function agreementOf(tasks: ReviewedAnswers[]): Agreement | undefined {
  const pairs = tasks.flatMap(({ answers: [one, other], actions }) =>
    one && other ? [{ one, other, actions }] : [],
  )
  if (pairs.length === 0) return undefined
  const fields = new Map<string, { title: string; actionTitle: string; values: Pair[] }>()
  for (const { one, other, actions } of pairs) {
    const action = actions.find(({ id }) => id === one.actionId)
    if (!action || one.actionId !== other.actionId) continue
    for (const field of Object.keys(one.data)) {
      const choice = choiceOf(action, field)
      const values = choice && [choice.label(one.data[field]), choice.label(other.data[field])]
      if (values?.[0] === undefined || values[1] === undefined) continue
      const key = JSON.stringify([action.id, field])
      const known = fields.get(key) ?? { title: choice!.title, actionTitle: action.title, values: [] }
      known.values.push([values[0], values[1]])
      fields.set(key, known)
    }
  }
  return {
    action: measure(pairs.map(({ one, other }) => [one.actionId, other.actionId])),
    fields: [...fields.values()]
      .sort((a, b) => b.values.length - a.values.length)
      .slice(0, maxFields)
      .map(({ title, actionTitle, values }) => ({ title, actionTitle, ...measure(values) })),
    people: withMajority(tasks),
  }
}

export type Pair = [one: string, other: string]

function measure(pairs: Pair[]): Agreement['action'] {
  const agreed = pairs.filter(([one, other]) => one === other).length
  return { ...shareOf(agreed, pairs.length), alpha: krippendorffAlpha(pairs) }
}

/**
 * Krippendorff's alpha for nominal data and two values per unit: 1 is full agreement, 0 what chance
 * would give. Null if all values are equal, because then alpha is not defined.
 */
export function krippendorffAlpha(pairs: Pair[]): number | null {
  const counts = new Map<string, number>()
  for (const value of pairs.flat()) counts.set(value, (counts.get(value) ?? 0) + 1)
  const n = 2 * pairs.length
  const observed = 2 * pairs.filter(([one, other]) => one !== other).length
  const equal = [...counts.values()].reduce((sum, count) => sum + count ** 2, 0)
  const expected = n ** 2 - equal // the ordered pairs of different values, over all units
  return expected === 0 ? null : 1 - ((n - 1) * observed) / expected
}

/**
 * How often each person chose the most frequent action among the answers to a task. Tasks with a
 * tie are not counted.
 */
function withMajority(tasks: ReviewedAnswers[]): Agreement['people'] {
  const people = new Map<string, { count: number; n: number }>()
  for (const { answers } of tasks) {
    const votes = new Map<string, number>()
    for (const { actionId } of answers) votes.set(actionId, (votes.get(actionId) ?? 0) + 1)
    const most = Math.max(...votes.values())
    const leading = [...votes].filter(([, count]) => count === most)
    if (leading.length !== 1) continue
    for (const { by, actionId } of answers) {
      const { count, n } = people.get(by) ?? { count: 0, n: 0 }
      people.set(by, { count: count + (actionId === leading[0]![0] ? 1 : 0), n: n + 1 })
    }
  }
  return [...people]
    .sort(([, a], [, b]) => b.n - a.n)
    .slice(0, maxPeople)
    .map(([person, { count, n }]) => ({ person, ...shareOf(count, n) }))
}
