import { z } from 'zod'
import { JsonObject, Timestamp } from './field.ts'
import { RuleId, TaskId } from './ids.ts'
import { OpenQuestion } from './question.ts'
import { DecidedBy, Handled, HandledByVerified, Via } from './task-answer.ts'

// The task events below have the same form in MCP notifications, callback bodies and the event log.

const TaskOfEvent = z.object({
  app: z.string(),
  type: z.string(),
  name: z.string(),
  version: z.string().optional(),
  threadId: z.string(),
})

const trace = { traceparent: z.string().optional(), tracestate: z.string().optional() }

export const TaskHandledEvent = z.object({
  eventId: z.string(),
  type: z.literal('service/task_handled'),
  taskId: TaskId,
  status: z.literal('handled'),
  action: z.object({ id: z.string(), title: z.string(), data: JsonObject }),
  handledBy: z.string(),
  handledByVerified: HandledByVerified,
  handledAt: Timestamp,
  decidedBy: DecidedBy,
  ruleId: RuleId.optional(),
  via: Via,
  edits: Handled.shape.edits,
  revision: z.int(),
  answers: Handled.shape.answers,
  task: TaskOfEvent,
  metadata: JsonObject.optional(),
  ...trace,
})
export type TaskHandledEvent = z.infer<typeof TaskHandledEvent>

export const TaskExpiredEvent = z.object({
  eventId: z.string(),
  type: z.literal('service/task_expired'),
  taskId: TaskId,
  status: z.literal('expired'),
  expiredAt: Timestamp,
  task: TaskOfEvent,
  metadata: JsonObject.optional(),
  ...trace,
})
export type TaskExpiredEvent = z.infer<typeof TaskExpiredEvent>

export const TaskCancelledEvent = z.object({
  eventId: z.string(),
  type: z.literal('service/task_cancelled'),
  taskId: TaskId,
  status: z.literal('cancelled'),
  reason: z.string().optional(),
  cancelledAt: Timestamp,
  task: TaskOfEvent,
  metadata: JsonObject.optional(),
  ...trace,
})
export type TaskCancelledEvent = z.infer<typeof TaskCancelledEvent>

/** A person asks the agent a question. The task stays open. */
export const TaskQuestionEvent = z.object({
  eventId: z.string(),
  type: z.literal('service/task_question'),
  taskId: TaskId,
  status: z.literal('open'),
  question: OpenQuestion,
  askedBy: z.string(),
  askedAt: Timestamp,
  task: TaskOfEvent,
  metadata: JsonObject.optional(),
  ...trace,
})
export type TaskQuestionEvent = z.infer<typeof TaskQuestionEvent>

/** Sent on request, to test a receiver. */
export const TestEvent = z.object({ eventId: z.string(), type: z.literal('service/test'), sentAt: Timestamp })
export type TestEvent = z.infer<typeof TestEvent>
