import { limits } from '../../../contract/limits.ts'
import type { QuestionKind } from '../../../contract/question.ts'
import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { answerQuestion, insertQuestion } from '../../storage/tasks/conversation.ts'
import type { PastTask } from '../../storage/tasks/past-tasks.ts'
import { lockThread } from '../../storage/tasks/tasks.ts'
import { insertUpdate } from '../../storage/tasks/updates.ts'
import { requireTask } from '../tasks/get-task.ts'

type Asker = { id: string; email: string }
type SampleQuestion = { type: string; kind: QuestionKind; text: string; reply?: string }

const questions: SampleQuestion[] = [
  {
    type: 'disputed-charge',
    kind: 'question',
    text: 'Is the pending charge a reservation that the bank releases by itself?',
  },
  {
    type: 'quote-approval',
    kind: 'question',
    text: 'Did they ask for the discount in writing?',
    reply: 'Yes, in the mail of 12 November: they expect 5 % if they order 24 sensors.',
  },
]

/** One open task waits for the agent, and one has the agent's reply. */
export async function addSampleConversations(tx: Transaction, tasks: PastTask[], by: Asker): Promise<void> {
  for (const { type, kind, text, reply } of questions) {
    const { id: taskId } = tasks.find((task) => task.status === 'open' && task.type === type)!
    await lockThread(tx, taskId)
    const questionId = newId('question')
    await insertQuestion(tx, await requireTask(tx, taskId), questionId, { kind, text }, by)
    if (reply === undefined) continue
    const updateId = newId('update')
    const update = { id: updateId, message: reply, level: 'info' as const, progress: undefined, questionId }
    await insertUpdate(tx, taskId, update, limits.updatesPerTask)
    await answerQuestion(tx, await requireTask(tx, taskId), questionId, updateId)
  }
}
