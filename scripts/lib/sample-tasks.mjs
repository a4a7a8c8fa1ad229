import { compare, deploy, extraction, moderation } from './sample-check-tasks.mjs'
import { escalation, mail, refund } from './sample-customer-tasks.mjs'

// Realistic sample tasks for screenshots, with long names, unusual values and every kind of
// content.

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

/** Open tasks, oldest first. */
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

/** Answered tasks, oldest first, with the callback paths that their answers are sent to. */
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
