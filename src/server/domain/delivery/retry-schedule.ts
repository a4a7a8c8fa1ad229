/** Seconds to wait after each failed attempt. The first attempt is made at once; after the last wait fails, so has the delivery. */
const callbackWaits = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600]
// News for people grows old: after half an hour they have seen the task anyway, or nobody has.
const messageWaits = callbackWaits.slice(0, 3)
const jitter = 0.2

const pushWaits = [1, 2, 5]
const pushOften = { every: 10, forSeconds: 10 * 60 }
const pushRarely = { every: 60, forSeconds: 24 * 3600 }

/** undefined: no more attempts. `attempts` counts those of this round, the failed one included. */
export function waitAfter(
  kind: 'callback' | 'sse' | 'mail' | 'chat',
  attempts: number,
  ageSeconds: number,
  random: () => number = Math.random,
): number | undefined {
  if (kind !== 'sse') {
    const wait = (kind === 'callback' ? callbackWaits : messageWaits)[attempts - 1]
    return wait === undefined ? undefined : wait * (1 - jitter + 2 * jitter * random())
  }
  // The hop to ourselves: quick at first, since a restart takes seconds, then patient for as long as events are kept.
  if (attempts <= pushWaits.length) return pushWaits[attempts - 1]
  if (ageSeconds < pushOften.forSeconds) return pushOften.every
  return ageSeconds < pushRarely.forSeconds ? pushRarely.every : undefined
}
