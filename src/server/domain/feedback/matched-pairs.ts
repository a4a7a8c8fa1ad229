import type { AnalysisFinding, CommonTrait, TaskPair } from '../../../contract/feedback-analysis.ts'
import type { Slices } from '../../lib/event-loop.ts'
import { hasTrait, taskIdsOf } from './common-trait.ts'
import type { Finding } from './finding.ts'
import type { Observation } from './observation.ts'
import { shortName } from './sanitize.ts'

/** Per finding. */
const maxPairs = 10
/** In how many pairs of a finding the same positive task may be. */
const maxUses = 2
const maxDifferences = 8
// These bound the time per finding.
const maxFields = 40
const maxPositives = 1_000
const maxNegatives = 200
const sampleSize = 1_000
const pairedKinds: AnalysisFinding['kind'][] = ['version', 'field', 'theme', 'choice']

type Field = { path: string; weight: number }
/** The values of one field as numbers, by the index of the task. */
type Column = Field & { values: Int32Array }

/**
 * Pairs the newest negative tasks of a finding with the most similar positive ones, newest first.
 * If there are positive tasks without the finding's trait, only those are used, so that a pair
 * shows the trait. Tasks whose content was deleted are left out.
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
    const candidates = (withoutTrait.length > 0 ? withoutTrait : positives).slice(0, maxPositives)
    return pairUp(negatives, candidates, fields, trait)
  }
}

/** The pairs of each finding, in their order. */
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
  fields: Field[],
  trait: CommonTrait | undefined,
): TaskPair[] {
  const tasks = [...negatives, ...positives]
  const columns = fields.map((field) => ({ ...field, values: numberValues(tasks, field.path) }))
  const traitField = trait && ('field' in trait ? trait.field : 'version' in trait ? 'version' : undefined)
  const uses = new Uint8Array(tasks.length)
  return negatives.slice(0, maxPairs).flatMap((negative, i) => {
    const nearest = findNearest(tasks, columns, i, (one) => one >= negatives.length && uses[one]! < maxUses)
    if (nearest === undefined) return []
    uses[nearest]!++
    const positive = tasks[nearest]!
    const differences = columns
      .filter(({ values }) => values[i] !== values[nearest])
      .map((column) => ({
        path: column.path,
        // The finding's own field comes before all others, whose distinction is at most 1.
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
 * The candidate whose differing fields weigh least; among equals one of the same version, then the
 * one closest in time.
 */
function findNearest(
  tasks: Observation[],
  columns: Column[],
  of: number,
  isCandidate: (index: number) => boolean,
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
    if (isCandidate(i) && (best === undefined || compare(i, best) < 0)) best = i
  return best
}

/**
 * How much larger the share of tasks with the value of task `of` is among the negative tasks, which
 * come first, than among the positive ones.
 */
function distinctionOf({ values }: Column, of: number, negatives: number): number {
  const counts = [0, 0]
  for (let i = 0; i < values.length; i++) if (values[i] === values[of]) counts[i < negatives ? 0 : 1]!++
  return counts[0]! / negatives - counts[1]! / (values.length - negatives)
}

/**
 * The version, which only decides between equals, and the most frequent fields. A field weighs as
 * much as the probability that two tasks have the same value: nearly nothing for ids.
 */
function weighFields(observations: Observation[]): Field[] {
  const step = Math.max(1, Math.floor(observations.length / sampleSize))
  const sample = observations.filter((_, i) => i % step === 0)
  const counts = new Map<string, Map<string, number>>()
  for (const { fields } of sample) {
    for (const [path, value] of Object.entries(fields)) {
      const values = counts.get(path) ?? new Map<string, number>()
      counts.set(path, values.set(value, (values.get(value) ?? 0) + 1))
    }
  }
  const weighed = [...counts].map(([path, values]) => {
    const known = [...values.values()]
    const present = known.reduce((total, count) => total + count, 0)
    const equalPairs = [...known, sample.length - present].reduce((total, n) => total + n * (n - 1), 0)
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
