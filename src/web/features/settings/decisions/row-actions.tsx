import { useRole } from '../../../lib/role.ts'
import recordsStyles from '../../../ui/records.module.css'

type Props = {
  /** Completes the names of the buttons. */
  subject: string
  /** The record is being loaded, to be edited. */
  isOpening: boolean
  onEdit: () => void
  onDelete: () => void
}

/** For admins. */
export function RowActions({ subject, isOpening, onEdit, onDelete }: Props) {
  const { isAtLeast } = useRole()
  if (!isAtLeast('admin')) return null
  return (
    <span className={recordsStyles.rowAct}>
      <button
        type="button"
        className="btn quiet"
        aria-label={isOpening ? undefined : `Edit ${subject}`}
        aria-disabled={isOpening}
        onClick={() => !isOpening && onEdit()}
      >
        {isOpening ? 'Opening…' : 'Edit'}
      </button>
      <button type="button" className="btn quiet" aria-label={`Delete ${subject}`} onClick={onDelete}>
        Delete
      </button>
    </span>
  )
}
