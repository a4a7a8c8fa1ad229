import { KeyCap } from '../../../ui/key-cap.tsx'
import styles from './built-in-actions.module.css'
import dockStyles from './dock.module.css'

type Props = { isDisabled: boolean; onMarkDone: () => void; onReject: () => void }

/** Mark done and reject, shown separately from the agent's actions. */
export function BuiltInActions({ isDisabled, onMarkDone, onReject }: Props) {
  return (
    <div className={`${styles.builtIn} ${dockStyles.builtIn}`}>
      <span className={`${styles.lead} ${dockStyles.lead}`}>Or answer with</span>
      <button
        type="button"
        className="btn quiet"
        aria-disabled={isDisabled}
        onClick={isDisabled ? undefined : onMarkDone}
      >
        Mark done <KeyCap>E</KeyCap>
      </button>
      <button
        type="button"
        className="btn quiet"
        aria-disabled={isDisabled}
        onClick={isDisabled ? undefined : onReject}
      >
        Reject… <KeyCap>R</KeyCap>
      </button>
    </div>
  )
}
