// Realistic sample tasks for screenshots, with long names, unusual values and every kind of content.

const choice = (title, options, more = {}) => ({
  type: 'string',
  title,
  enum: Object.keys(options),
  enumNames: Object.values(options),
  ...more,
})

const draftA = `## Webhooks are signed the standard way

**Breaking.** Callbacks now carry \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. The old \`X-Signature\` header is gone.

\`\`\`ts
import { Webhook } from 'standardwebhooks'

const hook = new Webhook(secret)
const event = hook.verify(body, headers)
\`\`\`

- Retries stop when a receiver answers \`410\`.
- Redeliver every failed callback since a given time.
- The inbox opens 40 % faster with 10,000 tasks.
`

const draftB = `## Check your webhook handler before 1 December

**Action needed.** Callbacks now carry \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. The old \`X-Signature\` header is still sent until 1 December, then dropped.

\`\`\`ts
import { Webhook } from 'standardwebhooks'

const hook = new Webhook(env.SECRET)
const event = hook.verify(raw, headers)
\`\`\`

- Retries stop when a receiver answers \`410\`.
- Redeliver all failed callbacks with one call.
- The inbox opens faster.
`

export const compare = {
  minutesAgo: 12,
  updates: ['Reading 23 merged changes', 'Both drafts are ready. Waiting for your choice.'],
  app: 'release-notes-agent',
  version: '2026.11.2',
  priority: 'high',
  delivery: 'poll',
  task: {
    type: 'compare-drafts',
    name: 'Choose the release notes for 4.12',
    description:
      'Both drafts cover the same 23 merged changes. Pick the one to publish on Thursday, or say what is missing. The webhook change breaks old handlers, so the migration step has to be right.',
  },
  context: {
    data: {
      release: { version: '4.12.0', mergedChanges: 23, breaking: 1, publishOn: '2026-11-19T10:00:00Z' },
      prompt:
        'Write release notes for people who run the service. Lead with what breaks and what they must do, then the rest in one line each. No marketing words.',
      drafts: [
        { name: 'Draft A', source: 'atlas-large', response: draftA },
        { name: 'Draft B', source: 'birch-small', response: draftB },
      ],
    },
    ui: {
      release: { 'ui:title': 'Release' },
      prompt: { 'ui:title': 'Prompt' },
      drafts: {
        'ui:title': 'Drafts',
        'ui:description': 'Written by two models from the same changes',
        'ui:widget': 'compare',
        items: { response: { 'ui:widget': 'markdown' } },
      },
    },
  },
  actions: [
    {
      id: 'publish',
      title: 'Publish a draft',
      schema: {
        type: 'object',
        required: ['winner'],
        properties: {
          winner: choice('Which draft goes out?', { a: 'Draft A', b: 'Draft B', none: 'Neither is ready' }),
          note: { type: 'string', title: 'What should change?', maxLength: 2000 },
        },
      },
      ui: { winner: { 'ui:widget': 'radio' }, note: { 'ui:widget': 'textarea' } },
    },
    { id: 'again', title: 'Ask for a new round' },
    { id: 'hold', title: 'Hold the release' },
  ],
}

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

const mail = {
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

const deploy = {
  minutesAgo: 41,
  updates: ['Dry run on a copy: 41 s, no locks over 200 ms'],
  app: 'deploy-agent',
  version: '0.31.0',
  priority: 'high',
  delivery: 'poll',
  task: {
    type: 'sql-approval',
    name: 'Run migration 0147 on production',
    description:
      'Adds an index on orders and makes the amount whole cents. Takes about 40 seconds, without downtime.',
  },
  context: {
    data: {
      change: {
        before:
          'CREATE TABLE refunds (\n  id bigint PRIMARY KEY,\n  amount float NOT NULL,\n  reason text\n);',
        after:
          'CREATE TABLE refunds (\n  id bigint PRIMARY KEY,\n  amount_cents bigint NOT NULL,\n  reason text\n);\nCREATE INDEX CONCURRENTLY refunds_amount ON refunds (amount_cents);',
      },
      checks: { tests: 'passed', dryRun: '41 s', backup: '2026-11-15 06:00', rollback: 'prepared' },
      log: '06:58:01 copy of production restored\n06:58:40 migration 0147 begins\n06:59:21 migration 0147 done\n06:59:22 1,284,120 rows checked, 0 differ',
    },
    ui: {
      change: { 'ui:title': 'What changes', 'ui:widget': 'diff' },
      checks: { 'ui:title': 'Checks' },
      log: { 'ui:title': 'Dry run', 'ui:widget': 'code' },
    },
  },
  actions: [
    { id: 'run', title: 'Run it now' },
    {
      id: 'later',
      title: 'Run it later',
      schema: {
        type: 'object',
        required: ['at'],
        properties: { at: { type: 'string', format: 'date-time', title: 'When?' } },
      },
    },
    { id: 'stop', title: 'Do not run it' },
  ],
}

const moderation = {
  minutesAgo: 47,
  app: 'review-guard',
  delivery: 'poll',
  task: {
    type: 'moderation',
    name: 'Is this product review spam?',
    description: 'Five reviews from one address within ten minutes, all with five stars.',
  },
  context: {
    data: {
      review:
        'BEST TENT EVER!!! I bought five of these and every single one is perfect. Do not buy anywhere else. Visit my page for a code.',
      picture: 'https://images.shop.example/reviews/91822.jpg',
      score: 0.83,
      label: 'likely spam',
      account: { created: '2026-11-14', reviews: 5, purchases: 0, country: 'unknown' },
    },
    ui: {
      review: { 'ui:title': 'Review' },
      picture: { 'ui:title': 'Picture', 'ui:widget': 'image' },
      score: { 'ui:title': 'Score', 'ui:widget': 'number' },
      label: { 'ui:title': 'Model says', 'ui:widget': 'badge' },
    },
  },
  actions: [
    {
      id: 'hide',
      title: 'Hide it',
      schema: {
        type: 'object',
        required: ['kind'],
        properties: {
          kind: choice('What is it?', { spam: 'Advertising', fake: 'Invented', rude: 'Insulting' }),
        },
      },
      ui: { kind: { 'ui:widget': 'radio' } },
    },
    { id: 'keep', title: 'Keep it' },
  ],
}

export const extraction = {
  minutesAgo: 180,
  app: 'invoice-reader',
  delivery: 'poll',
  task: {
    type: 'extraction-check',
    name: 'Invoice 2026-1107: total and lines differ',
    description: 'Lines add up to €2,318.40, the total says €2,138.40. Correct what was read and book it.',
  },
  context: {
    data: {
      supplier: { name: 'Norrland Paper AB', vat: 'SE556012579001', iban: 'SE45 5000 0000 0583 9825 7466' },
      lines: [
        { text: 'Paper A4, 80 g', quantity: 240, price: 4.86 },
        { text: 'Envelopes C5', quantity: 500, price: 0.72 },
        { text: 'Toner black', quantity: 8, price: 99 },
      ],
      confidence: { total: 0.61, date: 0.99, supplier: 0.97 },
    },
    ui: {
      supplier: { 'ui:title': 'Supplier' },
      lines: { 'ui:title': 'Lines as read', 'ui:widget': 'table' },
      confidence: { 'ui:title': 'How sure', 'ui:widget': 'json' },
    },
  },
  actions: [
    {
      id: 'book',
      title: 'Book the invoice',
      description: 'The values below will be booked.',
      schema: {
        type: 'object',
        required: ['number', 'date', 'total', 'currency'],
        properties: {
          number: { type: 'string', title: 'Number', default: '2026-1107' },
          date: { type: 'string', format: 'date', title: 'Date', default: '2026-11-07' },
          total: { type: 'number', title: 'Total', default: 2138.4 },
          currency: choice(
            'Currency',
            { EUR: 'Euro', SEK: 'Swedish krona', USD: 'US dollar' },
            { default: 'EUR' },
          ),
          tags: {
            type: 'array',
            title: 'Accounts',
            uniqueItems: true,
            items: choice(undefined, { office: 'Office', print: 'Print', other: 'Other' }),
          },
          quality: { type: 'integer', title: 'How well was it read?', minimum: 1, maximum: 5 },
        },
      },
      ui: { quality: { 'ui:widget': 'rating' } },
    },
    { id: 'return', title: 'Send it back' },
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

const plainTask = (minutesAgo, app, type, name, description, more = {}) => ({
  minutesAgo,
  app,
  delivery: 'poll',
  task: { type, name, description },
  actions: [
    { id: 'yes', title: 'Yes' },
    { id: 'no', title: 'No' },
  ],
  ...more,
})

/** Open tasks, oldest first, so that the clock only moves forward. */
export const openTasks = [
  plainTask(
    1500,
    'catalogue-agent',
    'merge',
    'Merge six duplicate product variants',
    'Same size, same colour, six numbers.',
    { priority: 'low' },
  ),
  plainTask(
    300,
    'help-agent',
    'tagging',
    'Tag 40 help articles with new topics',
    'A list of topics is attached.',
    { priority: 'low' },
  ),
  extraction,
  plainTask(
    120,
    'refund-agent',
    'refund-approval',
    'Refund €184.50 after the return window',
    'Parcel came back on day 34, the window is 30 days.',
  ),
  plainTask(
    60,
    'order-agent',
    'question',
    'Which address is right for order 58213?',
    'Billing and chat name different streets.',
  ),
  plainTask(
    58,
    'refund-agent',
    'refund-approval',
    'Refund €39.00, parcel never scanned',
    'The carrier has no record since Monday.',
  ),
  moderation,
  refund,
  deploy,
  plainTask(
    33,
    'mail-agent',
    'outbound-mail',
    'Announce the new billing address',
    'Goes to 1,902 customers on Monday.',
  ),
  mail,
  escalation,
  compare,
  plainTask(
    9,
    'refund-agent',
    'refund-approval',
    'Refund €72.90, wrong size delivered',
    'The photo shows label 42, ordered was 44.',
  ),
]

/** Answered tasks with the callback paths their answers are sent to. */
export const answeredTasks = [
  {
    minutesAgo: 2900,
    actionId: 'no',
    callback: '/hooks/refund',
    ...refundTask('Refund €310.00, used for a year'),
  },
  { minutesAgo: 800, actionId: 'yes', callback: '/old/cb', ...refundTask('Refund €22.00, broken mug') },
  {
    minutesAgo: 240,
    actionId: 'yes',
    callback: '/hooks/slow',
    ...refundTask('Refund €58.10, colour differs'),
  },
  {
    minutesAgo: 130,
    actionId: 'yes',
    callback: '/hooks/refund',
    ...refundTask('Refund €19.90, arrived twice'),
  },
]

function refundTask(name) {
  const { app, task, actions } = plainTask(0, 'refund-agent', 'refund-approval', name, 'The photo is clear.')
  return { app, task, actions }
}
