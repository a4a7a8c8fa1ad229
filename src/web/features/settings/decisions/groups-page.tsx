import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { useRole } from '../../../lib/role.ts'
import { useGroups } from '../../../lib/use-groups.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { NotAllowed } from '../../../ui/not-allowed.tsx'
import { PageFrame } from '../../../ui/page-frame.tsx'
import recordsStyles from '../../../ui/records.module.css'
import { Strip } from '../../../ui/strip.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { GroupRow } from './group-row.tsx'
import { useRecordDialog } from './use-record-dialog.ts'

export function GroupsPage() {
  const { api, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const groupsQuery = useGroups()
  const { dialog, missing, isOpening, create, edit, remove, close } = useRecordDialog(
    groupsQuery,
    ({ groupId }) => groupId,
  )
  return (
    <PageFrame
      title="Groups"
      intro="A group stands for its members wherever a task or a policy says who may answer, or whom a task is assigned to."
      action={
        isAtLeast('admin') && (
          <button type="button" className="btn primary" onClick={create}>
            <Icon of={Plus} /> Create group
          </button>
        )
      }
    >
      <NotAllowed minRole="admin" to="create and change groups" />
      {missing && (
        <Strip tone="warn" isAnnounced>
          The group <bdi>{bidiSafe(missing.name)}</bdi> no longer exists.
        </Strip>
      )}
      <Loaded query={groupsQuery} subject="The groups">
        {(groups) =>
          groups.length === 0 ? (
            <p className="none-yet above-16">No groups yet.</p>
          ) : (
            <ul className={recordsStyles.records} aria-label="Groups">
              {groups.map((group) => (
                <GroupRow
                  key={group.groupId}
                  group={group}
                  isOpening={isOpening(group)}
                  onEdit={() => void edit(group)}
                  onDelete={() => remove(group)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {(dialog?.action === 'create' || dialog?.action === 'edit') && (
        <GroupDialog group={dialog.action === 'edit' ? dialog.record : undefined} onClose={close} />
      )}
      {dialog?.action === 'delete' && (
        <ConfirmDialog
          title={`Delete ${escapeBidi(dialog.record.name)}?`}
          description="Answers that its members gave are kept. Open tasks that only this group may answer can then be answered by admins. Tasks assigned to it have no assignee any more, and Handrail no longer posts to its Slack channels."
          confirmLabel="Delete group"
          onConfirm={async () => {
            await api.deleteGroup(dialog.record.groupId)
            await queryClient.invalidateQueries({ queryKey: ['groups', workspaceId] })
          }}
          onClose={close}
        />
      )}
    </PageFrame>
  )
}
