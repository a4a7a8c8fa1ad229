import { useState } from 'react'
import type { Action } from '../../../../contract/action.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import { useIsPhone } from '../../../lib/use-is-phone.ts'
import { firstControl } from '../../form/first-control.ts'

/**
 * The action chosen by the person. Before they choose, it is the action of the newest draft, or the
 * only action of the task; on a phone there is none. `onChange` is called when the person chooses
 * or deselects an action.
 */
export function useChosenAction(actions: Action[], drafts: Draft[], onChange: () => void) {
  const isPhone = useIsPhone()
  // undefined: nothing chosen yet. null: deselected.
  const [choice, setChoice] = useState<string | null>()
  // An action chosen by key moves the focus into its form, but only once: not again when a revision
  // replaces the form.
  const [isChosenByKey, setChosenByKey] = useState(false)

  // On phones a chosen action is an open sheet, which must not open by itself.
  const suggested = isPhone
    ? undefined
    : (drafts.findLast(({ actionId }) => actions.some(({ id }) => id === actionId))?.actionId ??
      (actions.length === 1 ? actions[0]?.id : undefined))
  const chosen = actions.find((action) => action.id === (choice === undefined ? suggested : choice))

  /**
   * Chooses an action, or none. If the action is chosen already, it is deselected, unless it is the
   * task's only one; with `byKey`, its form takes the focus instead.
   */
  function choose(actionId: string | undefined, byKey = false) {
    if (byKey && actionId === chosen?.id) {
      const control = firstControl(document.querySelector('[data-answer-form]'))
      control?.focus()
      // If the form is still loading, it takes the focus once it is mounted.
      setChosenByKey(!control)
      return
    }
    setChosenByKey(byKey)
    const isDeselected = actionId === chosen?.id && actions.length > 1
    setChoice(isDeselected ? null : (actionId ?? null))
    onChange()
  }

  return {
    chosen,
    choose,
    isChosenByKey,
    onFormFocused: () => setChosenByKey(false),
    /** Shows the action of an answer that returned, without calling `onChange`. */
    restoreChoice: setChoice,
  }
}
