import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invitation, Invited } from '../../../contract/workspace.ts'
import { useWorkspace } from '../../lib/person.ts'
import { roleTitle, useRole } from '../../lib/role.ts'
import { ago, clock, fullDate, left } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import recordsStyles from '../../ui/records.module.css'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Strip } from '../../ui/strip.tsx'
import { visible } from '../../ui/visible-text.tsx'
import { InviteForm } from './invite-form.tsx'

export function InvitationsPage() {
  const { isAtLeast } = useRole()
  return (
    <PageFrame
      title="Invitations"
      lede="People join by a link that works once, for seven days. A second link for the same person replaces the first."
    >
      <NotAllowed least="admin" to="invite people" />
      {isAtLeast('admin') && <Invitations />}
    </PageFrame>
  )
}

function Invitations() {
  const { workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  const now = useNow()
  const [invited, setInvited] = useState<Invited>()
  const [revoking, setRevoking] = useState<Invitation>()
  const queryKey = ['invitations', workspaceId]
  const invitations = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.invitations(signal)).invitations,
  })

  return (
    <>
      <InviteForm
        onInvited={(invited) => {
          setInvited(invited)
          void queryClient.invalidateQueries({ queryKey })
        }}
      />
      {invited && invited.link === undefined && (
        <Strip tone="info">
          We mailed the link to <bdi>{visible(invited.email)}</bdi>. Nobody else sees it.
        </Strip>
      )}
      {invited?.link !== undefined && (
        <ShownOnce
          key={invited.invitationId}
          what="link"
          value={invited.link}
          warning={`You see this link once. Send it to ${invited.email}: whoever opens it first can join. Because no email proves the address, they are shown as not verified.`}
          facts={[
            ['Role', roleTitle[invited.role]],
            ['Works until', clock(invited.expiresAt, now)],
          ]}
        />
      )}
      <section>
        <h2>Not accepted yet</h2>
        <Loaded query={invitations} what="The invitations">
          {(found) =>
            found.length === 0 ? (
              <p className="none-yet">Nobody is invited right now.</p>
            ) : (
              <ul className={recordsStyles.records} aria-label="Invitations">
                {found.map((invitation) => (
                  <li key={invitation.invitationId}>
                    <div className={recordsStyles.who}>
                      <strong>
                        <bdi>{visible(invitation.email)}</bdi>
                      </strong>
                      <span>
                        invited {ago(invitation.createdAt, now)} ·{' '}
                        <time title={fullDate(invitation.expiresAt)}>{left(invitation.expiresAt, now)}</time>
                      </span>
                    </div>
                    <span className={recordsStyles.role}>{roleTitle[invitation.role]}</span>
                    <span className={recordsStyles.rowAct}>
                      <button
                        type="button"
                        className="btn quiet"
                        aria-label={`Revoke the invitation of ${invitation.email}`}
                        onClick={() => setRevoking(invitation)}
                      >
                        Revoke
                      </button>
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
      {revoking && (
        <ConfirmDialog
          title="Revoke the invitation"
          about={`The link for ${revoking.email} stops working at once.`}
          confirm="Revoke"
          keep="Keep it"
          onConfirm={async () => {
            await api.withdrawInvitation(revoking.invitationId)
            if (invited?.invitationId === revoking.invitationId) setInvited(undefined)
            await queryClient.invalidateQueries({ queryKey })
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  )
}
