import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invitation, Invited } from '../../../contract/invitation.ts'
import { useRole } from '../../lib/role.ts'
import { roleTitle } from '../../lib/role-texts.ts'
import { formatAgo, formatFullDate, formatTime, formatTimeLeft } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useSetUpStatus } from '../../lib/use-set-up-status.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import recordsStyles from '../../ui/records.module.css'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Strip } from '../../ui/strip.tsx'
import { InviteForm } from './invite-form.tsx'

export function InvitationsPage() {
  const { isAtLeast } = useRole()
  return (
    <PageFrame
      title="Invitations"
      intro="An invitation link works once and expires after seven days. A new link for the same person replaces the previous one."
    >
      <NotAllowed minRole="admin" to="invite people" />
      {isAtLeast('admin') && <Invitations />}
    </PageFrame>
  )
}

function Invitations() {
  const { workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  const now = useNow()
  const { passwordSignIn = true, singleSignOn = 'single sign-on' } = useSetUpStatus().data ?? {}
  const [created, setCreated] = useState<Invited>()
  const [revoking, setRevoking] = useState<Invitation>()
  const queryKey = ['invitations', workspaceId]
  const invitationsQuery = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.invitations(signal)).invitations,
  })

  return (
    <>
      <InviteForm
        onCreated={(invitation) => {
          setCreated(invitation)
          void queryClient.invalidateQueries({ queryKey })
        }}
      />
      {created && created.link === undefined && (
        <Strip tone="success">
          We emailed the link to <bdi>{bidiSafe(created.email)}</bdi>. Nobody else can see it.
        </Strip>
      )}
      {created?.link !== undefined && (
        <ShownOnce
          key={created.invitationId}
          noun="link"
          value={created.link}
          warning={`Copy this link now and send it to ${created.email}. You won't be able to see it again. ${passwordSignIn ? 'If this address has no account yet, anyone who has the link can join with a password, and is shown as not verified.' : `To join, they sign in with ${singleSignOn}.`}`}
          facts={[
            ['Role', roleTitle[created.role]],
            ['Expires', formatTime(created.expiresAt, now)],
          ]}
        />
      )}
      <section>
        <h2>Pending invitations</h2>
        <Loaded query={invitationsQuery} subject="The invitations">
          {(invitations) =>
            invitations.length === 0 ? (
              <p className="none-yet">No pending invitations. Invite someone above.</p>
            ) : (
              <ul className={recordsStyles.records} aria-label="Invitations">
                {invitations.map((invitation) => (
                  <li key={invitation.invitationId}>
                    <div className={recordsStyles.who}>
                      <strong>
                        <bdi>{bidiSafe(invitation.email)}</bdi>
                      </strong>
                      <span>
                        Invited {formatAgo(invitation.createdAt, now)} ·{' '}
                        <time dateTime={invitation.expiresAt} title={formatFullDate(invitation.expiresAt)}>
                          {formatTimeLeft(invitation.expiresAt, now, 'expired')}
                        </time>
                      </span>
                    </div>
                    <span className={recordsStyles.role}>{roleTitle[invitation.role]}</span>
                    <span className={recordsStyles.rowAct}>
                      <button
                        type="button"
                        className="btn quiet"
                        aria-label={`Revoke the invitation for ${invitation.email}`}
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
          title="Revoke invitation?"
          description={`The link for ${revoking.email} will stop working immediately.`}
          confirmLabel="Revoke invitation"
          onConfirm={async () => {
            await api.revokeInvitation(revoking.invitationId)
            if (created?.invitationId === revoking.invitationId) setCreated(undefined)
            await queryClient.invalidateQueries({ queryKey })
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  )
}
