import { z } from 'zod'
import { Moment, optional } from './field.ts'
import { limits } from './limits.ts'
import { App, TaskType, Version } from './task.ts'

/** `jsonl`: a task a line, whole. `csv`: for spreadsheets. `preferences`: prompt, chosen and rejected, from comparisons. */
export const ExportFormat = z.enum(['jsonl', 'csv', 'preferences'])
export type ExportFormat = z.infer<typeof ExportFormat>

export const ExportTasks = z.strictObject({
  format: ExportFormat,
  handledAfter: optional(Moment),
  handledBefore: optional(Moment),
  app: optional(App),
  type: optional(TaskType),
  version: optional(Version),
  actionId: optional(z.string().max(limits.actionId)),
  handledBy: optional(z.string().max(limits.email)),
})
export type ExportTasks = z.infer<typeof ExportTasks>

/** How many tasks will be looked at: for whoever shows progress. */
export const exportTotalHeader = 'handrail-export-total'
