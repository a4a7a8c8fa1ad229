import type { Example } from './example.ts'

export const messageLabeling: Example = {
  id: 'message-labeling',
  title: 'Label with several people',
  about:
    'Colleagues label the same message without seeing each other’s labels, until two agree: if the first two differ, a third is asked. A rejection counts as one of the answers. Statistics show how much people agree.',
  payload: {
    task: {
      type: 'message-labeling',
      name: 'What does this customer want?',
      description:
        'Your label becomes training data for the router. If two fit, choose the one that should be handled first.',
    },
    app: 'router-training',
    version: 'batch-14',
    priority: 'low',
    review: { needed: 2, onDecline: 'collect' },
    context: {
      data: {
        message:
          'I moved last month and my card still has the old address. The parcel went there too. Can you send it again, or do I get my money back?',
        language: 'English',
      },
      ui: {
        message: { 'ui:title': 'Message' },
        language: { 'ui:title': 'Language' },
      },
    },
    actions: [
      {
        id: 'label',
        title: 'Label',
        outcome: 'neutral',
        schema: {
          type: 'object',
          required: ['intent', 'mood'],
          properties: {
            intent: {
              type: 'string',
              title: 'What they want',
              enum: ['redelivery', 'refund', 'address-change', 'other'],
              enumNames: ['Send the parcel again', 'Get money back', 'Change the address', 'Something else'],
            },
            mood: {
              type: 'string',
              title: 'Mood',
              enum: ['calm', 'annoyed', 'angry'],
              enumNames: ['Calm', 'Annoyed', 'Angry'],
            },
            remark: { type: 'string', title: 'Remark', maxLength: 500 },
          },
        },
        ui: { intent: { 'ui:widget': 'radio' }, mood: { 'ui:widget': 'radio' } },
      },
    ],
  },
}
