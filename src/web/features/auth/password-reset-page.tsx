import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import authStyles from './auth.module.css'
import { AuthForm } from './auth-form.tsx'
import { useSignedOutForm } from './use-signed-out-form.ts'
import { useTokenFromLink } from './use-token-from-link.ts'

export function PasswordResetPage() {
  const token = useTokenFromLink()
  if (token === '') {
    return (
      <StandalonePage title="This link is incomplete" intro="Copy the complete link, or request a new one.">
        <p className={authStyles.secondaryLinks}>
          <Link to="/forgot-password">Request a new link</Link>
        </p>
      </StandalonePage>
    )
  }
  return <PasswordReset key={token} token={token} />
}

function PasswordReset({ token }: { token: string }) {
  const [isDone, setDone] = useState(false)
  const form = useSignedOutForm(async ({ password = '' }) => {
    await api.resetPassword({ token, password })
    setDone(true)
  })

  if (isDone) {
    return (
      <StandalonePage
        title="Your password was changed"
        intro="You're signed out on all devices, your apps are disconnected, your Slack user is unlinked, and your browsers get no more push messages. Sign in with your new password."
      >
        <p className={authStyles.secondaryLinks}>
          <Link to="/sign-in">Sign in</Link>
        </p>
      </StandalonePage>
    )
  }
  return (
    <StandalonePage
      title="Choose a new password"
      intro="This signs you out on all devices, disconnects your apps, unlinks your Slack user and stops push messages. If your email address isn't verified yet, it also turns off two-factor authentication."
    >
      <AuthForm
        form={form}
        failureMessage="Your password wasn't changed."
        submitLabel="Change password"
        submittingLabel="Changing…"
      >
        <NewPasswordField label="New password" error={form.errorAt('password')} autoFocus />
      </AuthForm>
      {form.problem?.status === 403 && (
        <p className={authStyles.secondaryLinks}>
          <Link to="/forgot-password">Request a new link</Link>
        </p>
      )}
    </StandalonePage>
  )
}
