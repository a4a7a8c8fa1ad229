import { z } from 'zod'
import { optional, TimestampInput } from './field.ts'
import { limits } from './limits.ts'
import { App, TaskType, Version } from './task-fields.ts'

export const TaskExportFormat = z.enum(['jsonl', 'csv', 'preferences', 'edits']).meta({
  description:
    'jsonl: one task per line. csv: for spreadsheets; editLevel is unchanged, light or heavy if fields were prefilled, and changedFields names those that a person changed. preferences: prompt, chosen and rejected. edits: before and after of each prefilled field that a person changed.',
})
export type TaskExportFormat = z.infer<typeof TaskExportFormat>

export const ExportTasks = z.strictObject({
  format: z.enum([...TaskExportFormat.options, 'cases']).meta({
    description: `${TaskExportFormat.meta()?.description} cases: pairs of a task with a negative answer and the most similar one with a positive answer, from the latest completed analysis of \`app\` and \`type\`. Both are then required, and of the other filters only \`finding\` applies.`,
  }),
  handledAfter: optional(TimestampInput),
  handledBefore: optional(TimestampInput),
  app: optional(App),
  type: optional(TaskType),
  version: optional(Version),
  actionId: optional(z.string().max(limits.actionId)),
  handledBy: optional(z.string().max(limits.email)),
  finding: optional(z.coerce.number<string | number>().int().min(1).max(100)).meta({
    description:
      'Only with cases: the number of the finding in the analysis, from 1. Left out: all findings.',
  }),
})
export type ExportTasks = z.infer<typeof ExportTasks>
