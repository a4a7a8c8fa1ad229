import type { Example } from './example.ts'

export const fourEyesPayment: Example = {
  id: 'four-eyes-payment',
  title: 'Release a payment with two approvals',
  about:
    'Two people must give the same answer before money moves, and the people behind the task cannot be among them. The digits that they type must agree; their notes may differ.',
  payload: {
    task: {
      type: 'supplier-payment',
      name: 'Pay €48,000.00 to Lindqvist Logistics?',
      description:
        'The supplier has sent a new bank account with this invoice. Compare it with the contract, not with the invoice, and type the last four digits that you found there.',
    },
    app: 'accounts-payable',
    version: '3.1.0',
    priority: 'high',
    review: { needed: 2 },
    context: {
      data: {
        invoice: {
          number: '2291',
          supplier: 'Lindqvist Logistics',
          amount: '€48,000.00',
          due: '2026-11-20',
          account: 'SE45 5000 0000 0583 9825 7466',
        },
        payments: [
          { date: '2026-09-18', amount: '€46,500.00', account: '… 1173' },
          { date: '2026-10-16', amount: '€47,250.00', account: '… 1173' },
        ],
        check:
          'The address of the sender has been in use **since 2 November**. Earlier invoices came from another one.',
      },
      ui: {
        invoice: { 'ui:title': 'Invoice', 'ui:widget': 'keyvalue' },
        payments: { 'ui:title': 'Earlier payments', 'ui:widget': 'table' },
        check: { 'ui:title': 'What I noticed', 'ui:widget': 'markdown' },
      },
    },
    actions: [
      {
        id: 'pay',
        title: 'Release payment',
        outcome: 'positive',
        schema: {
          type: 'object',
          required: ['accountEnding'],
          properties: {
            accountEnding: {
              type: 'string',
              title: 'Last four digits of the account in the contract',
              pattern: '^[0-9]{4}$',
            },
            note: { type: 'string', title: 'Note', maxLength: 500 },
          },
        },
      },
      {
        id: 'hold',
        title: 'Hold and call the supplier',
        outcome: 'negative',
        schema: {
          type: 'object',
          required: ['reason'],
          properties: { reason: { type: 'string', title: 'What looks wrong?', maxLength: 500 } },
        },
        ui: { reason: { 'ui:widget': 'textarea' } },
      },
    ],
  },
}
