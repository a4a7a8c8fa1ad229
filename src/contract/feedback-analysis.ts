import { z } from 'zod'
import { CountedAction } from './action-outcome.ts'
import { Cursor, clampedInteger, optional, Timestamp } from './field.ts'
import { AnalysisId } from './ids.ts'
import { limits } from './limits.ts'
import { App, TaskType } from './task-fields.ts'

export const GetFeedbackAnalysis = z.strictObject({
  type: TaskType.describe('The type given to send_to_human, such as refund-approval.'),
  app: optional(App).describe('The app given to send_to_human, with the same default.'),
})
export type GetFeedbackAnalysis = z.infer<typeof GetFeedbackAnalysis>

export const AnalysisStatus = z.enum(['pending', 'running', 'completed', 'failed'])
export type AnalysisStatus = z.infer<typeof AnalysisStatus>

/** The latest analysis for an app and type. Without one, only `found` and `message` are set. */
export const FeedbackAnalysis = z.object({
  found: z.boolean().describe('Whether an analysis exists.'),
  message: z.string().describe('The state of the analysis and what to do next.'),
  status: AnalysisStatus.optional().describe('Only a completed analysis has texts.'),
  taskCount: z.int().optional().describe('Number of tasks that were analyzed.'),
  periodStart: Timestamp.optional().describe('Start of the 30 days.'),
  periodEnd: Timestamp.optional().describe('End of the 30 days.'),
  summary: z.string().optional().describe('What people answered, in Markdown.'),
  recommendation: z.string().optional().describe('What to change, in Markdown.'),
  agentInstructions: z.string().optional().describe('What a coding agent should do.'),
  isHealthy: z
    .boolean()
    .nullable()
    .optional()
    .describe('true: no change recommended, or too few answers. null: not completed.'),
  lastCompletedAt: Timestamp.optional().describe('When an earlier analysis was completed.'),
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
  startedBy: z.string().optional().meta({ description: 'Left out if the person is no longer a member.' }),
  createdAt: Timestamp,
  endedAt: Timestamp.optional(),
  periodStart: Timestamp,
  periodEnd: Timestamp,
  progress: z.object({ tasksRead: z.int(), tasksToRead: z.int() }),
  taskCount: z.int(),
  isHealthy: z.boolean().nullable(),
  tooFew: z
    .boolean()
    .meta({ description: 'There are too few answers to the version that runs now to judge it.' }),
  summary: z.string(),
  recommendation: z.string(),
  agentInstructions: z.string(),
  analyst: z.string().optional().meta({ description: '"built-in", or the model that wrote the texts.' }),
  note: z.string().optional().meta({
    description: 'Why the configured language model failed, so that the built-in analyst wrote the texts.',
  }),
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

/** A share with its 95 % interval. */
const Share = z.object({
  count: z.int(),
  n: z.int(),
  share: z.number(),
  low: z.number(),
  high: z.number(),
})

const Quote = z.object({ taskId: z.string(), text: z.string() })

/** A task with a negative answer beside the most similar one with a positive answer. */
const TaskPair = z.object({
  negative: z.object({ taskId: z.string(), name: z.string() }),
  positive: z.object({ taskId: z.string(), name: z.string() }),
  differences: z
    .array(z.object({ field: z.string(), negative: z.string().nullable(), positive: z.string().nullable() }))
    .meta({
      description:
        'The version and the fields of the context and the metadata that differ, at most 8. null: the task lacks it.',
    }),
})
export type TaskPair = z.infer<typeof TaskPair>

const findingKinds = [
  'version',
  'field',
  'theme',
  'choice',
  'trend',
  'order',
  'candidate',
  'deadline',
  'reviewer',
  'unexplained',
] as const

/**
 * What the answers of a finding have in common. `question` is the label of a form field, `choice` one
 * of its options.
 */
const CommonTrait = z.union([
  z.object({ field: z.string(), value: z.string() }),
  z.object({ version: z.string().nullable() }),
  z.object({ question: z.string(), choice: z.string() }),
  z.object({ reviewer: z.string() }),
  z.object({ terms: z.array(z.string()) }).meta({ description: 'The terms of a theme, normalized.' }),
])
export type CommonTrait = z.infer<typeof CommonTrait>

/** What a finding counted, so that a later analysis can tell what became of its advice. */
const FindingBasis = z.object({
  trait: CommonTrait,
  count: z
    .int()
    .meta({ description: 'Negative answers with the trait; for a version, all its negative answers.' }),
  n: z.int().meta({ description: 'Answers that were searched for the trait; for a version, its answers.' }),
  answers: z.int().meta({ description: 'All answers of the 30 days.' }),
})
export type FindingBasis = z.infer<typeof FindingBasis>

const AnalysisFinding = z.object({
  kind: z.enum(findingKinds),
  title: z.string(),
  evidence: z.string(),
  advice: z.string(),
  gain: z.int().optional().meta({
    description:
      'How many negative answers per 30 days a fix is expected to prevent. Left out if it is not known or below 0.5, and for findings of the kind candidate.',
  }),
  isGainAnUpperLimit: z.boolean().optional().meta({
    description:
      'true: there was nothing to compare with, so `gain` is not a prediction but the most to expect.',
  }),
  basis: FindingBasis.optional(),
  forMembersOnly: z.boolean().meta({ description: 'Not in the texts that agents receive.' }),
  chart: z
    .object({
      title: z.string(),
      bars: z.array(
        Share.extend({
          label: z.string(),
          isMarked: z.boolean().meta({ description: 'The bar that the finding is about.' }),
        }),
      ),
    })
    .optional(),
  quotes: z.array(Quote),
  taskCount: z.int().meta({
    description:
      'Number of negative answers with the trait or theme of the finding. Without either: the number of quotes, or 0.',
  }),
  taskIds: z.array(z.string()).meta({ description: 'The newest of these tasks, at most 100.' }),
  taskPairs: z.array(TaskPair).meta({ description: 'At most 10.' }),
})
export type AnalysisFinding = z.infer<typeof AnalysisFinding>

/** Two possible causes that the answers cannot distinguish, and what would distinguish them. */
const Inconclusive = z.object({
  title: z.string().meta({ description: 'The two causes.' }),
  text: z.string(),
  remedies: z.array(z.enum(['double-review', 'both-versions', 'blind'])).meta({
    description:
      'double-review: two people answer the same tasks. both-versions: run both versions at once, chosen at random for each task. blind: show the candidates of a comparison in random order, without names.',
  }),
})
export type Inconclusive = z.infer<typeof Inconclusive>

const adviceResults = [
  'worked',
  'less-than-predicted',
  'no-effect-seen',
  'too-few-answers',
  'not-tried',
] as const

/**
 * What became of earlier advice. `predicted` and `seen` are changes in negative answers per 30
 * days: below 0 is fewer.
 */
const GivenAdvice = z.object({
  givenAt: Timestamp.meta({ description: 'When the advice was first given.' }),
  kind: z.enum(findingKinds),
  title: z.string(),
  advice: z.string(),
  version: z.string().nullable().meta({ description: 'The version that ran when the advice was given.' }),
  nextVersion: z
    .string()
    .optional()
    .meta({ description: 'The version that runs now, if the advice was tried with it.' }),
  predicted: z.int(),
  basis: FindingBasis,
  seen: z.object({ change: z.int(), low: z.int(), high: z.int() }).optional(),
  result: z.enum(adviceResults),
})
export type GivenAdvice = z.infer<typeof GivenAdvice>

/**
 * The result of a completed run, for people. Left out in runs of earlier releases and after their
 * texts were deleted.
 */
const AnalysisResult = z.object({
  verdict: z.string().meta({ description: 'One or two sentences.' }),
  explanation: z.string().meta({
    description: 'How the version that runs now compares with the others. Empty if there are none.',
  }),
  version: z.string().nullable().optional().meta({
    description: 'The version that ran when the analysis ended. null: tasks without a version.',
  }),
  counts: z.object({ answered: z.int(), timedOut: z.int(), expired: z.int() }),
  findings: z.array(AnalysisFinding),
  inconclusive: z.array(Inconclusive),
  earlierAdvice: z.array(GivenAdvice),
  actions: z.array(CountedAction),
})
export type AnalysisResult = z.infer<typeof AnalysisResult>

export const AnalysisDetail = AnalysisRun.extend({ result: AnalysisResult.optional() })
export type AnalysisDetail = z.infer<typeof AnalysisDetail>
