import { useRole } from '../../../lib/role.ts'
import recordsStyles from '../../../ui/records.module.css'

/** For admins. `subject` completes the names of the buttons. */
export function RowActions(props: { subject: string; onEdit: () => void; onDelete: () => void }) {
  const { subject, onEdit, onDelete } = props
  const { isAtLeast } = useRole()
  if (!isAtLeast('admin')) return null
  return (
    <span className={recordsStyles.rowAct}>
      <button type="button" className="btn quiet" aria-label={`Edit ${subject}`} onClick={onEdit}>
        Edit
      </button>
      <button type="button" className="btn quiet" aria-label={`Delete ${subject}`} onClick={onDelete}>
        Delete
      </button>
    </span>
  )
}
