import { checkPayload } from '../../src/contract/check-payload.ts'
import type { CreateTask } from '../../src/contract/create-task.ts'
import { checkActionAnswer } from '../../src/contract/forms/check-answer.ts'
import { formWorkUnits } from '../../src/contract/forms/form-limits.ts'
import { bodyLimits, parseJsonText } from '../../src/contract/json-text.ts'
import { matches, patternProblem } from '../../src/server/lib/re2-patterns.ts'
import { counted } from './counted.ts'
import { type Genome, growForm } from './grow-form.ts'

// In characters of JSON: of all forms of a task together, and of an answer.
const maxLength = 200_000

/** The maximum number of reads for one request: forty per unit of the budget. */
export const maxReads = 40 * formWorkUnits

export type Part = 'forms' | 'answer'

/**
 * Returns a function that runs the checks of a request with this genome, or undefined if the
 * request is too long or has too many values. `wrap` may replace each form and answer.
 */
export function workOf(genome: Genome, part: Part, wrap: <T>(value: T) => T = (value) => value) {
  const { schema, ui, answer } = growForm(genome)
  const form = JSON.stringify([schema, ui])
  const data = JSON.stringify(answer)
  if (form.length * genome.forms > maxLength || data.length > maxLength) return undefined
  if (!isAccepted(form, genome.forms) || !isAccepted(data)) return undefined
  const copy = (value: object) => wrap(JSON.parse(JSON.stringify(value)))
  if (part === 'answer') {
    const action = { schema: copy(schema) }
    const answerCopy = copy(answer)
    return () => void checkActionAnswer(action, answerCopy, { matches })
  }
  const actions = Array.from({ length: genome.forms }, (_, n) => ({
    id: `a${n}`,
    title: 'A',
    schema: copy(schema),
    ui: copy(ui),
  }))
  const task = { task: { type: 't', name: 'N', description: 'D' }, actions } as CreateTask
  return () => void checkPayload(task, { patternProblem, matches })
}

/** Whether the limits of a body allow this text `times` times. */
function isAccepted(text: string, times = 1): boolean {
  return 'value' in parseJsonText(text, { ...bodyLimits, maxValues: bodyLimits.maxValues / times })
}

/** The faster of two runs of the checks, in milliseconds; 0 if `workOf` returns undefined. */
export function milliseconds(genome: Genome, part: Part): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let run = 0; run < 2; run++) {
    const work = workOf(genome, part)
    if (!work) return 0
    const startedAt = performance.now()
    work()
    fastest = Math.min(fastest, performance.now() - startedAt)
  }
  return fastest
}

/** How often the checks read the forms or the answer. */
export function countReads(genome: Genome, part: Part): number {
  const counters: (() => number)[] = []
  const work = workOf(genome, part, (value) => {
    const counter = counted(value)
    counters.push(counter.reads)
    return counter.value
  })
  work?.()
  return counters.reduce((sum, count) => sum + count(), 0)
}
