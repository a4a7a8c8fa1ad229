import type { AnalysisFinding, CommonTrait } from '../../../contract/feedback-analysis.ts'
import type { Quote } from './theme-quotes.ts'
import type { Theme } from './themes.ts'

/** One result of the figures, and what to do about it. */
export type Finding = {
  kind: AnalysisFinding['kind']
  /** A few words, shown before the numbers. */
  title: string
  evidence: string
  advice: string
  /** Negative answers of 30 days that a fix would prevent. Of a version: if all tasks are sent by it. */
  gain?: number
  /** There was nothing to compare with, so that all negative answers with the trait count. */
  isGainAnUpperLimit?: boolean
  /** The answers it is about. */
  trait?: CommonTrait
  chart?: AnalysisFinding['chart']
  /** Human text accompanies the sentences above and is never part of them. */
  theme?: Theme
  quotes?: Quote[]
}
