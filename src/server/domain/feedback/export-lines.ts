import type { Outcome } from '../../../contract/action.ts'
import { comparedItems, nameOf, winnerOf, winnerPropertiesOf } from '../../../contract/compare.ts'
import type { TaskExportFormat } from '../../../contract/export.ts'
import { prefilledFields, valueAtSteps } from '../../../contract/forms/prefill.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import { priorities } from '../../../contract/task-fields.ts'
import { pathOf } from '../../../contract/violation.ts'
import { csvLine } from '../../lib/csv.ts'
import type { HandledTaskRow } from '../../storage/tasks/handled-tasks.ts'
import { handledByVerifiedField } from '../tasks/handled-by-verified.ts'
import { presentAnswer, presentQuestion } from '../tasks/present-task.ts'
import { outcomeOf } from './outcome-of.ts'

const columns =
  'taskId app type version name priority createdAt handledAt secondsToAnswer decidedBy handledBy actionId actionTitle outcome feedback data via handledByVerified editLevel changedFields ruleId'

/** `outcomeByAdmin`: what an admin set for the chosen action. */
type HandledTask = HandledTaskRow & { outcomeByAdmin: Outcome | undefined }

/** How each format writes a task: as zero or more lines, each of which ends with a line break. */
export const exportFormats: Record<
  TaskExportFormat,
  { contentType: string; extension: string; head: string; lines(task: HandledTask): string }
> = {
  jsonl: { contentType: 'application/x-ndjson', extension: 'jsonl', head: '', lines: jsonLine },
  csv: { contentType: 'text/csv; charset=utf-8', extension: 'csv', head: csvHead(), lines: taskAsCsv },
  preferences: { contentType: 'application/x-ndjson', extension: 'jsonl', head: '', lines: preferenceLines },
  edits: { contentType: 'application/x-ndjson', extension: 'jsonl', head: '', lines: editLines },
}

function outcome({ actionId, actionTitle, actions, outcomeByAdmin }: HandledTask): Outcome {
  const declared = actions?.find(({ id }) => id === actionId)?.outcome
  return outcomeOf({ id: actionId!, title: actionTitle!, outcome: declared }, outcomeByAdmin).outcome
}

function jsonLine(task: HandledTask): string {
  const record = {
    taskId: task.id,
    app: task.app,
    type: task.type,
    ...(task.version !== null && { version: task.version }),
    name: task.name,
    description: task.description,
    priority: priorities[task.priority],
    threadId: task.threadId,
    ...(task.metadata !== null && { metadata: task.metadata }),
    createdAt: task.createdAt.toISOString(),
    revision: task.revision,
    ...(task.questions !== null && { questions: task.questions.map(presentQuestion) }),
    handled: {
      actionId: task.actionId,
      actionTitle: task.actionTitle,
      outcome: outcome(task),
      data: task.answer,
      handledBy: task.handledBy,
      ...handledByVerifiedField(task.handledByVerified),
      handledAt: task.endedAt!.toISOString(),
      decidedBy: task.decidedBy,
      ...(task.ruleId !== null && { ruleId: task.ruleId }),
      via: task.via,
      ...(task.presented !== null && { presented: task.presented }),
      ...(task.edits !== null && { edits: task.edits }),
      ...(task.bulkId !== null && { bulkId: task.bulkId }),
      ...(task.answers !== null && { answers: task.answers.map(presentAnswer) }),
    },
    ...(task.context !== null && { context: task.context }),
    ...(task.contentDeletedAt !== null
      ? { contentDeletedAt: task.contentDeletedAt.toISOString() }
      : task.actions !== null && { actions: task.actions }),
  }
  return `${JSON.stringify(record)}\n`
}

/** Excel needs the byte order mark to read the file as UTF-8. */
function csvHead(): string {
  return `\ufeff${columns.split(' ').join(',')}\r\n`
}

function taskAsCsv(task: HandledTask): string {
  const feedback = task.actionId === reservedActions.rejectRequest.id ? task.answer?.feedback : undefined
  const cells = [
    task.id,
    task.app,
    task.type,
    task.version ?? '',
    task.name,
    priorities[task.priority]!,
    task.createdAt.toISOString(),
    task.endedAt!.toISOString(),
    String(Math.round((task.endedAt!.getTime() - task.createdAt.getTime()) / 1000)),
    task.decidedBy!,
    task.handledBy!,
    task.actionId!,
    task.actionTitle!,
    outcome(task),
    typeof feedback === 'string' ? feedback : '',
    JSON.stringify(task.answer),
    task.via!,
    String(task.handledByVerified ?? ''),
    task.editLevel ?? '',
    changedFields(task).join(', '),
    task.ruleId ?? '',
  ]
  return csvLine(cells)
}

/**
 * One line per candidate that lost, with the winner. No line for a tie or a task that no person
 * decided.
 */
function preferenceLines(task: HandledTaskRow): string {
  const action = task.actions?.find(({ id }) => id === task.actionId)
  if (!action || task.decidedBy !== 'human' || task.context === null || task.answer === null) return ''
  const { context, answer } = task
  const compared = comparedItems(context)
  return winnerPropertiesOf(context, action)
    .flatMap((winnerProperty) => {
      const winner = winnerOf(winnerProperty, answer)
      const items = compared.get(winnerProperty.field)!
      if (typeof winner !== 'number') return []
      const prompt =
        winnerProperty.prompt === undefined ? task.description : context.data[winnerProperty.prompt]
      return items.flatMap((item, i) => {
        if (i === winner) return []
        const preference = {
          taskId: task.id,
          app: task.app,
          type: task.type,
          prompt: asText(prompt),
          chosen: asText(items[winner]!.response ?? items[winner]),
          rejected: asText(item.response ?? item),
          chosenName: nameOf(items[winner]!),
          rejectedName: nameOf(item),
          handledBy: task.handledBy,
          ...handledByVerifiedField(task.handledByVerified),
          handledAt: task.endedAt!.toISOString(),
        }
        return [`${JSON.stringify(preference)}\n`]
      })
    })
    .join('')
}

/**
 * One line per prefilled field that the person changed. `before` and `after` are complete, even if
 * the stored edit is truncated.
 */
function editLines(task: HandledTaskRow): string {
  const action = task.actions?.find(({ id }) => id === task.actionId)
  if (!action || task.decidedBy !== 'human' || task.edits === null || task.context === null) return ''
  const changed = new Set(changedFields(task))
  return prefilledFields(action.schema, action.ui, task.context.data)
    .filter(({ steps }) => changed.has(pathOf(steps)))
    .map(({ steps, source, value }) => {
      const edit = {
        taskId: task.id,
        app: task.app,
        type: task.type,
        ...(task.version !== null && { version: task.version }),
        actionId: task.actionId,
        field: pathOf(steps),
        source,
        before: value,
        after: valueAtSteps(task.answer, steps) ?? null,
        handledBy: task.handledBy,
        ...handledByVerifiedField(task.handledByVerified),
        handledAt: task.endedAt!.toISOString(),
      }
      return `${JSON.stringify(edit)}\n`
    })
    .join('')
}

function changedFields({ edits }: HandledTaskRow): string[] {
  return (edits ?? []).flatMap(({ field, changed }) => (changed ? [field] : []))
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
