/** Limits of one form; those of the whole task stand elsewhere. */
export const FORM_LIMITS = {
  schemaDepth: 32,
  schemaNodes: 1_500,
  properties: 200,
  enumValues: 500,
  alternatives: 20,
  patternLength: 256,
  // Compiling one takes up to a millisecond, and a task may carry fifty forms.
  patterns: 25,
  minItems: 50,
  maxItems: 1_000,
  answerDepth: 64,
} as const

/** For all forms of a task: less than a tenth of a second on a slow core. A form that people can fill in takes a hundredth of it. */
export const guardSteps = 50_000
/** For an answer. */
export const answerSteps = 50_000

export const SCALAR_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null'])
export const TYPES: ReadonlySet<unknown> = new Set([...SCALAR_TYPES, 'array', 'object'])
