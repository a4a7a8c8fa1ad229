import type { AnalysisFinding, CommonTrait, TaskPair } from '../../../contract/feedback-analysis.ts'
import type { Slices } from '../../lib/event-loop.ts'
import { hasTrait, taskIdsOf } from './common-trait.ts'
import type { Finding } from './finding.ts'
import type { Observation } from './observation.ts'
import { addTo, sum } from './proportions.ts'
import { shortName } from './sanitize.ts'

const maxPairsPerFinding = 10
/** In how many pairs of a finding the same positive task may be. */
const maxUses = 2
const maxDifferences = 8
// These bound the time per finding.
const maxFields = 40
const maxPositives = 1_000
const maxNegatives = 200
/** The weights of fields are computed from about this many observations, spread over all. */
const sampleSize = 1_000
const pairedKinds: AnalysisFinding['kind'][] = ['version', 'field', 'theme', 'choice']

/** A field of the context or the metadata, or `version`. */
type WeightedField = { path: string; weight: number }
/** The values of one field as numbers, by the index of the task. */
type FieldColumn = WeightedField & { values: Int32Array }

/**
 * Pairs the newest tasks of a finding that got a negative answer (negative tasks) with the most
 * similar ones that got a positive answer (positive tasks), newest first. If there are positive
 * tasks without the finding's trait, only those are used, so that a pair shows the trait. Tasks
 * whose content was deleted are left out.
 */
export function createPairing(all: Observation[]): (finding: Finding) => TaskPair[] {
  const observations = all.filter(({ hasContent }) => hasContent)
  const fields = weighFields(observations)
  const positives = observations.filter(({ isPositive }) => isPositive)

  return (finding) => {
    if (!pairedKinds.includes(finding.kind)) return []
    const { trait } = finding
    const ids = new Set(taskIdsOf(finding, observations).slice(0, maxNegatives))
    const negatives = observations.filter(({ taskId }) => ids.has(taskId))
    const withoutTrait = trait ? positives.filter((one) => !hasTrait(one, trait)) : positives
    const used = (withoutTrait.length > 0 ? withoutTrait : positives).slice(0, maxPositives)
    return pairUp(negatives, used, fields, trait)
  }
}

/** The pairs of each finding, in the order of the findings. */
export function* pairFindings(findings: Finding[], observations: Observation[]): Slices<TaskPair[][]> {
  const pairsOf = createPairing(observations)
  const pairs: TaskPair[][] = []
  for (const finding of findings) {
    yield
    pairs.push(pairsOf(finding))
  }
  return pairs
}

function pairUp(
  negatives: Observation[],
  positives: Observation[],
  fields: WeightedField[],
  trait: CommonTrait | undefined,
): TaskPair[] {
  const tasks = [...negatives, ...positives]
  const columns = fields.map((field) => ({ ...field, values: numberValues(tasks, field.path) }))
  const traitField = trait && ('field' in trait ? trait.field : 'version' in trait ? 'version' : undefined)
  const uses = new Uint8Array(tasks.length)
  return negatives.slice(0, maxPairsPerFinding).flatMap((negative, i) => {
    const nearest = findNearest(tasks, columns, i, (one) => one >= negatives.length && uses[one]! < maxUses)
    if (nearest === undefined) return []
    uses[nearest]!++
    const positive = tasks[nearest]!
    const differences = columns
      .filter(({ values }) => values[i] !== values[nearest])
      .map((column) => ({
        path: column.path,
        // The field that the finding is about comes first: the distinction of others is at most 1.
        distinction: column.path === traitField ? 2 : distinctionOf(column, i, negatives.length),
      }))
      .sort((a, b) => b.distinction - a.distinction || (a.path < b.path ? -1 : 1))
      .slice(0, maxDifferences)
      .map(({ path }) => ({
        field: shortName(path),
        negative: shortValue(negative, path),
        positive: shortValue(positive, path),
      }))
    return [{ negative: presentTask(negative), positive: presentTask(positive), differences }]
  })
}

/**
 * Of the tasks that may be chosen, the one that is most similar to task `of`: its differing fields
 * weigh least. Of equally similar tasks, one of the same version, then the one closest in time.
 */
function findNearest(
  tasks: Observation[],
  columns: FieldColumn[],
  of: number,
  mayBeChosen: (index: number) => boolean,
): number | undefined {
  const distances = new Float64Array(tasks.length)
  for (const { values, weight } of columns) {
    const own = values[of]
    for (let i = 0; i < values.length; i++) if (values[i] !== own) distances[i]! += weight
  }
  const { version, createdAt } = tasks[of]!
  const compare = (a: number, b: number) =>
    distances[a]! - distances[b]! ||
    Number(tasks[a]!.version !== version) - Number(tasks[b]!.version !== version) ||
    Math.abs(tasks[a]!.createdAt - createdAt) - Math.abs(tasks[b]!.createdAt - createdAt)
  let best: number | undefined
  for (let i = 0; i < tasks.length; i++)
    if (mayBeChosen(i) && (best === undefined || compare(i, best) < 0)) best = i
  return best
}

/**
 * How much larger the share of tasks with the same value as task `of` is among the negative tasks,
 * which come first in the column, than among the positive ones.
 */
function distinctionOf({ values }: FieldColumn, of: number, negatives: number): number {
  const counts = [0, 0]
  for (let i = 0; i < values.length; i++) if (values[i] === values[of]) counts[i < negatives ? 0 : 1]!++
  return counts[0]! / negatives - counts[1]! / (values.length - negatives)
}

/**
 * The version, which weighs nothing because it only decides between equally similar tasks, and the
 * most frequent fields. A field weighs as much as the probability that two tasks have the same
 * value in it, which is nearly nothing for ids.
 */
function weighFields(observations: Observation[]): WeightedField[] {
  const step = Math.max(1, Math.floor(observations.length / sampleSize))
  const sample = observations.filter((_, i) => i % step === 0)
  const counts = new Map<string, Map<string, number>>()
  for (const { fields } of sample) {
    for (const [path, value] of Object.entries(fields)) {
      const values = counts.get(path) ?? new Map<string, number>()
      addTo(values, value)
      counts.set(path, values)
    }
  }
  const weighed = [...counts].map(([path, values]) => {
    const known = [...values.values()]
    const present = sum(known, (count) => count)
    // Tasks without the field are equal in it.
    const equalPairs = sum([...known, sample.length - present], (n) => n * (n - 1))
    return { path, present, weight: equalPairs / Math.max(1, sample.length * (sample.length - 1)) }
  })
  return [
    { path: 'version', weight: 0 },
    ...weighed
      .sort((a, b) => b.present - a.present || (a.path < b.path ? -1 : 1))
      .slice(0, maxFields)
      .map(({ path, weight }) => ({ path, weight })),
  ]
}

function numberValues(tasks: Observation[], path: string): Int32Array {
  const numbers = new Map<string | null, number>()
  return Int32Array.from(tasks, (task) => {
    const value = valueIn(task, path)
    const known = numbers.get(value)
    if (known !== undefined) return known
    numbers.set(value, numbers.size)
    return numbers.size - 1
  })
}

/** Paths of fields start with `context.` or `metadata.`, so none of them is `version`. */
function valueIn({ fields, version }: Observation, path: string): string | null {
  return path === 'version' ? version : (fields[path] ?? null)
}

function shortValue(task: Observation, path: string): string | null {
  const value = valueIn(task, path)
  return value === null ? null : shortName(value)
}

function presentTask({ taskId, name }: Observation) {
  return { taskId, name: shortName(name) }
}
