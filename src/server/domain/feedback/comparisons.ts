import { type Decision, decisionsOf, winnerOf } from '../../../contract/compare.ts'
import type { Presented } from '../../../contract/task.ts'
import type { StoredAction } from '../../storage/engine/schema.ts'
import type { AnswerRow } from '../../storage/feedback/analyses.ts'
import { type Share, shareOf, sum, twoSided } from './proportions.ts'

/** Which candidate people chose where they were shown several. */
export type Comparison = {
  field: string
  /** The question of the form that decides it. */
  property: string
  decided: number
  ties: number
  /** Best first. Each share is of the decisions in which the candidate took part. */
  candidates: (Share & {
    name: string
    /** The share that chance would give. */
    expected: number
    /** More often than chance gives. */
    wins: boolean
  })[]
  position: PositionBias
}

export type PositionBias =
  | { known: false; why: 'too few' | 'the order never changed' }
  | { known: true; n: number; firstWins: number; expected: number; chance: number; isBiased: boolean }

const positionLevel = 0.01
const winnerLevel = 0.05
const fewest = 30
const mostCandidates = 12
const mostComparisons = 5
const mostNames = 500
const mostMeetings = 200

type Candidate = { wins: number; n: number; expected: number }
/** Decisions between the same candidates, and who stood first in them. */
type Meeting = { n: number; firstWins: number; first: Map<string, number>; won: Map<string, number> }
type Tally = {
  property: string
  decided: number
  ties: number
  candidates: Map<string, Candidate>
  meetings: Map<string, Meeting>
}

type Candidates = NonNullable<AnswerRow['candidates']>

export function createComparisons() {
  const tallies = new Map<string, Tally>()

  function add(
    action: StoredAction,
    data: Record<string, unknown>,
    candidates: Candidates,
    presented: Presented | null,
  ): void {
    for (const decision of decisionsFor(action, candidates)) {
      const winner = winnerOf(decision, data)
      if (winner === undefined) continue
      const names = (candidates[decision.field] ?? []).map((name, i) => name ?? `item ${i + 1}`)
      const tally = tallyOf(decision)
      if (winner === 'tie') {
        tally.ties++
        continue
      }
      tally.decided++
      for (const [i, name] of names.entries()) {
        const candidate = tally.candidates.get(name) ?? { wins: 0, n: 0, expected: 0 }
        candidate.n++
        candidate.expected += 1 / names.length
        if (i === winner) candidate.wins++
        if (tally.candidates.size < mostNames) tally.candidates.set(name, candidate)
      }
      const first = presented?.[decision.field]?.order[0]
      if (first !== undefined && names[first] !== undefined) meet(tally, names, names[first], names[winner]!)
    }
  }

  function tallyOf({ field, property }: Decision): Tally {
    let tally = tallies.get(field)
    if (!tally) {
      tally = { property, decided: 0, ties: 0, candidates: new Map(), meetings: new Map() }
      if (tallies.size < mostNames) tallies.set(field, tally)
    }
    return tally
  }

  function finish(): Comparison[] {
    return [...tallies]
      .filter(([, { decided, ties }]) => decided + ties > 0)
      .sort(([, a], [, b]) => b.decided - a.decided)
      .slice(0, mostComparisons)
      .map(([field, { property, decided, ties, candidates, meetings }]) => ({
        field,
        property,
        decided,
        ties,
        candidates: [...candidates]
          .map(([name, candidate]) => ({
            name,
            ...shareOf(candidate.wins, candidate.n),
            expected: candidate.expected / candidate.n,
            wins: winsBeyondChance(candidate, candidates.size),
          }))
          .sort((a, b) => b.share - a.share || b.n - a.n)
          .slice(0, mostCandidates),
        position: positionBias([...meetings.values()]),
      }))
  }

  return { add, finish }
}

/** One-sided against what chance gives, by the normal approximation made careful at its edge; corrected for the candidates. */
function winsBeyondChance({ wins, n, expected }: Candidate, candidates: number): boolean {
  if (n < fewest) return false
  const share = expected / n
  const z = (wins - 0.5 - expected) / Math.sqrt(n * share * (1 - share))
  return z > 0 && (twoSided(z) / 2) * candidates < winnerLevel
}

function meet({ meetings }: Tally, names: string[], first: string, winner: string): void {
  const key = JSON.stringify([...names].sort())
  const meeting = meetings.get(key) ?? { n: 0, firstWins: 0, first: new Map(), won: new Map() }
  if (meetings.size < mostMeetings) meetings.set(key, meeting)
  meeting.n++
  if (first === winner) meeting.firstWins++
  meeting.first.set(first, (meeting.first.get(first) ?? 0) + 1)
  meeting.won.set(winner, (meeting.won.get(winner) ?? 0) + 1)
}

/**
 * Does the first place win more often than its candidates deserve? Among decisions between the same candidates, whoever
 * stood first is shuffled in thought: mean and variance of "the first one won" follow from how often each stood first and how
 * often each won. A better candidate that happens to stand first is therefore no bias, and an order that never changes tells
 * nothing.
 */
function positionBias(meetings: Meeting[]): PositionBias {
  const usable = meetings.filter(({ n }) => n > 1)
  const n = sum(usable, (meeting) => meeting.n)
  if (n < fewest) return { known: false, why: 'too few' }
  const variance = sum(usable, varianceOf)
  if (variance < 1) return { known: false, why: 'the order never changed' }
  const expected = sum(usable, (meeting) => sum(shared(meeting), ({ f, w }) => f * w) / meeting.n)
  const firstWins = sum(usable, (meeting) => meeting.firstWins)
  const chance = twoSided((firstWins - expected) / Math.sqrt(variance))
  return { known: true, n, firstWins, expected, chance, isBiased: chance < positionLevel }
}

function shared({ first, won }: Meeting): { f: number; w: number }[] {
  return [...first].map(([name, f]) => ({ f, w: won.get(name) ?? 0 }))
}

function varianceOf(meeting: Meeting): number {
  const { n } = meeting
  const cells = shared(meeting)
  const products = sum(cells, ({ f, w }) => f * w)
  const alone = sum(cells, ({ f, w }) => f * w * (n - f) * (n - w))
  const pairs = products ** 2 - sum(cells, ({ f, w }) => (f * w) ** 2)
  return (alone + pairs) / (n * n * (n - 1))
}

const known = new WeakMap<StoredAction, Map<string, Decision[]>>()
const mostKnown = 1_000

function decisionsFor(action: StoredAction, candidates: Candidates): Decision[] {
  const key = JSON.stringify(candidates)
  const decisions = known.get(action) ?? new Map<string, Decision[]>()
  known.set(action, decisions)
  let found = decisions.get(key)
  if (!found) {
    // Only names matter to the rule, so the contexts themselves need not be read.
    const data = Object.fromEntries(
      Object.entries(candidates).map(([field, names]) => [
        field,
        names.map((name) => (name === null ? {} : { name })),
      ]),
    )
    const ui = Object.fromEntries(Object.keys(candidates).map((field) => [field, { 'ui:widget': 'compare' }]))
    found = decisionsOf({ data, ui }, action)
    if (decisions.size < mostKnown) decisions.set(key, found)
  }
  return found
}
