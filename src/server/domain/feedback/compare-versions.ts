import { limits } from '../../../contract/limits.ts'
import {
  detectableDifference,
  differencePValue,
  holmCorrected,
  type Proportion,
  type Share,
  shareOf,
  sum,
} from './proportions.ts'
import type { Quote } from './theme-quotes.ts'

export type VersionTally = Proportion & { firstSeen: number; quotes: Quote[] }

/** The negative share of a version, compared with all other versions. */
export type VersionFigures = Share & {
  version: string
  firstSeen: Date
  isNewest: boolean
  /** Compared with all other versions together. `too-few`: fewer than `limits.answersToCompare` answers on either side. */
  verdict: 'worse' | 'better' | 'no-difference' | 'too-few'
  others: Share
  /** After correction for the number of versions. */
  pValue: number | undefined
  /**
   * The smallest difference of the shares that is detected with a probability of 80 %, at the strictest
   * level of the correction.
   */
  detectable: number | undefined
  /** Texts of its newest negative answers. */
  quotes: Quote[]
}

const versionLevel = 0.05

/** Of versions that were first seen at the same time, 4.10 is newer than 4.9. */
const byNumber = new Intl.Collator('en', { numeric: true })

export function newestFirst<T extends { firstSeen: number }>(
  tallies: Map<string, T>,
): (T & { version: string })[] {
  return [...tallies]
    .map(([version, tally]) => ({ version, ...tally }))
    .sort((a, b) => b.firstSeen - a.firstSeen || byNumber.compare(b.version, a.version))
}

/**
 * Compares each version with all others together, newest first. Ignores tasks without a version.
 */
export function compareVersions(tallies: Map<string, VersionTally>): VersionFigures[] {
  const all = newestFirst(tallies)
  const total = { count: sum(all, ({ count }) => count), n: sum(all, ({ n }) => n) }
  const rows = all.map((one, i) => ({
    ...one,
    isNewest: i === 0,
    others: { count: total.count - one.count, n: total.n - one.n },
  }))
  const isEnough = ({ n, others }: (typeof rows)[number]) =>
    n >= limits.answersToCompare && others.n >= limits.answersToCompare
  const enough = rows.filter(isEnough)
  // With two versions, each is compared with the other, which is one and the same test.
  const isSingleTest = enough.length === 2 && rows.length === 2
  const uncorrected = enough.map((row) => differencePValue(row, row.others))
  const pValues = isSingleTest ? uncorrected : holmCorrected(uncorrected)
  const pValueOf = new Map(enough.map((row, i) => [row.version, pValues[i]]))
  return rows.map(({ version, count, n, firstSeen, quotes, isNewest, others }) => {
    const pValue = pValueOf.get(version)
    const isWorse = count / n > others.count / others.n
    const level = versionLevel / (isSingleTest ? 1 : enough.length)
    return {
      ...shareOf(count, n),
      version,
      firstSeen: new Date(firstSeen),
      quotes,
      isNewest,
      others: shareOf(others.count, others.n),
      pValue,
      detectable: pValue === undefined ? undefined : detectableDifference({ count, n }, others, level),
      verdict:
        pValue === undefined
          ? 'too-few'
          : pValue >= versionLevel
            ? 'no-difference'
            : isWorse
              ? 'worse'
              : 'better',
    }
  })
}
