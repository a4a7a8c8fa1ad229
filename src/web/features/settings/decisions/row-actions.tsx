import { useRole } from '../../../lib/role.ts'
import recordsStyles from '../../../ui/records.module.css'

type Props = {
  /** What the buttons edit and delete, for their accessible names. */
  subject: string
  /** The record is being loaded again before it is edited. */
  isOpening: boolean
  onEdit: () => void
  onDelete: () => void
}

/** The buttons Edit and Delete of a row, shown to admins and owners. */
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
