import { expect, test } from 'vitest'
import type { Finding } from './finding.ts'
import { createPairing } from './matched-pairs.ts'
import type { Observation } from './observation.ts'

const isNegative = true
const isPositive = true
let created = 0

function observation(taskId: string, more: Partial<Observation>): Observation {
  const base = { taskId, name: `Task ${taskId}`, actionId: 'x', version: '1', createdAt: created++, day: 0 }
  return {
    ...base,
    isNegative: false,
    isPositive: false,
    reviewer: 'a',
    fields: {},
    choices: [],
    hasContent: true,
    ...more,
  }
}

const finding = (more: Partial<Finding>): Finding => ({
  ...{ kind: 'field', title: '', evidence: '', advice: '', ...more },
})
const inEurope = finding({ trait: { field: 'context.region', value: 'EU' } })
const fields = (region: string, kind: string, id = '') => ({
  'context.region': region,
  'context.kind': kind,
  ...(id !== '' && { 'metadata.id': id }),
})

/** So that both fields have values that tasks share. */
const others = ['EU', 'US'].flatMap((region) =>
  ['a', 'b'].map((kind) => observation(`neutral-${region}-${kind}`, { fields: fields(region, kind) })),
)

const positivesOf = (observations: Observation[], about = inEurope) =>
  createPairing(observations)(about).map(({ positive }) => positive.taskId)

test('a task whose content was deleted is in no pair, because its fields are unknown', () => {
  const withoutRegion = finding({ trait: { field: 'context.region', value: '' } })
  const isDeleted = { hasContent: false, fields: {} }
  const observations = [
    observation('deleted', { isNegative, ...isDeleted }),
    observation('negative', { isNegative, fields: { 'context.kind': 'a' } }),
    observation('deleted-positive', { isPositive, ...isDeleted }),
    observation('positive', { isPositive, fields: fields('US', 'a') }),
    ...others,
  ]
  for (const about of [withoutRegion, finding({ kind: 'version', trait: { version: '1' } })])
    expect(
      createPairing(observations)(about).map(({ negative, positive }) => [negative.taskId, positive.taskId]),
    ).toEqual([['negative', 'positive']])
})

test('the positive task with the fewest differing fields is chosen, and the field of the finding comes first', () => {
  const observations = [
    observation('negative', { isNegative, fields: fields('EU', 'a', '1') }),
    observation('far', { isPositive, fields: fields('US', 'b', '2') }),
    observation('near', { isPositive, fields: fields('US', 'a', '3') }),
    ...others,
  ]
  expect(createPairing(observations)(inEurope)).toEqual([
    {
      negative: { taskId: 'negative', name: 'Task negative' },
      positive: { taskId: 'near', name: 'Task near' },
      differences: [
        { field: 'context.region', negative: 'EU', positive: 'US' },
        { field: 'metadata.id', negative: '1', positive: '3' },
      ],
    },
  ])
})

test('a field that hardly any two tasks share weighs little', () => {
  const observations = [
    observation('negative', { isNegative, fields: fields('EU', 'a', 'x') }),
    observation('same-id', { isPositive, fields: fields('US', 'b', 'x') }),
    observation('same-kind', { isPositive, fields: fields('US', 'a', 'y') }),
    ...others,
  ]
  expect(positivesOf(observations)).toEqual(['same-kind'])
})

test('a positive task with the trait of the finding is used only if there is no other', () => {
  const negative = observation('negative', { isNegative, fields: fields('EU', 'a') })
  const marked = observation('marked', { isPositive, fields: fields('EU', 'a') })
  const other = observation('other', { isPositive, fields: fields('US', 'b') })
  expect(positivesOf([negative, marked, other, ...others])).toEqual(['other'])
  expect(positivesOf([negative, marked, ...others])).toEqual(['marked'])
})

test('of equally similar tasks the one of the same version is chosen, then the closest in time', () => {
  const tasks = [
    observation('negative', { isNegative, fields: fields('EU', 'a'), createdAt: 1_000 }),
    observation('closest', { isPositive, fields: fields('US', 'a'), createdAt: 1_001, version: '2' }),
    observation('late', { isPositive, fields: fields('US', 'a'), createdAt: 1_900 }),
    observation('early', { isPositive, fields: fields('US', 'a'), createdAt: 500 }),
    ...others,
  ]
  expect(positivesOf(tasks)).toEqual(['early'])
  // Nothing depends on the order of the answers.
  expect(positivesOf(tasks.toReversed())).toEqual(['early'])
})

test('ten pairs at most, newest first, and a positive task in two of them at most', () => {
  const negatives = Array.from({ length: 15 }, (_, i) =>
    observation(`negative-${i}`, { isNegative, fields: fields('EU', 'a') }),
  )
  const positives = (n: number) =>
    Array.from({ length: n }, (_, i) =>
      observation(`positive-${i}`, { isPositive, fields: fields('US', i === 0 ? 'a' : 'b') }),
    )
  const pairs = createPairing([...negatives, ...positives(9), ...others])(inEurope)
  expect(pairs.map(({ negative }) => negative.taskId)).toEqual(
    negatives.slice(0, 10).map(({ taskId }) => taskId),
  )
  const uses = pairs.map(({ positive }) => positive.taskId)
  expect(uses.slice(0, 2)).toEqual(['positive-0', 'positive-0'])
  for (const id of uses) expect(uses.filter((other) => other === id).length).toBeLessThanOrEqual(2)
  expect(createPairing([...negatives, ...positives(2), ...others])(inEurope)).toHaveLength(4)
  expect(createPairing([...negatives, ...others])(inEurope)).toEqual([])
})

test('a worse version is contrasted with the versions before it', () => {
  const observations = [
    observation('negative', { isNegative, version: '2', fields: fields('EU', 'a') }),
    observation('now', { isPositive, version: '2', fields: fields('EU', 'a') }),
    observation('before', { isPositive, version: '1', fields: fields('EU', 'b') }),
    ...others,
  ]
  const [pair] = createPairing(observations)(finding({ kind: 'version', trait: { version: '2' } }))
  expect(pair).toMatchObject({
    positive: { taskId: 'before' },
    differences: [
      { field: 'version', negative: '2', positive: '1' },
      { field: 'context.kind', negative: 'a', positive: 'b' },
    ],
  })
})

test('at most eight differences, shortened, and null for a field that a task lacks', () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`context.f${i}`, 'x'.repeat(200)]))
  const observations = [
    observation('negative', { isNegative, fields: { ...many, 'context.region': 'EU' } }),
    observation('positive', { isPositive }),
  ]
  const [pair] = createPairing(observations)(inEurope)
  expect(pair!.differences).toHaveLength(8)
  for (const { negative, positive } of pair!.differences) {
    expect(negative!.length).toBeLessThanOrEqual(81)
    expect(positive).toBeNull()
  }
})

test.each(['trend', 'deadline', 'order', 'reviewer', 'unexplained'] as const)('%s has no pairs', (kind) => {
  const observations = [
    observation('negative', { isNegative, fields: fields('EU', 'a') }),
    observation('positive', { isPositive, fields: fields('US', 'a') }),
  ]
  expect(createPairing(observations)(finding({ ...inEurope, kind }))).toEqual([])
})
