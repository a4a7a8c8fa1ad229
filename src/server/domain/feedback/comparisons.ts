import { type WinnerProperty, winnerOf, winnerPropertiesOf } from '../../../contract/compare.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { AnswerRow } from '../../storage/feedback/answers.ts'
import { addTo } from './durations.ts'
import { type Share, shareOf, sum, twoSided } from './proportions.ts'
import { strongestOf } from './strongest-day.ts'

/** Which candidate people chose when they were shown several. */
export type Comparison = {
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
    /** Significantly more often than by chance. */
    wins: boolean
  })[]
  /** Candidates that the sender marked as its own, in decisions about tasks of the version that runs now. */
  ours: OwnCandidate[]
  position: PositionBias
}

export type OwnCandidate = Share & {
  name: string
  /** The share expected by chance. */
  expected: number
  /** Significantly less often than by chance. */
  loses: boolean
  /** After correction for the number of own candidates. */
  pValue: number
  /** The other candidate that wins most of these decisions. */
  rival: { name: string; wins: number } | undefined
}

export type PositionBias =
  | { known: false; why: 'too-few' | 'order-never-changed' | 'order-not-random' }
  | { known: true; n: number; firstWins: number; expected: number; pValue: number; isBiased: boolean }

const positionLevel = 0.01
const winnerLevel = 0.05
const loserLevel = 0.05
const minDecisions = 30
/**
 * If there is too little variance to test, the order counts as unchanged when fewer decisions than
 * this share showed an unusual candidate first.
 */
const minReorderedShare = 0.1
const maxCandidates = 12
const maxComparisons = 5
/** Bounds memory: further fields and candidates are not counted. */
const maxNames = 500
const maxMatchups = 200
const maxRivals = 50

type Candidate = { wins: number; n: number; expectedWins: number }
/** A candidate of the sender in one version, and how often others won against it. */
type Own = Candidate & { name: string; version: string | null; rivals: Map<string, number> }
/** Decisions between the same candidates, and which candidate was shown first in them. */
type Matchup = { n: number; firstWins: number; first: Map<string, number>; won: Map<string, number> }
type Tally = {
  property: string
  decided: number
  ties: number
  candidates: Map<string, Candidate>
  own: Map<string, Own>
  /** Decisions in an order that the sender or the person chose. */
  ordered: number
  /** By the names of the candidates, then by day. */
  matchups: Map<string, Map<number, Matchup>>
}

type Candidates = NonNullable<AnswerRow['candidates']>

export function createComparisons() {
  const tallies = new Map<string, Tally>()

  function add(
    action: StoredAction,
    candidates: Candidates,
    { data, presented, version }: Pick<AnswerRow, 'data' | 'presented' | 'version'>,
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
        const candidate = tally.candidates.get(name) ?? { wins: 0, n: 0, expectedWins: 0 }
        candidate.n++
        candidate.expectedWins += 1 / names.length
        if (i === winner) candidate.wins++
        if (tally.candidates.size < maxNames) tally.candidates.set(name, candidate)
        if (items[i]!.ours) addOwn(tally, version, names, i, winner)
      }
      const shown = presented?.[winnerProperty.field]
      const first = shown?.order[0]
      // Only a blind comparison shuffles.
      if (shown && !shown.blind) tally.ordered++
      else if (first !== undefined && names[first] !== undefined)
        addMatchup(tally, names, names[first], names[winner]!, day)
    }
  }

  function tallyOf({ field, property }: WinnerProperty): Tally {
    let tally = tallies.get(field)
    if (!tally) {
      tally = {
        property,
        decided: 0,
        ties: 0,
        candidates: new Map(),
        own: new Map(),
        ordered: 0,
        matchups: new Map(),
      }
      if (tallies.size < maxNames) tallies.set(field, tally)
    }
    return tally
  }

  /** `current` is the version that runs now. */
  function finish(current: string | null = null): Comparison[] {
    return [...tallies]
      .filter(([, { decided, ties }]) => decided + ties > 0)
      .sort(([, a], [, b]) => b.decided - a.decided)
      .slice(0, maxComparisons)
      .map(([field, { property, decided, ties, candidates, own, ordered, matchups }]) => ({
        field,
        property,
        decided,
        ties,
        candidates: [...candidates]
          .map(([name, candidate]) => ({
            name,
            ...shareOf(candidate.wins, candidate.n),
            expected: candidate.expectedWins / candidate.n,
            wins: winsBeyondChance(candidate, candidates.size),
          }))
          .sort((a, b) => b.share - a.share || b.n - a.n)
          .slice(0, maxCandidates),
        ours: ownCandidates([...own.values()].filter(({ version }) => version === current)),
        position: positionBias([...matchups.values()], ordered),
      }))
  }

  return { add, finish }
}

function winsBeyondChance(candidate: Candidate, candidates: number): boolean {
  return pValueOf(candidate, 'more') * candidates < winnerLevel
}

/**
 * One-sided test against chance by the normal approximation with continuity correction. Returns 1
 * for too few decisions.
 */
function pValueOf({ wins, n, expectedWins }: Candidate, direction: 'more' | 'less'): number {
  if (n < minDecisions) return 1
  const share = expectedWins / n
  const difference = direction === 'more' ? wins - expectedWins : expectedWins - wins
  const z = (difference - 0.5) / Math.sqrt(n * share * (1 - share))
  return z > 0 ? twoSided(z) / 2 : 1
}

function addOwn({ own }: Tally, version: string | null, names: string[], index: number, winner: number) {
  const name = names[index]!
  const key = JSON.stringify([version, name])
  const tally = own.get(key) ?? { name, version, wins: 0, n: 0, expectedWins: 0, rivals: new Map() }
  if (own.size < maxNames) own.set(key, tally)
  tally.n++
  tally.expectedWins += 1 / names.length
  if (index === winner) tally.wins++
  else if (tally.rivals.has(names[winner]!) || tally.rivals.size < maxRivals)
    tally.rivals.set(names[winner]!, (tally.rivals.get(names[winner]!) ?? 0) + 1)
}

function ownCandidates(own: Own[]): OwnCandidate[] {
  return own
    .map((one) => {
      const pValue = Math.min(1, pValueOf(one, 'less') * own.length)
      const [rival] = [...one.rivals].sort(([, a], [, b]) => b - a)
      return {
        ...shareOf(one.wins, one.n),
        name: one.name,
        expected: one.expectedWins / one.n,
        pValue,
        loses: pValue < loserLevel,
        rival: rival && { name: rival[0], wins: rival[1] },
      }
    })
    .sort((a, b) => a.pValue - b.pValue)
    .slice(0, maxCandidates)
}

export type LosingCandidate = { field: string; own: OwnCandidate }

export function losingOurs(comparisons: Comparison[]): LosingCandidate[] {
  return comparisons.flatMap(({ field, ours }) =>
    ours.filter(({ loses }) => loses).map((own) => ({ field, own })),
  )
}

function addMatchup({ matchups }: Tally, names: string[], first: string, winner: string, day: number): void {
  const key = JSON.stringify([...names].sort())
  const days = matchups.get(key) ?? new Map<number, Matchup>()
  if (matchups.size < maxMatchups) matchups.set(key, days)
  const matchup = days.get(day) ?? { n: 0, firstWins: 0, first: new Map(), won: new Map() }
  days.set(day, matchup)
  matchup.n++
  if (first === winner) matchup.firstWins++
  addTo(matchup.first, first, 1)
  addTo(matchup.won, winner, 1)
}

/** The decisions of all days, except the day `without`. */
function mergeDays(days: Map<number, Matchup>, without?: number): Matchup {
  const all: Matchup = { n: 0, firstWins: 0, first: new Map(), won: new Map() }
  for (const [day, { n, firstWins, first, won }] of days) {
    if (day === without) continue
    all.n += n
    all.firstWins += firstWins
    for (const [name, count] of first) addTo(all.first, name, count)
    for (const [name, count] of won) addTo(all.won, name, count)
  }
  return all
}

/** A bias must also be found without its strongest day. */
function positionBias(matchups: Map<number, Matchup>[], ordered: number): PositionBias {
  const bias = testPosition(
    matchups.map((days) => mergeDays(days)),
    ordered,
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
    ordered,
  )
  const isBiased =
    without.known && without.isBiased && Math.sign(without.firstWins - without.expected) === direction
  return { ...bias, isBiased }
}

/**
 * Tests whether the first position wins more or less often than its candidates deserve: a
 * permutation test among decisions between the same candidates. Mean and variance follow from how
 * often each was shown first and how often each won, so a better candidate that is often first is
 * not taken for a bias.
 */
function testPosition(matchups: Matchup[], ordered: number): PositionBias {
  const usable = matchups.filter(({ n }) => n > 1)
  const n = sum(usable, (matchup) => matchup.n)
  if (n < minDecisions) return { known: false, why: ordered >= minDecisions ? 'order-not-random' : 'too-few' }
  const variance = sum(usable, varianceOf)
  const reordered = sum(usable, (matchup) => matchup.n - Math.max(...matchup.first.values()))
  if (variance < 1 && reordered < minReorderedShare * n) return { known: false, why: 'order-never-changed' }
  const expected = sum(usable, (matchup) => sum(countsPerCandidate(matchup), ({ f, w }) => f * w) / matchup.n)
  const firstWins = sum(usable, (matchup) => matchup.firstWins)
  // The order changed, but the same candidate won nearly always: it wins in any position.
  const pValue = variance < 1 ? 1 : twoSided((firstWins - expected) / Math.sqrt(variance))
  return { known: true, n, firstWins, expected, pValue, isBiased: pValue < positionLevel }
}

/** For each candidate: how often it was shown first (`f`), and how often it won (`w`). */
function countsPerCandidate({ first, won }: Matchup): { f: number; w: number }[] {
  return [...first].map(([name, f]) => ({ f, w: won.get(name) ?? 0 }))
}

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

function winnerPropertiesFor(action: StoredAction, candidates: Candidates): WinnerProperty[] {
  const key = JSON.stringify(candidates)
  const byKey = winnerPropertyCache.get(action) ?? new Map<string, WinnerProperty[]>()
  winnerPropertyCache.set(action, byKey)
  let found = byKey.get(key)
  if (!found) {
    // Only the names matter here, so the contexts themselves need not be read.
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
