import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Group } from '../../../../contract/review.ts'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { useRole } from '../../../lib/role.ts'
import { useGroups } from '../../../lib/use-groups.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { NotAllowed } from '../../../ui/not-allowed.tsx'
import { PageFrame } from '../../../ui/page-frame.tsx'
import recordsStyles from '../../../ui/records.module.css'
import { GroupDialog } from './group-dialog.tsx'
import { GroupRow } from './group-row.tsx'

export function GroupsPage() {
  const { api, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const groupsQuery = useGroups()
  const [editing, setEditing] = useState<Group | 'new'>()
  const [deleting, setDeleting] = useState<Group>()
  /** Another admin may have changed or deleted the group since the list was loaded. */
  async function edit({ groupId }: Group) {
    const { data } = await groupsQuery.refetch()
    setEditing(data?.find((group) => group.groupId === groupId))
  }
  return (
    <PageFrame
      title="Groups"
      intro="A group stands for its members wherever a task or a policy says who may answer."
      action={
        isAtLeast('admin') && (
          <button type="button" className="btn primary" onClick={() => setEditing('new')}>
            <Icon of={Plus} /> Create group
          </button>
        )
      }
    >
      <NotAllowed minRole="admin" to="create and change groups" />
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
                  onEdit={() => void edit(group)}
                  onDelete={() => setDeleting(group)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {editing && (
        <GroupDialog group={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      {deleting && (
        <ConfirmDialog
          title={`Delete ${escapeBidi(deleting.name)}`}
          description="Answers that its members gave are kept. Open tasks that only this group may answer can then be answered by admins."
          confirmLabel="Delete group"
          onConfirm={async () => {
            await api.deleteGroup(deleting.groupId)
            await queryClient.invalidateQueries({ queryKey: ['groups', workspaceId] })
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </PageFrame>
  )
}
