import { useLayoutEffect } from 'react'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'

/**
 * Opens the gate once the content of the task is visible. When the content changes, closes the gate
 * before the new content is painted, so that no press can answer what the person has not seen, and
 * opens it again.
 */
export function ContentShownSignal({ task, gate }: { task: TaskRecord; gate: AnswerGate }) {
  const { name, description, context, actions, revision } = task
  useLayoutEffect(() => gate.openWhenVisible(revision), [gate, name, description, context, actions, revision])
  return null
}
