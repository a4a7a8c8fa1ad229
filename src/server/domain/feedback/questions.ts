import { fieldLabel } from '../../../contract/forms/field-label.ts'
import { optionsOf } from '../../../contract/forms/options-of.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'

/** What people answered to one question of a form. */
export type FormQuestion = {
  actionId: string
  actionTitle: string
  field: string
  title: string
  answers: number
  /** Most frequent first. If people may select several, the counts may add up to more than the answers. */
  choices?: { label: string; count: number }[]
  numbers?: { lowest: number; median: number; highest: number; mean: number }
}

const maxQuestions = 20
/** If every task has a different form, only the newest forms are counted. */
const maxTallies = 2_000
const maxChoices = 20
/** Distinct values stored per question. Further values only count in `answers` and the mean. */
const maxValues = 5_000

export type GivenAnswer = { texts: string[]; choices: (readonly [field: string, label: string])[] }

type Kind = { is: 'choice'; label(value: unknown): string | undefined } | { is: 'number' } | { is: 'text' }
/** A text equal to `defaultValue` was not written by a person. */
type Field = { name: string; title: string; kind: Kind; defaultValue: unknown }

/** `tested`: without repeats of bulk answers. */
type Counted = { all: number; tested: number }

type Tally = Omit<FormQuestion, 'answers' | 'choices' | 'numbers'> & {
  kind: Kind['is']
  answers: Counted
  sum: Counted
  values: Map<string, Counted>
}

export function createQuestions() {
  const tallies = new Map<string, Tally>()

  /** Returns the free texts of the answer, and the fields with what was chosen in them. */
  function add(action: StoredAction, data: Record<string, unknown>, isRepeated: boolean): GivenAnswer {
    const texts: string[] = []
    const choices: GivenAnswer['choices'] = []
    for (const field of fieldsOf(action)) {
      const value = Object.hasOwn(data, field.name) ? data[field.name] : undefined
      if (value === undefined || value === null) continue
      if (field.kind.is === 'text') {
        if (typeof value === 'string' && value.trim() !== '' && value !== field.defaultValue)
          texts.push(value)
      } else {
        const labels = labelsOf(field.kind, value)
        if (labels.length > 0) count(action, field, field.kind.is, labels, isRepeated)
        if (field.kind.is === 'choice') choices.push(...labels.map((label) => [field.name, label] as const))
      }
    }
    return { texts, choices }
  }

  function count(
    action: StoredAction,
    field: Field,
    kind: 'choice' | 'number',
    labels: string[],
    isRepeated: boolean,
  ): void {
    const increase = (counted: Counted, by: number) => {
      counted.all += by
      if (!isRepeated) counted.tested += by
    }
    const key = `${action.id}\n${field.name}`
    let tally = tallies.get(key)
    if (!tally) {
      if (tallies.size >= maxTallies) return
      const { id, title } = action
      tally = {
        actionId: id,
        actionTitle: title,
        field: field.name,
        title: field.title,
        answers: { all: 0, tested: 0 },
        kind,
        sum: { all: 0, tested: 0 },
        values: new Map(),
      }
      tallies.set(key, tally)
    }
    if (tally.kind !== kind) return
    increase(tally.answers, 1)
    for (const label of labels) {
      if (kind === 'number') increase(tally.sum, Number(label))
      const known = tally.values.get(label) ?? { all: 0, tested: 0 }
      increase(known, 1)
      if (known.all > 1 || tally.values.size < maxValues) tally.values.set(label, known)
    }
  }

  /**
   * The questions with the most answers. For tests, also all that their choices are compared with:
   * every other choice, and the same field with other actions.
   */
  function finish(which: keyof Counted = 'all'): FormQuestion[] {
    const found = [...tallies.values()]
      .filter(({ answers }) => answers[which] > 0)
      .sort((a, b) => b.answers[which] - a.answers[which])
    const most = found.slice(0, maxQuestions)
    const fields = new Set(most.map(({ field }) => field))
    const kept = which === 'tested' ? found.filter(({ field }) => fields.has(field)) : most
    return kept.map(({ kind, sum, values, answers, ...question }) => {
      const counts = [...values].map(([label, counted]) => ({ label, count: counted[which] }))
      const given = counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
      return {
        ...question,
        answers: answers[which],
        ...(kind === 'number'
          ? { numbers: summary(given, sum[which], answers[which]) }
          : { choices: which === 'tested' ? given : given.slice(0, maxChoices) }),
      }
    })
  }

  return { add, finish }
}

function labelsOf(kind: Exclude<Kind, { is: 'text' }>, value: unknown): string[] {
  const values = Array.isArray(value) ? [...new Set(value)] : [value]
  return values.flatMap((one) => (kind.is === 'number' ? String(Number(one)) : (kind.label(one) ?? [])))
}

type Choices = NonNullable<FormQuestion['choices']>

function summary(values: Choices, sum: number, n: number): NonNullable<FormQuestion['numbers']> {
  const sorted = values
    .map(({ label, count }) => ({ value: Number(label), count }))
    .sort((a, b) => a.value - b.value)
  const kept = sorted.reduce((total, { count }) => total + count, 0)
  let below = 0
  let median = 0
  for (const { value, count } of sorted) {
    median = value
    below += count
    if (below >= kept / 2) break
  }
  return { lowest: sorted[0]!.value, median, highest: sorted.at(-1)!.value, mean: sum / n }
}

/** The title of a choice field and the labels of its values. Undefined if it is not a choice field. */
export function choiceOf(action: StoredAction, name: string) {
  const field = fieldsOf(action).find((one) => one.name === name)
  return field?.kind.is === 'choice' ? { title: field.title, label: field.kind.label } : undefined
}

const fieldCache = new WeakMap<StoredAction, Field[]>()

/** The top-level fields of a form that can be counted or that people write text in. */
function fieldsOf(action: StoredAction): Field[] {
  let fields = fieldCache.get(action)
  if (!fields) {
    const properties = objectOrEmpty(action.schema?.properties)
    fields = Object.entries(properties).flatMap(([name, schema]) => {
      const property = objectOrEmpty(schema)
      const hints = objectOrEmpty(action.ui?.[name])
      const kind = kindOf(property, hints)
      // A prefilled text is the agent's, also after a person has edited it.
      const isPrefilled = typeof objectOrEmpty(hints['ui:options']).prefill === 'string'
      if (!kind || (kind.is === 'text' && isPrefilled)) return []
      return [{ name, title: fieldLabel(name, property, hints), kind, defaultValue: property.default }]
    })
    fieldCache.set(action, fields)
  }
  return fields
}

function kindOf(property: Record<string, unknown>, hints: Record<string, unknown>): Kind | undefined {
  const chosen = property.type === 'array' ? objectOrEmpty(property.items) : property
  const values = choicesOf(chosen, hints)
  if (values) return { is: 'choice', label: (value) => values.get(value) }
  if (property.type === 'number' || property.type === 'integer') return { is: 'number' }
  return property.type === 'string' && property.format === undefined ? { is: 'text' } : undefined
}

/** The allowed values with their labels, as the form shows them. */
function choicesOf(
  property: Record<string, unknown>,
  hints: Record<string, unknown>,
): Map<unknown, string> | undefined {
  // JSON Schema libraries write a choice as oneOf or as anyOf.
  const schema = property.anyOf && !property.oneOf ? { ...property, oneOf: property.anyOf } : property
  const options = optionsOf(schema, hints)
  return options && new Map(options.map(({ value, label }) => [value, label]))
}

function objectOrEmpty(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
