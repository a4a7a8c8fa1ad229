import { Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { useSetUpStatus } from '../../lib/use-set-up-status.ts'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import authStyles from './auth.module.css'
import { AuthForm } from './auth-form.tsx'
import { useSignedOutForm } from './use-signed-out-form.ts'

export function ForgotPasswordPage() {
  const setUpStatus = useSetUpStatus()
  if (setUpStatus.isLoading) return null
  if (setUpStatus.data?.passwordSignIn === false) return <Navigate to="/sign-in" replace />
  if (setUpStatus.data?.resetsByMail === false) return <ResetByOperator />
  // Also shown if the status couldn't be loaded: sending the form shows the error.
  return <ResetByMail />
}

function ResetByOperator() {
  return (
    <StandalonePage
      title="Forgot your password?"
      intro={
        <>
          This service can't send email. Ask its operator to reset your password:{' '}
          <code>handrail password-reset --email &lt;your email&gt;</code>.
        </>
      }
    >
      <BackToSignIn />
    </StandalonePage>
  )
}

function ResetByMail() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useSignedOutForm(async ({ email = '' }) => {
    await api.requestPasswordReset({ email })
    setSentTo(email)
  })

  if (sentTo !== undefined) {
    return (
      <StandalonePage
        title="Check your email"
        intro={
          <>
            If <bdi>{sentTo}</bdi> has an account, we've sent it a link to choose a new password. The link
            works once and expires in an hour.
          </>
        }
      >
        <BackToSignIn />
      </StandalonePage>
    )
  }
  return (
    <StandalonePage title="Forgot your password?" intro="We'll email you a link to choose a new one.">
      <AuthForm
        form={form}
        failureMessage="The email wasn't sent."
        submitLabel="Send link"
        submittingLabel="Sending…"
      >
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          error={form.errorAt('email')}
          required
          autoFocus
        />
      </AuthForm>
      <BackToSignIn />
    </StandalonePage>
  )
}

function BackToSignIn() {
  return (
    <p className={authStyles.secondaryLinks}>
      <Link to="/sign-in">Back to sign-in</Link>
    </p>
  )
}
