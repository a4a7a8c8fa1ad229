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
   * How many negative answers per 30 days a fix would prevent. For a version: how many more it gets
   * than the other versions would, if it gets all tasks. For a candidate: how many wins it has
   * fewer than expected by chance.
   */
  gain?: number
  /**
   * true: there was nothing to compare with, so that `gain` counts all negative answers with the
   * trait.
   */
  isGainAnUpperLimit?: boolean
  /** What the answers that the finding is about have in common. */
  trait?: CommonTrait
  chart?: AnalysisFinding['chart']
  theme?: Theme
  /**
   * What people wrote. `title`, `evidence` and `advice` contain nothing that people or senders
   * wrote except names, in the form that `Naming` gives them.
   */
  quotes?: Quote[]
}
