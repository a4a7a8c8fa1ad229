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
  /**
   * The negative answers per 30 days that a fix would prevent. For a version, those beyond the
   * others' share if it sends all tasks. For a candidate, by how many wins it stays below chance.
   */
  gain?: number
  /** There was nothing to compare with, so that all negative answers with the trait count. */
  isGainAnUpperLimit?: boolean
  /** What the answers it is about have in common. */
  trait?: CommonTrait
  chart?: AnalysisFinding['chart']
  theme?: Theme
  /**
   * What people wrote. The sentences above contain none of it except names, in the form that
   * `Naming` gives them.
   */
  quotes?: Quote[]
}
