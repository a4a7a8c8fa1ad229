import { z } from 'zod'
import { CreateTask } from './create-task.ts'
import { optional, printable, Timestamp, text } from './field.ts'
import { QuestionId, TaskId } from './ids.ts'
import { limits } from './limits.ts'
import { OpenQuestion } from './question.ts'
import { Context } from './task-fields.ts'

export const UpdateLevel = z.enum(['info', 'working', 'warning', 'error', 'success'])
export type UpdateLevel = z.infer<typeof UpdateLevel>

/** Replaces these parts of an open task. Parts that are left out stay as they are. */
export const Revision = z.strictObject({
  task: optional(
    z.strictObject({
      name: optional(CreateTask.shape.task.shape.name),
      description: optional(CreateTask.shape.task.shape.description),
    }),
  ),
  context: optional(Context),
  actions: optional(CreateTask.shape.actions),
})
export type Revision = z.infer<typeof Revision>

export const SendUpdate = z.strictObject({
  message: text(limits.updateMessage).describe(
    `What you do or what changed, at most ${limits.updateMessage} characters, such as "Checking the order".`,
  ),
  level: optional(UpdateLevel).describe('Kind of update. Default: info.'),
  progress: optional(z.number().min(0).max(100)).describe('Percentage done, 0 to 100.'),
  answers: optional(QuestionId).describe('Id of the question that message answers.'),
  revision: optional(Revision).describe(
    'Replaces parts of the task: {"task": {"name", "description"}, "context", "actions"}, each optional and whole.',
  ),
  idempotencyKey: optional(printable(limits.idempotencyKey)).describe(
    'The same key returns the same update.',
  ),
})
export type SendUpdate = z.infer<typeof SendUpdate>

export const UpdateSent = z.object({
  taskId: TaskId,
  updateId: z.string().describe('Id of the update.'),
  createdAt: Timestamp.describe('When it was recorded.'),
  revision: z.int().describe('Revision of the task.'),
  openQuestions: z.array(OpenQuestion).describe('Questions that still wait for your reply.'),
})
export type UpdateSent = z.infer<typeof UpdateSent>

export const TaskUpdate = z.object({
  updateId: z.string(),
  message: z.string(),
  level: UpdateLevel,
  progress: z.number().optional(),
  answers: QuestionId.optional(),
  revision: z.int().optional().meta({ description: 'The revision that it created.' }),
  at: Timestamp,
})
export type TaskUpdate = z.infer<typeof TaskUpdate>
