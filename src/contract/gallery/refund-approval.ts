import type { Example } from './example.ts'

export const refundApproval: Example = {
  id: 'refund-approval',
  title: 'Approve a refund',
  about:
    'An agent must not refund more than €100 alone. To approve, enter the amount; to decline, choose a reason.',
  payload: {
    task: {
      type: 'refund-approval',
      name: 'Refund €129.00 to Ines Duarte',
      description:
        'The parcel arrived with a broken lid. The amount is above the limit of €100 that I may refund alone.',
    },
    app: 'support-agent',
    version: '4.2.0',
    priority: 'high',
    context: {
      data: {
        request:
          'Hello, the casserole arrived today and the lid is broken in two. I sent a photo with my first mail. I would rather have my money back than a new one, as I need it for Saturday.',
        order: {
          order: '2026-118842',
          item: 'Cast-iron casserole, 26 cm',
          paid: '€129.00',
          delivered: '2026-11-12',
          returnsBefore: 0,
        },
        policy:
          'Damage in transit, reported within **14 days**: full refund, no return needed below €150. ([policy](https://shop.example/policies/damage))',
      },
      ui: {
        request: { 'ui:title': 'What the customer wrote' },
        order: { 'ui:title': 'Order', 'ui:widget': 'keyvalue' },
        policy: { 'ui:title': 'What our policy says', 'ui:widget': 'markdown' },
      },
    },
    actions: [
      {
        id: 'approve',
        title: 'Refund',
        outcome: 'positive',
        description: 'The money goes back to the card immediately.',
        schema: {
          type: 'object',
          required: ['amount'],
          properties: {
            amount: {
              type: 'number',
              title: 'Amount in €',
              minimum: 0.01,
              maximum: 129,
              multipleOf: 0.01,
              default: 129,
            },
            note: { type: 'string', title: 'Note to the customer', maxLength: 500 },
          },
        },
        ui: { note: { 'ui:widget': 'textarea', 'ui:placeholder': 'We are sorry that …' } },
      },
      {
        id: 'decline',
        title: 'Decline',
        outcome: 'negative',
        schema: {
          type: 'object',
          required: ['reason'],
          properties: {
            reason: {
              type: 'string',
              title: 'Reason',
              enum: ['no-proof', 'too-late', 'return-first', 'other'],
              enumNames: ['No proof of damage', 'Reported too late', 'Has to send it back first', 'Another'],
            },
            explanation: { type: 'string', title: 'What to tell the customer', maxLength: 1000 },
          },
        },
        ui: { reason: { 'ui:widget': 'radio' }, explanation: { 'ui:widget': 'textarea' } },
      },
    ],
  },
}
