import { useEffect } from 'react'
import { currentPress, isTyping } from './presses.ts'

/**
 * Drops the keys that a person types for a text field that was removed or disabled while they typed,
 * for example because the agent revised the form. Otherwise these keys would be shortcuts, which
 * could answer the task.
 */
export function useDropLostText(): void {
  useEffect(() => {
    /** The field that the person types in. `isLost`: it is gone, and at least one key was dropped. */
    let typing: { field: Element; isLost: boolean } | undefined

    function onKey(event: KeyboardEvent) {
      if (leavesField(event)) typing = undefined
      else if (isTyping(event.target)) typing = { field: event.target, isLost: false }
      if (!typing || isTyping(event.target)) return
      const isGone = !typing.field.isConnected || typing.field.matches(':disabled')
      // The first key is dropped even if it comes after a pause. Further keys are dropped only while
      // they follow each other as fast as typed text.
      if (!isGone || (typing.isLost && !currentPress().isQuick)) {
        typing = undefined
        return
      }
      typing.isLost = true
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    // 0: the click was triggered by a key.
    const onClick = ({ detail }: MouseEvent) => {
      if (detail > 0) typing = undefined
    }

    window.addEventListener('keydown', onKey, { capture: true })
    window.addEventListener('click', onClick, { capture: true })
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true })
      window.removeEventListener('click', onClick, { capture: true })
    }
  }, [])
}

/** Whether the person leaves a text field with this key, or uses it as a shortcut. */
function leavesField(event: KeyboardEvent): boolean {
  const { key, target, ctrlKey, metaKey, altKey } = event
  if (key === 'Enter' && target instanceof HTMLInputElement) return true
  const isModified = (ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph')
  return isModified || key === 'Tab' || key === 'Escape'
}
