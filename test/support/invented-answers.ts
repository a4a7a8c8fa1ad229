import type { Answer } from '../../src/server/domain/feedback/figures.ts'
import type { StoredAction } from '../../src/server/storage/schema.ts'

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    chance: (share: number) => next() < share,
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  }
}
export type Random = ReturnType<typeof createRandom>

export const periodEnd = new Date('2026-11-15T12:00:00.000Z')
export const periodStart = new Date(periodEnd.getTime() - 30 * 86_400_000)

const text = (title: string) => ({ type: 'string', title })
export const approve: StoredAction = {
  id: 'approve',
  title: 'Approve',
  schema: { type: 'object', properties: { comment: text('Comment') } },
}
export const reject: StoredAction = {
  id: 'reject',
  title: 'Reject',
  schema: { type: 'object', required: ['reason'], properties: { reason: text('Why?') } },
}

export type Invented = {
  random: Random
  n: number
  actions?: StoredAction[]
  /** What became of the i-th answer, 0 the oldest. */
  answer(i: number, share: number): Partial<Answer> & Pick<Answer, 'actionId'>
}

/** Answers over 30 days, newest first, as an analysis reads them. */
export function inventAnswers({ random, n, actions = [approve, reject], answer }: Invented): Answer[] {
  const length = periodEnd.getTime() - periodStart.getTime()
  return Array.from({ length: n }, (_, i) => {
    const share = (i + 0.5) / n
    const endedAt = new Date(periodStart.getTime() + share * length)
    const seconds = Math.exp(3 + 4 * random.next())
    const given = answer(i, share)
    return {
      taskId: `tsk_01k9${String(i).padStart(22, '0')}`,
      createdAt: new Date(endedAt.getTime() - seconds * 1000),
      endedAt,
      version: null,
      actionTitle: actions.find(({ id }) => id === given.actionId)?.title ?? 'Reject request',
      decidedBy: 'human' as const,
      data: {},
      presented: null,
      actions,
      candidates: null,
      ...given,
    }
  }).reverse()
}

const words =
  'address amount attachment balance batch branch budget button calendar carrier category channel clause column contact contract coupon courier customer deadline delivery deposit discount document draft dropdown entry exchange expense field figure folder footer format header holiday image invoice item label ledger letter limit line link list manager margin menu message month name notice number offer option order outline package page parcel payment period permit phone picture policy portal price product profile project queue quote rate receipt record reference refund region reminder request return review room route sample schedule section sender service shipment signature size sketch status step stock store street summary supplier table tax template term ticket title token total tracking translation update vendor version voucher warehouse week window year zone'.split(
    ' ',
  )

const frames = [
  (a: string, b: string) => `The ${a} has nothing to do with the ${b}.`,
  (a: string, b: string) => `Look at the ${a} before the ${b} goes out.`,
  (a: string, b: string) => `I would put the ${a} above the ${b}.`,
  (a: string, b: string) => `Somebody else decides on ${a} and ${b}.`,
  (a: string, b: string) => `${a}? We agreed on another ${b}.`,
  (a: string, b: string) => `Last time the ${a} came with a ${b}.`,
  (a: string, b: string) => `Ask the team for the ${a}, the ${b} is theirs.`,
  (a: string, b: string) => `Half of the ${a} is missing, so is the ${b}.`,
  (a: string, b: string) => `Cannot open the ${a}; the ${b} loads.`,
  (a: string, b: string) => `This ${a} belongs to a different ${b}.`,
]

/** A sentence about nothing in particular. */
export function smallTalk(random: Random): string {
  return random.pick(frames)(random.pick(words), random.pick(words))
}
