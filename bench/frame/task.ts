/** A task of typical size. */
export const task = {
  task: {
    type: 'refund-approval',
    name: 'Refund €40?',
    description: 'The parcel came back. The customer asks for the money and for the shipping cost.',
  },
  context: {
    data: { order: 4711, text: 'The parcel **came back**.' },
    ui: { text: { 'ui:widget': 'markdown' } },
  },
  actions: [
    { id: 'approve', title: 'Approve' },
    {
      id: 'decline',
      title: 'Decline',
      schema: { type: 'object', properties: { reason: { type: 'string' } }, required: ['reason'] },
    },
  ],
}
