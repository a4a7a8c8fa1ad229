import type { Action } from '../../../../contract/action.ts'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { keyCap } from '../../../lib/shortcuts.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'
import dockStyles from './dock.module.css'

type Props = {
  actions: Action[]
  chosenId: string | undefined
  isEnded: boolean
  onChoose: (actionId: string) => void
}

export function ActionPicker({ actions, chosenId, isEnded, onChoose }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a legend; these are buttons, not fields
    <div className={dockStyles.acts} role="group" aria-label="Actions">
      {actions.map((action, n) => (
        <button
          key={action.id}
          type="button"
          className={dockStyles.act}
          data-action
          aria-pressed={action.id === chosenId}
          aria-disabled={isEnded || undefined}
          title={action.description && escapeBidi(action.description)}
          onClick={() => !isEnded && onChoose(action.id)}
        >
          <span>
            <bdi>{bidiSafe(action.title)}</bdi>
            {/* The form below shows the description of the chosen action. */}
            {action.description && action.id !== chosenId && (
              <span className={dockStyles.about}>{bidiSafe(action.description)}</span>
            )}
          </span>
          {n < 9 && <KeyCap>{keyCap.action(n + 1)}</KeyCap>}
        </button>
      ))}
    </div>
  )
}
