import type { Action } from '../../../contract/action.ts'
import { keyCap } from '../../lib/shortcuts.ts'
import { KeyCap } from '../../ui/key-cap.tsx'
import { visible } from '../../ui/visible-text.tsx'

type Props = {
  actions: Action[]
  chosenId: string | undefined
  isEnded: boolean
  onChoose: (actionId: string) => void
}

export function ActionPicker({ actions, chosenId, isEnded, onChoose }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a legend; these are buttons, not fields
    <div className="acts" role="group" aria-label="Actions">
      {actions.map((action, n) => (
        <button
          key={action.id}
          type="button"
          className="act"
          aria-pressed={action.id === chosenId}
          aria-disabled={isEnded || undefined}
          onClick={() => !isEnded && onChoose(action.id)}
        >
          <bdi>{visible(action.title)}</bdi>
          {n < 9 && <KeyCap>{keyCap.action(n + 1)}</KeyCap>}
        </button>
      ))}
    </div>
  )
}
