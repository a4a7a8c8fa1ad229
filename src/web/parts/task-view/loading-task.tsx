import { useState } from 'react'
import type { AnswerGate } from '../../lib/answer-gate.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { eachDigit } from './each-digit.ts'
import { TaskSkeleton } from './task-skeleton.tsx'

/**
 * The selected task until it is here. A key that answers is not kept for later: it would answer what nobody has seen.
 * So that it is not lost in silence either, it gets a word.
 */
export function LoadingTask({ gate, isChoosing }: { gate: AnswerGate; isChoosing: boolean }) {
  const [isHurried, setHurried] = useState(false)
  function tell(event: KeyboardEvent) {
    event.preventDefault()
    gate.refuse()
    setHurried(true)
  }
  useShortcuts({
    ...(!isChoosing && {
      e: tell,
      r: tell,
      '$mod+Enter': tell,
      '$mod+Shift+Enter': tell,
      ...eachDigit('Alt+Digit', (_, event) => tell(event)),
      ...eachDigit('', (_, event) => tell(event)),
    }),
  })
  return <TaskSkeleton>{isHurried && 'Still loading. Nothing was answered.'}</TaskSkeleton>
}
