import type { Example } from './example.ts'

const body =
  'Hello Tom,\n\nthank you for the call on Tuesday. As promised, here are the three dates on which our engineers could visit your plant in Porto:\n\n- 24 November, 9:00\n- 26 November, 14:00\n- 1 December, 9:00\n\nThe visit takes about three hours and is free of charge. Tell me which one suits you, and I will arrange the rest.\n\nKind regards\nLena Brandt'

export const emailReview: Example = {
  id: 'email-review',
  title: 'Review an outgoing email',
  about:
    'A person reads every email first and corrects the draft in place. The agent sends the result and learns what was changed.',
  payload: {
    task: {
      type: 'outgoing-email',
      name: 'Send the visit dates to Tom Alvarez',
      description: 'First email to a new customer, so please read it before I send it. Change what you like.',
    },
    app: 'sales-agent',
    version: '1.9.3',
    context: {
      data: {
        email: {
          from: 'lena.brandt@northwind.example',
          to: 'tom.alvarez@portoworks.example',
          subject: 'Three dates for our visit',
          body,
        },
        why: 'Tom asked for dates in the call of 10 November. The dates are free in the engineers’ calendar.',
      },
      ui: {
        email: { 'ui:title': 'Draft', 'ui:widget': 'email' },
        why: { 'ui:title': 'Why I send this' },
      },
    },
    actions: [
      {
        id: 'send',
        title: 'Send it',
        outcome: 'positive',
        description: 'The email is sent as you leave it, word for word.',
        schema: {
          type: 'object',
          required: ['subject', 'body'],
          properties: {
            subject: { type: 'string', title: 'Subject', maxLength: 200 },
            body: { type: 'string', title: 'Text', maxLength: 5000 },
          },
        },
        ui: {
          subject: { 'ui:options': { prefill: 'email.subject' } },
          body: { 'ui:widget': 'textarea', 'ui:options': { prefill: 'email.body' } },
        },
      },
      {
        id: 'rewrite',
        title: 'Write it again',
        outcome: 'negative',
        schema: {
          type: 'object',
          required: ['advice'],
          properties: { advice: { type: 'string', title: 'What should be different?' } },
        },
        ui: { advice: { 'ui:widget': 'textarea' } },
      },
    ],
  },
}
