import { useState } from 'react'
import type { AnswerGate } from '../../lib/answer-gate.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { answerKeys } from './answering/answer-keys.ts'
import { TaskSkeleton } from './task-skeleton.tsx'

/**
 * Shown while the displayed task loads. Answer keys only show that it is still loading, because
 * the person has not seen the task yet.
 */
export function LoadingTask({ gate, isSelecting }: { gate: AnswerGate; isSelecting: boolean }) {
  const [wasTooEarly, setWasTooEarly] = useState(false)
  function refuse(event: KeyboardEvent) {
    event.preventDefault()
    gate.refuse()
    setWasTooEarly(true)
  }
  useShortcuts(isSelecting ? {} : Object.fromEntries(answerKeys.map((key) => [key, refuse])))
  return <TaskSkeleton>{wasTooEarly && 'The task is still loading. Nothing was sent.'}</TaskSkeleton>
}
