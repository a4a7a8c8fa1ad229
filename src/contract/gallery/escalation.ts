import type { Example } from './example.ts'

export const escalation: Example = {
  id: 'escalation',
  title: 'Take over a conversation',
  about:
    'The agent is stuck, or the customer asks for a person. The task contains the whole conversation, including tool calls.',
  payload: {
    task: {
      type: 'escalation',
      name: 'Customer asks for a person: charged twice',
      description:
        'I found two charges, but I cannot see which one the bank has settled. The customer is upset.',
    },
    app: 'support-agent',
    version: '4.2.0',
    priority: 'high',
    context: {
      data: {
        conversation: [
          { role: 'user', content: 'You charged me twice for October. I want to talk to a person.' },
          { role: 'assistant', content: 'I am sorry about that. Let me look at your charges first.' },
          {
            role: 'tool',
            name: 'list_charges',
            content:
              '[{"id":"ch_81","amount":1900,"on":"2026-10-01"},{"id":"ch_82","amount":1900,"on":"2026-10-01"}]',
          },
          {
            role: 'assistant',
            content:
              'I see **two charges of €19.00** on 1 October. I have asked a colleague to look at it with you.',
          },
          { role: 'user', content: 'Good. I have waited long enough.' },
        ],
        customer: { name: 'Haruto Mori', plan: 'Team, monthly', customerSince: '2023-02-17', openTickets: 1 },
      },
      ui: {
        conversation: { 'ui:title': 'Conversation', 'ui:widget': 'chat' },
        customer: { 'ui:title': 'Customer', 'ui:widget': 'keyvalue' },
      },
    },
    actions: [
      {
        id: 'reply',
        title: 'Reply',
        outcome: 'neutral',
        schema: {
          type: 'object',
          required: ['message'],
          properties: {
            message: { type: 'string', title: 'Your message to the customer', maxLength: 4000 },
            refund: { type: 'boolean', title: 'Refund the second charge', default: false },
          },
        },
        ui: { message: { 'ui:widget': 'textarea' }, refund: { 'ui:widget': 'toggle' } },
      },
      { id: 'call', title: 'I will call them', outcome: 'neutral' },
    ],
  },
}
