import type { CreateTask } from '../../../contract/create-task.ts'
import { limits } from '../../../contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { insertQuestion, replyToQuestion } from '../../storage/tasks/conversation.ts'
import type { PastTask } from '../../storage/tasks/past-tasks.ts'
import { lockThread } from '../../storage/tasks/thread-locks.ts'
import { insertUpdate } from '../../storage/tasks/updates.ts'
import { requireTask } from '../tasks/get-task.ts'
import type { SampleQuestion } from './sample-app.ts'

type Asker = { userId: string; email: string }
/** A question about the open task of this type, and the agent's reply if there is one. */
type SampleConversation = { type: string; text: string; reply?: string }

const sampleConversations: SampleConversation[] = [
  {
    type: 'disputed-charge',
    text: 'Is the pending charge a reservation that the bank releases by itself?',
  },
  {
    type: 'quote-approval',
    text: 'Did they ask for the discount in writing?',
    reply: 'Yes, in the mail of 12 November: they expect 5 % if they order 24 sensors.',
  },
]

/**
 * Adds a question to two open tasks: one waits for the agent's reply, the other has it. Returns how
 * many of them wait.
 */
export async function addSampleConversations(tx: Transaction, tasks: PastTask[], by: Asker): Promise<number> {
  for (const { type, text, reply } of sampleConversations) {
    const { id: taskId } = tasks.find((task) => task.status === 'open' && task.type === type)!
    await lockThread(tx, taskId)
    const questionId = newId('question')
    const asker = { id: by.userId, email: by.email }
    await insertQuestion(tx, await requireTask(tx, taskId), questionId, { kind: 'question', text }, asker)
    if (reply === undefined) continue
    const updateId = newId('update')
    const update = { id: updateId, message: reply, level: 'info' as const, progress: undefined, questionId }
    await insertUpdate(tx, taskId, update, limits.updatesPerTask)
    await replyToQuestion(tx, await requireTask(tx, taskId), questionId, updateId)
  }
  return sampleConversations.filter(({ reply }) => reply === undefined).length
}

/**
 * What was asked before a task was answered: the question, the agent's reply, and the task's first
 * revision if the agent revised it.
 */
export function pastConversation(
  { task, context, actions }: CreateTask,
  { kind, text, reply, revised }: SampleQuestion,
  createdAt: Date,
  endedAt: Date,
  by: Asker,
): Pick<PastTask, 'updates' | 'questions' | 'revisions'> {
  const at = (share: number) => createdAt.getTime() + share * (endedAt.getTime() - createdAt.getTime())
  const [asked, replied] = [at(0.3), at(0.6)]
  const questionId = newId('question', asked)
  const updateId = newId('update', replied)
  const { name, description } = task
  return {
    questions: [
      {
        id: questionId,
        kind,
        text,
        askedBy: by.email,
        askedById: by.userId,
        createdAt: new Date(asked),
        updateId,
      },
    ],
    updates: [
      {
        id: updateId,
        message: reply,
        level: 'info',
        progress: null,
        createdAt: new Date(replied),
        questionId,
        ...(revised && { revision: 2 }),
      },
    ],
    revisions: revised
      ? [{ name, description, context: context ?? null, actions, replacedAt: new Date(replied) }]
      : [],
  }
}
