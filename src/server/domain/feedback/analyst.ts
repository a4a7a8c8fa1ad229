import type { Figures } from './figures.ts'
import type { Health } from './health.ts'

/** All that an analyst is given: counts, and quotes inside them. */
export type Analysed = {
  app: string
  type: string
  periodStart: Date
  periodEnd: Date
  figures: Figures
  health: Health
  /** Where a person sees the task. */
  urlOf(taskId: string): string
}

export type AnalystTexts = {
  summary: string
  recommendation: string
  agentInstructions: string
  /** Who wrote it, such as "built-in" or the name of a model. */
  analyst: string
  /** Why it is not from whom it was asked of. */
  note?: string
}

export type Analyst = (analysed: Analysed, signal: AbortSignal) => Promise<AnalystTexts>
