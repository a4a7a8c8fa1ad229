import { workOf } from './check-genome.ts'
import { type Grown, growForm } from './grow-form.ts'
import { worstFinds } from './worst-finds.ts'

/** A body for POST /tasks, or a task that is created first and an answer to it. */
export type HostileRequest = { name: string; body: string } | { name: string; task: object; answer: object }

const mebibyte = 1024 * 1024
// The rest of a body takes less than 400 bytes.
const maxFilling = mebibyte - 400
const head = '"task":{"type":"t","name":"N","description":"D"}'

/** Repeats a piece up to the maximum size of a body, without the last character, which is usually a comma. */
const filled = (piece: string, max = maxFilling) => piece.repeat(Math.floor(max / piece.length)).slice(0, -1)
const numbered = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join()
/** Properties with unique names. */
const names = (count: number, part = 0) => numbered(count, (n) => `"${(part * count + n).toString(36)}":0`)

const withData = (data: string, more = '') =>
  `{${head},"context":{"data":${data}},"actions":[{"id":"ok","title":"OK"}]${more}}`
const withForms = ({ schema, ui }: Grown, forms: number) => {
  const action = (n: number) => ({ id: `a${n}`, title: 'A', schema, ui })
  return JSON.stringify({
    task: { type: 't', name: 'N', description: 'D' },
    actions: Array.from({ length: forms }, (_, n) => action(n)),
  })
}

/** Bodies below 1 MiB, each of which is slow in some part of request processing. */
const bodies: [name: string, body: () => string][] = [
  ['a list of zeros', () => withData(`{"a":[${filled('0,')}]}`)],
  ['numbers of seventeen digits', () => withData(`{"a":[${filled('1234567890.1234560,')}]}`)],
  ['numbers with an exponent', () => withData(`{"a":[${filled('1e299,')}]}`)],
  ['empty objects', () => withData(`{"a":[${filled('{},')}]}`)],
  ['100,000 names', () => withData(`{${numbered(100_000, (n) => `"${n.toString(36)}":0`)}}`)],
  ['50,000 names with escapes', () => withData(`{${numbered(50_000, (n) => `"\\n${n.toString(36)}":0`)}}`)],
  // The 1 completes the last escape.
  ['a text of escapes', () => withData(`{"a":"${filled('\\u0041', mebibyte - 500)}1"}`)],
  ['a name 175,000 times', () => withData(`{${filled('"a":1,')}}`)],
  ['line breaks, then an error', () => withData(`{"a":${'\n'.repeat(maxFilling)}x}`)],
  ['10,000 names', () => withData(`{${names(10_000)}}`)],
  [
    'five objects of 10,000 names, to hash',
    () => withData(`{"a":[${numbered(5, (n) => `{${names(10_000, n)}}`)}]}`, ',"idempotencyKey":"n"'),
  ],
  [
    '45,000 objects of one name each, to hash',
    () => withData(`{"a":[${numbered(45_000, (n) => `{${names(1, n)}}`)}]}`, ',"idempotencyKey":"e"'),
  ],
  [
    '9,500 objects of five names each, to hash',
    () => withData(`{"a":[${numbered(9_500, (n) => `{${names(5, n)}}`)}]}`, ',"idempotencyKey":"f"'),
  ],
  [
    '99,900 empty objects, to hash',
    () => withData(`{"a":[${'{},'.repeat(99_900)}0]}`, ',"idempotencyKey":"m"'),
  ],
  ['99,900 zeros, to hash', () => withData(`{"a":[${'0,'.repeat(99_900)}0]}`, ',"idempotencyKey":"z"')],
  [
    'ten objects of 9,900 names, too large',
    () => withData(`{"a":[${numbered(10, (n) => `{${names(9_900, n)}}`)}]}`),
  ],
  ['9,900 unknown fields', () => `{${head},"actions":[],${names(9_900)}}`],
  [
    '51 duplicate names, then 90,000 names',
    () => withData(`{${numbered(51, (n) => `"a${n}":0,"a${n}":0`)},"b":{${names(90_000)}}}`),
  ],
  ['349,000 actions', () => `{${head},"actions":[${filled('{},')}]}`],
  [
    '95,000 unknown fields',
    () => `{${head},"actions":[],${numbered(95_000, (n) => `"x${n.toString(36)}":0`)}}`,
  ],
  [
    'a payload of 10,000 unsorted names to hash',
    () =>
      withData(
        `{${numbered(10_000, (n) => `"k${((n * 7919) % 10_000).toString(36)}":0`)}}`,
        ',"idempotencyKey":"k"',
      ),
  ],
  [
    'a payload of small objects to hash',
    () => withData(`{"a":[${'{"b":0,"a":1},'.repeat(33_000)}0]}`, ',"idempotencyKey":"o"'),
  ],
]

export function hostileRequests(): HostileRequest[] {
  const found = worstFinds.flatMap(({ part, genome }): HostileRequest[] => {
    if (!workOf(genome, part)) return []
    const grown = growForm(genome)
    const name = `${part}: ${genome.genes.map(({ kind }) => kind).join(' and ')}`
    if (part === 'forms') return [{ name, body: withForms(grown, genome.forms) }]
    return [{ name, task: JSON.parse(withForms({ ...grown, ui: {} }, 1)), answer: grown.answer }]
  })
  return [...bodies.map(([name, body]) => ({ name, body: body() })), ...found]
}
