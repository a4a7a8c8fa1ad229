import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Policy } from '../../../../contract/review.ts'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { useRole } from '../../../lib/role.ts'
import { useGroups } from '../../../lib/use-groups.ts'
import { useMembers } from '../../../lib/use-members.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { NotAllowed } from '../../../ui/not-allowed.tsx'
import { PageFrame } from '../../../ui/page-frame.tsx'
import recordsStyles from '../../../ui/records.module.css'
import { describePolicy, describeScope } from './describe-policy.ts'
import { PolicyDialog } from './policy-dialog.tsx'
import { PolicyRow } from './policy-row.tsx'
import { usePolicies } from './use-policies.ts'

export function PoliciesPage() {
  const { api, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const policiesQuery = usePolicies()
  const groupsQuery = useGroups()
  const membersQuery = useMembers()
  const [editing, setEditing] = useState<Policy | 'new'>()
  const [deleting, setDeleting] = useState<Policy>()
  /** Another admin may have changed or deleted the policy since the list was loaded. */
  async function edit({ policyId }: Policy) {
    const { data } = await policiesQuery.refetch()
    setEditing(data?.find((policy) => policy.policyId === policyId))
  }
  return (
    <PageFrame
      title="Policies"
      intro="A policy says who may answer tasks of an app or type, how many people must agree, and by when, with reminders and escalation. An agent can ask for a stricter review, not a looser one."
      action={
        isAtLeast('admin') && (
          <button type="button" className="btn primary" onClick={() => setEditing('new')}>
            <Icon of={Plus} /> Create policy
          </button>
        )
      }
    >
      <NotAllowed minRole="admin" to="create and change policies" />
      <Loaded query={membersQuery} subject="The members">
        {(members) => (
          <Loaded query={groupsQuery} subject="The groups">
            {(groups) => (
              <>
                <Loaded query={policiesQuery} subject="The policies">
                  {(policies) => (
                    <ul className={recordsStyles.records} aria-label="Policies">
                      {policies.map((policy) => (
                        <PolicyRow
                          key={policy.policyId}
                          policy={policy}
                          members={members}
                          groups={groups}
                          onEdit={() => void edit(policy)}
                          onDelete={() => setDeleting(policy)}
                        />
                      ))}
                      <li>
                        <div className={recordsStyles.who}>
                          <strong>
                            {policies.length === 0 ? 'All tasks' : 'All other tasks'}
                            <span className="chip">Default</span>
                          </strong>
                          <span>{describePolicy({}, members, groups)}</span>
                        </div>
                      </li>
                    </ul>
                  )}
                </Loaded>
                {editing && (
                  <PolicyDialog
                    policy={editing === 'new' ? undefined : editing}
                    members={members}
                    groups={groups}
                    onClose={() => setEditing(undefined)}
                  />
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
      <p className="help above-12">
        The most specific policy applies: app and type, then type, then app. Changes apply to new tasks. Open
        tasks keep their review.
      </p>
      {deleting && (
        <ConfirmDialog
          title="Delete policy"
          description={`${escapeBidi(describeScope(deleting))} that are sent from now on follow the next matching policy, or none. Open tasks keep their review.`}
          confirmLabel="Delete policy"
          onConfirm={async () => {
            await api.deletePolicy(deleting.policyId)
            await queryClient.invalidateQueries({ queryKey: ['policies', workspaceId] })
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </PageFrame>
  )
}
