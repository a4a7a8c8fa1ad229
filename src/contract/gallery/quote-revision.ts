import type { Example } from './example.ts'

const sensors = { item: 'Cold room sensors', quantity: 24, price: '€290.00', total: '€6,960.00' }
const otherItems = [
  { item: 'Gateway', quantity: 3, price: '€640.00', total: '€1,920.00' },
  { item: 'Installation, days', quantity: 4, price: '€900.00', total: '€3,600.00' },
]
const terms = { discount: 'none', payment: '30 days', validUntil: '2026-12-15' }
const note = 'Harbour Foods asked for a discount on 24 sensors. Our price list has **5 % from 25**.'
const ui = {
  lineItems: { 'ui:title': 'Line items', 'ui:widget': 'table' },
  terms: { 'ui:title': 'Terms', 'ui:widget': 'keyvalue' },
  note: { 'ui:title': 'What to consider', 'ui:widget': 'markdown' },
} as const

export const quoteRevision: Example = {
  id: 'quote-revision',
  title: 'Request changes to a quote',
  about:
    'The reviewer requests changes, the agent revises the task, and the page shows what is different before the quote is approved.',
  payload: {
    task: {
      type: 'quote-approval',
      name: 'Send a quote of €12,480 to Harbour Foods?',
      description:
        'The customer expects it today. Request changes if a line item or the discount is wrong: I revise the quote and ask you again.',
    },
    app: 'sales-agent',
    version: '1.10.0',
    priority: 'high',
    acceptsQuestions: true,
    context: { data: { lineItems: [sensors, ...otherItems], terms, note }, ui },
    actions: [
      { id: 'send', title: 'Send the quote', outcome: 'positive' },
      {
        id: 'decline',
        title: 'Do not quote',
        outcome: 'negative',
        schema: {
          type: 'object',
          required: ['reason'],
          properties: { reason: { type: 'string', title: 'Why not?' } },
        },
        ui: { reason: { 'ui:widget': 'textarea' } },
      },
    ],
  },
  replies: {
    question: 'They asked for the discount by email on 12 November, and expect 5 % on the sensors.',
    changes: {
      message: 'I took 5 % off the sensors. Please check the new total.',
      // A revision replaces the whole context.
      revision: {
        task: { name: 'Send a quote of €12,132 to Harbour Foods?' },
        context: {
          data: {
            lineItems: [{ ...sensors, price: '€275.50', total: '€6,612.00' }, ...otherItems],
            terms: { ...terms, discount: '5 % on sensors' },
            note,
          },
          ui,
        },
      },
    },
  },
}
