import { z } from 'zod'
import { type CreateTask, TaskCreated } from './create-task.ts'
import { limits } from './limits.ts'
import { Problem } from './problem.ts'

/**
 * The body of `POST /api/v1/tasks/batch`. Each task is checked alone, so that an invalid one does
 * not affect the others.
 */
export const CreateTasks = z.strictObject({
  tasks: z
    .array(z.custom<CreateTask>().meta({ $ref: '#/components/schemas/CreateTask' }))
    .min(1)
    .max(limits.batchTasks)
    .describe(`1 to ${limits.batchTasks} tasks. Each may have its own idempotencyKey.`),
})
export type CreateTasks = z.infer<typeof CreateTasks>

/** What became of one task of a batch. */
export const TaskResult = z.union([
  z.object({
    status: z
      .literal([201, 200])
      .describe('201: created. 200: the same call with this idempotencyKey has created it before.'),
    task: TaskCreated,
  }),
  z.object({
    status: z.int().describe('The status that the task would have got alone, such as 400.'),
    problem: Problem,
  }),
])
export type TaskResult = z.infer<typeof TaskResult>

export const TasksCreated = z.object({
  results: z.array(TaskResult).describe('One result per task, in the order of the request.'),
})
export type TasksCreated = z.infer<typeof TasksCreated>
