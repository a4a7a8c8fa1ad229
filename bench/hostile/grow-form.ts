// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema

/**
 * A way to make a form expensive to check. The kind decides what `count` and `size` mean; `link` is
 * the definition it refers to.
 */
export type Gene = { kind: Kind; count: number; size: number; link: number }
/** Describes a task with `forms` equal forms, and an answer to one of them. */
export type Genome = { forms: number; genes: Gene[] }
export type Grown = {
  schema: Record<string, unknown>
  ui: Record<string, unknown>
  answer: Record<string, unknown>
}

/** What a gene adds: a property of the form, a definition, and for the property a value and UI hints. */
type Piece = { property: object; def: object; value?: unknown; hints?: object }
/**
 * `ref(n)` refers to the n-th definition after the linked one; `own` is the pointer to the
 * definition of this gene.
 */
type Grow = (gene: Gene, ref: (step: number) => object, own: string) => Piece

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.max(0, Math.floor(count)) }, (_, index) => make(index))
const named = <T>(count: number, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(many(count, (index) => [`n${index}`, make(index)]))
const empty = () => ({})

const patterns = [
  '^[a-z]{2,60}$',
  '(?i)[\\w.+-]+@[\\w-]+',
  '\\pL+',
  '(a|b)*a(a|b){9}',
  'abcdefghij',
  '(x+x+)+y',
]

const kinds = {
  fields: ({ count, size }, ref) => ({
    property: { properties: named(count, () => ref(0)) },
    def: { properties: named(size, empty), required: many(size, (n) => `n${n}`) },
    value: named(count, () => named(size, () => 'x')),
    hints: named(count, () => ({ 'ui:widget': 'radio', 'ui:options': { widget: 'text' } })),
  }),
  all: ({ count, size }, ref) => ({
    property: { allOf: [...many(count, empty), ref(0)] },
    def: { allOf: many(size, () => ({ minLength: 1, items: { type: 'string' } })) },
    value: many(size, String),
    hints: { anyOf: many(count, () => ({ 'ui:widget': 'radio', 'ui:enumNames': [] })) },
  }),
  unique: ({ count, size }, ref) => ({
    property: { type: 'array', uniqueItems: true, prefixItems: many(count, () => ref(0)), items: false },
    def: { allOf: [...many(size, () => ({ uniqueItems: true, items: false })), { type: 'string' }] },
    value: many(count, String),
  }),
  repeats: ({ count, size }) => ({
    property: { items: { allOf: many(count, () => ({ uniqueItems: true, items: { type: 'number' } })) } },
    def: {},
    value: many(size, () => many(500, (n) => n)),
  }),
  required: ({ count, size }, ref) => ({
    property: { properties: named(size, () => ref(0)) },
    def: { properties: { n0: {} }, required: many(count, (n) => `n${n}`) },
    value: named(size, () => ({})),
  }),
  dependent: ({ count, size }, ref) => ({
    property: { allOf: many(size, () => ref(0)) },
    def: {
      properties: { a: {} },
      dependentRequired: named(count, () => ['a']),
      dependentSchemas: { a: ref(1) },
    },
    value: named(count, empty),
  }),
  options: ({ count, size }, ref) => ({
    property: { items: ref(0) },
    def: { enum: many(Math.min(count, 480), (n) => ({ ...named(size, empty), n })) },
    value: many(count, () => named(size + 1, empty)),
  }),
  patterns: ({ count, size }) => ({
    property: { allOf: many(Math.min(count, 25), (n) => ({ pattern: `${patterns[size % 6]}${n}` })) },
    def: {},
    value: 'ab'.repeat(size * 8),
  }),
  lists: ({ count, size }, ref) => ({
    property: { items: { items: ref(0) } },
    def: { anyOf: many(Math.min(Math.max(size, 1), 20), (n) => ({ const: n })), multipleOf: 1e-300 },
    value: many(Math.min(count, 900), () => many(size, () => 1e300)),
  }),
  names: ({ count, size }, ref) => ({
    property: { additionalProperties: ref(0), propertyNames: { maxLength: size, pattern: '^n' } },
    def: { type: ['number', 'string', 'object'] },
    value: named(count, (n) => n),
  }),
  tree: ({ count, size }, ref, own) => ({
    property: ref(0),
    def: { properties: { a: { $ref: own }, b: ref(1) }, oneOf: many(Math.min(size || 1, 20), () => ref(2)) },
    value: many(Math.min(count, 50), empty).reduce((inner) => ({ a: inner, b: {} }), {}),
    hints: many(Math.min(count, 50), empty).reduce((inner) => ({ a: inner, b: {} }), {}),
  }),
  graph: ({ count, size }, ref) => ({
    property: { anyOf: many(Math.min(count || 1, 20), (n) => ref(n)) },
    def: { allOf: [ref(1), ref(size)], properties: { a: ref(count), b: ref(size + 1) } },
    value: { a: { b: { a: {} } } },
  }),
  fixed: ({ count, size }, ref) => ({
    property: { items: { readOnly: true, ...ref(0) } },
    def: { properties: named(size, () => ref(1)) },
    value: many(count, () => named(size, empty)),
  }),
  notes: ({ count, size }) => ({
    property: { ...Object.fromEntries(many(count, (n) => [`x-${n}`, 0])), default: many(size, () => 0) },
    def: {},
  }),
} satisfies Record<string, Grow>

export type Kind = keyof typeof kinds
export const allKinds = Object.keys(kinds) as Kind[]

export function growForm({ genes }: Genome): Grown {
  const pointer = (index: number) => `#/$defs/d${((index % genes.length) + genes.length) % genes.length}`
  const pieces = genes.map((gene, index) =>
    (kinds[gene.kind] as Grow)(gene, (step) => ({ $ref: pointer(gene.link + step) }), pointer(index)),
  )
  const of = <T>(make: (piece: Piece) => T, name: string) =>
    Object.fromEntries(pieces.map((piece, index) => [`${name}${index}`, make(piece)]))
  const schema = {
    type: 'object',
    properties: of(({ property }) => property, 'p'),
    $defs: of(({ def }) => def, 'd'),
  }
  return { schema, ui: of(({ hints = {} }) => hints, 'p'), answer: of(({ value = 0 }) => value, 'p') }
}
