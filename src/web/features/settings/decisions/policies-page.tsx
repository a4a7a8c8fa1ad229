import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { useRole } from '../../../lib/role.ts'
import { useGroups } from '../../../lib/use-groups.ts'
import { useMembers } from '../../../lib/use-members.ts'
import { usePolicies } from '../../../lib/use-policies.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { NotAllowed } from '../../../ui/not-allowed.tsx'
import { PageFrame } from '../../../ui/page-frame.tsx'
import recordsStyles from '../../../ui/records.module.css'
import { Strip } from '../../../ui/strip.tsx'
import { describePolicy, describeTasks } from './describe-policy.ts'
import { PolicyDialog } from './policy-dialog.tsx'
import { PolicyRow } from './policy-row.tsx'
import { useRecordDialog } from './use-record-dialog.ts'

export function PoliciesPage() {
  const { api, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const policiesQuery = usePolicies()
  const groupsQuery = useGroups()
  const membersQuery = useMembers()
  const { dialog, missing, isOpening, create, edit, remove, close } = useRecordDialog(
    policiesQuery,
    ({ policyId }) => policyId,
  )
  return (
    <PageFrame
      title="Policies"
      intro="A policy says who may answer tasks of an app or type, how many people must agree, and by when, with reminders and escalation. An agent can ask for a stricter review, not a looser one."
      action={
        isAtLeast('admin') && (
          <button type="button" className="btn primary" onClick={create}>
            <Icon of={Plus} /> Create policy
          </button>
        )
      }
    >
      <NotAllowed minRole="admin" to="create and change policies" />
      {missing && (
        <Strip tone="warn" isAnnounced>
          The policy for {bidiSafe(describeTasks(missing, 'tasks'))} no longer exists.
        </Strip>
      )}
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
                          isOpening={isOpening(policy)}
                          onEdit={() => void edit(policy)}
                          onDelete={() => remove(policy)}
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
                {(dialog?.action === 'create' || dialog?.action === 'edit') && (
                  <PolicyDialog
                    policy={dialog.action === 'edit' ? dialog.record : undefined}
                    members={members}
                    groups={groups}
                    onClose={close}
                  />
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
      <p className="help above-12">
        The most specific policy applies: app and type, then type, then app. Changes apply to new tasks. Open
        tasks keep their review; only “Don't allow answers in Slack” applies to them too.
      </p>
      {dialog?.action === 'delete' && (
        <ConfirmDialog
          title="Delete policy?"
          description={`${escapeBidi(describeTasks(dialog.record))} that are sent from now on follow the next matching policy, or none. Open tasks keep their review. Whether they can be answered in Slack may change immediately. Handrail no longer posts to the Slack channels of this policy.`}
          confirmLabel="Delete policy"
          onConfirm={async () => {
            await api.deletePolicy(dialog.record.policyId)
            await queryClient.invalidateQueries({ queryKey: ['policies', workspaceId] })
          }}
          onClose={close}
        />
      )}
    </PageFrame>
  )
}
