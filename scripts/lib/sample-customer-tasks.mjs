// Sample tasks about customers, for sample-tasks.mjs and screenshots.

export const refund = {
  minutesAgo: 42,
  updates: ['Checked the carrier: two parcels came back', 'Card issuer allows a refund until today'],
  app: 'refund-agent',
  version: '1.8.0',
  priority: 'urgent',
  expiresInSeconds: 3600,
  callback: '/hooks/refund',
  task: {
    type: 'refund-approval',
    name: 'Refund €1,240.00 needs a second look',
    description:
      'Two refunds to one card within a week. The first was fair. The second parcel came back on day 34, four days late.',
  },
  context: {
    data: {
      order: { number: 58213, total: 1240, currency: 'EUR', paidWith: 'Visa …4421', delivered: '2026-10-09' },
      customer: { name: 'Ida Lindqvist', since: '2021-03-14', orders: 31, refunds: 2 },
      lines: [
        { article: 'Trail boots 42', quantity: 1, price: 189, returned: true },
        { article: 'Tent, two persons', quantity: 1, price: 849, returned: true },
        { article: 'Sleeping mat', quantity: 2, price: 101, returned: false },
      ],
      message:
        'Hello, I sent everything back on the 8th, the post office lost a day. I have the receipt. Please do not let this one day cost me the tent.',
    },
    ui: {
      order: { 'ui:title': 'Order', 'ui:widget': 'keyvalue' },
      lines: { 'ui:title': 'What came back', 'ui:widget': 'table' },
      message: { 'ui:title': 'What the customer wrote' },
    },
  },
  actions: [
    { id: 'approve', title: 'Refund in full', description: 'The customer gets €1,240.00 today.' },
    {
      id: 'part',
      title: 'Refund in part',
      schema: {
        type: 'object',
        required: ['amount', 'reason'],
        properties: {
          amount: { type: 'number', title: 'Amount', description: 'In euros.', minimum: 1, maximum: 1240 },
          reason: { type: 'string', title: 'Reason', description: 'The customer reads this.' },
        },
      },
      ui: { reason: { 'ui:widget': 'textarea' } },
    },
    {
      id: 'decline',
      title: 'Decline',
      schema: {
        type: 'object',
        required: ['reason'],
        properties: { reason: { type: 'string', title: 'Why?' } },
      },
    },
  ],
}

export const mail = {
  minutesAgo: 26,
  app: 'support-agent',
  priority: 'high',
  delivery: 'poll',
  task: {
    type: 'reply-review',
    name: 'Reply to a customer who was charged twice',
    description: 'The agent offers a refund and a voucher. Change what you like, then send.',
  },
  context: {
    data: {
      original: {
        from: 'jonas.weber@post.example',
        to: 'help@shop.example',
        subject: 'Charged twice for order 58198',
        date: '2026-11-15T08:02:00Z',
        body: 'Hi,\n\nmy card shows the same amount twice. Can you look into this?\n\nJonas Weber',
      },
      payments: [
        { at: '2026-11-14 21:03', amount: 84.9, state: 'captured', reference: 'pay_7Kd2' },
        { at: '2026-11-14 21:03', amount: 84.9, state: 'captured', reference: 'pay_7Kd3' },
      ],
    },
    ui: { original: { 'ui:title': 'The mail', 'ui:widget': 'email' }, payments: { 'ui:widget': 'table' } },
  },
  actions: [
    {
      id: 'send',
      title: 'Send the reply',
      schema: {
        type: 'object',
        required: ['subject', 'body'],
        properties: {
          subject: { type: 'string', title: 'Subject', default: 'Re: Charged twice for order 58198' },
          body: {
            type: 'string',
            title: 'Text',
            default:
              'Dear Mr Weber,\n\nyou are right, and we are sorry. The second payment of €84.90 goes back to your card today.\n\nKind regards\nYour shop',
          },
          voucher: { type: 'boolean', title: 'Add a voucher of €10' },
        },
      },
      ui: { body: { 'ui:widget': 'textarea' } },
    },
    { id: 'discard', title: 'Write it myself' },
  ],
}

export const escalation = {
  minutesAgo: 21,
  app: 'support-agent',
  delivery: 'poll',
  task: {
    type: 'escalation',
    name: 'Customer asks to speak to a person',
    description: 'Third message, the tone is getting sharper. The agent has no access to the courier.',
  },
  context: {
    data: {
      transcript: [
        { role: 'user', content: 'Where is my parcel? It says delivered, nothing is here.' },
        { role: 'assistant', content: 'I am sorry. The courier notes a delivery to a neighbour at 14:20.' },
        { role: 'user', content: 'Which neighbour? I asked everyone.' },
        { role: 'assistant', content: 'The courier does not say. I can open a search, it takes two days.' },
        { role: 'user', content: 'No. I want to speak to a person, now.' },
      ],
      customer: { name: 'Amir Haddad', orders: 4, language: 'English', phone: '+46 70 555 01 22' },
    },
    ui: {
      transcript: { 'ui:title': 'Conversation', 'ui:widget': 'chat' },
      customer: { 'ui:title': 'Customer' },
    },
  },
  actions: [
    {
      id: 'reply',
      title: 'Answer in the chat',
      schema: {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string', title: 'Your message' } },
      },
      ui: { text: { 'ui:widget': 'textarea', 'ui:placeholder': 'What the customer reads' } },
    },
    { id: 'call', title: 'Call the customer' },
  ],
}
