import { useState } from 'react'
import type { AnswerGate } from '../../lib/answer-gate.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { digitShortcuts } from './digit-shortcuts.ts'
import { TaskSkeleton } from './task-skeleton.tsx'

/**
 * Shown while the selected task loads. Answer keys are rejected with a note, because the person has not
 * seen the task yet.
 */
export function LoadingTask({ gate, isSelecting }: { gate: AnswerGate; isSelecting: boolean }) {
  const [wasTooEarly, setWasTooEarly] = useState(false)
  function refuse(event: KeyboardEvent) {
    event.preventDefault()
    gate.refuse()
    setWasTooEarly(true)
  }
  useShortcuts({
    ...(!isSelecting && {
      e: refuse,
      r: refuse,
      q: refuse,
      c: refuse,
      i: refuse,
      '$mod+Enter': refuse,
      '$mod+Shift+Enter': refuse,
      ...digitShortcuts('Alt+Digit', (_, event) => refuse(event)),
      ...digitShortcuts('', (_, event) => refuse(event)),
    }),
  })
  return <TaskSkeleton>{wasTooEarly && 'The task is still loading. Nothing was sent.'}</TaskSkeleton>
}
