import { fieldLabel } from '../../../contract/forms/field-label.ts'
import { optionsOf } from '../../../contract/forms/options-of.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'

/**
 * What people entered in one field of the form of an action. The API calls these fields
 * `questions`.
 */
export type FormFieldCounts = {
  actionId: string
  actionTitle: string
  field: string
  title: string
  answers: number
  /**
   * Most frequent first. If people may select several, the counts may add up to more than
   * `answers`.
   */
  choices?: { label: string; count: number }[]
  numbers?: { lowest: number; median: number; highest: number; mean: number }
}

const maxFields = 20
/**
 * Bounds memory if every task has a different form: only the fields of the newest forms are
 * counted.
 */
const maxTallies = 2_000
const maxChoices = 20
/** Distinct values stored per field. Further values only count in `answers` and the mean. */
const maxValues = 5_000

/** The texts that a person wrote in a form, and the choices they made, by the name of the field. */
export type TextsAndChoices = { texts: string[]; choices: (readonly [field: string, label: string])[] }

type FormFieldKind =
  | { is: 'choice'; label(value: unknown): string | undefined }
  | { is: 'number' }
  | { is: 'text' }
/** A text equal to `defaultValue` was not written by a person. */
type FormField = { name: string; title: string; kind: FormFieldKind; defaultValue: unknown }

/** A count over all answers, and over those that tests use: without repeats of bulk answers. */
type AllAndTested = { all: number; tested: number }

type FormFieldTally = Omit<FormFieldCounts, 'answers' | 'choices' | 'numbers'> & {
  kind: 'choice' | 'number'
  answers: AllAndTested
  /** The sum of the numbers. */
  sum: AllAndTested
  /** By the label of the choice, or the number as text. */
  values: Map<string, AllAndTested>
}

export function createFormFieldCounts() {
  const tallies = new Map<string, FormFieldTally>()

  /** Counts the choices and numbers of an answer. Returns its texts and choices. */
  function add(action: StoredAction, data: Record<string, unknown>, isRepeat: boolean): TextsAndChoices {
    const texts: string[] = []
    const choices: TextsAndChoices['choices'] = []
    for (const field of formFieldsOf(action)) {
      const value = Object.hasOwn(data, field.name) ? data[field.name] : undefined
      if (value === undefined || value === null) continue
      if (field.kind.is === 'text') {
        if (typeof value === 'string' && value.trim() !== '' && value !== field.defaultValue)
          texts.push(value)
      } else {
        const labels = labelsOf(field.kind, value)
        if (labels.length > 0) count(action, field, field.kind.is, labels, isRepeat)
        if (field.kind.is === 'choice') choices.push(...labels.map((label) => [field.name, label] as const))
      }
    }
    return { texts, choices }
  }

  function count(
    action: StoredAction,
    field: FormField,
    kind: 'choice' | 'number',
    labels: string[],
    isRepeat: boolean,
  ): void {
    const increase = (counts: AllAndTested, by: number) => {
      counts.all += by
      if (!isRepeat) counts.tested += by
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
   * The fields with the most answers, each with its most frequent choices. `tested`: with all their
   * choices, and also the fields of the same name in the forms of other actions, because tests
   * compare a choice with both.
   */
  function finish(which: keyof AllAndTested = 'all'): FormFieldCounts[] {
    const found = [...tallies.values()]
      .filter(({ answers }) => answers[which] > 0)
      .sort((a, b) => b.answers[which] - a.answers[which])
    const most = found.slice(0, maxFields)
    const fields = new Set(most.map(({ field }) => field))
    const kept = which === 'tested' ? found.filter(({ field }) => fields.has(field)) : most
    return kept.map(({ kind, sum, values, answers, ...field }) => {
      const counts = [...values].map(([label, counts]) => ({ label, count: counts[which] }))
      const given = counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
      return {
        ...field,
        answers: answers[which],
        ...(kind === 'number'
          ? { numbers: summarizeNumbers(given, sum[which], answers[which]) }
          : { choices: which === 'tested' ? given : given.slice(0, maxChoices) }),
      }
    })
  }

  return { add, finish }
}

function labelsOf(kind: Exclude<FormFieldKind, { is: 'text' }>, value: unknown): string[] {
  const values = Array.isArray(value) ? [...new Set(value)] : [value]
  return values.flatMap((one) => (kind.is === 'number' ? String(Number(one)) : (kind.label(one) ?? [])))
}

type LabelCounts = NonNullable<FormFieldCounts['choices']>

/** The median, the lowest and the highest are those of the stored values, the mean that of all. */
function summarizeNumbers(
  values: LabelCounts,
  sum: number,
  n: number,
): NonNullable<FormFieldCounts['numbers']> {
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

/**
 * The title of a choice field and the labels of its values. Undefined if it is not a choice field.
 */
export function choiceFieldOf(action: StoredAction, name: string) {
  const field = formFieldsOf(action).find((one) => one.name === name)
  return field?.kind.is === 'choice' ? { title: field.title, label: field.kind.label } : undefined
}

const fieldCache = new WeakMap<StoredAction, FormField[]>()

/** The top-level fields of a form whose values are counted, or in which people write text. */
function formFieldsOf(action: StoredAction): FormField[] {
  let fields = fieldCache.get(action)
  if (!fields) {
    const properties = objectOrEmpty(action.schema?.properties)
    fields = Object.entries(properties).flatMap(([name, schema]) => {
      const property = objectOrEmpty(schema)
      const hints = objectOrEmpty(action.ui?.[name])
      const kind = kindOf(property, hints)
      // A prefilled text counts as the agent's, also if the person has edited it.
      const isPrefilled = typeof objectOrEmpty(hints['ui:options']).prefill === 'string'
      if (!kind || (kind.is === 'text' && isPrefilled)) return []
      return [{ name, title: fieldLabel(name, property, hints), kind, defaultValue: property.default }]
    })
    fieldCache.set(action, fields)
  }
  return fields
}

function kindOf(
  property: Record<string, unknown>,
  hints: Record<string, unknown>,
): FormFieldKind | undefined {
  const chosen = property.type === 'array' ? objectOrEmpty(property.items) : property
  const labels = labelsByValue(chosen, hints)
  if (labels) return { is: 'choice', label: (value) => labels.get(value) }
  if (property.type === 'number' || property.type === 'integer') return { is: 'number' }
  return property.type === 'string' && property.format === undefined ? { is: 'text' } : undefined
}

/**
 * The allowed values with their labels, as the form shows them. Undefined if any value is allowed.
 */
function labelsByValue(
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
