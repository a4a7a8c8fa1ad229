import type { Random } from '../../src/server/domain/demo/random.ts'
import * as remarks from '../../src/server/domain/demo/remarks.ts'
import type { StoredAction } from '../../src/server/storage/engine/task-tables.ts'
import type { AnalyzedAnswer } from '../../src/server/storage/feedback/answers.ts'

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

type Options = {
  random: Random
  n: number
  actions?: StoredAction[]
  /** The fields of the i-th answer; 0 is the oldest. */
  answer(i: number, share: number): Partial<AnalyzedAnswer> & Pick<AnalyzedAnswer, 'actionId'>
}

/** Generates answers over 30 days, newest first, as an analysis reads them. */
export function generateAnswers({
  random,
  n,
  actions = [approve, reject],
  answer,
}: Options): AnalyzedAnswer[] {
  const length = periodEnd.getTime() - periodStart.getTime()
  return Array.from({ length: n }, (_, i) => {
    const share = (i + 0.5) / n
    const endedAt = new Date(periodStart.getTime() + share * length)
    const seconds = Math.exp(3 + 4 * random.next())
    const fields = answer(i, share)
    return {
      taskId: `tsk_01k9${String(i).padStart(22, '0')}`,
      name: `Task ${i}`,
      description: '',
      createdAt: new Date(endedAt.getTime() - seconds * 1000),
      endedAt,
      version: null,
      actionTitle: actions.find(({ id }) => id === fields.actionId)?.title ?? 'Reject task',
      decidedBy: 'human' as const,
      data: {},
      presented: null,
      handledBy: 'mara@example.com',
      bulkId: null,
      fields: null,
      actions,
      candidates: null,
      isContentDeleted: false,
      ...fields,
    }
  }).reverse()
}

const { remark, ...lists } = remarks
const everything = Object.values(lists).flat()

/** A remark on a random subject. */
export function randomRemark(random: Random): string {
  return remark(random, everything)
}
