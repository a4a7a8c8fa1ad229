import { useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useShortcuts } from '../../../lib/shortcuts.ts'
import type { Answering } from '../answering/use-answering.ts'

/**
 * Folds the dock below the context to one line. It unfolds for what the person has to see: another
 * action, an invalid field, an answer that was not sent. A new task starts unfolded.
 */
export function useDockFold(answering: Answering, isBelow: boolean) {
  const [isFolded, setFolded] = useState(false)
  const { chosen, formErrors, problem } = answering
  const canFold = isBelow && chosen !== undefined

  useEffect(() => setFolded(false), [chosen?.id, problem])
  // Only new errors unfold the dock: if the person folds it right after a correction, it stays folded
  // when the check of the correction ends.
  useEffect(() => {
    if (formErrors?.isNew) setFolded(false)
  }, [formErrors])
  useLayoutEffect(() => {
    if (!isFolded) formErrors?.focusFirst?.()
  }, [isFolded])

  const toggle = () => setFolded((before) => !before)
  useShortcuts(canFold ? { '.': toggle } : {})

  return {
    isFolded: canFold && isFolded,
    canFold,
    toggle,
    /**
     * Call it before a key changes the form. Unfolds synchronously, because a hidden field cannot
     * take the focus.
     */
    unfold: () => flushSync(() => setFolded(false)),
  }
}
