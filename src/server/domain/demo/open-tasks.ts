import type { CreateTask } from '../../../contract/create-task.ts'
import { examples } from '../../../contract/gallery/examples.ts'
import type { SendUpdate } from '../../../contract/task-update.ts'
import { comparisons } from './comparisons.ts'
import type { Random } from './random.ts'
import { refunds } from './refunds.ts'
import { replyDrafts } from './reply-drafts.ts'

export type SampleOpenTask = {
  payload: CreateTask
  createdAt: Date
  updates: (SendUpdate & { at: Date })[]
}

const minute = 60_000

/**
 * The open tasks of the inbox: the examples of the gallery, some tasks of each sample app, and a
 * thread of three tasks. Examples with a review are left out, because a workspace with sample data
 * rarely has enough people to answer them.
 */
export function createSampleOpenTasks(random: Random, now: Date): SampleOpenTask[] {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * minute)
  const daily = [refunds, refunds, refunds, replyDrafts, replyDrafts, comparisons].map((sampleApp, i) => ({
    payload: sampleApp.payload(random, 0),
    createdAt: ago(3 + 9 * i),
    updates: [],
  }))
  const gallery = examples
    .filter(({ payload }) => payload.review === undefined)
    .map(({ payload }, i) => ({ payload, createdAt: ago(12 + 35 * i), updates: [] }))
  return [...threadOfThreeTasks(ago), ...daily, ...gallery]
}

/** One thread with progress updates by the agent. */
function threadOfThreeTasks(ago: (minutes: number) => Date): SampleOpenTask[] {
  const about = { app: 'support-agent', type: 'data-request', threadId: 'data-request-3118' }
  const yesOrNo = [
    { id: 'yes', title: 'Yes', outcome: 'positive' as const },
    { id: 'no', title: 'No', outcome: 'negative' as const },
  ]
  return [
    {
      payload: {
        ...about,
        task: {
          name: 'Is this really Aisha Khan?',
          description:
            'She asks for all data we hold about her, from an address that we do not know. Her order number and street are right.',
        },
        priority: 'high',
        actions: yesOrNo,
      },
      createdAt: ago(190),
      updates: [
        { at: ago(185), level: 'info', message: 'I have asked her for the date of her last order.' },
        { at: ago(41), level: 'success', message: 'She named the right date.' },
      ],
    },
    {
      payload: {
        ...about,
        task: {
          name: 'May the mails to her go into the export?',
          description: 'They name two colleagues. I can leave the names out.',
        },
        actions: yesOrNo,
      },
      createdAt: ago(120),
      updates: [],
    },
    {
      payload: {
        ...about,
        task: {
          name: 'Export for Aisha Khan is being made',
          description: 'Nothing to do until it is ready.',
        },
        priority: 'low',
        actions: [{ id: 'stop', title: 'Stop it', outcome: 'negative' }],
      },
      createdAt: ago(36),
      updates: [
        { at: ago(30), level: 'working', progress: 20, message: 'Reading orders.' },
        { at: ago(4), level: 'working', progress: 65, message: 'Reading mails: 212 of 330.' },
      ],
    },
  ]
}
