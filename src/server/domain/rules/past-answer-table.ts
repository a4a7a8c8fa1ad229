import { canonicalText } from '../../../contract/forms/comparable-answer.ts'
import type { Slices } from '../../lib/event-loop.ts'
import type { ReproducibleAnswer } from './answer-to-reproduce.ts'
import { flatFields, type Scalar } from './flat-fields.ts'
import type { PastAnswer } from './past-answers.ts'

/** What suggestions need to know about a past answer. */
export type PastAnswerRow = Pick<
  PastAnswer,
  'taskId' | 'name' | 'version' | 'endedAt' | 'actionTitle' | 'handledBy'
> & {
  /** Index in `answers` of the table, or `otherAnswer`. */
  answer: number
}
/** No rule can reproduce the answer, or it is too long to be given twice. */
export const otherAnswer = -1

/**
 * The values of one field of the context, in the order of the rows. undefined: the task has no
 * value.
 */
export type FieldValues = { field: string; values: (Scalar | undefined)[] }

type GrowingColumn = FieldValues & { texts: Map<string, string>; isUsable: boolean }

/**
 * One row per past answer, newest first, and one column per field of the context. `answers` are the
 * different answers that a rule could reproduce.
 */
export type PastAnswerTable = { rows: PastAnswerRow[]; answers: ReproducibleAnswer[]; columns: FieldValues[] }

const maxColumns = 200
/** A field with longer values is a free text, for which a condition means nothing. */
const maxTextLength = 60
/** A field with more different texts is an id or a name. */
const maxTexts = 30
/** In characters of JSON. Longer answers are hardly ever given twice. */
const maxAnswerLength = 2_000

/** Keeps only the fields of a context that could be conditions, because contexts may be large. */
export function createPastAnswerTable() {
  const rows: PastAnswerRow[] = []
  const answers: ReproducibleAnswer[] = []
  const answerIndexes = new Map<string, number>()
  const columns = new Map<string, GrowingColumn>()

  function indexOf(answer: ReproducibleAnswer | undefined): number {
    const text = answer ? canonicalText([answer.actionId, answer.data]) : ''
    if (!answer || text.length > maxAnswerLength) return otherAnswer
    const known = answerIndexes.get(text)
    if (known !== undefined) return known
    answerIndexes.set(text, answers.length)
    return answers.push(answer) - 1
  }

  function columnOf(field: string): GrowingColumn | undefined {
    const known = columns.get(field)
    if (known || columns.size >= maxColumns) return known
    const column: GrowingColumn = { field, values: [], texts: new Map(), isUsable: true }
    columns.set(field, column)
    return column
  }

  return {
    /** Call once per answer, newest first. */
    add(past: PastAnswer, answer: ReproducibleAnswer | undefined): void {
      const { taskId, name, version, endedAt, actionTitle, handledBy } = past
      const index = rows.length
      rows.push({ taskId, name, version, endedAt, actionTitle, handledBy, answer: indexOf(answer) })
      for (const [field, value] of flatFields(past.contextData)) {
        const column = columnOf(field)
        if (!column?.isUsable) continue
        if (typeof value === 'string') {
          column.isUsable =
            value.length <= maxTextLength && (column.texts.has(value) || column.texts.size < maxTexts)
          if (!column.isUsable) {
            column.values = []
            column.texts.clear()
            continue
          }
          // Equal texts share one string.
          if (!column.texts.has(value)) column.texts.set(value, value)
        }
        while (column.values.length < index) column.values.push(undefined)
        column.values.push(typeof value === 'string' ? column.texts.get(value) : value)
      }
    },
    *finish(): Slices<PastAnswerTable> {
      const usable: FieldValues[] = []
      for (const { field, values, isUsable } of columns.values()) {
        if (isUsable && !isId(field, values)) {
          while (values.length < rows.length) values.push(undefined)
          usable.push({ field, values })
        }
        yield
      }
      return { rows, answers, columns: usable }
    },
  }
}

const nearlyAll = 0.9
const idName =
  /(^|[^a-zA-Z])(id|no|nr|number|key|ref|reference)$|[a-z](Id|ID|No|Nr|Number|Key|Ref|Reference)$/
const hugeInteger = 10_000_000

/**
 * Whether the numbers of a field are ids or timestamps, for which a threshold means nothing. They
 * are if nearly all of them are different and one of these is true: nearly all rise, or fall, with
 * time; or they are integers that are mostly huge or whose field is named like an id.
 */
export function isId(field: string, values: (Scalar | undefined)[]): boolean {
  const numbers = values.filter((value) => typeof value === 'number')
  if (numbers.length < 2 || new Set(numbers).size < nearlyAll * numbers.length) return false
  const rising = numbers.filter((value, i) => i > 0 && value > numbers[i - 1]!).length / (numbers.length - 1)
  const isInOrder = rising >= nearlyAll || rising <= 1 - nearlyAll
  if (isInOrder) return true
  if (!numbers.every(Number.isInteger)) return false
  const huge = numbers.filter((value) => Math.abs(value) >= hugeInteger).length
  return idName.test(field) || huge > numbers.length / 2
}
