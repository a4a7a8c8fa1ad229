import type { Random } from './random.ts'

/** Words whose frequency is known, to search for. */
export const knownWords = {
  /** In two of three tasks of every workspace. */
  common: 'customer',
  /** In one of five. */
  frequent: 'refund',
  /** In one of 5,000, in the large workspace too. */
  rare: 'zanzibar',
  /** In one of fifty, but never in the large workspace. */
  elsewhere: 'kumquat',
} as const

const everyday =
  'please check order invoice parcel address delivery payment answer draft reply before tomorrow team account ' +
  'contract price discount warranty damaged missing late approve wrong photo attached country shipping returned'
const syllables = 'ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se'

/** Common words, then thousands of invented ones. */
const vocabulary = [...everyday.split(' '), ...madeUp(6_000)]

function madeUp(count: number): string[] {
  const parts = syllables.split(' ')
  const { length } = parts
  const part = (n: number) => parts[Math.floor(n) % length]!
  return Array.from(
    { length: count },
    (_, i) => part(i) + part(i / length) + part(i / length ** 2) + (i % 10),
  )
}

/** Draws a word so that few are frequent and most are rare. */
function draw(random: Random): string {
  return vocabulary[Math.floor(vocabulary.length * random.next() ** 4)]!
}

/** Descriptions that many tasks share. */
export function inventDescriptions(random: Random): string[] {
  return Array.from({ length: 3_000 }, () => {
    const words = Array.from({ length: 15 + random.below(20) }, () => draw(random))
    if (random.next() < 0.66) words.push(knownWords.common)
    if (random.next() < 0.2) words.push(knownWords.frequent)
    return words.join(' ')
  })
}

export function inventName(random: Random, inLargeWorkspace: boolean): string {
  const name = `${draw(random)} ${draw(random)} ${draw(random)} ${random.below(1_000_000)}`
  if (random.next() < 0.0002) return `${name} ${knownWords.rare}`
  if (!inLargeWorkspace && random.next() < 0.02) return `${name} ${knownWords.elsewhere}`
  return name
}
