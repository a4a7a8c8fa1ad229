import { z } from 'zod'
import { Cursor, clampedInteger, optional, Timestamp } from './field.ts'
import { AnalysisId } from './ids.ts'
import { limits } from './limits.ts'
import { App, TaskType } from './task.ts'

export const GetFeedbackAnalysis = z.strictObject({
  type: TaskType.describe('The type given to send_to_human, such as refund-approval.'),
  app: optional(App).describe('The app given to send_to_human. The default is the same.'),
})
export type GetFeedbackAnalysis = z.infer<typeof GetFeedbackAnalysis>

export const AnalysisStatus = z.enum(['pending', 'running', 'completed', 'failed'])
export type AnalysisStatus = z.infer<typeof AnalysisStatus>

/** The latest analysis for an app and type. Without one, only `found` and `message` are set. */
export const FeedbackAnalysis = z.object({
  found: z.boolean().describe('Whether there is an analysis.'),
  message: z.string().describe('What to know about it, in a sentence.'),
  status: AnalysisStatus.optional().describe('pending, running, completed or failed.'),
  taskCount: z.int().optional().describe('Number of handled tasks that were analyzed.'),
  periodStart: Timestamp.optional().describe('Start of the 30 days.'),
  periodEnd: Timestamp.optional().describe('End of the 30 days.'),
  summary: z.string().optional().describe('What people said and chose, in markdown.'),
  recommendation: z.string().optional().describe('What to change, in markdown.'),
  agentInstructions: z.string().optional().describe('Instructions for a coding agent.'),
  isHealthy: z
    .boolean()
    .nullable()
    .optional()
    .describe('true: nothing needs changing. null: not known, because the run is not completed.'),
  lastCompletedAt: Timestamp.optional().describe('When an older run was completed.'),
})
export type FeedbackAnalysis = z.infer<typeof FeedbackAnalysis>

export const StartAnalysis = z.strictObject({ app: optional(App), type: TaskType })
export type StartAnalysis = z.infer<typeof StartAnalysis>

/** One run, as the web app shows it. Values that are not known yet are "", null or 0. */
export const AnalysisRun = z.object({
  analysisId: AnalysisId,
  app: z.string(),
  type: z.string(),
  status: AnalysisStatus,
  isCancelled: z.boolean().meta({ description: 'A person cancelled it. Its status is `failed` as well.' }),
  message: z.string(),
  startedBy: z.string().optional().meta({ description: 'Absent: the person is no longer a member.' }),
  createdAt: Timestamp,
  endedAt: Timestamp.optional(),
  periodStart: Timestamp,
  periodEnd: Timestamp,
  progress: z.object({ tasksRead: z.int(), tasksToRead: z.int() }),
  taskCount: z.int(),
  isHealthy: z.boolean().nullable(),
  summary: z.string(),
  recommendation: z.string(),
  agentInstructions: z.string(),
  analyst: z.string().optional().meta({ description: '"built-in", or the model that wrote the texts.' }),
  note: z.string().optional(),
})
export type AnalysisRun = z.infer<typeof AnalysisRun>

export const ListAnalyses = z.strictObject({
  app: optional(App),
  type: optional(TaskType),
  limit: optional(clampedInteger(1, limits.pageMax)),
  cursor: optional(Cursor),
})
export type ListAnalyses = z.infer<typeof ListAnalyses>
export const AnalysisPage = z.object({ analyses: z.array(AnalysisRun), nextCursor: z.string().nullable() })
export type AnalysisPage = z.infer<typeof AnalysisPage>
