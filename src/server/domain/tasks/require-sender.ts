import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Actor } from '../actor.ts'
import { forbidden, invalidRequest } from '../problems.ts'
import { taskNotOpen } from './task-not-open.ts'

/**
 * Requires that the task is open and that the actor created it: nobody else may reply to its
 * questions or revise it. Returns the question with the given id.
 */
export function requireSender(task: TaskRow, actor: Actor, questionId?: string) {
  if (task.status !== 'open') throw taskNotOpen(task)
  if (task.createdBy !== actor.id) {
    throw forbidden(
      'Only the API key, connected app or member that created this task may reply to its questions and revise it. Leave out "answers" and "revision" to send a plain update.',
    )
  }
  if (questionId === undefined) return undefined
  const question = task.questions?.find(({ id }) => id === questionId)
  if (question) return question
  const open = (task.questions ?? []).filter(({ updateId }) => updateId === null).map(({ id }) => id)
  const hint = open.length > 0 ? `Waiting for a reply: ${open.join(', ')}.` : 'No question waits for a reply.'
  throw invalidRequest([{ path: 'answers', message: `This task has no such question. ${hint}` }])
}
