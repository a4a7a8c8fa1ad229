import { workOf } from './check-genome.ts'
import { type Grown, growForm } from './grow-form.ts'
import { worstFinds } from './worst-finds.ts'

/** A body for POST /tasks; or a form that is sent first, and an answer to it. */
export type HostileRequest = { name: string; body: string } | { name: string; form: object; answer: object }

const mebibyte = 1024 * 1024
const head = '"task":{"type":"t","name":"N","description":"D"}'

/** Fills up to the size that a body may have. */
const filled = (piece: string, most = mebibyte - 400) =>
  piece.repeat(Math.floor(most / piece.length)).slice(0, -1)
const numbered = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join()

const withData = (data: string, more = '') =>
  `{${head},"context":{"data":${data}},"actions":[{"id":"ok","title":"OK"}]${more}}`
const withForms = ({ schema, ui }: Grown, forms: number) => {
  const action = (n: number) => ({ id: `a${n}`, title: 'A', schema, ui })
  return JSON.stringify({
    task: { type: 't', name: 'N', description: 'D' },
    actions: Array.from({ length: forms }, (_, n) => action(n)),
  })
}

const half = mebibyte / 2 - 400

/** Bodies below 1 MiB that took longest, each for another part of the way of a request. */
const bodies: [name: string, body: () => string][] = [
  ['a list of zeros', () => withData(`{"a":[${filled('0,')}]}`)],
  ['numbers of seventeen digits', () => withData(`{"a":[${filled('1234567890.1234560,')}]}`)],
  ['numbers with an exponent', () => withData(`{"a":[${filled('1e299,')}]}`)],
  ['empty objects', () => withData(`{"a":[${filled('{},')}]}`)],
  ['100,000 names', () => withData(`{${numbered(100_000, (n) => `"${n.toString(36)}":0`)}}`)],
  ['50,000 names with escapes', () => withData(`{${numbered(50_000, (n) => `"\\n${n.toString(36)}":0`)}}`)],
  ['a text of escapes', () => withData(`{"a":"${filled('\\u0041', mebibyte - 500)}1"}`)],
  ['a name 100,000 times', () => withData(`{${filled('"a":1,')}}`)],
  ['line breaks, then an error', () => withData(`{"a":${'\n'.repeat(mebibyte - 400)}x}`)],
  ['300,000 actions', () => `{${head},"actions":[${filled('{},')}]}`],
  [
    '100,000 unknown fields',
    () => `{${head},"actions":[],${numbered(95_000, (n) => `"x${n.toString(36)}":0`)}}`,
  ],
  [
    'a payload of 50,000 names to hash',
    () =>
      withData(
        `{${numbered(48_000, (n) => `"k${((n * 7919) % 48_000).toString(36)}":0`)}}`,
        ',"idempotencyKey":"k"',
      ),
  ],
  [
    'a payload of small objects to hash',
    () => withData(`{"a":[${filled('{"b":0,"a":1},', half)}]}`, ',"idempotencyKey":"o"'),
  ],
]

export function hostileRequests(): HostileRequest[] {
  const found = worstFinds.flatMap(({ part, genome }): HostileRequest[] => {
    if (!workOf(genome, part)) return []
    const grown = growForm(genome)
    const name = `${part}: ${genome.genes.map(({ kind }) => kind).join(' and ')}`
    if (part === 'forms') return [{ name, body: withForms(grown, genome.forms) }]
    return [{ name, form: JSON.parse(withForms({ ...grown, ui: {} }, 1)), answer: grown.answer }]
  })
  return [...bodies.map(([name, body]) => ({ name, body: body() })), ...found]
}
