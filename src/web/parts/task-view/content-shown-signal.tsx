import { useEffect } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import type { AnswerGate } from '../../lib/answer-gate.ts'

/** Opens the gate once the task's content is mounted, and again whenever the content changes. */
export function ContentShownSignal({ task, gate }: { task: TaskRecord; gate: AnswerGate }) {
  const { name, description, context, actions } = task
  useEffect(() => gate.show(), [gate, name, description, context, actions])
  return null
}
