import { checkPayload } from '../../src/contract/check-payload.ts'
import { checkActionAnswer } from '../../src/contract/forms/check-answer.ts'
import { formSteps } from '../../src/contract/forms/form-limits.ts'
import { bodyLimits, parseJsonText } from '../../src/contract/json-text.ts'
import type { CreateTask } from '../../src/contract/task.ts'
import { matches, patternProblem } from '../../src/server/lib/re2-patterns.ts'
import { counted } from './counted.ts'
import { type Genome, growForm } from './grow-form.ts'

// Characters of JSON. Longer ones are cut off by limits that have nothing to do with forms.
const longest = 200_000

/** Of one request, whatever it holds: forty for each step of the budget. */
export const mostLooks = 40 * formSteps

export type Part = 'forms' | 'answer'

/** What a request with this genome makes the service check, ready to be run; undefined when it would be too long. */
export function workOf(genome: Genome, part: Part, wrap: <T>(value: T) => T = (value) => value) {
  const { schema, ui, answer } = growForm(genome)
  const form = JSON.stringify([schema, ui])
  const data = JSON.stringify(answer)
  if (form.length * genome.forms > longest || data.length > longest) return undefined
  if (!isAccepted(form, genome.forms) || !isAccepted(data)) return undefined
  const copy = (value: object) => wrap(JSON.parse(JSON.stringify(value)))
  if (part === 'answer') {
    const [action, given] = [{ schema: copy(schema) }, copy(answer)]
    return () => void checkActionAnswer(action, given, { matches })
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

/** Whether the limits of a body allow it, so many times. */
function isAccepted(text: string, times = 1): boolean {
  return 'value' in parseJsonText(text, { ...bodyLimits, maxValues: bodyLimits.maxValues / times })
}

/** Milliseconds, the least of two runs. */
export function milliseconds(genome: Genome, part: Part): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 2; run++) {
    const work = workOf(genome, part)
    if (!work) return 0
    const began = performance.now()
    work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

/** How often the service looks into the form and the answer. */
export function looks(genome: Genome, part: Part): number {
  const counters: (() => number)[] = []
  const work = workOf(genome, part, (value) => {
    const counter = counted(value)
    counters.push(counter.looks)
    return counter.value
  })
  work?.()
  return counters.reduce((sum, count) => sum + count(), 0)
}
