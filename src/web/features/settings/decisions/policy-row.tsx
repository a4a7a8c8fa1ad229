import type { Group, Policy } from '../../../../contract/review.ts'
import type { Member } from '../../../../contract/workspace.ts'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import recordsStyles from '../../../ui/records.module.css'
import { describePolicy, describeTasks } from './describe-policy.ts'
import { RowActions } from './row-actions.tsx'
import { WarningLine } from './warning-line.tsx'

type Props = {
  policy: Policy
  members: Member[]
  groups: Group[]
  isOpening: boolean
  onEdit: () => void
  onDelete: () => void
}

export function PolicyRow({ policy, members, groups, isOpening, onEdit, onDelete }: Props) {
  const subject = `the policy for ${escapeBidi(describeTasks(policy, 'tasks'))}`
  return (
    <li>
      <div className={recordsStyles.who}>
        <strong className="wrap-anywhere">{bidiSafe(describeTasks(policy))}</strong>
        <span className="wrap-anywhere">{bidiSafe(describePolicy(policy, members, groups))}</span>
        {policy.warnings?.map((warning) => (
          <WarningLine key={warning}>{warning}</WarningLine>
        ))}
      </div>
      <RowActions subject={subject} isOpening={isOpening} onEdit={onEdit} onDelete={onDelete} />
    </li>
  )
}
