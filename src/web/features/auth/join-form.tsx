import { useNavigate } from '@tanstack/react-router'
import type { InvitationPreview } from '../../../contract/invitation.ts'
import { limits } from '../../../contract/limits.ts'
import { api } from '../../lib/api.ts'
import { formatCalendarDay } from '../../lib/dates.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { asProblem } from '../../lib/problem.ts'
import { roleWithArticle } from '../../lib/role-texts.ts'
import { formatFullDate } from '../../lib/time.ts'
import { useSetUpStatus } from '../../lib/use-set-up-status.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { SecondFactorField } from '../../ui/second-factor-field.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import authStyles from './auth.module.css'
import { AuthForm } from './auth-form.tsx'
import styles from './join-form.module.css'
import { SingleSignOnButton } from './single-sign-on-button.tsx'
import { useSignedOutForm } from './use-signed-out-form.ts'

type Props = {
  token: string
  invitation: InvitationPreview
  /** Called if the service refuses the link, for example because it was revoked after the page was opened. */
  onInvalidLink: () => void
}

/**
 * Shows who invited whom to which workspace, and offers to join with single sign-on, or with a name
 * and a password.
 */
export function JoinForm(props: Props) {
  const { workspaceName, invitedBy, email, role, expiresAt } = props.invitation
  const setUpStatus = useSetUpStatus()
  if (setUpStatus.isLoading) return null
  const { singleSignOn, passwordSignIn = true } = setUpStatus.data ?? {}
  return (
    <StandalonePage
      title={`${escapeBidi(invitedBy ?? 'A former member')} invited you to ${escapeBidi(workspaceName)}`}
      intro="You'll answer tasks that AI agents send to people."
    >
      <div className={styles.invitee}>
        <Avatar name={email} />
        <div>
          <b>
            <bdi>{email}</bdi>
          </b>
          <p>
            You'll join as {roleWithArticle[role]}. The invitation expires on{' '}
            <time dateTime={expiresAt} title={formatFullDate(expiresAt)}>
              {formatCalendarDay(expiresAt)}
            </time>
            .
          </p>
        </div>
      </div>
      {singleSignOn !== undefined && <SingleSignOnButton name={singleSignOn} isPrimary={!passwordSignIn} />}
      {singleSignOn !== undefined && passwordSignIn && <p className={authStyles.divider}>or</p>}
      {passwordSignIn && <JoinWithPassword {...props} />}
    </StandalonePage>
  )
}

function JoinWithPassword({ token, onInvalidLink }: Props) {
  const navigate = useNavigate()
  const form = useSignedOutForm(async ({ name = '', password = '', code }) => {
    try {
      const { workspaceId } = await api.acceptInvitation({ token, name, password, code })
      await navigate({ to: '/w/$workspaceId/inbox', params: { workspaceId } })
    } catch (thrown) {
      if (asProblem(thrown).status === 403) onInvalidLink()
      throw thrown
    }
  })
  return (
    <>
      <AuthForm
        form={form}
        failureMessage="You haven't joined yet."
        submitLabel="Join"
        submittingLabel="Joining…"
      >
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={limits.personName}
          error={form.errorAt('name')}
          required
          autoFocus
        />
        <NewPasswordField label="Password" error={form.errorAt('password')} />
        {form.needsCode && <SecondFactorField autoFocus error={form.errorAt('code')} />}
      </AuthForm>
      <p className={styles.note}>
        If you already have an account with this address, enter its password. Its name won't change. If this
        link was emailed to you and the account's address isn't verified yet, what you enter becomes its new
        password, which signs you out on all devices, disconnects your apps, unlinks your Slack user, stops
        push messages and turns off two-factor authentication.
      </p>
    </>
  )
}
