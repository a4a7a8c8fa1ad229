import type { Action } from '../../../contract/action.ts'
import type { CreateTask } from '../../../contract/create-task.ts'
import { refundApproval } from '../../../contract/gallery/refund-approval.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import { approvedRefund, declinedRefund, rejectedRequest, remark, wrongCurrency } from './remarks.ts'
import { releaseAt, type SampleApp, type SampleQuestion } from './sample-app.ts'

/** This version, the newest, always refunds in euros, so people decline about 30 % of its tasks. */
const worseRelease = '4.2.0'
export const supportReleases = [
  [worseRelease, 7],
  ['4.1.0', 18],
  ['4.0.2', 99],
] as const

const items = [
  ['Cast-iron casserole, 26 cm', 'the lid is broken in two'],
  ['Reading lamp, brass', 'the cable comes out of the foot'],
  ['Linen bedding, 2 pieces', 'one cover has a tear along the seam'],
  ['Kitchen scale', 'it shows another weight each time'],
  ['Hiking boots, 42', 'both are left shoes'],
  ['Glass carafe set', 'two of four arrived in pieces'],
  ['Desk chair Oslo', 'the gas spring does not hold'],
  ['Wall clock', 'it stands still after an hour'],
] as const
const names = [
  'Ines Duarte',
  'Tom Alvarez',
  'Mei Lin',
  'Jonas Weber',
  'Aisha Khan',
  'Pavel Novák',
  'Grace Osei',
  'Luca Ferri',
  'Hanna Virtanen',
  'Marta Silva',
  'Sven Larsen',
  'Yuki Tanaka',
]

/** What people ask before they approve, and what the agent replies. */
const refundQuestions = [
  ['Is there a photo of the damage?', 'Yes, two photos. Both show it clearly.'],
  ['Has this customer asked for money back before?', 'Once, in spring, for a different order.'],
  ['Did the courier confirm it?', 'Not yet. I have asked them, they usually take two days.'],
  ['When was it delivered?', 'Nine days ago. It was signed for at the door.'],
  ['Would a spare part do?', 'There is none in stock until the end of the month.'],
] as const

const currencies = ['€', '€', 'CHF ', '£', '$']

const [approve, decline] = refundApproval.payload.actions as [Action, Action]
const reasons = {
  type: 'string',
  title: 'Reason',
  enum: ['amount', 'no-proof', 'too-late', 'return-first', 'other'],
  enumNames: [
    'Amount or currency is wrong',
    'No proof of damage',
    'Reported too late',
    'Has to send it back first',
    'Another',
  ],
}
const actions: Action[] = [
  {
    ...approve,
    schema: {
      type: 'object',
      properties: { note: { type: 'string', title: 'Note', maxLength: 500 } },
    },
  },
  {
    ...decline,
    schema: {
      type: 'object',
      required: ['reason'],
      properties: {
        reason: reasons,
        explanation: { type: 'string', title: 'What is wrong?', maxLength: 1_000 },
      },
    },
  },
]

export const refunds: SampleApp = {
  share: 0.46,
  overdueShare: 0.03,
  payload(random, age) {
    const [item, damage] = random.pick(items)
    const name = random.pick(names)
    const version = releaseAt(age, supportReleases)
    const amount = `${20 + Math.floor(random.next() * 260)}.00`
    const currency = random.pick(currencies)
    const refund = `${version === worseRelease ? '€' : currency}${amount}`
    return {
      task: {
        type: 'refund-approval',
        name: `Refund ${refund} to ${name}`,
        description: `${item}: ${damage}. May I refund it?`,
      },
      app: 'support-agent',
      version,
      priority: random.chance(0.1) ? 'high' : 'normal',
      acceptsQuestions: true,
      context: {
        data: {
          request: `Hello, my order arrived and ${damage}. I would like my money back. ${name}`,
          order: {
            order: `2026-${100_000 + Math.floor(random.next() * 90_000)}`,
            item,
            paid: currency + amount,
            refund,
          },
          policy: 'Damage in transit, reported within **14 days**: full refund, no return needed below €150.',
        },
        ui: refundApproval.payload.context!.ui!,
      },
      actions,
    }
  },
  answer(random, payload) {
    if (random.chance(0.01))
      return {
        actionId: reservedActions.rejectRequest.id,
        data: { feedback: remark(random, rejectedRequest) },
      }
    const { paid, refund } = orderOf(payload)
    const isWrongCurrency = paid !== refund && random.chance(0.5)
    if (isWrongCurrency && random.chance(0.15))
      return { actionId: approve.id, data: {}, question: correctedCurrency(payload) }
    if (!isWrongCurrency && !random.chance(0.07)) {
      const note = random.chance(0.3) ? { note: remark(random, approvedRefund) } : {}
      if (!random.chance(0.05)) return { actionId: approve.id, data: note }
      const [text, reply] = random.pick(refundQuestions)
      return { actionId: approve.id, data: note, question: { kind: 'question', text, reply } }
    }
    const reason = isWrongCurrency ? 'amount' : random.pick(['no-proof', 'too-late', 'return-first', 'other'])
    const explanation = remark(random, isWrongCurrency ? wrongCurrency : declinedRefund)
    return { actionId: decline.id, data: random.chance(0.85) ? { reason, explanation } : { reason } }
  },
}

function orderOf({ context }: CreateTask) {
  return context!.data.order as { paid: string; refund: string }
}

/** A person requests the right currency instead of declining, and the agent revises the task. */
function correctedCurrency(payload: CreateTask): SampleQuestion {
  const { task, context } = payload
  const order = orderOf(payload)
  return {
    kind: 'changes',
    text: 'Please refund in the currency of the order.',
    reply: `Corrected: the refund is ${order.paid} now.`,
    revised: {
      ...payload,
      task: { ...task, name: task.name.replace(order.refund, order.paid) },
      context: { ...context!, data: { ...context!.data, order: { ...order, refund: order.paid } } },
    },
  }
}
