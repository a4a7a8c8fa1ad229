import { Link } from '@tanstack/react-router'
import { Clock, Copy, Unlink } from 'lucide-react'
import type { InvitationPreview } from '../../../contract/invitation.ts'
import { formatCalendarDay } from '../../lib/dates.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import authStyles from './auth.module.css'

/** Shown if the link was used, revoked or replaced, or never existed. The API does not reveal which. */
export function InvalidInvitation() {
  return (
    <StandalonePage
      icon={Unlink}
      title="This invitation is no longer valid"
      intro="It may have been used, revoked or replaced by a newer one, or the link is wrong. If you have already joined, sign in. Otherwise, ask the person who invited you for a new link."
    >
      <Link className="btn primary full" to="/sign-in">
        Sign in
      </Link>
    </StandalonePage>
  )
}

export function ExpiredInvitation({ invitation }: { invitation: InvitationPreview }) {
  const { workspaceName, email, createdAt, invitedBy } = invitation
  const message = `My invitation to ${workspaceName} on Handrail (for ${email}) has expired. Can you send me a new one?`
  return (
    <StandalonePage
      icon={Clock}
      title="This invitation has expired"
      intro={
        <>
          <bdi>{bidiSafe(invitedBy ?? 'A former member')}</bdi> invited you to{' '}
          <bdi>{bidiSafe(workspaceName)}</bdi> on {formatCalendarDay(createdAt)}. Ask{' '}
          {invitedBy ? <bdi>{bidiSafe(invitedBy)}</bdi> : 'an admin'} for a new invitation.
        </>
      }
    >
      <CopyButton className="btn primary full" confirmation="text" text={() => message}>
        <Icon of={Copy} /> Copy a message to send
      </CopyButton>
      <p className={authStyles.secondaryLinks}>
        <span>
          Already joined? <Link to="/sign-in">Sign in</Link>
        </span>
      </p>
    </StandalonePage>
  )
}
