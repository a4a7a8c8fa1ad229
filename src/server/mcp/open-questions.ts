import type { Question } from '../../contract/question.ts'
import type { TaskRecord } from '../../contract/task.ts'

/** Questions of an open task that have no reply. */
export function openQuestionsOf({ status, questions = [] }: TaskRecord): Question[] {
  return status === 'open' ? questions.filter(({ answer }) => answer === undefined) : []
}

/**
 * Tells a model what to do next if people have asked questions. undefined if no question waits for
 * a reply.
 */
export function replyHint(task: TaskRecord): string | undefined {
  const questions = openQuestionsOf(task)
  if (questions.length === 0) return undefined
  const ids = questions.map(({ questionId }) => `"${questionId}"`).join(' or ')
  const state =
    task.waitingFor === 'agent'
      ? 'waitingFor "agent" means that people wait for your reply before they answer.'
      : 'People no longer wait for your reply, but you can still send it.'
  const changes = questions.some(({ kind }) => kind === 'changes')
    ? ' For the kind "changes", also send a revision with the parts of the task that change.'
    : ''
  // `answers` takes one id.
  const [call, which] =
    questions.length === 1 ? ['send_update', 'the'] : ['send_update once per question,', 'its']
  return `${state} Call ${call} with taskId "${task.taskId}", answers set to ${which} questionId (${ids}) and your reply as message; if you do not know, say so.${changes} Then call get_task with waitSeconds 50 again.`
}
