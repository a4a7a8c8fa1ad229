import { z } from 'zod'
import { Cursor, clampedInteger, optional, TimestampInput, text } from './field.ts'
import { RuleId } from './ids.ts'
import { limits } from './limits.ts'
import { AnsweringRule, TaskRecord } from './task.ts'
import { App, Priority, TaskStatus, TaskType, ThreadId, Version } from './task-fields.ts'

const page = {
  limit: optional(clampedInteger(1, limits.pageMax)).describe(
    `Tasks per page, 1 to ${limits.pageMax}. Default: ${limits.pageDefault}.`,
  ),
  cursor: optional(Cursor),
}

const filters = {
  status: optional(TaskStatus).describe('Only tasks with this status.'),
  type: optional(TaskType).describe('Only tasks of this type, such as refund-approval.'),
  app: optional(App).describe('Only tasks of this app.'),
}

/** Filters for agents. */
export const ListTasks = z.strictObject({
  fields: optional(z.enum(['summary'])).describe('summary leaves out description, metadata and questions.'),
  ...filters,
  version: optional(Version).describe('Only tasks of this version.'),
  priority: optional(Priority).describe('Only tasks of this priority.'),
  threadId: optional(ThreadId).describe('Only tasks of this thread.'),
  createdAfter: optional(TimestampInput).describe(
    'Only tasks created after this time: ISO 8601 with a time zone, such as 2026-11-15T09:30:00Z.',
  ),
  createdBefore: optional(TimestampInput).describe('Only tasks created before this time.'),
  ...page,
})
export type ListTasks = z.infer<typeof ListTasks>

const answerFilters = {
  handledBy: optional(z.string().max(limits.email)).meta({
    description:
      'Only tasks with this handledBy: an email address, service:timeout, or service:rule for all rules.',
  }),
  ruleId: optional(RuleId).meta({ description: 'Only tasks that this rule answered.' }),
  actionId: optional(z.string().max(limits.actionId)),
  handledAfter: optional(TimestampInput),
  handledBefore: optional(TimestampInput),
}

/** Filters for people. */
export const ListTasksAsMember = ListTasks.extend({
  ...answerFilters,
  sort: optional(z.enum(['createdAt', 'handledAt'])),
})
export type ListTasksAsMember = z.infer<typeof ListTasksAsMember>

export const SearchTasks = z.strictObject({
  query: text(limits.query).describe(
    `Words, or an exact task id. At most ${limits.query} characters, such as "refund ana".`,
  ),
  ...filters,
  ...page,
})
export type SearchTasks = z.infer<typeof SearchTasks>

/** Filters for people. */
export const SearchTasksAsMember = SearchTasks.extend({ version: optional(Version), ...answerFilters })
export type SearchTasksAsMember = z.infer<typeof SearchTasksAsMember>

/** A record in a list. Summaries have no description, metadata or questions. */
export const ListedTask = TaskRecord.partial({ description: true })

export const TaskPage = z.object({
  tasks: z.array(ListedTask).describe('Task records, as get_task returns them.'),
  nextCursor: z.string().nullable().describe('Pass it as cursor for the next page. null: this is the last.'),
})
/** Typed with complete records, because summaries are rare and requested explicitly. */
export type TaskPage = Omit<z.infer<typeof TaskPage>, 'tasks'> & { tasks: TaskRecord[] }

/** For members, who also see the names of rules. */
export const MemberTaskPage = TaskPage.extend({
  tasks: z.array(ListedTask.extend({ rule: AnsweringRule })),
})
export type MemberTaskPage = Omit<TaskPage, 'tasks'> & {
  tasks: (TaskRecord & { rule?: z.infer<typeof AnsweringRule> })[]
}

/** A record with `fields: "summary"`. */
export function summaryOf({
  description: _,
  metadata: __,
  questions: ___,
  ...summary
}: TaskRecord): TaskRecord {
  return summary as TaskRecord
}
