import { editDistance } from '../edit-distance.ts'

// Longer names and further candidates are not compared: senders choose them, and the work grows
// with both.
const maxLength = 40
const maxCandidates = 100
// Shorter names are contained in too many others.
const minContained = 4
const maxTypos = 3

/** Whether two names differ only in case and separators, such as callback_url and callbackUrl. */
export function isSameName(one: string, other: string): boolean {
  return one.length <= maxLength && normalize(one) === normalize(other)
}

/** The candidate that was most likely meant: spelled differently, mistyped, abbreviated or extended. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  return closest(name, candidates, (one, other) => Math.min(typos(one, other), extraCharacters(one, other)))
}

/** The candidate that was most likely meant: spelled differently or mistyped. */
export function nearestTypo(name: string, candidates: Iterable<string>): string | undefined {
  return closest(name, candidates, typos)
}

function closest(
  name: string,
  candidates: Iterable<string>,
  distance: (one: string, other: string) => number,
): string | undefined {
  if (name.length > maxLength) return undefined
  const wanted = normalize(name)
  let best: string | undefined
  let bestScore = Number.POSITIVE_INFINITY
  let compared = 0
  for (const candidate of candidates) {
    if (++compared > maxCandidates) break
    const score = candidate.length > maxLength ? bestScore : distance(wanted, normalize(candidate))
    if (score < bestScore) [best, bestScore] = [candidate, score]
  }
  return best
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[\s._-]/g, '')
}

/** Infinite if the names are not similar. */
function typos(one: string, other: string): number {
  const allowed = Math.min(maxTypos, Math.floor(Math.max(one.length, other.length) / 3))
  const edits = editDistance(one, other, allowed)
  return edits <= allowed ? edits : Number.POSITIVE_INFINITY
}

/** Infinite if neither name contains the other. Always more than the number of typos. */
function extraCharacters(one: string, other: string): number {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  if (shorter.length < minContained || !longer.includes(shorter)) return Number.POSITIVE_INFINITY
  return maxTypos + longer.length - shorter.length
}
