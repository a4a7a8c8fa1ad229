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
  // How the person chose the action, until its form has taken the focus: a revision that replaces the
  // form must not move it again. Without the focus, what they type next would act as shortcuts.
  const [chosenBy, setChosenBy] = useState<'key' | 'click'>()

  // On phones a chosen action is an open sheet, which must not open by itself.
  const suggested = isPhone
    ? undefined
    : (drafts.findLast(({ actionId }) => actions.some(({ id }) => id === actionId))?.actionId ??
      (actions.length === 1 ? actions[0]?.id : undefined))
  const chosen = actions.find((action) => action.id === (choice === undefined ? suggested : choice))

  /**
   * Chooses an action, or none. If the action is chosen already, it is deselected, unless it is the
   * task's only one; by key, its form takes the focus instead.
   */
  function choose(actionId: string | undefined, by?: 'key' | 'click') {
    if (by === 'key' && actionId === chosen?.id) {
      const control = firstControl(document.querySelector('[data-answer-form]'))
      control?.focus()
      // If the form is still loading, it takes the focus once it is mounted.
      setChosenBy(control ? undefined : by)
      return
    }
    const isDeselected = actionId === chosen?.id && actions.length > 1
    setChosenBy(isDeselected ? undefined : by)
    setChoice(isDeselected ? null : (actionId ?? null))
    onChange()
  }

  return {
    chosen,
    choose,
    chosenBy,
    onFormFocused: () => setChosenBy(undefined),
    /** Shows the action of an answer that returned, without calling `onChange`. */
    restoreChoice: setChoice,
  }
}
