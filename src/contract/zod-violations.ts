import type { z } from 'zod'
import { isObject } from './forms/json.ts'
import { valueAtSteps } from './forms/prefill.ts'
import { nearest } from './repairs/nearest.ts'
import { isFreeForm, type Path, schemaAt } from './repairs/schema-walk.ts'
import { type Repair, repairUnknownField } from './repairs/unknown-field.ts'
import { exampleFor, missingMessage, withExample, wrongKindMessage } from './repairs/wrong-kind.ts'
import { maxListLength, pathOf, type Violation, Violations } from './violation.ts'

type Issue = z.core.$ZodIssue
type Checked = { schema: z.ZodType; input: unknown; isQuery: boolean }

/**
 * Converts the issues of a refused input to violations that say what to send instead. `isQuery`:
 * the values are those of a query, which are always strings.
 */
export function zodViolations(
  error: z.ZodError,
  schema: z.ZodType,
  input: unknown,
  { isQuery = false } = {},
): Violation[] {
  const checked = { schema, input, isQuery }
  const { issues } = error
  const violations = new Violations()
  const repairs = repairsOf(issues, checked)
  const provided = new Set([...repairs.values()].flat().flatMap(({ provides }) => provides))
  // Zod also checks the length of a string where a list is expected. Only the kind is worth
  // reporting.
  const mistyped = new Set(issues.filter(isMistyped).map(({ path }) => String(path)))
  for (const issue of issues) {
    if (violations.isFull) break
    const path = pathOf(issue.path as Path)
    if (issue.code === 'unrecognized_keys') {
      for (const [index, key] of issue.keys.entries()) {
        if (violations.isFull) break
        const { message } = repairs.get(issue)?.[index] ?? { message: 'Unknown field. Remove it.' }
        violations.add(pathOf([...(issue.path as Path), key]), message)
      }
    } else if (!mistyped.has(String(issue.path)) || isMistyped(issue)) {
      // A field that is only misnamed or misplaced is reported once, where it was found.
      if (!(provided.has(path) && isMissing(issue, checked))) violations.add(path, messageOf(issue, checked))
    }
  }
  return violations.list
}

function repairsOf(issues: Issue[], { schema, input }: Checked): Map<Issue, Repair[]> {
  const repairs = new Map<Issue, Repair[]>()
  // Repairs of problems that are not listed would be wasted work.
  let remaining = maxListLength
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const keys = issue.keys.slice(0, remaining)
    remaining -= keys.length
    repairs.set(
      issue,
      keys.map((key) => repairUnknownField(schema, input, issue.path as Path, key, issue.keys)),
    )
    if (remaining === 0) break
  }
  return repairs
}

function isMistyped({ code }: Issue): boolean {
  return code === 'invalid_type'
}

/** An item of a list counts as present: it has no value at its path if a query sent the list as text. */
function isMissing({ path }: Issue, { input }: Checked): boolean {
  return typeof path.at(-1) !== 'number' && (valueAtSteps(input, path as Path) ?? null) === null
}

function messageOf(issue: Issue, checked: Checked): string {
  const { message } = issue
  const path = issue.path as Path
  const schema = schemaAt(checked.schema, path)
  const value = valueAtSteps(checked.input, path)
  const expected = expectedKind(issue, schema, value)
  if (checked.isQuery && expected === 'number' && typeof value === 'string') return queryNumberMessage(value)
  if (schema && expected !== undefined)
    return isMissing(issue, checked) ? missingMessage(schema) : wrongKindMessage(expected, schema, value)
  if (issue.code === 'invalid_value')
    return isMissing(issue, checked) ? 'This field is required.' : choiceMessage(issue.values, value)
  // Messages of our schemas are returned as they are; only zod's default messages are replaced.
  if (/^Too (big|small): /.test(message))
    return (
      boundMessage(issue) +
      (schema && Array.isArray(value) && value.length === 0 ? withExample(exampleFor(schema, undefined)) : '')
    )
  const text = message.replace(/^Invalid input: expected /, 'Must be of type ')
  return text.endsWith('.') ? text : `${text}.`
}

function expectedKind(issue: Issue, schema: z.ZodType | undefined, value: unknown): string | undefined {
  if (issue.code === 'invalid_type') return issue.expected
  return issue.code === 'custom' && schema && isFreeForm(schema) && !isObject(value) ? 'object' : undefined
}

/** A query has only whole numbers, and `clampedInteger` accepts the text of up to 9 digits. */
function queryNumberMessage(text: string): string {
  return text.trim() !== '' && Number.isFinite(Number(text))
    ? 'Must be a whole number of at most 9 digits.'
    : 'Must be a number.'
}

function choiceMessage(values: readonly unknown[], value: unknown): string {
  const list = values.map((choice) => JSON.stringify(choice)).join(', ')
  const meant =
    typeof value === 'string' &&
    nearest(
      value,
      values.filter((choice) => typeof choice === 'string'),
    )
  const hint = meant ? ` Did you mean ${JSON.stringify(meant)}?` : ''
  return `Must be ${values.length === 1 ? list : `one of ${list}`}.${hint}`
}

/** Uses the same words as the checks of forms. */
function boundMessage(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return issue.message
  const isMinimum = issue.code === 'too_small'
  const bound = Number(isMinimum ? issue.minimum : issue.maximum)
  if (isMinimum && bound === 1 && issue.origin === 'string') return 'Must not be empty.'
  const [inclusive, exclusive] = isMinimum ? ['at least', 'more than'] : ['at most', 'less than']
  const how = issue.exact ? 'exactly' : issue.inclusive === false ? exclusive : inclusive
  const count = bound.toLocaleString('en')
  const plural = bound === 1 ? '' : 's'
  if (issue.origin === 'string') return `Must be ${how} ${count} character${plural}.`
  if (issue.origin === 'array') return `Must have ${how} ${count} item${plural}.`
  return `Must be ${how} ${count}.`
}
