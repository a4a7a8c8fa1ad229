import { Check, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Action } from '../../../../contract/action.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import { classes } from '../../../lib/classes.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useTaskDisplay } from '../comparisons/task-display.ts'
import styles from './phone-actions.module.css'

type Props = {
  actions: Action[]
  drafts: Draft[]
  isDisabled: boolean
  onTap: (action: Action) => void
  onMarkDone: () => void
  onReject: () => void
  questionButtons: ReactNode
}

/** All actions as buttons. "…" marks those with a form. */
export function PhoneActions({
  actions,
  drafts,
  isDisabled,
  onTap,
  onMarkDone,
  onReject,
  questionButtons,
}: Props) {
  const display = useTaskDisplay()
  const picked = display?.pickedNames() ?? []
  const draftOf = ({ id }: Action) => drafts.find((draft) => draft.actionId === id)
  const ifEnabled = (run: () => void) => () => {
    if (!isDisabled) run()
  }
  return (
    <header>
      {picked.length > 0 && (
        <p className={styles.picked}>
          <Icon of={Check} />
          <span>
            Your pick: <b>{bidiSafe(picked.join(', '))}</b>
          </span>
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields */}
      <div className={styles.actions} role="group" aria-label="Actions">
        {actions.map((action, n) => {
          const draft = draftOf(action)
          const pickedByDraft = (draft && display?.pickedNamesIn(action.id, draft.data)) ?? []
          return (
            <button
              key={action.id}
              type="button"
              className={classes('btn', n === 0 && 'primary')}
              data-action
              aria-disabled={isDisabled || undefined}
              aria-haspopup={action.schema ? 'dialog' : undefined}
              onClick={ifEnabled(() => onTap(action))}
            >
              <span className={styles.label}>
                <bdi>{bidiSafe([action.title, ...pickedByDraft].join(': '))}</bdi>
                {action.schema && '…'}
                {/* The sheet shows the description of an action with a form. */}
                {!action.schema && action.description && <small>{bidiSafe(action.description)}</small>}
              </span>
              {draft && <Icon of={Pencil} name="Draft" />}
            </button>
          )
        })}
      </div>
      <div className={styles.builtIn}>
        {questionButtons}
        <button
          type="button"
          className="btn quiet"
          aria-disabled={isDisabled}
          onClick={ifEnabled(onMarkDone)}
        >
          Mark done
        </button>
        <button type="button" className="btn quiet" aria-disabled={isDisabled} onClick={ifEnabled(onReject)}>
          Reject…
        </button>
      </div>
    </header>
  )
}
