import type { Statistics } from '../../../contract/statistics.ts'
import type { ReviewedAnswers } from '../../storage/feedback/agreement.ts'
import { choiceFieldOf } from './form-fields.ts'
import { addTo, shareOf } from './proportions.ts'

type Agreement = NonNullable<NonNullable<Statistics['details']>['agreement']>

const maxFields = 20
const maxPeople = 100

/**
 * How much people agree when they answer the same task independently. `action` and `fields` compare
 * only the first two answers to each task, because a third is often required only if these differ.
 * `people` compares all answers to each task.
 */
export function agreementOf(tasks: ReviewedAnswers[]): Agreement | undefined {
  const answeredTwice = tasks.flatMap(({ answers: [one, other], actions }) =>
    one && other ? [{ one, other, actions }] : [],
  )
  if (answeredTwice.length === 0) return undefined
  const fields = new Map<string, { title: string; actionTitle: string; values: ValuePair[] }>()
  for (const { one, other, actions } of answeredTwice) {
    const action = actions.find(({ id }) => id === one.actionId)
    if (!action || one.actionId !== other.actionId) continue
    for (const field of Object.keys(one.data)) {
      const choiceField = choiceFieldOf(action, field)
      const [chosen, chosenByOther] = [one, other].map(({ data }) => choiceField?.label(data[field]))
      if (!choiceField || chosen === undefined || chosenByOther === undefined) continue
      const key = JSON.stringify([action.id, field])
      const known = fields.get(key) ?? { title: choiceField.title, actionTitle: action.title, values: [] }
      known.values.push([chosen, chosenByOther])
      fields.set(key, known)
    }
  }
  return {
    action: measureAgreement(answeredTwice.map(({ one, other }) => [one.actionId, other.actionId])),
    fields: [...fields.values()]
      .sort((a, b) => b.values.length - a.values.length)
      .slice(0, maxFields)
      .map(({ title, actionTitle, values }) => ({ title, actionTitle, ...measureAgreement(values) })),
    people: agreementWithMajority(tasks),
  }
}

/** What two people entered in the same field of the same task. */
export type ValuePair = [one: string, other: string]

function measureAgreement(pairs: ValuePair[]): Agreement['action'] {
  const agreed = pairs.filter(([one, other]) => one === other).length
  return { ...shareOf(agreed, pairs.length), alpha: krippendorffAlpha(pairs) }
}

/**
 * Krippendorff's alpha for nominal data and two values per unit: 1 is full agreement, 0 what chance
 * would give. Null if all values are equal, because then alpha is not defined.
 */
export function krippendorffAlpha(pairs: ValuePair[]): number | null {
  const counts = new Map<string, number>()
  for (const value of pairs.flat()) addTo(counts, value)
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
function agreementWithMajority(tasks: ReviewedAnswers[]): Agreement['people'] {
  const people = new Map<string, { count: number; n: number }>()
  for (const { answers } of tasks) {
    const countByAction = new Map<string, number>()
    for (const { actionId } of answers) addTo(countByAction, actionId)
    const most = Math.max(...countByAction.values())
    const leading = [...countByAction].filter(([, count]) => count === most)
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
