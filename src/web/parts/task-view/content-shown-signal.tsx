import { useEffect } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import type { AnswerGate } from '../../lib/answer-gate.ts'

/** Stands where the content of the task does: the task counts as shown once this does, and anew when what it asks changes. */
export function ContentShownSignal({ task, gate }: { task: TaskRecord; gate: AnswerGate }) {
  const { name, description, context, actions } = task
  useEffect(() => gate.show(), [gate, name, description, context, actions])
  return null
}
