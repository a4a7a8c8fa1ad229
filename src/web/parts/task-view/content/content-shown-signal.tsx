import { useLayoutEffect } from 'react'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'

/**
 * Opens the gate once the task's content is visible, and closes and reopens it whenever the content
 * changes: a revision is a new task to the person. Runs before the new content is painted, so that
 * no press in between can answer it.
 */
export function ContentShownSignal({ task, gate }: { task: TaskRecord; gate: AnswerGate }) {
  const { name, description, context, actions, revision } = task
  useLayoutEffect(() => gate.openWhenVisible(revision), [gate, name, description, context, actions, revision])
  return null
}
