import type { GivenAdvice, TaskPair } from '../../../contract/feedback-analysis.ts'
import type { Figures } from './figures.ts'
import type { Health } from './health.ts'

/** Everything an analyst gets: counts, and the quotes that belong to them. */
export type AnalysisInput = {
  app: string
  type: string
  periodStart: Date
  periodEnd: Date
  figures: Figures
  health: Health
  /**
   * For each finding of findChanges: negative tasks, each with a similar positive one. Left out: no
   * pairs.
   */
  pairs?: TaskPair[][]
  /** Earlier advice and what became of it. Left out: there was none. */
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
