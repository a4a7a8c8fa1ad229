import { Check, Ellipsis } from 'lucide-react'
import type { Action } from '../../../contract/action.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import dockStyles from './dock.module.css'
import styles from './phone-actions.module.css'
import { usePresentedTask } from './presented-task.ts'

type Props = {
  actions: Action[]
  isEnded: boolean
  onChoose: (actionId: string) => void
  onMarkDone: () => void
  onReject: () => void
}

const MoreActions = lazyMenu(() => import('./more-actions-menu.tsx'))

/** Shows two actions; the rest are in a menu. */
export function PhoneActions({ actions, isEnded, onChoose, onMarkDone, onReject }: Props) {
  const picked = usePresentedTask()?.pickedNames() ?? []
  return (
    <header>
      {picked.length > 0 && (
        <p className={styles.chosenItem}>
          <Icon of={Check} />
          <span>
            Your pick: <b>{bidiSafe(picked.join(', '))}</b>
          </span>
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields */}
      <div className={dockStyles.acts} role="group" aria-label="Actions">
        {actions.slice(0, 2).map((action) => (
          <button
            key={action.id}
            type="button"
            className={dockStyles.act}
            data-action
            aria-disabled={isEnded || undefined}
            aria-haspopup="dialog"
            onClick={() => !isEnded && onChoose(action.id)}
          >
            <bdi>{bidiSafe(action.title)}</bdi>
          </button>
        ))}
        <MoreActions
          trigger={
            <button
              type="button"
              className={`${dockStyles.act} ${dockStyles.more}`}
              aria-label="More actions"
              disabled={isEnded}
            >
              <Icon of={Ellipsis} />
            </button>
          }
          actions={actions.slice(2)}
          onChoose={onChoose}
          onMarkDone={onMarkDone}
          onReject={onReject}
        />
      </div>
    </header>
  )
}
