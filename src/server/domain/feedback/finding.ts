import type { Quote, Theme } from './themes.ts'

/** One result of the figures, and what to do about it. */
export type Finding = {
  /** A few words, shown before the numbers. */
  title: string
  evidence: string
  advice: string
  /** Human text accompanies the sentences above and is never part of them. */
  themes?: Theme[]
  quotes?: Quote[]
}
