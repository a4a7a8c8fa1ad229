import { limits } from '../limits.ts'

/**
 * One value per entry of `multiples`. `life`: how much more probable the samples are if people
 * disagree that many times as often as allowed, than if they disagree exactly as often as allowed (a
 * likelihood ratio). `recent`: the sum of these ratios over all samples at which people may have begun
 * to disagree more often (Shiryaev-Roberts).
 */
export type Evidence = { life: number[]; recent: number[] }

/** The alternatives that are tested: people disagree this many times as often as allowed. */
const multiples = [1.5, 2, 3, 5, 10]
// An assumed share of 1 would make the ratio 0 for good after one agreement.
const maxDisagreement = 0.9

export const noEvidence: Evidence = { life: multiples.map(() => 1), recent: multiples.map(() => 0) }

/** The factors by which one sample changes the values. */
export function likelihoodRatios(allowed: number): { agreement: number[]; disagreement: number[] } {
  const assumed = multiples.map((multiple) => Math.min(multiple * allowed, maxDisagreement))
  return {
    agreement: assumed.map((share) => (1 - share) / (1 - allowed)),
    disagreement: assumed.map((share) => share / allowed),
  }
}

/** The evidence after one more sample. */
export function addSample({ life, recent }: Evidence, agrees: boolean, allowed: number): Evidence {
  const ratios = likelihoodRatios(allowed)[agrees ? 'agreement' : 'disagreement']
  return {
    life: life.map((value, n) => value * ratios[n]!),
    recent: recent.map((value, n) => (value + 1) * ratios[n]!),
  }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

export function strengthOf({ life, recent }: Evidence): { life: number; recent: number } {
  return { life: mean(life), recent: mean(recent) }
}

/** Why the rule has to pause; undefined if it may continue. */
export function pauseReason(evidence: Evidence): 'disagreement' | 'recentChange' | undefined {
  const { life, recent } = strengthOf(evidence)
  if (life >= limits.ruleLifeEvidence) return 'disagreement'
  return recent >= limits.ruleRecentEvidence ? 'recentChange' : undefined
}
