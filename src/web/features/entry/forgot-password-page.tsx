import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { EntryFrame } from '../../ui/entry-frame.tsx'
import { TextField } from '../../ui/text-field.tsx'
import entryStyles from './entry.module.css'
import { EntryForm } from './entry-form.tsx'
import { useEntry } from './use-entry.ts'
import { useSetUp } from './use-set-up.ts'

export function ForgotPasswordPage() {
  const setUp = useSetUp()
  if (setUp.isLoading) return null
  if (setUp.data?.resetsByMail === false) return <ResetByOperator />
  // If the query failed, sending the form shows the error.
  return <ResetByMail />
}

function ResetByOperator() {
  return (
    <EntryFrame
      title="Forgot your password?"
      lede={
        <>
          This service can't send email. Ask its operator to reset your password with{' '}
          <code>handrail password-reset</code>.
        </>
      }
    >
      <BackToSignIn />
    </EntryFrame>
  )
}

function ResetByMail() {
  const [sentTo, setSentTo] = useState<string>()
  const entry = useEntry(async ({ email = '' }) => {
    await api.requestPasswordReset({ email })
    setSentTo(email)
  })

  if (sentTo !== undefined) {
    return (
      <EntryFrame
        title="Check your email"
        lede={
          <>
            If <bdi>{sentTo}</bdi> has an account, we've sent it a link to choose a new password. The link
            works once and expires in an hour.
          </>
        }
      >
        <BackToSignIn />
      </EntryFrame>
    )
  }
  return (
    <EntryFrame title="Forgot your password?" lede="We'll email you a link to choose a new one.">
      <EntryForm entry={entry} unchanged="The email wasn't sent." submit="Send link" submitting="Sending…">
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          error={entry.errorAt('email')}
          required
          autoFocus
        />
      </EntryForm>
      <BackToSignIn />
    </EntryFrame>
  )
}

function BackToSignIn() {
  return (
    <p className={entryStyles.otherWay}>
      <Link to="/sign-in">Back to sign-in</Link>
    </p>
  )
}
