import { z } from 'zod'
import { optional, Timestamp } from './field.ts'
import { App, TaskType } from './task.ts'

export const GetFeedbackAnalysis = z.strictObject({ type: TaskType, app: optional(App) })
export type GetFeedbackAnalysis = z.infer<typeof GetFeedbackAnalysis>

/** The latest analysis of what people answered, for one app and type. All but `found` and `message` only when found. */
export const FeedbackAnalysis = z.object({
  found: z.boolean(),
  message: z.string(),
  status: z.enum(['pending', 'running', 'completed', 'failed']).optional(),
  taskCount: z.int().optional(),
  periodStart: Timestamp.optional(),
  periodEnd: Timestamp.optional(),
  summary: z.string().optional(),
  recommendation: z.string().optional(),
  agentInstructions: z.string().optional(),
  isHealthy: z.boolean().nullable().optional(),
  lastCompletedAt: Timestamp.optional(),
})
export type FeedbackAnalysis = z.infer<typeof FeedbackAnalysis>
