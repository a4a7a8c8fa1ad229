import { type WinnerProperty, winnerOf, winnerPropertiesOf } from '../../../contract/compare.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { AnalyzedAnswer } from '../../storage/feedback/answers.ts'
import { addTo, type Share, shareOf, sum, twoSided } from './proportions.ts'
import { strongestOf } from './strongest-day.ts'

/** Which of several candidates people chose, over all tasks that compare them in the same field. */
export type Comparison = {
  /** The field of the context that contains the candidates. */
  field: string
  /** The form field in which people choose. */
  property: string
  decided: number
  ties: number
  /** Best first. Each share is of the decisions in which the candidate took part. */
  candidates: (Share & {
    name: string
    /** The share expected by chance. */
    expected: number
    /** Whether it wins significantly more often than by chance. */
    wins: boolean
  })[]
  /** Candidates that the sender marks with `ours`, in tasks of the version that runs now. */
  ownCandidates: OwnCandidate[]
  position: PositionBias
}

export type OwnCandidate = Share & {
  name: string
  /** The share expected by chance. */
  expected: number
  /** Whether it wins significantly less often than by chance. */
  loses: boolean
  /** After correction for the number of own candidates. */
  pValue: number
  /** The other candidate that wins most of these decisions. */
  rival: { name: string; winCount: number } | undefined
}

export type PositionBias =
  | { known: false; why: 'too-few' | 'order-never-changed' | 'order-not-random' }
  | { known: true; n: number; firstWins: number; expected: number; pValue: number; isBiased: boolean }

const positionLevel = 0.01
const winnerLevel = 0.05
const loserLevel = 0.05
const minDecisions = 30
/**
 * If there is too little variance to test, the order counts as unchanged when less than this share
 * of the decisions showed another candidate first than the most frequent one.
 */
const minReorderedShare = 0.1
const maxCandidates = 12
const maxComparisons = 5
// These bound memory: further fields, candidates and combinations of candidates are not counted.
const maxNames = 500
const maxMatchups = 200
const maxRivals = 50

type CandidateTally = { winCount: number; n: number; expectedWins: number }
/**
 * An own candidate in the tasks of one version, and how often each other candidate won against it.
 */
type OwnCandidateTally = CandidateTally & {
  name: string
  version: string | null
  rivals: Map<string, number>
}
/**
 * Decisions between the same candidates: how often the one that was shown first won, and how often
 * each candidate was shown first and won.
 */
type Matchup = { n: number; firstWins: number; shownFirst: Map<string, number>; won: Map<string, number> }
type ComparisonTally = {
  property: string
  decided: number
  ties: number
  candidates: Map<string, CandidateTally>
  own: Map<string, OwnCandidateTally>
  /** Decisions whose candidates were not shown in random order. */
  notShuffled: number
  /** By the names of the candidates, then by day. */
  matchups: Map<string, Map<number, Matchup>>
}

type Candidates = NonNullable<AnalyzedAnswer['candidates']>

export function createComparisons() {
  const tallies = new Map<string, ComparisonTally>()

  function add(
    action: StoredAction,
    candidates: Candidates,
    { data, presented, version }: Pick<AnalyzedAnswer, 'data' | 'presented' | 'version'>,
    day: number,
  ): void {
    for (const winnerProperty of winnerPropertiesFor(action, candidates)) {
      const winner = winnerOf(winnerProperty, data)
      if (winner === undefined) continue
      const items = candidates[winnerProperty.field] ?? []
      const names = items.map(({ name }, i) => name ?? `item ${i + 1}`)
      const tally = tallyOf(winnerProperty)
      if (winner === 'tie') {
        tally.ties++
        continue
      }
      tally.decided++
      for (const [i, name] of names.entries()) {
        const candidate = tally.candidates.get(name) ?? { winCount: 0, n: 0, expectedWins: 0 }
        candidate.n++
        candidate.expectedWins += 1 / names.length
        if (i === winner) candidate.winCount++
        if (tally.candidates.size < maxNames) tally.candidates.set(name, candidate)
        if (items[i]!.ours) addOwn(tally, version, names, i, winner)
      }
      const shown = presented?.[winnerProperty.field]
      const first = shown?.order[0]
      // Only blind comparisons are shuffled.
      if (shown && !shown.blind) tally.notShuffled++
      else if (first !== undefined && names[first] !== undefined)
        addMatchup(tally, names, names[first], names[winner]!, day)
    }
  }

  function tallyOf({ field, property }: WinnerProperty): ComparisonTally {
    let tally = tallies.get(field)
    if (!tally) {
      tally = {
        property,
        decided: 0,
        ties: 0,
        candidates: new Map(),
        own: new Map(),
        notShuffled: 0,
        matchups: new Map(),
      }
      if (tallies.size < maxNames) tallies.set(field, tally)
    }
    return tally
  }

  /** `current`: the version that runs now. */
  function finish(current: string | null = null): Comparison[] {
    return [...tallies]
      .filter(([, { decided, ties }]) => decided + ties > 0)
      .sort(([, a], [, b]) => b.decided - a.decided)
      .slice(0, maxComparisons)
      .map(([field, { property, decided, ties, candidates, own, notShuffled, matchups }]) => ({
        field,
        property,
        decided,
        ties,
        candidates: [...candidates]
          .map(([name, candidate]) => ({
            name,
            ...shareOf(candidate.winCount, candidate.n),
            expected: candidate.expectedWins / candidate.n,
            wins: winsBeyondChance(candidate, candidates.size),
          }))
          .sort((a, b) => b.share - a.share || b.n - a.n)
          .slice(0, maxCandidates),
        ownCandidates: judgeOwnCandidates([...own.values()].filter(({ version }) => version === current)),
        position: positionBias([...matchups.values()], notShuffled),
      }))
  }

  return { add, finish }
}

function winsBeyondChance(candidate: CandidateTally, candidates: number): boolean {
  return pValueOf(candidate, 'more') * candidates < winnerLevel
}

/**
 * One-sided test against chance by the normal approximation with continuity correction. Returns 1
 * for too few decisions.
 */
function pValueOf({ winCount, n, expectedWins }: CandidateTally, direction: 'more' | 'less'): number {
  if (n < minDecisions) return 1
  const share = expectedWins / n
  const difference = direction === 'more' ? winCount - expectedWins : expectedWins - winCount
  const z = (difference - 0.5) / Math.sqrt(n * share * (1 - share))
  return z > 0 ? twoSided(z) / 2 : 1
}

function addOwn(
  { own }: ComparisonTally,
  version: string | null,
  names: string[],
  index: number,
  winner: number,
) {
  const name = names[index]!
  const key = JSON.stringify([version, name])
  const tally: OwnCandidateTally = own.get(key) ?? {
    name,
    version,
    winCount: 0,
    n: 0,
    expectedWins: 0,
    rivals: new Map(),
  }
  if (own.size < maxNames) own.set(key, tally)
  tally.n++
  tally.expectedWins += 1 / names.length
  if (index === winner) tally.winCount++
  else if (tally.rivals.has(names[winner]!) || tally.rivals.size < maxRivals)
    addTo(tally.rivals, names[winner]!)
}

function judgeOwnCandidates(own: OwnCandidateTally[]): OwnCandidate[] {
  return own
    .map((one) => {
      const pValue = Math.min(1, pValueOf(one, 'less') * own.length)
      const [rival] = [...one.rivals].sort(([, a], [, b]) => b - a)
      return {
        ...shareOf(one.winCount, one.n),
        name: one.name,
        expected: one.expectedWins / one.n,
        pValue,
        loses: pValue < loserLevel,
        rival: rival && { name: rival[0], winCount: rival[1] },
      }
    })
    .sort((a, b) => a.pValue - b.pValue)
    .slice(0, maxCandidates)
}

export type LosingCandidate = { field: string; own: OwnCandidate }

export function losingOwnCandidates(comparisons: Comparison[]): LosingCandidate[] {
  return comparisons.flatMap(({ field, ownCandidates }) =>
    ownCandidates.filter(({ loses }) => loses).map((own) => ({ field, own })),
  )
}

function addMatchup(
  { matchups }: ComparisonTally,
  names: string[],
  first: string,
  winner: string,
  day: number,
): void {
  const key = JSON.stringify([...names].sort())
  const days = matchups.get(key) ?? new Map<number, Matchup>()
  if (matchups.size < maxMatchups) matchups.set(key, days)
  const matchup = days.get(day) ?? { n: 0, firstWins: 0, shownFirst: new Map(), won: new Map() }
  days.set(day, matchup)
  matchup.n++
  if (first === winner) matchup.firstWins++
  addTo(matchup.shownFirst, first)
  addTo(matchup.won, winner)
}

/** The decisions of all days, except the day `without`. */
function mergeDays(days: Map<number, Matchup>, without?: number): Matchup {
  const all: Matchup = { n: 0, firstWins: 0, shownFirst: new Map(), won: new Map() }
  for (const [day, { n, firstWins, shownFirst, won }] of days) {
    if (day === without) continue
    all.n += n
    all.firstWins += firstWins
    for (const [name, count] of shownFirst) addTo(all.shownFirst, name, count)
    for (const [name, count] of won) addTo(all.won, name, count)
  }
  return all
}

/**
 * Whether the position decides. A bias must also be found without its strongest day. `matchups`:
 * the decisions between the same candidates, by day.
 */
function positionBias(matchups: Map<number, Matchup>[], notShuffled: number): PositionBias {
  const bias = testPosition(
    matchups.map((days) => mergeDays(days)),
    notShuffled,
  )
  if (!bias.known || !bias.isBiased) return bias
  const direction = Math.sign(bias.firstWins - bias.expected)
  const contributions = new Map<number, number>()
  for (const days of matchups) {
    for (const [day, { n, firstWins }] of days)
      addTo(contributions, day, direction * (firstWins - (n * bias.expected) / bias.n))
  }
  const strongest = strongestOf(contributions)
  if (strongest === undefined) return bias
  const without = testPosition(
    matchups.map((days) => mergeDays(days, strongest)),
    notShuffled,
  )
  const isBiased =
    without.known && without.isBiased && Math.sign(without.firstWins - without.expected) === direction
  return { ...bias, isBiased }
}

/**
 * Tests whether the candidate in the first position wins more or less often than chance explains: a
 * permutation test among decisions between the same candidates. The expected number of wins and its
 * variance follow from how often each candidate was shown first and how often each won, so a better
 * candidate that is often shown first is not mistaken for a bias.
 */
function testPosition(matchups: Matchup[], notShuffled: number): PositionBias {
  const usable = matchups.filter(({ n }) => n > 1)
  const n = sum(usable, (matchup) => matchup.n)
  if (n < minDecisions)
    return { known: false, why: notShuffled >= minDecisions ? 'order-not-random' : 'too-few' }
  const variance = sum(usable, varianceOf)
  const reordered = sum(usable, (matchup) => matchup.n - Math.max(...matchup.shownFirst.values()))
  if (variance < 1 && reordered < minReorderedShare * n) return { known: false, why: 'order-never-changed' }
  const expected = sum(usable, (matchup) => sum(countsPerCandidate(matchup), ({ f, w }) => f * w) / matchup.n)
  const firstWins = sum(usable, (matchup) => matchup.firstWins)
  // The order changed, but one candidate won nearly always, in any position: there is no bias.
  const pValue = variance < 1 ? 1 : twoSided((firstWins - expected) / Math.sqrt(variance))
  return { known: true, n, firstWins, expected, pValue, isBiased: pValue < positionLevel }
}

/** For each candidate: how often it was shown first (`f`), and how often it won (`w`). */
function countsPerCandidate({ shownFirst, won }: Matchup): { f: number; w: number }[] {
  return [...shownFirst].map(([name, f]) => ({ f, w: won.get(name) ?? 0 }))
}

/**
 * The variance of the number of wins in the first position if the position has no influence, given
 * how often each candidate was shown first and how often each won.
 */
function varianceOf(matchup: Matchup): number {
  const { n } = matchup
  const cells = countsPerCandidate(matchup)
  const products = sum(cells, ({ f, w }) => f * w)
  const alone = sum(cells, ({ f, w }) => f * w * (n - f) * (n - w))
  const pairs = products ** 2 - sum(cells, ({ f, w }) => (f * w) ** 2)
  return (alone + pairs) / (n * n * (n - 1))
}

const winnerPropertyCache = new WeakMap<StoredAction, Map<string, WinnerProperty[]>>()
const maxCacheEntries = 1_000

/** Which form fields of the action name the winner among the candidates of which context field. */
function winnerPropertiesFor(action: StoredAction, candidates: Candidates): WinnerProperty[] {
  const key = JSON.stringify(candidates)
  const byKey = winnerPropertyCache.get(action) ?? new Map<string, WinnerProperty[]>()
  winnerPropertyCache.set(action, byKey)
  let found = byKey.get(key)
  if (!found) {
    // A context that has only the names of the candidates: they determine what an answer means.
    const data = Object.fromEntries(
      Object.entries(candidates).map(([field, items]) => [
        field,
        items.map(({ name }) => (name === null ? {} : { name })),
      ]),
    )
    const ui = Object.fromEntries(Object.keys(candidates).map((field) => [field, { 'ui:widget': 'compare' }]))
    found = winnerPropertiesOf({ data, ui }, action)
    if (byKey.size < maxCacheEntries) byKey.set(key, found)
  }
  return found
}
