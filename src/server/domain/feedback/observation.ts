import { shareOf } from './proportions.ts'

/** One answer of a person, reduced to what could explain why it is negative or not. */
export type Observation = {
  taskId: string
  /** The name of the task. */
  name: string
  /** null: the task has none. Tasks without a version are compared like a version of their own. */
  version: string | null
  actionId: string
  /** When the task was created, in milliseconds. */
  createdAt: number
  /** The day on which it was answered, as days since 1 January 1970 (UTC). */
  day: number
  isNegative: boolean
  isPositive: boolean
  reviewer: string
  /** False: the content was deleted, so that fields, choices and text are unknown. */
  hasContent: boolean
  /** Short values of the context and the metadata, by the path of their field. */
  fields: Record<string, string>
  /** What was chosen, by the name of the form field. */
  choices: (readonly [field: string, label: string])[]
  /** The terms of the text that the person wrote. Only for negative answers. */
  terms?: ReadonlySet<string>
}

/**
 * What could explain a difference between answers: the reviewer, the version, whether it was a
 * weekend, or the field of the context or metadata with this path.
 */
export type Factor = 'reviewer' | 'version' | 'weekend' | (string & {})

const maxFactors = 20
const maxValues = 10
/** Bounds memory when a sender uses different keys in every task. */
const maxPaths = 2_000

/**
 * The paths of the fields that are compared as factors: the 20 most frequent ones, most frequent
 * first, among those with at most 10 values that are not the same in all answers. A task without
 * the field differs from tasks with any value, but does not count towards the 10.
 */
export function factorFields(answers: Observation[]): string[] {
  const values = new Map<string, Set<string>>()
  const counts = new Map<string, number>()
  for (const { fields } of answers) {
    for (const [path, value] of Object.entries(fields)) {
      const known = values.get(path) ?? new Set()
      if (known.size === 0 && values.size >= maxPaths) continue
      if (known.size <= maxValues) values.set(path, known.add(value))
      counts.set(path, (counts.get(path) ?? 0) + 1)
    }
  }
  return [...values]
    .filter(([path, { size }]) => size <= maxValues && (size > 1 || counts.get(path)! < answers.length))
    .map(([path]) => path)
    .sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1))
    .slice(0, maxFactors)
}

/** Whether the value of the factor is known: fields are unknown once the content was deleted. */
export function isKnown({ hasContent }: Observation, factor: Factor): boolean {
  return hasContent || factor === 'reviewer' || factor === 'version' || factor === 'weekend'
}

/** A missing field or version is an empty string. */
export function factorValue({ reviewer, version, day, fields }: Observation, factor: Factor): string {
  if (factor === 'reviewer') return reviewer
  if (factor === 'version') return version ?? ''
  // 1 January 1970 was a Thursday.
  if (factor === 'weekend') return (day + 4) % 7 === 0 || (day + 4) % 7 === 6 ? 'weekend' : 'weekday'
  return Object.hasOwn(fields, factor) ? fields[factor]! : ''
}

export function groupBy<Key>(
  answers: Observation[],
  keyOf: (one: Observation) => Key,
): Map<Key, Observation[]> {
  const groups = new Map<Key, Observation[]>()
  for (const one of answers) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

export const negativeShare = (rows: { isNegative: boolean }[]) =>
  shareOf(rows.filter(({ isNegative }) => isNegative).length, rows.length)
