import type { GivenAdvice, TaskPair } from '../../../contract/feedback-analysis.ts'
import type { Figures } from './figures.ts'
import type { FeedbackHealth } from './health.ts'

/**
 * What an analyst writes its texts from: figures with their quotes, and what was derived from them.
 */
export type AnalysisInput = {
  app: string
  type: string
  periodStart: Date
  periodEnd: Date
  figures: Figures
  health: FeedbackHealth
  /** For each finding of `deriveFindings`: its pairs of a task with a negative and one with a positive answer. */
  taskPairs?: TaskPair[][]
  /** Earlier advice and what became of it. */
  earlierAdvice?: GivenAdvice[]
  /** The page of the task in the web app. */
  urlOf(taskId: string): string
}

export type AnalystTexts = {
  summary: string
  recommendation: string
  agentInstructions: string
  /** The author: "built-in" or the name of a model. */
  analyst: string
  /** Why the configured model did not write the texts. */
  note?: string
}

export type Analyst = (input: AnalysisInput, signal: AbortSignal) => Promise<AnalystTexts>
