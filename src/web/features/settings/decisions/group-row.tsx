import { groupPrefix } from '../../../../contract/group-prefix.ts'
import type { Group } from '../../../../contract/review.ts'
import { byName } from '../../../lib/by-name.ts'
import { displayName } from '../../../lib/display-name.ts'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { useNameOf } from '../../../lib/use-members.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import recordsStyles from '../../../ui/records.module.css'
import styles from './group-row.module.css'
import { RowActions } from './row-actions.tsx'
import { WarningLine } from './warning-line.tsx'

const maxNamedMembers = 8

type Props = { group: Group; isOpening: boolean; onEdit: () => void; onDelete: () => void }

export function GroupRow({ group, isOpening, onEdit, onDelete }: Props) {
  const nameOf = useNameOf()
  const reference = `${groupPrefix}${group.slug}`
  const name = escapeBidi(group.name)
  const names = group.members.map((email) => displayName(email, nameOf)).sort(byName)
  const named = names.slice(0, maxNamedMembers)
  const others = names.length - named.length
  return (
    <li>
      <div className={recordsStyles.who}>
        <strong>
          <bdi>{bidiSafe(group.name)}</bdi>
          <span className={styles.reference}>
            <code>{reference}</code>
            <CopyButton className="btn square" label={`Copy ${reference}`} text={() => reference} />
          </span>
        </strong>
        {named.length > 0 ? (
          <span>
            {bidiSafe(named.join(', '))}
            {others > 0 && ` and ${others} more`}
          </span>
        ) : (
          // The warning about a group without members says so itself.
          !group.warnings && <span>No members.</span>
        )}
        {group.warnings?.map((warning) => (
          <WarningLine key={warning}>{warning}</WarningLine>
        ))}
      </div>
      <RowActions subject={name} isOpening={isOpening} onEdit={onEdit} onDelete={onDelete} />
    </li>
  )
}
