import { expect, test } from 'vitest'
import type { TaskRecord } from '../../contract/task.ts'
import { replyHint } from './open-questions.ts'

const taskWith = (questionIds: string[]) =>
  ({
    taskId: 'tsk_1',
    status: 'open',
    waitingFor: 'agent',
    questions: questionIds.map((questionId) => ({ questionId, kind: 'question', text: 'Why?' })),
  }) as TaskRecord

test('one question is answered with one call', () => {
  expect(replyHint(taskWith(['qst_1']))).toContain(
    'Call send_update with taskId "tsk_1", answers set to the questionId ("qst_1") and your reply as message',
  )
})

test('several questions are answered with one call each', () => {
  expect(replyHint(taskWith(['qst_1', 'qst_2']))).toContain(
    'Call send_update once per question, with taskId "tsk_1", answers set to its questionId ("qst_1" or "qst_2")',
  )
})

test('a task without an open question has no hint', () => {
  expect(replyHint(taskWith([]))).toBeUndefined()
  expect(replyHint({ ...taskWith(['qst_1']), status: 'handled' })).toBeUndefined()
})
