import type { Example } from './example.ts'

export const disputedCharge: Example = {
  id: 'disputed-charge',
  title: 'Ask the agent back',
  about:
    'One fact is missing from this task. With acceptsQuestions, a person asks the agent and decides with its reply, instead of rejecting.',
  payload: {
    task: {
      type: 'disputed-charge',
      name: 'Reverse a second charge of €64.90 for Nora Weiss?',
      description:
        'Nora was charged twice for order 2026-120377. If you reverse it, I send the second amount back today. Ask me if you need to know more about the payments.',
    },
    app: 'billing-agent',
    version: '2.6.0',
    acceptsQuestions: true,
    context: {
      data: {
        message:
          'Hi, my statement shows €64.90 twice on 9 November, but I placed one order. Please send one of them back.',
        charges: [
          { time: '2026-11-09 18:02', amount: '€64.90', status: 'captured' },
          { time: '2026-11-09 18:03', amount: '€64.90', status: 'pending' },
        ],
      },
      ui: {
        message: { 'ui:title': 'What the customer wrote' },
        charges: { 'ui:title': 'Charges on 9 November', 'ui:widget': 'table' },
      },
    },
    actions: [
      {
        id: 'reverse',
        title: 'Reverse the second charge',
        outcome: 'positive',
        description: 'The money arrives on the card within three days.',
      },
      {
        id: 'explain',
        title: 'Explain instead',
        outcome: 'neutral',
        description: 'The agent tells the customer what you write.',
        schema: {
          type: 'object',
          required: ['explanation'],
          properties: {
            explanation: { type: 'string', title: 'What to tell the customer', maxLength: 1000 },
          },
        },
        ui: { explanation: { 'ui:widget': 'textarea' } },
      },
    ],
  },
  replies: {
    question: 'The second charge is a reservation. The bank releases it by itself within seven days.',
  },
}
