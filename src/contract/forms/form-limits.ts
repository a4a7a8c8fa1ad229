/** Limits of one form. `limits.ts` has those of a task. */
export const formLimits = {
  schemaDepth: 32,
  schemaNodes: 1_500,
  properties: 200,
  enumValues: 500,
  alternatives: 20,
  patternLength: 256,
  // Compiling one takes up to a millisecond, and a task can have fifty forms.
  patterns: 25,
  minItems: 50,
  maxItems: 1_000,
  answerDepth: 64,
} as const

/** Budget for all forms of a task: less than 0.1 s on a slow core. A typical form takes 1 % of it. */
export const formSteps = 50_000
/** Budget for an answer. */
export const answerSteps = 50_000

export const scalarTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null'])
export const allTypes: ReadonlySet<unknown> = new Set([...scalarTypes, 'array', 'object'])
