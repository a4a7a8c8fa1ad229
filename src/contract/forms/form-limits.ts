/** Limits of one form and its answers. `limits.ts` has those of a task. */
export const formLimits = {
  schemaDepth: 32,
  schemaNodes: 1_500,
  properties: 200,
  enumValues: 500,
  alternatives: 20,
  patternLength: 256,
  /** Different patterns per form. `formWorkUnits` limits the time to compile those of a task. */
  patterns: 25,
  largestMinItems: 50,
  /** Items per list of an answer, and so the largest `maxItems`. */
  maxItems: 1_000,
  answerDepth: 64,
  /** Hints nest like the answer, which can be nested more deeply than its schema if that is recursive. */
  hintDepth: 64,
} as const

/** Budget for all forms of a task: less than 0.1 s on a slow core. A typical form takes 0.1 % of it. */
export const formWorkUnits = 50_000
/** Budget for displaying a form or an answer: twice the other, so that an accepted form rarely exceeds it. */
export const displayWorkUnits = 2 * formWorkUnits
/** Budget for checking one answer. */
export const answerWorkUnits = 50_000
