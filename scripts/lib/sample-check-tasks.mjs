// Sample tasks that check the work of an agent, for sample-tasks.mjs and screenshots.

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

export const deploy = {
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
      'Adds an index on refunds and stores amounts in whole cents. Takes about 40 seconds, without downtime.',
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

export const moderation = {
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
